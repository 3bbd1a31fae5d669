(* A checker of certificates, and the proof that it accepts only what holds of every strategy. *)
Require Import List Arith Lia Bool.
Import ListNotations.
Require Import Game Rules Symmetry Arrays.

(* Codes go by their numbers among the guesses, or the secrets, of the board. *)
Record lemma := Lem {
  hist : list (nat * nat);                                   (* guesses and labels that lead to the set *)
  within : option nat;
  bound : nat;
  kept : list nat;                                           (* witnesses that take the set to itself *)
  ents : list (nat * list (nat * (nat * option nat)));       (* guesses, and for labels: the number of a lemma, and a witness *)
  orbs : list (nat * list nat) }.                            (* of these guesses the images, by one of those kept *)
(* what is known of a set: its codes, a history that allows no guess but those of which it is known, a limit, and a bound *)
Definition fact := (list nat * list (nat * nat) * option nat * nat)%type.
Definition fuel := 64.
Definition useless (T : list (nat * nat)) := match T with [(l, _)] => negb (l =? 0) | _ => false end.

Fixpoint all2 {P Q} (f : P -> Q -> bool) (l : list P) (m : list Q) : bool :=
  match l, m with [], [] => true | a :: l', b :: m' => f a b && all2 f l' m' | _, _ => false end.
(* the place of a code among ascending ones; what it says is looked at again *)
Fixpoint before (g s : code) : bool :=
  match g, s with a :: g', b :: s' => if a =? b then before g' s' else a <? b | _, _ => false end.
Fixpoint search (v : vec code) (f low high : nat) (g : code) : nat :=
  match f with 0 => low | S f' => if high <=? low then low else
    let mid := (low + high) / 2 in if before (get [] v mid) g then search v f' (S mid) high g else search v f' low mid g end.

Lemma some_inj {P} (a b : P) : Some a = Some b -> a = b.
Proof. congruence. Qed.
Lemma all2_nth {P Q} (f : P -> Q -> bool) p q : forall l k, all2 f l k = true -> forall i, i < length l -> f (nth i l p) (nth i k q) = true.
Proof.
  induction l as [|a l IH]; destruct k as [|b k]; simpl; intros H i I; try lia; try discriminate.
  apply andb_prop in H. destruct H. destruct i; auto. apply IH; auto. lia.
Qed.
Lemma map_nth_lt {P Q} (f : P -> Q) p q l i : i < length l -> nth i (map f l) q = f (nth i l p).
Proof. revert i. induction l as [|a l IH]; simpl; intros i I; [lia|]. destruct i; auto. apply IH. lia. Qed.

Section Check.
Context {A : Answers} {Fw : Follows} {We : Weights}.
Variable G S : list code.
Variable W : list witness.
Variable huge : nat.   (* bounds what cannot be found within a limit *)
Variable m : nat.      (* no label is greater *)
Variable is_free : bool.   (* whether every guess may be made at any time *)
Variable opener : code -> bool.
Variable is_unit : bool.   (* whether every secret counts as one *)
Let nG := length G.
Let nS := length S.
Definition codes (X : list nat) := map (fun i => nth i S []) X.

Definition labels (g : code) : row := row_of (map (key g) S).
Definition table : grid := grid_of (map labels G).
(* of a witness, where it takes each guess, and each secret: nS where that is no secret *)
Definition images (w : witness) : option (vec nat * vec nat) :=
  let vG := vec_of G in let vS := vec_of S in
  let to_guess := map (fun g => search vG fuel 0 nG (act w g)) G in
  let to_secret := map (fun s => let t := act w s in let i := search vS fuel 0 nS t in if eqb (get [] vS i) t then i else nS) S in
  if all2 (fun g i => (i <? nG) && eqb (get [] vG i) (act w g)) G to_guess then Some (vec_of to_guess, vec_of to_secret) else None.
Fixpoint every_image (ws : list witness) : option (list (vec nat * vec nat)) :=
  match ws with [] => Some [] | w :: r => match images w, every_image r with Some i, Some l => Some (i :: l) | _, _ => None end end.

Section Lemmas.
Variable tab : grid.
Variable moved : vec (vec nat * vec nat).
Variable vG : vec code.                       (* the guesses *)
Variable guess_list secret_list : list nat.   (* all of them *)
Variable own_guess : vec nat.                 (* of each secret *)
Variable weights : vec nat.                   (* of each secret *)
Let none : vec nat * vec nat := (vec_of [], vec_of []).

Definition weight_at (s : nat) : nat := if is_unit then 1 else get 0 weights s.
Definition mass_of (X : list nat) : nat := if is_unit then length X else fold_right (fun s n => get 0 weights s + n) 0 X.
Definition heaviest_of (X : list nat) : nat := if is_unit then Nat.min 1 (length X) else fold_right (fun s n => Nat.max (get 0 weights s) n) 0 X.
(* weights in descending order, which nothing is said of *)
Fixpoint insert (w : nat) (ws : list nat) : list nat :=
  match ws with [] => [w] | v :: r => if v <? w then w :: ws else v :: insert w r end.
Definition over_of (X : list nat) : nat -> nat :=
  let ws := map (get 0 weights) X in over_weights ws (fold_right insert [] ws).

Definition fits (H : list (nat * nat)) (s : nat) : bool := forallb (fun x => at_row (row_at tab (fst x)) s =? snd x) H.
(* the set, guess by guess *)
Fixpoint narrow (H : list (nat * nat)) (X : list nat) : list nat :=
  match H with [] => X | (g, l) :: r => let row := row_at tab g in narrow r (filter (fun s => at_row row s =? l) X) end.
Definition inside (H : list (nat * nat)) (w : option nat) (s : nat) : bool :=
  match w with None => fits H s | Some i => let t := get nS (snd (get none moved i)) s in (t <? nS) && fits H t && (if is_unit then true else get 0 weights s <=? get 0 weights t) end.
Definition parts_of (X : list nat) (g : nat) := tally m (row_at tab g) X.
Definition part_at (X : list nat) (g l : nat) : list nat := let row := row_at tab g in filter (fun s => at_row row s =? l) X.
(* what a part costs by its size, known of each size where every code counts as one *)
Definition floor (sz : vec nat) (heavy : list nat -> nat) (X : list nat) (g l n : nat) : nat :=
  if is_unit then get 0 sz n else heavy (part_at X g l).

(* what may be guessed after a history; and whether that, after H, comes of what may be guessed after K *)
Definition may_guess (H : list (nat * nat)) (h : nat) : bool :=
  if is_free then true else let c := get [] vG h in
  if opener c then forallb (fun x => follows (get [] vG (fst x)) (pred (snd x)) c) H else false.
Definition allowed (H : list (nat * nat)) : list nat := if is_free then guess_list else filter (may_guess H) guess_list.
Definition allows (H K : list (nat * nat)) (w : option nat) : bool :=
  if is_free then true else forallb (fun h => if may_guess H match w with None => h | Some i => get 0 (fst (get none moved i)) h end
    then may_guess K h else true) guess_list.
Definition named_bound (facts : tree_of fact) (H : list (nat * nat)) (d : option nat) (i : nat) (w : option nat) : nat :=
  match look fuel i facts with
  | Some (Y, K, e, b) => if le_lim d e && forallb (inside H w) Y && allows H K w then b else 0
  | None => 0 end.
Definition part_bound (facts : tree_of fact) (H : list (nat * nat)) (d : option nat) (g : nat)
    (rs : list (nat * (nat * option nat))) (low : nat -> nat -> nat -> nat) (l n : nat) : nat :=
  match find (fun x => fst x =? l) rs with
  | Some x => Nat.max (low g l n) (named_bound facts ((g, l) :: H) d (fst (snd x)) (snd (snd x)))
  | None => low g l n end.

(* the guesses that are refuted, each under its own number, with the images of those that are known to be *)
Definition marked (R : tree_of nat) (g : nat) : bool := match look fuel g R with Some h => h =? g | None => false end.
Fixpoint mark (R : tree_of nat) (gs : list nat) : tree_of nat := match gs with [] => R | g :: r => mark (put fuel g g R) r end.
Fixpoint orbits (ms : list nat) (R : tree_of nat) (os : list (nat * list nat)) : option (tree_of nat) :=
  match os with
  | [] => Some R
  | (i, gs) :: r => match nth_error ms i with
      | Some w => if forallb (marked R) gs then orbits ms (mark R (map (get 0 (fst (get none moved w))) gs)) r else None
      | None => None end
  end.

(* the fan of a set, and the guesses that PARTS does not refute *)
Fixpoint scan (counted : vec nat) (b N : nat) (gs : list nat) (q r : nat) (open : list nat) : nat * (nat * list nat) :=
  match gs with
  | [] => (q, (r, open))
  | g :: rest =>
      let k := get 0 counted g in let n := k / 2 in let o := k mod 2 in
      let left := if b <=? 3 * N - n - 2 * o then open else g :: open in
      if o =? 1 then scan counted b N rest (Nat.max q n) r left else scan counted b N rest q (Nat.max r n) left
  end.
Definition check_guesses (facts : tree_of fact) (L : lemma) (open : list nat) (N : nat) (low : nat -> nat -> nat -> nat) (X : list nat) : bool :=
  let after := dec (within L) in
  forallb (fun e => (fst e <? nG) && (bound L <=? N + tsum (part_bound facts (hist L) after (fst e) (snd e) low) (parts_of X (fst e)))) (ents L)
  && forallb (fun w => (w <? length W) && forallb (inside (hist L) (Some w)) X && allows (hist L) (hist L) (Some w)) (kept L)
  && match orbits (kept L) (mark Leaf (map fst (ents L))) (orbs L) with
     | None => false
     | Some R => forallb (fun g => let T := parts_of X g in
         (bound L <=? N + tsum (low g) T) || useless T || marked R g) open
     end.

(* up to two guesses a code, only guesses of the set can be too good *)
Definition check_few (b N : nat) (X : list nat) : bool :=
  (b <=? 2 * N) && forallb (fun s => let g := get 0 own_guess s in
    b <=? N + tsum (fun l n => if is_unit then 2 * n - 1 else let Y := part_at X g l in 2 * mass_of Y - heaviest_of Y) (parts_of X g)) X.

Definition by_size (w : option nat) (q r N n : nat) (over : nat -> nat) : nat :=
  if match w with None => false | Some k => caps q r N (pred k) <? n end then huge else size_bound q r N (caps q r N 3) n over.
Definition check_lemma (facts : tree_of fact) (L : lemma) : option fact :=
  let X := narrow (hist L) secret_list in let N := length X in
  if N =? 0 then None else
  let M := mass_of X in
  if (bound L <=? 2 * M - heaviest_of X) || check_few (bound L) M X then Some (X, hist L, within L, bound L) else
  let '(q, (r, open)) := scan (sweep m tab X) (bound L) (if is_unit then N else 0) (allowed (hist L)) 0 0 [] in
  let sz := if is_unit then vec_of (map (fun n => by_size (within L) q r N n (fun k => n - k)) (seq 0 (1 + N))) else vec_of [] in
  let heavy Y := by_size (within L) q r N (length Y) (over_of Y) in
  let over := if is_unit then fun k => N - k else over_of X in
  if match within L with Some k => caps q r N k <? N | None => false end
     || (bound L <=? size_bound q r N (caps q r N 3) N over)
     || check_guesses facts L open M (floor sz heavy X) X
  then Some (X, hist L, within L, bound L) else None.

Fixpoint check_lemmas (facts : tree_of fact) (number : nat) (Ls : list lemma) : option (tree_of fact) :=
  match Ls with
  | [] => Some facts
  | L :: r => match check_lemma facts L with Some f => check_lemmas (put fuel number f facts) (1 + number) r | None => None end
  end.
End Lemmas.

(* why *)
Opaque fuel.
Hypothesis free_is : is_free = true -> (forall h, opener h = true) /\ forall g l h, follows g l h = true.
Hypothesis unit_is : is_unit = true -> unit_weights.
Variable is_secret : code -> bool.
Hypothesis NDG : NoDup G.
Hypothesis S_is : S = filter is_secret G.
Hypothesis small : forall g s, g < nG -> s < nS -> at_row (row_at table g) s < m.
Hypothesis W_ok : forall w, In w W ->
  (forall g, In g G -> In (act w g) G) /\
  (forall g h, In g G -> In h G -> act w g = act w h -> g = h) /\
  (forall g s s', In g G -> In s S -> In s' S -> answer g s = answer g s' -> answer (act w g) (act w s) = answer (act w g) (act w s')) /\
  (forall g s h, In g G -> In s S -> In h G -> follows (act w g) (answer (act w g) (act w s)) (act w h) = true -> follows g (answer g s) h = true).
Variable moved : vec (vec nat * vec nat).
Hypothesis moved_is : every_image W = Some moved.
Let none : vec nat * vec nat := (vec_of [], vec_of []).
Let sub_G : incl S G. Proof. intros s H. rewrite S_is in H. apply filter_In in H. tauto. Qed.
Let NDS : NoDup S. Proof. rewrite S_is. apply NoDup_filter; auto. Qed.
Let gcode i := nth i G [].
Let scode i := nth i S [].

(* a row is that of its guess *)
Lemma row_is g : g < nG -> row_at table g = labels (gcode g).
Proof. intro I. unfold row_at, table, grid_of. apply map_nth_lt; auto. Qed.
Lemma at_is g s : s < nS -> at_row (labels g) s = key g (scode s).
Proof. intro I. unfold at_row, labels, row_of. apply map_nth_lt; auto. Qed.
Lemma key_small g s : In g G -> s < nS -> key g (scode s) < m.
Proof.
  intros I J. destruct (In_nth G g [] I) as [i [Li <-]]. rewrite <- (at_is _ s J). specialize (small i s Li J). rewrite row_is in small by auto. exact small.
Qed.

(* sets, as lists of numbers *)
Definition numbers (X : list nat) := NoDup X /\ forall s, In s X -> s < nS.
Lemma codes_nodup X : numbers X -> NoDup (codes X).
Proof.
  intros [N I]. unfold codes. induction N as [|s X NI N IH]; simpl; constructor.
  - intro J. apply in_map_iff in J. destruct J as [t [E J]]. apply NI. rewrite (proj1 (NoDup_nth S []) NDS s t); auto; apply I; simpl; auto.
  - apply IH. intros t J. apply I; simpl; auto.
Qed.
Lemma codes_in X : numbers X -> incl (codes X) S.
Proof. intros [_ I] s J. apply in_map_iff in J. destruct J as [t [<- J]]. apply nth_In, I, J. Qed.
Lemma codes_incl X Y : incl X Y -> incl (codes X) (codes Y).
Proof. intros I s J. apply in_map_iff in J. destruct J as [t [<- J]]. apply (in_map (fun i => nth i S [])), I, J. Qed.
Lemma codes_length X : length (codes X) = length X.
Proof. apply map_length. Qed.
Lemma filter_codes g l X : numbers X -> In g G -> codes (filter (fun i => at_row (labels g) i =? l) X) = part g l (codes X).
Proof.
  intros [_ I] J. unfold part, codes. induction X as [|s X IH]; simpl; auto. rewrite at_is by (apply I; simpl; auto). unfold scode.
  destruct (key g (nth s S []) =? l); simpl; rewrite IH; auto; intros t K; apply I; simpl; auto.
Qed.
Lemma filter_numbers f X : numbers X -> numbers (filter f X).
Proof. intros [N I]. split. { apply NoDup_filter; auto. } intros s J. apply filter_In in J. apply I; tauto. Qed.
Lemma tally_counted g X : numbers X -> In g G -> counted g (codes X) (tally m (labels g) X).
Proof.
  intros N J. unfold tally. cbv zeta. split; [|split].
  - rewrite map_map. cbn [fst]. rewrite map_id. apply NoDup_filter, seq_NoDup.
  - intros s K. rewrite map_map. cbn [fst]. rewrite map_id. apply in_map_iff in K. destruct K as [t [<- K]].
    apply filter_In. split. { apply in_seq. assert (Q := key_small g t J (proj2 N t K)). unfold scode in Q. lia. }
    apply negb_true_iff, Nat.eqb_neq. intro E. apply length_zero_iff_nil in E.
    assert (Q : In t (filter (fun i => at_row (labels g) i =? key g (nth t S [])) X)).
    { apply filter_In. split; auto. rewrite at_is by (apply N; auto). apply Nat.eqb_refl. } rewrite E in Q. destruct Q.
  - intros l n K. apply in_map_iff in K. destruct K as [k [E _]]. injection E as -> <-. rewrite <- filter_codes, codes_length; auto.
Qed.

(* what they weigh *)
Lemma unit_or : is_unit = true \/ is_unit = false.
Proof. destruct is_unit; auto. Qed.
Variable weights : vec nat.
Hypothesis weights_are : forall s, s < nS -> get 0 weights s = weight (scode s).
Lemma mass_is X : numbers X -> mass_of weights X = mass (codes X).
Proof.
  intros [_ I]. unfold mass_of. destruct is_unit eqn:U. { rewrite mass_unit, codes_length; auto. }
  induction X as [|s X IH]; simpl; auto. rewrite IH, weights_are by (intros; apply I; simpl; auto). auto.
Qed.
Lemma heaviest_is X : numbers X -> heaviest (codes X) <= heaviest_of weights X.
Proof.
  intros [_ I]. unfold heaviest_of. destruct is_unit eqn:U.
  { destruct X as [|s X]; [simpl; auto|]. change (heaviest (codes (s :: X)) <= 1). apply heaviest_unit. apply unit_is; auto. }
  induction X as [|s X IH]; simpl; auto. rewrite weights_are by (apply I; simpl; auto). fold (codes X). assert (K : forall x, In x X -> x < nS) by (intros; apply I; simpl; auto).
  specialize (IH K). unfold scode. lia.
Qed.
Lemma few_is M X d : numbers X -> LB M (codes X) d (2 * mass_of weights X - heaviest_of weights X).
Proof.
  intro N. apply (LB_le M _ d d _ (2 * mass (codes X) - heaviest (codes X))).
  - rewrite mass_is by auto. assert (H := heaviest_is X N). lia.
  - destruct d; simpl; auto. apply Nat.leb_refl.
  - apply few, codes_nodup; auto.
Qed.
Lemma over_is X : numbers X -> all_but (over_of weights X) (codes X).
Proof.
  intros [N I]. unfold over_of. cbv zeta. replace (map (get 0 weights) X) with (map weight (codes X)). { apply weights_over. }
  unfold codes. rewrite map_map. apply map_ext_in. intros s J. symmetry. apply weights_are; auto.
Qed.

Let all_secrets := seq 0 nS.
Let set H := filter (fits table H) all_secrets.
Lemma set_numbers H : numbers (set H).
Proof. split. { apply NoDup_filter, seq_NoDup. } intros s I. apply filter_In in I. destruct I as [I _]. apply in_seq in I. lia. Qed.
Lemma set_in H s : s < nS -> fits table H s = true -> In s (set H).
Proof. intros I F. apply filter_In. split; auto. apply in_seq. lia. Qed.
Lemma set_part g l H : g < nG -> codes (set ((g, l) :: H)) = part (gcode g) l (codes (set H)).
Proof.
  intro I. rewrite <- filter_codes; [|apply set_numbers|apply nth_In; auto]. f_equal. unfold set.
  assert (R := row_is g I). assert (C : forall s, fits table ((g, l) :: H) s = (at_row (labels (gcode g)) s =? l) && fits table H s) by (intro; rewrite <- R; reflexivity).
  induction all_secrets as [|s X IH]; auto. cbn [filter]. rewrite C.
  destruct (at_row (labels (gcode g)) s =? l) eqn:E, (fits table H s) eqn:F; cbn [andb filter]; rewrite ?E, IH; auto.
Qed.

(* images by a witness *)
Lemma every_image_nth ws ims : every_image ws = Some ims -> forall i, i < length ws -> images (nth i ws []) = Some (nth i ims none).
Proof.
  revert ims. induction ws as [|w r IH]; simpl; intros ims E i I; [lia|].
  destruct (images w) as [im|] eqn:F; [|discriminate]. destruct (every_image r) as [l|]; [|discriminate]. injection E as <-.
  destruct i; auto. simpl. apply IH; auto. lia.
Qed.
Lemma every_image_length ws ims : every_image ws = Some ims -> length ims = length ws.
Proof.
  revert ims. induction ws as [|w r IH]; simpl; intros ims E. { injection E as <-; auto. }
  destruct (images w); [|discriminate]. destruct (every_image r); [|discriminate]. injection E as <-. simpl. auto.
Qed.
Lemma to_guess_ok w im g : images w = Some im -> g < nG -> get 0 (fst im) g < nG /\ gcode (get 0 (fst im) g) = act w (gcode g).
Proof.
  unfold images. cbv zeta. intros E I. match type of E with (if ?c then _ else _) = _ => destruct c eqn:C; [|discriminate] end.
  apply some_inj in E. subst im. cbn [fst]. assert (Q := all2_nth _ [] 0 _ _ C g I). cbv beta in Q. apply andb_prop in Q. destruct Q as [Q R].
  apply Nat.ltb_lt in Q. apply eqb_true in R. unfold get, vec_of in *. auto.
Qed.
Lemma to_secret_ok w im s : images w = Some im -> s < nS -> get nS (snd im) s < nS -> scode (get nS (snd im) s) = act w (scode s).
Proof.
  unfold images. cbv zeta. intros E I. match type of E with (if ?c then _ else _) = _ => destruct c; [|discriminate] end.
  apply some_inj in E. subst im. cbn [snd].
  match goal with |- context [map ?f S] => set (F := f) in * end.
  assert (V : get nS (vec_of (map F S)) s = F (scode s)) by (apply map_nth_lt; auto). rewrite V. unfold F.
  match goal with |- context [eqb ?a ?b] => destruct (eqb a b) eqn:Q end; [|lia].
  intros _. apply eqb_true in Q. exact Q.
Qed.
Lemma inside_ok H w s : s < nS -> inside table moved weights H w s = true ->
  match w with None => In s (set H)
  | Some i => i < length W -> In (act (nth i W []) (scode s)) (codes (set H)) /\ weight (scode s) <= weight (act (nth i W []) (scode s)) end.
Proof.
  intro I. destruct w as [i|]; cbn [inside]; [|intro F; apply set_in; auto]. cbv zeta. intros F J. apply andb_prop in F. destruct F as [F F3]. apply andb_prop in F. destruct F as [F1 F2].
  apply Nat.ltb_lt in F1. assert (E := every_image_nth W moved moved_is i J). change (get (vec_of [], vec_of []) moved i) with (nth i moved none) in *.
  rewrite <- (to_secret_ok _ _ s E); auto. split.
  - unfold scode. apply (in_map (fun i => nth i S [])). apply set_in; auto.
  - destruct is_unit eqn:U. { rewrite !(unit_is eq_refl). auto. } apply Nat.leb_le in F3. rewrite !weights_are in F3; auto.
Qed.
Lemma inside_none H i s : length W <= i -> s < nS -> inside table moved weights H (Some i) s = false.
Proof.
  intros I J. cbn [inside]. cbv zeta. unfold get at 2. rewrite nth_overflow by (rewrite (every_image_length _ _ moved_is); auto).
  cbn [snd]. unfold get, vec_of. replace (nth s [] nS) with nS by (destruct s; auto). rewrite Nat.ltb_irrefl. auto.
Qed.

(* what may be guessed, as codes *)
Let may := may_guess G.
Let after H := map gcode (filter (may H) (seq 0 nG)).
Lemma may_is H h : may H h = true <-> opener (gcode h) = true /\ forall g l, In (g, l) H -> follows (gcode g) (pred l) (gcode h) = true.
Proof.
  unfold may, may_guess. cbv zeta. change (get [] G h) with (gcode h). destruct is_free.
  { destruct (free_is eq_refl) as [F1 F2]. split; auto. }
  destruct (opener (gcode h)); [|intuition discriminate]. rewrite forallb_forall. split.
  - intro K. split; auto. intros g l I. apply (K (g, l) I).
  - intros [_ K] [g l] I. apply K; auto.
Qed.
Lemma after_in H g : In g (after H) <-> exists i, i < nG /\ gcode i = g /\ may H i = true.
Proof.
  unfold after. rewrite in_map_iff. split; intros [i K].
  - exists i. destruct K as [E K]. apply filter_In in K. destruct K as [K M]. apply in_seq in K. repeat split; auto. lia.
  - exists i. destruct K as [L [E M]]. split; auto. apply filter_In. split; auto. apply in_seq. lia.
Qed.
Lemma after_G H : incl (after H) G.
Proof. intros g I. apply after_in in I. destruct I as [i [L [<- _]]]. apply nth_In; auto. Qed.
Lemma after_next H g l : incl (filter (follows (gcode g) (pred l)) (after H)) (after ((g, l) :: H)).
Proof.
  intros h I. apply filter_In in I. destruct I as [I Q]. apply after_in in I. destruct I as [i [L [<- M]]]. apply after_in. exists i. repeat split; auto.
  apply may_is. apply may_is in M. destruct M as [M1 M2]. split; auto. intros g' l' [E|J]; auto. congruence.
Qed.
Lemma allowed_is H : allowed G (seq 0 nG) H = filter (may H) (seq 0 nG).
Proof.
  unfold allowed. fold may. destruct is_free eqn:E; auto. symmetry. assert (K : forall h, may H h = true) by (intro; unfold may, may_guess; rewrite E; auto).
  induction (seq 0 nG) as [|h r IH]; simpl; auto. rewrite K, IH. auto.
Qed.
Lemma allows_none H K : allows moved G (seq 0 nG) H K None = true -> incl (after H) (after K).
Proof.
  intros C g I. apply after_in in I. destruct I as [i [L [E M]]]. apply after_in. exists i. repeat split; auto. revert C. unfold allows.
  destruct is_free eqn:Fr. { intros _. unfold may, may_guess. rewrite Fr. auto. }
  rewrite forallb_forall. intro C. assert (Q : In i (seq 0 nG)) by (apply in_seq; lia). specialize (C i Q). cbv beta iota in C. fold may in C. rewrite M in C. exact C.
Qed.
Lemma allows_some H K i : i < length W -> allows moved G (seq 0 nG) H K (Some i) = true -> covers G (act (nth i W [])) (after K) (after H).
Proof.
  intros LW C h I J. destruct (In_nth G h [] I) as [n [Ln En]]. apply after_in. exists n. repeat split; auto. revert C. unfold allows.
  destruct is_free eqn:Fr. { intros _. unfold may, may_guess. rewrite Fr. auto. }
  rewrite forallb_forall. intro C. assert (Q : In n (seq 0 nG)) by (apply in_seq; lia). specialize (C n Q). cbv beta iota in C. fold may in C.
  assert (E := every_image_nth W moved moved_is i LW). destruct (to_guess_ok _ _ n E Ln) as [Lg Eg].
  change (get (vec_of [], vec_of []) moved i) with (nth i moved none) in C.
  apply after_in in J. destruct J as [k [Lk [Ek Mk]]]. replace (get 0 (fst (nth i moved none)) n) with k in C; [rewrite Mk in C; exact C|].
  apply (proj1 (NoDup_nth G []) NDG); auto. fold (gcode k) (gcode (get 0 (fst (nth i moved none)) n)). rewrite Ek, Eg. unfold gcode. rewrite En. auto.
Qed.

Definition number_fact (f : fact) := let '(Y, K, d, b) := f in numbers Y /\ LB (after K) (codes Y) d b.
Lemma named_ok facts H d i w : every number_fact facts -> LB (after H) (codes (set H)) d (named_bound table moved G (seq 0 nG) weights facts H d i w).
Proof.
  intro F. unfold named_bound. assert (Z : LB (after H) (codes (set H)) d 0) by (intros t _ _; lia).
  destruct (look fuel i facts) as [[[[Y K] e] b]|] eqn:E; auto.
  destruct (le_lim d e && forallb (inside table moved weights H w) Y && allows moved G (seq 0 nG) H K w) eqn:C; auto.
  apply andb_prop in C. destruct C as [C M]. apply andb_prop in C. destruct C as [D C].
  rewrite forallb_forall in C. apply (look_every number_fact) in E; auto. destruct E as [N B].
  apply (LB_le _ _ d e b b); auto. destruct w as [j|].
  - destruct (Nat.lt_ge_cases j (length W)) as [J|J].
    + assert (I : In (nth j W []) W) by (apply nth_In; auto). destruct (W_ok _ I) as [W1 [W2 [W3 W4]]].
      assert (NC := codes_nodup Y N). assert (IC := codes_in Y N).
      apply (LB_incl _ _ (map (act (nth j W [])) (codes Y))).
      * apply (map_nodup G); auto. intros s Hs. apply sub_G, IC, Hs.
      * intros s Hs. apply in_map_iff in Hs. destruct Hs as [x [<- Hx]]. apply in_map_iff in Hx. destruct Hx as [t [<- Ht]].
        apply (inside_ok H (Some j) t (proj2 N t Ht)); auto.
      * apply (renamed G S) with (L := after K); auto using after_G, allows_some.
        intros s Hs. apply in_map_iff in Hs. destruct Hs as [t [<- Ht]]. apply (inside_ok H (Some j) t (proj2 N t Ht)); auto.
    + destruct Y as [|s Y].
      { intros t LE SO. unfold allows in M. assert (Q : exists t', legal (after K) t') by (exists Stuck; exact Logic.I). destruct Q as [t' Q].
        specialize (B t' Q (fun s F => match F with end)). simpl in B. lia. }
      assert (I := C s (or_introl eq_refl)). rewrite inside_none in I; auto; [discriminate|]. apply N; simpl; auto.
  - apply (LB_guesses _ (after K)). { apply allows_none; auto. } apply (LB_incl _ _ (codes Y)); auto. { apply codes_nodup; auto. } apply codes_incl.
    intros s Hs. apply (inside_ok H None s); auto. apply N; auto.
Qed.

Section One.
Variable facts : tree_of fact. Hypothesis known : every number_fact facts.
Variable H : list (nat * nat). Variable d : option nat.
Let X := set H.
Variable low : nat -> nat -> nat -> nat.
Let then_ g l := filter (follows g (pred l)) (after H).
Lemma then_incl g l : incl (then_ g l) (after H).
Proof. intros h I. apply filter_In in I. tauto. Qed.

Let T g := tally m (labels g) X.
Lemma T_ok g : In g G -> counted g (codes X) (T g).
Proof. intro I. apply tally_counted; auto. apply set_numbers. Qed.
Lemma X_nodup : NoDup (codes X). Proof. apply codes_nodup, set_numbers. Qed.
Hypothesis LOW : forall g l n, g < nG -> In (l, n) (T (gcode g)) -> LB (after H) (part (gcode g) l (codes X)) (dec d) (low g l n).
Lemma low_ok g l n : g < nG -> In (l, n) (T (gcode g)) -> LB (then_ (gcode g) l) (part (gcode g) l (codes X)) (dec d) (low g l n).
Proof. intros J I. apply (LB_guesses _ (after H)); [apply then_incl|]. apply LOW; auto. Qed.
Lemma part_ok g rs l n : g < nG -> In (l, n) (T (gcode g)) ->
  LB (then_ (gcode g) l) (part (gcode g) l (codes X)) (dec d) (part_bound table moved G (seq 0 nG) weights facts H (dec d) g rs low l n).
Proof.
  intros J I. assert (B := low_ok g l n J I). unfold part_bound. destruct (find (fun x => fst x =? l) rs) as [x|]; auto.
  assert (C := named_ok facts ((g, l) :: H) (dec d) (fst (snd x)) (snd (snd x)) known). rewrite set_part in C by auto. fold X in C.
  apply (LB_guesses _ _ _ _ _ (after_next H g l)) in C. intros t L SO. specialize (B t L SO). specialize (C t L SO). lia.
Qed.
Variable b : nat.
Let refuted g := g < nG /\ GB (after H) (codes X) (gcode g) d b.
Lemma mark_ok gs : forall R, every refuted R -> (forall g, In g gs -> refuted g) -> every refuted (mark R gs).
Proof. induction gs as [|g r IH]; simpl; intros R E K; auto. apply IH; auto. apply put_every; auto. Qed.
Lemma marked_ok R g : every refuted R -> marked R g = true -> refuted g.
Proof.
  unfold marked. intros E M. destruct (look fuel g R) as [h|] eqn:L; [|discriminate]. apply Nat.eqb_eq in M; subst.
  apply (look_every refuted) in L; auto.
Qed.
Lemma orbits_ok ms : forallb (fun w => (w <? length W) && forallb (inside table moved weights H (Some w)) X && allows moved G (seq 0 nG) H H (Some w)) ms = true ->
  forall os R R', orbits moved ms R os = Some R' -> every refuted R -> every refuted R'.
Proof.
  intro M. rewrite forallb_forall in M. induction os as [|[i gs] r IH]; simpl; intros R R' E K. { injection E as <-; auto. }
  destruct (nth_error ms i) as [w|] eqn:N; [|discriminate]. destruct (forallb (marked R) gs) eqn:F; [|discriminate].
  apply nth_error_In in N. specialize (M w N). apply andb_prop in M. destruct M as [M CO]. apply andb_prop in M. destruct M as [Lw M]. apply Nat.ltb_lt in Lw. rewrite forallb_forall in M.
  assert (Ww : In (nth w W []) W) by (apply nth_In; auto). destruct (W_ok _ Ww) as [W1 [W2 [W3 W4]]].
  assert (I := every_image_nth W moved moved_is w Lw).
  apply (IH _ _ E). apply mark_ok; auto. intros g J. apply in_map_iff in J. destruct J as [h [<- J]].
  rewrite forallb_forall in F. destruct (marked_ok R h K (F h J)) as [Gh Bh].
  destruct (to_guess_ok _ _ h I Gh) as [Lg Eg]. change (get (vec_of [], vec_of []) moved w) with (nth w moved none). split; auto. rewrite Eg.
  apply (guess_class G S); auto using after_G, allows_some.
  - apply X_nodup.
  - apply codes_in, set_numbers.
  - apply nth_In; auto.
  - intros s Hs. apply in_map_iff in Hs. destruct Hs as [x [<- Hx]]. apply in_map_iff in Hx. destruct Hx as [t [<- Ht]].
    apply (inside_ok H (Some w) t (proj2 (set_numbers H) t Ht)); auto.
  - intros s Hs. apply in_map_iff in Hs. destruct Hs as [t [<- Ht]]. apply (inside_ok H (Some w) t (proj2 (set_numbers H) t Ht)); auto.
Qed.
End One.

Lemma narrow_is tab H : forall X, narrow tab H X = filter (fits tab H) X.
Proof.
  induction H as [|[g l] r IH]; intro X; cbn [narrow]. { induction X as [|s X IH]; simpl; congruence. }
  rewrite IH. induction X as [|s X I]; auto. cbn [filter].
  change (fits tab ((g, l) :: r) s) with ((at_row (row_at tab g) s =? l) && fits tab r s).
  destruct (at_row (row_at tab g) s =? l); cbn [filter andb]; rewrite I; auto.
Qed.
Lemma kinds_is r X : kinds m r X / 2 = others (tally m r X) /\ kinds m r X mod 2 = if own (tally m r X) then 1 else 0.
Proof.
  unfold kinds. cbv zeta. rewrite others_length. unfold nonzero.
  assert (E : existsb (fun l => l =? 0) (map fst (tally m r X)) = own (tally m r X)).
  { unfold own. generalize (tally m r X). induction l as [|x l IH]; simpl; auto. rewrite IH. auto. }
  rewrite E. set (n := length _). set (o := if own (tally m r X) then 1 else 0).
  assert (O : o < 2) by (unfold o; destruct (own (tally m r X)); lia). rewrite (Nat.mul_comm 2 n).
  split; [rewrite Nat.div_add_l, Nat.div_small by lia; lia|rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small by lia; auto].
Qed.
Lemma scan_ok tab K b N X gs : (forall g, In g gs -> get 0 K g = kinds m (row_at tab g) X) -> forall q r open,
  let '(q', (r', open')) := scan K b N gs q r open in
  q <= q' /\ r <= r' /\ incl open open' /\ forall g, In g gs -> let T := parts_of tab X g in
    others T <= (if own T then q' else r') /\ (In g open' \/ b <= 3 * N - others T - 2 * if own T then 1 else 0).
Proof.
  induction gs as [|g rest IH]; intros C q r open; cbn [scan]. { repeat split; auto; try apply incl_refl; simpl in H; tauto. }
  cbv zeta. rewrite (C g (or_introl eq_refl)). specialize (IH (fun x I => C x (or_intror I))). destruct (kinds_is (row_at tab g) X) as [E1 E2]. rewrite E1, E2. change (tally m (row_at tab g) X) with (parts_of tab X g).
  set (T := parts_of tab X g). set (left := if b <=? _ then open else g :: open).
  assert (LI : incl open left) by (unfold left; destruct (b <=? _); [apply incl_refl|intros x I; simpl; auto]).
  assert (LG : In g left \/ b <= 3 * N - others T - 2 * if own T then 1 else 0).
  { unfold left. destruct (b <=? _) eqn:Q; [right; apply Nat.leb_le; auto|left; simpl; auto]. }
  destruct (own T) eqn:O; cbn [Nat.eqb].
  - specialize (IH (Nat.max q (others T)) r left). destruct (scan K b N rest (Nat.max q (others T)) r left) as [q' [r' open']].
    destruct IH as [I1 [I2 [I3 I4]]]. repeat split; auto; try lia. { intros x J; auto. }
    + destruct H as [<-|H]; [|apply I4; auto]. fold T. rewrite O. lia.
    + destruct H as [<-|H]; [|apply I4; auto]. fold T. rewrite O. destruct LG; auto.
  - specialize (IH q (Nat.max r (others T)) left). destruct (scan K b N rest q (Nat.max r (others T)) left) as [q' [r' open']].
    destruct IH as [I1 [I2 [I3 I4]]]. repeat split; auto; try lia. { intros x J; auto. }
    + destruct H as [<-|H]; [|apply I4; auto]. fold T. rewrite O. lia.
    + destruct H as [<-|H]; [|apply I4; auto]. fold T. rewrite O. destruct LG; auto.
Qed.

Definition all_guess_numbers := seq 0 nG.
Lemma useless_ok g X : numbers X -> In g G -> useless (tally m (labels g) X) = true ->
  exists l, l <> 0 /\ forall s, In s (codes X) -> key g s = l.
Proof.
  intros N I U. assert (C := tally_counted g X N I). destruct (tally m (labels g) X) as [|[l n] [|? ?]]; try discriminate.
  apply negb_true_iff, Nat.eqb_neq in U. exists l. split; auto. intros s J. assert (Q := proj1 (proj2 C) s J). simpl in Q. intuition.
Qed.
Lemma sizes_table (f : nat -> nat) N n : get 0 (vec_of (map f (seq 0 (1 + N)))) n = if n <=? N then f n else 0.
Proof.
  unfold get, vec_of. destruct (n <=? N) eqn:E.
  - apply Nat.leb_le in E. rewrite (map_nth_lt f 0) by (rewrite seq_length; lia). rewrite seq_nth by lia. auto.
  - apply Nat.leb_gt in E. apply nth_overflow. rewrite map_length, seq_length. lia.
Qed.

Variable own_guess : vec nat.
Hypothesis own_is : forall s, s < nS -> get 0 own_guess s < nG /\ gcode (get 0 own_guess s) = scode s.
Lemma few_ok H d b : check_few table own_guess weights b (mass_of weights (set H)) (set H) = true -> set H <> [] -> LB (after H) (codes (set H)) d b.
Proof.
  unfold check_few. intros E NE. apply andb_prop in E. destruct E as [E1 E2]. apply Nat.leb_le in E1. rewrite forallb_forall in E2.
  assert (N := set_numbers H). assert (ND := codes_nodup _ N).
  apply all_guesses. { intro Q. apply NE. apply map_eq_nil in Q. auto. }
  intros g IA. assert (I := after_G H g IA). right. destruct (in_dec code_dec g (codes (set H))) as [J|J].
  - apply in_map_iff in J. destruct J as [s [<- J]]. specialize (E2 s J). apply Nat.leb_le in E2. destruct (own_is s (proj2 N s J)) as [O1 O2].
    fold (scode s) in *. unfold parts_of in E2. rewrite row_is, O2 in E2 by auto.
    intros sub LG SO. eapply Nat.le_trans; [exact E2|]. rewrite mass_is by auto.
    apply (node (after H) (codes (set H)) (scode s) d (fun l n => if is_unit then 2 * n - 1 else
      let Y := part_at table (set H) (get 0 own_guess s) l in 2 * mass_of weights Y - heaviest_of weights Y) (tally m (labels (scode s)) (set H))); auto.
    + apply tally_counted; auto.
    + intros l n M _. destruct unit_or as [U|U]; rewrite U.
      * rewrite (proj2 (proj2 (tally_counted (scode s) (set H) N I)) l n M). apply few_unit; auto. apply NoDup_filter; auto.
      * cbv zeta. unfold part_at. cbv zeta. rewrite row_is, O2 by auto. rewrite <- filter_codes; auto. apply few_is, filter_numbers; auto.
  - intros sub LG SO. assert (Q := outside (after H) (codes (set H)) g d sub J LG SO). rewrite mass_is in E1 by auto. lia.
Qed.

Lemma check_lemma_ok facts L f : every number_fact facts ->
  check_lemma table moved G all_guess_numbers all_secrets own_guess weights facts L = Some f -> number_fact f.
Proof.
  intros K E. unfold check_lemma in E. cbv zeta in E. rewrite narrow_is in E. fold (set (hist L)) in E. set (X := set (hist L)) in *.
  assert (N := set_numbers (hist L)). fold X in N. assert (NX := codes_nodup X N). assert (LX := codes_length X).
  destruct (length X =? 0) eqn:NE; [discriminate|]. apply Nat.eqb_neq in NE.
  destruct (bound L <=? 2 * mass_of weights X - heaviest_of weights X) eqn:E1; cbn [orb] in E.
  { injection E as <-. split; auto. apply Nat.leb_le in E1. apply (LB_le (after (hist L)) (codes X) (within L) (within L) _ (2 * mass_of weights X - heaviest_of weights X)); auto.
    - destruct (within L); simpl; auto. apply Nat.leb_le; auto.
    - apply few_is; auto. }
  destruct (check_few table own_guess weights (bound L) (mass_of weights X) X) eqn:EF.
  { injection E as <-. split; auto. apply (few_ok (hist L)); auto. intro Q. fold X in Q. rewrite Q in NE. auto. }
  assert (SW : forall g, In g all_guess_numbers -> get 0 (sweep m table X) g = kinds m (row_at table g) X).
  { intros g I. apply in_seq in I. apply (map_nth_lt (fun r => kinds m r X) [] 0 table g). unfold table, grid_of. rewrite map_length. lia. }
  change all_guess_numbers with (seq 0 nG) in *. rewrite allowed_is in E. set (can := filter (may (hist L)) (seq 0 nG)) in *.
  assert (CI : incl can (seq 0 nG)) by (intros g I; apply filter_In in I; tauto).
  assert (CG : forall g, In g (after (hist L)) -> exists i, In i can /\ i < nG /\ gcode i = g).
  { intros g I. apply in_map_iff in I. destruct I as [i [Ei J]]. exists i. repeat split; auto. apply CI, in_seq in J. lia. }
  set (lot := if is_unit then length X else 0) in *.
  assert (SC := scan_ok table (sweep m table X) (bound L) lot X can (fun g I => SW g (CI g I)) 0 0 []).
  destruct (scan (sweep m table X) (bound L) lot can 0 0 []) as [q [r open]]. destruct SC as [_ [_ [_ SC]]].
  set (pieces := fun g => tally m (labels g) X).
  assert (pieces_ok : forall g, In g (after (hist L)) -> counted g (codes X) (pieces g)) by (intros; apply tally_counted; auto; eapply after_G; eauto).
  assert (T_in : forall i, i < nG -> parts_of table X i = pieces (gcode i)) by (intros i I; unfold parts_of; rewrite row_is; auto).
  assert (fan : forall g, In g (after (hist L)) -> others (pieces g) <= if own (pieces g) then q else r).
  { intros g I. destruct (CG g I) as [i [J [Li Ei]]]. subst g. assert (Q := proj1 (SC i J)). rewrite T_in in Q by auto. exact Q. }
  assert (top : length (codes X) <= length X) by lia.
  assert (SZ : forall Y over, NoDup Y -> incl Y (codes X) -> all_but over Y -> LB (after (hist L)) Y (dec (within L)) (by_size (within L) q r (length X) (length Y) over)).
  { intros Y over NY I O. unfold by_size. destruct (within L) as [k|]; [|apply (sizes (after (hist L)) (codes X) q r pieces pieces_ok fan (length X)); auto]. cbn [dec].
    destruct (caps q r (length X) (pred k) <? length Y) eqn:C; [|apply (sizes (after (hist L)) (codes X) q r pieces pieces_ok fan (length X)); auto].
    apply Nat.ltb_lt in C. apply (hopeless (after (hist L)) (codes X) q r pieces pieces_ok fan (length X)); auto. }
  match type of E with context [floor table ?s ?h X] => set (sz := s) in *; set (heavy := h) in *; set (low := floor table sz heavy X) in * end.
  match type of E with context [size_bound q r (length X) _ (length X) ?o] => set (over := o) in * end.
  assert (OV : all_but over (codes X)).
  { unfold over. destruct unit_or as [U|U]; rewrite U; [apply unit_over; auto|apply over_is; auto]. }
  assert (LOW : forall g l n, g < nG -> In (l, n) (tally m (labels (gcode g)) X) -> LB (after (hist L)) (part (gcode g) l (codes X)) (dec (within L)) (low g l n)).
  { intros g l n J I. assert (IG : In (gcode g) G) by (apply nth_In; auto). assert (En := proj2 (proj2 (tally_counted (gcode g) X N IG)) l n I).
    unfold low, floor, sz. destruct unit_or as [U|U]; rewrite U.
    - rewrite sizes_table. destruct (n <=? length X); [|intros t _ _; lia]. rewrite En.
      apply SZ; [apply NoDup_filter; auto|apply part_incl|apply unit_over; auto].
    - unfold heavy, part_at. cbv zeta. rewrite row_is by auto. rewrite <- filter_codes by auto.
      set (Y := filter (fun s => at_row (labels (gcode g)) s =? l) X). assert (NY : numbers Y) by (apply filter_numbers; auto).
      rewrite <- (codes_length Y). apply SZ; [apply codes_nodup; auto| |apply over_is; auto].
      apply codes_incl. intros s Hs. apply filter_In in Hs. tauto. }
  match type of E with (if ?c then _ else _) = _ => destruct c eqn:E2; [|discriminate] end.
  injection E as <-. split; auto. apply orb_true_iff in E2. destruct E2 as [E2|E2].
  { apply orb_true_iff in E2. destruct E2 as [E2|E2].
    - destruct (within L) as [k|]; [|discriminate]. apply Nat.ltb_lt in E2. apply (hopeless (after (hist L)) (codes X) q r pieces pieces_ok fan (length X)); auto.
      + apply incl_refl.
      + lia.
    - apply Nat.leb_le in E2. intros t LE SO. eapply Nat.le_trans; [exact E2|].
      apply (sizes (after (hist L)) (codes X) q r pieces pieces_ok fan (length X) top (codes X) (within L) over (length X) NX (incl_refl _) OV t LE SO). }
  unfold check_guesses in E2. cbv zeta in E2. apply andb_prop in E2. destruct E2 as [E2 OR]. apply andb_prop in E2. destruct E2 as [EN EK].
  destruct (orbits moved (kept L) (mark Leaf (map fst (ents L))) (orbs L)) as [R|] eqn:ER; [|discriminate].
  assert (RR : every (fun g => g < nG /\ GB (after (hist L)) (codes X) (gcode g) (within L) (bound L)) R).
  { apply (orbits_ok (hist L) (within L) (bound L) (kept L) EK (orbs L) _ _ ER). apply mark_ok; simpl; auto.
    intros g I. apply in_map_iff in I. destruct I as [[g' rs] [Q I]]. simpl in Q; subst g'.
    rewrite forallb_forall in EN. specialize (EN _ I). cbn [fst snd] in EN. apply andb_prop in EN. destruct EN as [Lg EN]. apply Nat.ltb_lt in Lg.
    split; auto. apply Nat.leb_le in EN. unfold parts_of in EN. rewrite row_is in EN by auto.
    intros sub LG SO. eapply Nat.le_trans; [exact EN|]. rewrite mass_is by auto.
    apply (node (after (hist L)) (codes X) (gcode g) (within L) (part_bound table moved G (seq 0 nG) weights facts (hist L) (dec (within L)) g rs low) (pieces (gcode g))); auto.
    + apply tally_counted; auto. apply nth_In; auto.
    + intros l n J _. apply part_ok; auto. }
  apply all_guesses. { intro Q. apply map_eq_nil in Q. rewrite Q in NE. simpl in NE. lia. }
  intros g IA. assert (I := after_G _ g IA). destruct (CG g IA) as [i [J [Li Ei]]]. subst g. destruct (proj2 (SC i J)) as [O|O].
  2: { right. rewrite T_in in O by auto. intros sub LG SO. eapply Nat.le_trans; [exact O|]. unfold lot. destruct unit_or as [U|U]; rewrite U; [|simpl; lia]. rewrite <- LX.
       apply (parts (after (hist L)) (codes X) (gcode i) (within L) (pieces (gcode i))); auto. }
  rewrite forallb_forall in OR. specialize (OR _ O). cbv beta zeta in OR. rewrite T_in in OR by auto. apply orb_true_iff in OR. destruct OR as [OR|OR].
  - apply orb_true_iff in OR. destruct OR as [OR|OR].
    + right. apply Nat.leb_le in OR. intros sub LG SO. eapply Nat.le_trans; [exact OR|]. rewrite mass_is by auto.
      apply (node (after (hist L)) (codes X) (gcode i) (within L) (low i) (pieces (gcode i))); auto.
      intros l n M _. apply (low_ok (hist L) (within L) low LOW i l n Li M).
    + left. apply (useless_ok (gcode i) X); auto.
  - right. apply (marked_ok (hist L) (within L) (bound L) R i RR OR).
Qed.
Lemma check_lemmas_ok Ls : forall facts number out, every number_fact facts ->
  check_lemmas table moved G all_guess_numbers all_secrets own_guess weights facts number Ls = Some out -> every number_fact out.
Proof.
  induction Ls as [|L r IH]; cbn [check_lemmas]; intros facts number out K E. { injection E as <-; auto. }
  destruct (check_lemma table moved G all_guess_numbers all_secrets own_guess weights facts L) as [f|] eqn:EL; [|discriminate].
  apply (IH (put fuel number f facts) (1 + number) out); auto. apply put_every; auto. apply (check_lemma_ok facts L f); auto.
Qed.
End Check.

(* A claim is a limit, or none, and a bound; without a bound, that not every secret is found within the limit. It names its lemma. *)
Definition claim := (option nat * option nat)%type.
Definition says (n : nat) (c : claim) (f : fact) : bool :=
  let '(Y, K, e, b) := f in match K with [] => true | _ => false end && le_lim (fst c) e && match c with (_, Some a) => a <=? b | (Some k, None) => k * n <? b | (None, None) => false end.
Fixpoint nodupb (X : list code) : bool := match X with [] => true | s :: Y => negb (has Y s) && nodupb Y end.
(* one more than the greatest answer there is, which the checker looks at again *)
Definition most_labels (B : board) : nat :=
  let p := pegs B in 2 + match feed B with Black => p | Standard | Membership => p * p + p | Positional => 3 ^ p | Grand _ => S p * S p * S p end.
Definition check (B : board) (W : list witness) (huge : nat) (Ls : list lemma) (cs : list (claim * nat)) : bool :=
  let A : Answers := score (feed B) in let Fw : Follows := next_guess B in
  let free := match obey B with Free => true | _ => false end in
  let opener := match obey B with Possible => secret B | _ => fun _ => true end in
  let We : Weights := weigh B in let unit := match weighed B with [] => true | _ => false end in
  let G := guesses B in let S := secrets B in
  let nG := length G in let nS := length S in let m := most_labels B in
  let every_guess := seq 0 nG in let every_secret := seq 0 nS in
  let vG := vec_of G in let own_list := filter (fun i => secret B (get [] vG i)) every_guess in
  let tab := table G S in
  (negb (is_list B) || nodupb G) && forallb (is_witness B) W
  && all2 (fun s i => (i <? nG) && eqb (get [] vG i) s) S own_list
  && forallb (fun g => let r := row_at tab g in forallb (fun s => at_row r s <? m) every_secret) every_guess &&
  match every_image G S W with None => false | Some l =>
    match check_lemmas G S W huge m free opener unit tab (vec_of l) vG every_guess every_secret (vec_of own_list) (vec_of (map (weigh B) S)) Leaf 0 Ls with
    | Some facts => let n := mass S in forallb (fun c => match look fuel (snd c) facts with Some f => says n (fst c) f | None => false end) cs
    | None => false
    end
  end.

Lemma nodupb_ok X : nodupb X = true -> NoDup X.
Proof.
  induction X as [|s X IH]; simpl; intro H; constructor; apply andb_prop in H; destruct H as [H1 H2]; auto.
  intro I. apply has_ok in I. rewrite I in H1. discriminate.
Qed.
Lemma total_limit {A : Answers} {We : Weights} k t X : solves (Some k) t X -> total t X <= k * mass X.
Proof.
  induction X as [|s X IH]; intro SO; simpl; [lia|]. specialize (IH (fun x I => SO x (or_intror I))).
  destruct (SO s (or_introl eq_refl)) as [n [T M]]. unfold cost. rewrite T. simpl in M. nia.
Qed.
Theorem check_sound B W huge Ls cs : check B W huge Ls cs = true -> forall d b i, In ((d, b), i) cs ->
  match b, d with
  | Some n, _ => optimum_at_least B d n
  | None, Some k => not_within B k
  | None, None => False end.
Proof.
  unfold check. cbv zeta. set (A := score (feed B) : Answers) in *. set (Fw := next_guess B : Follows) in *.
  set (free := match obey B with Free => true | _ => false end). set (opener := match obey B with Possible => secret B | _ => fun _ => true end).
  set (We := weigh B : Weights) in *. set (unit := match weighed B with [] => true | _ => false end). set (G := guesses B) in *. set (S := secrets B) in *.
  intros H d b i I. apply andb_prop in H. destruct H as [H C]. apply andb_prop in H. destruct H as [H M]. apply andb_prop in H. destruct H as [H O].
  apply andb_prop in H. destruct H as [N V].
  destruct (every_image G S W) as [l|] eqn:EI; [|discriminate].
  match type of C with match ?c with _ => _ end = _ => destruct c as [facts|] eqn:E; [|discriminate] end.
  rewrite forallb_forall in C. specialize (C _ I). cbn [fst snd] in C.
  destruct (look fuel i facts) as [[[[Y Z] e] a]|] eqn:K; [|discriminate].
  assert (ND : NoDup G).
  { apply orb_true_iff in N. destruct N as [N|N]; [|apply nodupb_ok; auto]. apply negb_true_iff in N. unfold G, guesses. rewrite N. apply NoDup_filter, all_nodup. }
  assert (OK : forall w, In w W -> _) by (intros w Hw; rewrite forallb_forall in V; apply (witness_ok B w (V w Hw))).
  assert (SM : forall g s, g < length G -> s < length S -> at_row (row_at (table G S) g) s < most_labels B).
  { intros g s Hg Hs. rewrite forallb_forall in M. assert (Q : In g (seq 0 (length G))) by (apply in_seq; lia). specialize (M g Q). cbv beta in M.
    rewrite forallb_forall in M. apply Nat.ltb_lt. apply M. apply in_seq. lia. }
  match type of O with all2 ?f S ?l = true => set (own_list := l) in * end.
  assert (OW : forall s, s < length S -> get 0 (vec_of own_list) s < length G /\ nth (get 0 (vec_of own_list) s) G [] = nth s S []).
  { intros s Hs. assert (Q := all2_nth _ [] 0 _ _ O s Hs). cbv beta in Q. apply andb_prop in Q. destruct Q as [Q R].
    apply Nat.ltb_lt in Q. apply eqb_true in R. unfold get, vec_of in *. auto. }
  assert (FI : free = true -> (forall h, opener h = true) /\ forall g l h, follows g l h = true).
  { unfold free, opener, follows, Fw, next_guess. destruct (obey B); auto; discriminate. }
  assert (UI : unit = true -> unit_weights).
  { unfold unit, unit_weights, weight, We, weigh. destruct (weighed B); [auto|discriminate]. }
  assert (WE : forall s, s < length S -> get 0 (vec_of (map (weigh B) S)) s = weight (nth s S [])) by (intros s Hs; apply map_nth_lt; auto).
  assert (F := check_lemmas_ok G S W huge (most_labels B) free opener unit FI UI (secret B) ND eq_refl SM OK l EI (vec_of (map (weigh B) S)) WE (vec_of own_list) OW Ls Leaf 0 facts Logic.I E).
  apply (look_every _ _ _ _ _ F) in K. destruct K as [NY LY].
  unfold says in C. cbn [fst] in C. destruct Z as [|]; [|discriminate]. cbn [andb] in C. apply andb_prop in C. destruct C as [D Q].
  assert (LL : LB (first_guesses B) S d a).
  { apply (LB_le _ _ d e a a); auto. apply (LB_incl _ _ (codes S Y)); auto.
    - apply (codes_nodup G S (secret B) ND eq_refl); auto.
    - apply codes_in; auto.
    - eapply LB_guesses; [|exact LY]. intros g J. unfold first_guesses in J. apply in_map_iff.
      assert (JG : In g G /\ opener g = true). { unfold opener. destruct (obey B); auto. apply filter_In in J. auto. }
      destruct JG as [JG JO]. destruct (In_nth G g [] JG) as [k [Lk Ek]]. exists k. split; auto. apply filter_In. split; [apply in_seq; lia|].
      unfold may_guess. cbv zeta. destruct free; auto. change (get [] G k) with (nth k G []). rewrite Ek, JO. auto. }
  destruct b as [n|].
  - assert (Q' : (n <=? a) = true) by (destruct d; exact Q). apply Nat.leb_le in Q'. intros t LE SO. specialize (LL t LE SO). fold A. fold We. fold S. lia.
  - destruct d as [k|]; [|discriminate]. apply Nat.ltb_lt in Q. intros t LE SO. specialize (LL t LE SO).
    assert (MM := total_limit k t _ SO). fold A in MM. fold S in MM. lia.
Qed.
