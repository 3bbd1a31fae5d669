(* A checker of certificates, and the proof that it accepts only what holds of every strategy. *)
Require Import List Arith Lia Bool.
Import ListNotations.
Require Import Game Rules Symmetry.

Record lemma := Lem {
  hist : list (code * nat);                                  (* guesses and labels that lead to the set *)
  within : option nat;
  bound : nat;
  kept : list nat;                                           (* witnesses that take the set to itself *)
  ents : list (code * list (nat * (nat * option nat)));      (* guesses, and for labels: the lemma so many back, and a witness *)
  orbs : list (nat * list code) }.                           (* of these guesses the images, by one of those kept *)
Definition fact := (list code * option nat * nat)%type.
Definition column_set := list (code * list nat).             (* secrets, each with its labels for all guesses *)

Fixpoint map2 {P Q R} (f : P -> Q -> R) (l : list P) (m : list Q) : list R :=
  match l, m with a :: l', b :: m' => f a b :: map2 f l' m' | _, _ => [] end.
Definition maxl (l : list nat) := fold_right Nat.max 0 l.

Section Check.
Context {A : Answers}.
Variable G S : list code.
Variable is_secret : code -> bool.
Variable W : list witness.
Variable huge : nat.   (* bounds what cannot be found within a limit *)

Definition table : column_set := map (fun s => (s, map (fun g => key g s) G)) S.
Definition fits (H : list (code * nat)) (s : code) : bool := forallb (fun x => key (fst x) s =? snd x) H.
Definition tallies (X : column_set) : list (list (nat * nat)) :=
  fold_right (fun x T => map2 bump (snd x) T) (map (fun _ => []) G) X.
Definition renamed_by (w : option nat) : option (code -> code) :=
  match w with None => Some (fun s => s) | Some i => option_map act (nth_error W i) end.
Definition inside (H : list (code * nat)) (s : code) : bool := is_secret s && fits H s.

Definition named_bound (facts : list fact) (H : list (code * nat)) (d : option nat) (i : nat) (w : option nat) : nat :=
  match nth_error facts i, renamed_by w with
  | Some (Y, e, b), Some f => if le_lim d e && forallb (fun s => inside H (f s)) Y then b else 0
  | _, _ => 0 end.
Definition part_bound (facts : list fact) (H : list (code * nat)) (d : option nat) (g : code)
    (rs : list (nat * (nat * option nat))) (sz : nat -> nat) (l n : nat) : nat :=
  match find (fun x => fst x =? l) rs with
  | Some x => Nat.max (sz n) (named_bound facts ((g, l) :: H) d (fst (snd x)) (snd (snd x)))
  | None => sz n end.

(* the guesses that are refuted, with the images of those that are known to be *)
Fixpoint orbits (ms : list witness) (R : list code) (os : list (nat * list code)) : option (list code) :=
  match os with
  | [] => Some R
  | (i, gs) :: r => match nth_error ms i with
      | Some m => if forallb (has R) gs then orbits ms (map (act m) gs ++ R) r else None
      | None => None end
  end.
Fixpoint keep (H : list (code * nat)) (X : list code) (is : list nat) : option (list witness) :=
  match is with
  | [] => Some []
  | i :: r => match nth_error W i, keep H X r with
      | Some m, Some ms => if forallb (fun s => inside H (act m s)) X then Some (m :: ms) else None
      | _, _ => None end
  end.

Definition check_guesses (facts : list fact) (L : lemma) (T : list (code * list (nat * nat))) (N : nat) (sz : nat -> nat) (X : list code) : bool :=
  let after := dec (within L) in
  forallb (fun e => match find (fun x => eqb (fst x) (fst e)) T with
      | Some (g, t) => bound L <=? N + tsum (part_bound facts (hist L) after g (snd e) sz) t
      | None => false end) (ents L)
  && match keep (hist L) X (kept L) with
     | None => false
     | Some ms => match orbits ms (map fst (ents L)) (orbs L) with
         | None => false
         | Some R => forallb (fun x => useless (snd x) || (bound L <=? N + tsum (fun _ n => sz n) (snd x)) || has R (fst x)) T
         end
     end.

Definition check_lemma (tab : column_set) (facts : list fact) (L : lemma) : option fact :=
  let C := filter (fun x => fits (hist L) (fst x)) tab in
  let X := map fst C in let N := length X in
  if N =? 0 then None else
  if bound L <=? 2 * N - 1 then Some (X, within L, bound L) else
  let T := combine G (tallies C) in
  let q := maxl (map (fun x => if own (snd x) then others (snd x) else 0) T) in
  let r := maxl (map (fun x => if own (snd x) then 0 else others (snd x)) T) in
  let third := caps q r N 3 in
  let sz := match within L with
    | None => size_bound q r N third
    | Some k => let most := caps q r N (pred k) in fun n => if most <? n then huge else size_bound q r N third n end in
  if match within L with Some k => caps q r N k <? N | None => false end
     || (bound L <=? size_bound q r N third N) || check_guesses facts L T N sz X then Some (X, within L, bound L) else None.

Fixpoint check_lemmas (tab : column_set) (facts : list fact) (Ls : list lemma) : option (list fact) :=
  match Ls with
  | [] => Some facts
  | L :: r => match check_lemma tab facts L with Some f => check_lemmas tab (f :: facts) r | None => None end
  end.

(* why *)
Definition holds (f : fact) := let '(Y, d, b) := f in NoDup Y /\ incl Y S /\ LB G Y d b.
Hypothesis NDG : NoDup G.
Hypothesis S_is : S = filter is_secret G.
Hypothesis W_ok : forall m, In m W ->
  (forall g, In g G -> In (act m g) G) /\
  (forall g h, In g G -> In h G -> act m g = act m h -> g = h) /\
  (forall g s s', In g G -> In s S -> In s' S -> answer g s = answer g s' -> answer (act m g) (act m s) = answer (act m g) (act m s')).
Let sub_G : incl S G. Proof. intros s H. rewrite S_is in H. apply filter_In in H. tauto. Qed.
Let NDS : NoDup S. Proof. rewrite S_is. apply NoDup_filter; auto. Qed.

Lemma maxl_le a l : In a l -> a <= maxl l.
Proof. induction l as [|b l IH]; simpl; [tauto|]. intros [->|I]; [lia|]. specialize (IH I). lia. Qed.
Lemma map2_map {P Q R T} (f : P -> Q -> R) (u : T -> P) (v : T -> Q) l : map2 f (map u l) (map v l) = map (fun x => f (u x) (v x)) l.
Proof. induction l; simpl; f_equal; auto. Qed.
Lemma combine_map {P Q} (v : P -> Q) l : combine l (map v l) = map (fun x => (x, v x)) l.
Proof. induction l; simpl; f_equal; auto. Qed.
Lemma tallies_ok C : incl C table -> tallies C = map (fun g => tally g (map fst C)) G.
Proof.
  induction C as [|x C IH]; intro I; auto. simpl. rewrite IH by (intros y Hy; apply I; simpl; auto).
  assert (J := I x (or_introl eq_refl)). apply in_map_iff in J. destruct J as [s [<- _]]. simpl. apply map2_map.
Qed.
Lemma table_fst H : map fst (filter (fun x => fits H (fst x)) table) = filter (fits H) S.
Proof. unfold table. clear. induction S as [|s X IH]; simpl; auto. destruct (fits H s); simpl; rewrite IH; auto. Qed.
Lemma fits_part g l H : filter (fits ((g, l) :: H)) S = part g l (filter (fits H) S).
Proof.
  unfold part. clear. induction S as [|s X IH]; simpl; auto. destruct (key g s =? l) eqn:E, (fits H s) eqn:F; simpl; rewrite ?E, IH; auto.
Qed.
Lemma inside_ok H s : In s G -> inside H s = true -> In s (filter (fits H) S).
Proof. unfold inside. intros I J. apply andb_prop in J. destruct J. apply filter_In. rewrite S_is, filter_In. auto. Qed.

Lemma named_ok facts H d i w : (forall f, In f facts -> holds f) -> LB G (filter (fits H) S) d (named_bound facts H d i w).
Proof.
  intro K. unfold named_bound. assert (Z : LB G (filter (fits H) S) d 0) by (intros t _ _; lia).
  destruct (nth_error facts i) as [[[Y e] b]|] eqn:E; auto. destruct (renamed_by w) as [f|] eqn:F; auto.
  destruct (le_lim d e && forallb (fun s => inside H (f s)) Y) eqn:C; auto. apply andb_prop in C. destruct C as [D C].
  rewrite forallb_forall in C. apply nth_error_In in E. destruct (K _ E) as [N [I B]].
  apply (LB_le G _ d e b b); auto. destruct w as [j|]; simpl in F.
  - destruct (nth_error W j) as [m|] eqn:M; [|discriminate]. injection F as <-. apply nth_error_In in M. destruct (W_ok m M) as [W1 [W2 W3]].
    apply (LB_incl G _ (map (act m) Y)).
    + apply (map_nodup G); auto. intros s Hs. apply sub_G, I, Hs.
    + intros s Hs. apply in_map_iff in Hs. destruct Hs as [x [<- Hx]]. apply inside_ok; auto.
    + apply (renamed G S); auto.
  - injection F as <-. apply (LB_incl G _ Y); auto. intros s Hs. apply inside_ok; auto.
Qed.

Section One.
Variable facts : list fact. Hypothesis known : forall f, In f facts -> holds f.
Variable H : list (code * nat). Variable d : option nat.
Let X := filter (fits H) S.
Variable sz : nat -> nat.
Hypothesis SZ : forall Y, NoDup Y -> incl Y X -> LB G Y (dec d) (sz (length Y)).

Lemma X_nodup : NoDup X. Proof. apply NoDup_filter; auto. Qed.
Lemma X_incl : incl X S. Proof. intros s I. apply filter_In in I. tauto. Qed.
Lemma size_ok g l n : In (l, n) (tally g X) -> LB G (part g l X) (dec d) (sz n).
Proof. intro I. rewrite (tally_size _ _ _ _ I). apply SZ; [apply NoDup_filter, X_nodup|apply part_incl]. Qed.
Lemma part_ok g rs l n : In (l, n) (tally g X) -> LB G (part g l X) (dec d) (part_bound facts H (dec d) g rs sz l n).
Proof.
  intro I. assert (B := size_ok g l n I). unfold part_bound. destruct (find (fun x => fst x =? l) rs) as [x|]; auto.
  assert (C := named_ok facts ((g, l) :: H) (dec d) (fst (snd x)) (snd (snd x)) known). rewrite fits_part in C. fold X in C.
  intros t L SO. specialize (B t L SO). specialize (C t L SO). lia.
Qed.
Lemma keep_ok is : forall ms, keep H X is = Some ms -> forall m, In m ms -> In m W /\ incl (map (act m) X) X.
Proof.
  induction is as [|i r IH]; simpl; intros ms E m I. { injection E as <-. destruct I. }
  destruct (nth_error W i) as [m'|] eqn:M; [|discriminate]. destruct (keep H X r) as [ms'|]; [|discriminate].
  destruct (forallb (fun s => inside H (act m' s)) X) eqn:F; [|discriminate]. injection E as <-. destruct I as [<-|I]; [|apply (IH ms'); auto].
  apply nth_error_In in M. split; auto. intros s Hs. apply in_map_iff in Hs. destruct Hs as [x [<- Hx]]. rewrite forallb_forall in F.
  apply inside_ok; auto. apply (W_ok m' M). apply sub_G, X_incl, Hx.
Qed.
Lemma orbits_ok b ms : (forall m, In m ms -> In m W /\ incl (map (act m) X) X) -> forall os R R', orbits ms R os = Some R' ->
  (forall g, In g R -> In g G /\ GB G X g d b) -> forall g, In g R' -> In g G /\ GB G X g d b.
Proof.
  intro M. induction os as [|[i gs] r IH]; simpl; intros R R' E K. { injection E as <-; auto. }
  destruct (nth_error ms i) as [m|] eqn:N; [|discriminate]. destruct (forallb (has R) gs) eqn:F; [|discriminate].
  apply nth_error_In in N. destruct (M m N) as [Wm I]. destruct (W_ok m Wm) as [W1 [W2 W3]].
  apply (IH _ _ E). intros g J. apply in_app_iff in J. destruct J as [J|J]; [|auto].
  apply in_map_iff in J. destruct J as [h [<- J]]. rewrite forallb_forall in F. destruct (K h) as [Gh Bh]. { apply has_ok; auto. }
  split; auto. apply (guess_class G S); auto. { apply X_nodup. } apply X_incl.
Qed.
End One.

Lemma check_lemma_ok facts L f : (forall f, In f facts -> holds f) -> check_lemma table facts L = Some f -> holds f.
Proof.
  intros K E. unfold check_lemma in E. rewrite table_fst in E. set (X := filter (fits (hist L)) S) in *.
  assert (NX := X_nodup (hist L)). assert (IX := X_incl (hist L)). fold X in NX, IX.
  destruct (length X =? 0) eqn:NE; [discriminate|]. apply Nat.eqb_neq in NE.
  destruct (bound L <=? 2 * length X - 1) eqn:E1.
  { injection E as <-. repeat split; auto. apply Nat.leb_le in E1. apply (LB_le G X _ (within L) _ (2 * length X - 1)); auto.
    - destruct (within L); simpl; auto. apply Nat.leb_le; auto.
    - apply few; auto. }
  rewrite tallies_ok, combine_map, table_fst in E by (intros x Hx; apply filter_In in Hx; tauto). fold X in E.
  set (T := map (fun g => (g, tally g X)) G) in *.
  set (q := maxl (map (fun x => if own (snd x) then others (snd x) else 0) T)) in *.
  set (r := maxl (map (fun x => if own (snd x) then 0 else others (snd x)) T)) in *.
  assert (fan : forall g, In g G -> others (tally g X) <= if own (tally g X) then q else r).
  { intros g I. assert (J : In (g, tally g X) T) by (apply in_map_iff; exists g; auto).
    destruct (own (tally g X)) eqn:O; apply maxl_le; apply in_map_iff; exists (g, tally g X); simpl; rewrite O; auto. }
  cbv zeta in E. match type of E with context [check_guesses facts L T (length X) ?s X] => set (sz := s) in * end.
  assert (SZ : forall Y, NoDup Y -> incl Y X -> LB G Y (dec (within L)) (sz (length Y))).
  { intros Y N I. unfold sz. destruct (within L) as [k|]; [|apply (sizes G X q r fan (length X)); auto]. cbn [dec].
    destruct (caps q r (length X) (pred k) <? length Y) eqn:C; [|apply (sizes G X q r fan (length X)); auto]. apply Nat.ltb_lt in C. apply (hopeless G X q r fan (length X)); auto. }
  match type of E with (if ?c then _ else _) = _ => destruct c eqn:E2; [|discriminate] end.
  injection E as <-. split; [|split]; auto. apply orb_true_iff in E2. destruct E2 as [E2|E2].
  { apply orb_true_iff in E2. destruct E2 as [E2|E2].
    - destruct (within L) as [k|]; [|discriminate]. apply Nat.ltb_lt in E2. apply (hopeless G X q r fan (length X)); auto. apply incl_refl.
    - apply Nat.leb_le in E2. assert (B := sizes G X q r fan (length X) (Nat.le_refl _) X (within L) NX (incl_refl X)). intros t LE SO. specialize (B t LE SO). lia. }
  unfold check_guesses in E2. apply andb_prop in E2. destruct E2 as [EN OR].
  destruct (keep (hist L) X (kept L)) as [ms|] eqn:EK; [|discriminate].
  destruct (orbits ms (map fst (ents L)) (orbs L)) as [R|] eqn:ER; [|discriminate].
  assert (RR : forall g, In g R -> In g G /\ GB G X g (within L) (bound L)).
  { apply (orbits_ok (hist L) (within L) (bound L) ms (keep_ok (hist L) _ ms EK) _ _ _ ER).
    intros g I. apply in_map_iff in I. destruct I as [[g' rs] [Q I]]. simpl in Q; subst g'.
    rewrite forallb_forall in EN. specialize (EN _ I). cbn [fst snd] in EN.
    destruct (find (fun x => eqb (fst x) g) T) as [[h t]|] eqn:F; [|discriminate]. apply find_some in F. destruct F as [F Q].
    apply eqb_true in Q. simpl in Q. subst h. apply in_map_iff in F. destruct F as [h [Q Ig]]. injection Q as -> <-. split; auto.
    apply Nat.leb_le in EN. intros sub LG SO. eapply Nat.le_trans; [exact EN|].
    apply (node G X g (within L) (part_bound facts (hist L) (dec (within L)) g rs sz)); auto.
    intros l n J _. apply part_ok; auto. }
  apply all_guesses. { intro Q. rewrite Q in NE. simpl in NE. lia. }
  intros g I. rewrite forallb_forall in OR. assert (J : In (g, tally g X) T) by (apply in_map_iff; exists g; auto).
  specialize (OR _ J). cbn [fst snd] in OR. apply orb_true_iff in OR. destruct OR as [OR|OR].
  - apply orb_true_iff in OR. destruct OR as [OR|OR]; auto. right. apply Nat.leb_le in OR. intros sub LG SO.
    eapply Nat.le_trans; [exact OR|]. apply (node G X g (within L) (fun _ n => sz n)); auto.
    intros l n M _. apply (size_ok (hist L)); auto.
  - right. apply RR. apply has_ok; auto.
Qed.
Lemma check_lemmas_ok Ls : forall facts out, (forall f, In f facts -> holds f) -> check_lemmas table facts Ls = Some out -> forall f, In f out -> holds f.
Proof.
  induction Ls as [|L r IH]; simpl; intros facts out K E. { injection E as <-; auto. }
  destruct (check_lemma table facts L) as [f|] eqn:EL; [|discriminate].
  apply (IH (f :: facts) out); auto. intros x [<-|J]; auto. apply (check_lemma_ok facts L f); auto.
Qed.
End Check.

(* A claim is a limit, or none, and a bound; without a bound, that not every secret is found within the limit. *)
Definition claim := (option nat * option nat)%type.
Definition says (n : nat) (c : claim) (f : fact) : bool :=
  let '(Y, e, b) := f in le_lim (fst c) e && match c with (_, Some a) => a <=? b | (Some k, None) => k * n <? b | (None, None) => false end.
Fixpoint nodupb (X : list code) : bool := match X with [] => true | s :: Y => negb (has Y s) && nodupb Y end.
Definition check (B : board) (W : list witness) (huge : nat) (Ls : list lemma) (cs : list claim) : bool :=
  let A : Answers := score (feed B) in
  let G := guesses B in let S := secrets B in
  (negb (is_list B) || nodupb G) && forallb (is_witness B) W &&
  match check_lemmas G (hidden B) W huge (table G S) [] Ls with
  | Some facts => forallb (fun c => existsb (says (length S) c) facts) cs
  | None => false
  end.

Lemma nodupb_ok X : nodupb X = true -> NoDup X.
Proof.
  induction X as [|s X IH]; simpl; intro H; constructor; apply andb_prop in H; destruct H as [H1 H2]; auto.
  intro I. apply has_ok in I. rewrite I in H1. discriminate.
Qed.
Lemma total_limit {A : Answers} k t X : solves (Some k) t X -> total t X <= k * length X.
Proof.
  induction X as [|s X IH]; intro SO; simpl; [lia|]. specialize (IH (fun x I => SO x (or_intror I))).
  destruct (SO s (or_introl eq_refl)) as [n [T M]]. unfold cost. rewrite T. simpl in M. lia.
Qed.
Theorem check_sound B W huge Ls cs : check B W huge Ls cs = true -> forall d b, In (d, b) cs ->
  match b, d with
  | Some n, _ => optimum_at_least B d n
  | None, Some k => not_within B k
  | None, None => False end.
Proof.
  unfold check. intros H d b I. apply andb_prop in H. destruct H as [H C]. apply andb_prop in H. destruct H as [N V].
  set (A := score (feed B) : Answers) in *.
  destruct (check_lemmas (guesses B) (hidden B) W huge (table (guesses B) (secrets B)) [] Ls) as [facts|] eqn:E; [|discriminate].
  rewrite forallb_forall in C. specialize (C _ I). apply existsb_exists in C. destruct C as [[[Y e] a] [J Q]].
  assert (ND : NoDup (guesses B)).
  { apply orb_true_iff in N. destruct N as [N|N]; [|apply nodupb_ok; auto]. apply negb_true_iff in N. unfold guesses. rewrite N. apply NoDup_filter, all_nodup. }
  assert (OK : forall m, In m W -> _) by (intros m Hm; rewrite forallb_forall in V; apply (witness_ok B m (V m Hm))).
  destruct (check_lemmas_ok (guesses B) (secrets B) (hidden B) W huge ND eq_refl OK Ls [] facts (fun f F => match F with end) E _ J) as [NY [IY LY]].
  unfold says in Q. cbn [fst] in Q. apply andb_prop in Q. destruct Q as [D Q].
  assert (L : LB (guesses B) (secrets B) d a). { apply (LB_le _ _ d e a a); auto. apply (LB_incl _ _ Y); auto. }
  destruct b as [n|].
  - assert (Q' : (n <=? a) = true) by (destruct d; exact Q). apply Nat.leb_le in Q'. intros t LE SO. specialize (L t LE SO). fold A. lia.
  - destruct d as [k|]; [|discriminate]. apply Nat.ltb_lt in Q. intros t LE SO. specialize (L t LE SO).
    assert (M := total_limit k t _ SO). fold A in M. lia.
Qed.
