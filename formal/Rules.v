(* Lower bounds of sets of secrets, as judgements about every strategy, and the rules by which they follow. *)
Require Import List Arith Lia Bool.
Import ListNotations.
Require Import Game.

Lemma eqb_true g : forall s, eqb g s = true -> g = s.
Proof.
  induction g as [|a g IH]; destruct s as [|b s]; simpl; intro H; try discriminate; auto.
  apply andb_prop in H. destruct H as [H1 H2]. apply Nat.eqb_eq in H1. f_equal; auto.
Qed.
Lemma eqb_refl g : eqb g g = true.
Proof. induction g as [|a g IH]; simpl; auto. rewrite Nat.eqb_refl. auto. Qed.
Lemma has_ok R g : has R g = true <-> In g R.
Proof.
  unfold has. rewrite existsb_exists. split; [intros [x [I E]]; apply eqb_true in E; subst; auto|].
  intro I. exists g. split; auto. apply eqb_refl.
Qed.
Definition code_dec : forall g s : code, {g = s} + {g <> s} := list_eq_dec Nat.eq_dec.

Definition dec (d : option nat) : option nat := match d with Some k => Some (pred k) | None => None end.
Definition le_lim (d e : option nat) : bool :=
  match d, e with _, None => true | Some k, Some m => k <=? m | None, Some _ => false end.
Lemma may_le d e n : le_lim d e = true -> may d n -> may e n.
Proof. destruct d, e; simpl; auto; try discriminate. intro H. apply Nat.leb_le in H. lia. Qed.
Lemma dec_le d : le_lim (dec d) d = true.
Proof. destruct d; simpl; auto. apply Nat.leb_le. lia. Qed.

Fixpoint sum (f : nat -> nat) (L : list nat) : nat := match L with [] => 0 | l :: M => f l + sum f M end.
Lemma sum_le f h L : (forall l, In l L -> f l <= h l) -> sum f L <= sum h L.
Proof. induction L as [|a M IH]; simpl; auto. intro H. assert (f a <= h a) by auto. assert (sum f M <= sum h M) by auto. lia. Qed.
Lemma sum_same f h L : (forall l, In l L -> f l = h l) -> sum f L = sum h L.
Proof. induction L; simpl; auto. Qed.
Lemma sum_const f b L : (forall l, In l L -> f l <= b) -> sum f L <= length L * b.
Proof. induction L; simpl; auto. intro H. assert (f a <= b) by auto. assert (sum f L <= length L * b) by auto. lia. Qed.
(* two sums that differ at one label, which occurs at most once, or at least once *)
Lemma sum_one f h k x L : NoDup L -> (forall l, l <> k -> f l = h l) -> f k = h k + x -> sum f L <= sum h L + x.
Proof.
  intros N D E. induction N as [|l M NI N IH]; simpl; [lia|]. destruct (Nat.eq_dec l k) as [->|Q].
  - rewrite (sum_same f h M); [lia|]. intros l Hl. apply D. intros ->. auto.
  - rewrite (D l Q). lia.
Qed.
Lemma sum_more f h k x L : In k L -> (forall l, h l <= f l) -> h k + x <= f k -> sum h L + x <= sum f L.
Proof.
  intros I D E. assert (W : forall M, sum h M <= sum f M) by (intro; apply sum_le; auto).
  induction L as [|l M IH]; simpl in *; [tauto|]. specialize (W M). destruct I as [->|I]; [lia|]. specialize (IH I). specialize (D l). lia.
Qed.

Section Rules.
Context {A : Answers} {Fw : Follows} {We : Weights}.

Lemma legal_incl t : forall G M, incl G M -> legal G t -> legal M t.
Proof.
  induction t as [|g sub IH]; simpl; auto. intros G M I [J L]. split; auto. intro l. apply (IH l (filter (follows g l) G)); auto.
  intros h K. apply filter_In in K. apply filter_In. split; [apply I|]; tauto.
Qed.
Lemma legal_sub G g sub l : legal G (Node g sub) -> legal G (sub l).
Proof. intros [_ L]. apply (legal_incl _ (filter (follows g l) G)); auto. intros h I. apply filter_In in I. tauto. Qed.

(* labels of secrets: 0 is the complete hit *)
Definition key (g s : code) : nat := if eqb g s then 0 else S (answer g s).
Definition part (g : code) (l : nat) (X : list code) := filter (fun s => key g s =? l) X.
Lemma key0 g s : key g s = 0 <-> g = s.
Proof. unfold key. split; [|intros ->; rewrite eqb_refl; auto]. destruct (eqb g s) eqn:E; [intros _; apply eqb_true; auto|discriminate]. Qed.
Lemma part_in g l X s : In s (part g l X) <-> In s X /\ key g s = l.
Proof. unfold part. rewrite filter_In, Nat.eqb_eq. tauto. Qed.
Lemma part_incl g l X : incl (part g l X) X.
Proof. intros s H. apply part_in in H. tauto. Qed.
Lemma part0 g X : NoDup X -> length (part g 0 X) <= 1.
Proof.
  intro N. assert (P : NoDup (part g 0 X)) by (apply NoDup_filter; auto).
  assert (H : forall s, In s (part g 0 X) -> s = g) by (intros s I; apply part_in in I; destruct I as [_ K]; symmetry; apply key0; auto).
  destruct (part g 0 X) as [|a [|b Y]]; simpl; try lia. exfalso. rewrite (H a), (H b) in P by (simpl; auto). inversion P. simpl in *. tauto.
Qed.

(* the judgements: of every strategy, and of those that begin with g *)
Definition LB (G X : list code) d b := forall t, legal G t -> solves d t X -> b <= total t X.
Definition GB (G X : list code) g d b := forall sub, legal G (Node g sub) -> solves d (Node g sub) X -> b <= total (Node g sub) X.

Lemma solves_incl d t X Y : incl Y X -> solves d t X -> solves d t Y.
Proof. intros I H s Hs. apply H, I, Hs. Qed.
Lemma solves_le d e t X : le_lim d e = true -> solves d t X -> solves e t X.
Proof. intros L H s Hs. destruct (H s Hs) as [n [T M]]. exists n. split; auto. apply (may_le d); auto. Qed.
Lemma part_solves d g sub l X : l <> 0 -> solves d (Node g sub) X -> solves (dec d) (sub (pred l)) (part g l X).
Proof.
  intros Z SO s Hs. apply part_in in Hs. destruct Hs as [Hs K]. destruct (SO s Hs) as [n [T M]].
  simpl in T. unfold key in K. destruct (eqb g s); [congruence|]. subst l. simpl.
  destruct (turns (sub (answer g s)) s) as [k|]; [|discriminate]. injection T as <-. exists k. split; auto.
  destruct d; simpl in *; auto. lia.
Qed.
Lemma nothing d t X : t = Stuck \/ d = Some 0 -> solves d t X -> X = [].
Proof.
  intros H W. destruct X as [|s X]; auto. destruct (W s (or_introl eq_refl)) as [n [T M]]. destruct H as [-> | ->]; [discriminate|].
  simpl in M. assert (n = 0) by lia. subst. destruct t; simpl in T; [discriminate|]. destruct (eqb g s); [discriminate|].
  destruct (turns (sub (answer g s)) s); discriminate.
Qed.
Lemma cost_node g sub s n : turns (Node g sub) s = Some n -> cost (Node g sub) s = if eqb g s then 1 else S (cost (sub (answer g s)) s).
Proof. unfold cost. intro H. rewrite H. simpl in H. destruct (eqb g s); [congruence|]. destruct (turns (sub (answer g s)) s); congruence. Qed.

(* SUB *)
Lemma total_app t X Y : total t (X ++ Y) = total t X + total t Y.
Proof. induction X; simpl; lia. Qed.
Lemma total_incl t Y : NoDup Y -> forall X, incl Y X -> total t Y <= total t X.
Proof.
  induction 1 as [|s Y NI N IH]; intros X I; simpl; [lia|].
  destruct (in_split s X (I s (or_introl eq_refl))) as [P [Q ->]].
  assert (J : incl Y (P ++ Q)).
  { intros y Hy. assert (H : In y (P ++ s :: Q)) by (apply I; simpl; auto).
    apply in_app_iff in H. apply in_app_iff. destruct H as [H|[H|H]]; auto. subst; tauto. }
  specialize (IH _ J). rewrite total_app in *. simpl. lia.
Qed.
Lemma LB_guesses G M X d b : incl G M -> LB M X d b -> LB G X d b.
Proof. intros I H t L SO. apply H; auto. apply (legal_incl t G); auto. Qed.
Lemma LB_incl G X Y d b : NoDup Y -> incl Y X -> LB G Y d b -> LB G X d b.
Proof. intros N I H t L SO. apply Nat.le_trans with (total t Y); [|apply total_incl; auto]. apply H; auto. apply (solves_incl d t X); auto. Qed.
Lemma LB_le G X d e a b : a <= b -> le_lim d e = true -> LB G X e b -> LB G X d a.
Proof. intros Q D H t L SO. specialize (H t L (solves_le d e t X D SO)). lia. Qed.

(* How many codes of a set have each label. The label 0 need not be told apart where no code has it. *)
Definition counted (g : code) (X : list code) (T : list (nat * nat)) :=
  NoDup (map fst T) /\ (forall s, In s X -> In (key g s) (map fst T)) /\ forall l n, In (l, n) T -> n = length (part g l X).
Fixpoint tsum (f : nat -> nat -> nat) (T : list (nat * nat)) : nat :=
  match T with [] => 0 | (l, n) :: r => (if l =? 0 then 0 else f l n) + tsum f r end.
Definition own (T : list (nat * nat)) := existsb (fun p => fst p =? 0) T.
Definition nonzero (L : list nat) := filter (fun l => negb (l =? 0)) L.
Definition others (T : list (nat * nat)) := tsum (fun _ _ => 1) T.

Lemma own_in T : own T = true <-> In 0 (map fst T).
Proof.
  unfold own. rewrite existsb_exists. split.
  - intros [[a n] [I E]]. apply Nat.eqb_eq in E; simpl in E; subst. apply in_map_iff. exists (0, n); auto.
  - intro I. apply in_map_iff in I. destruct I as [[a n] [E I]]. simpl in E; subst. exists (0, n); auto.
Qed.
Lemma own_key g X T s : counted g X T -> In s X -> own T = false -> key g s <> 0.
Proof. intros C I E K. assert (H := proj1 (proj2 C) s I). rewrite K in H. apply own_in in H. congruence. Qed.
Lemma others_length T : others T = length (nonzero (map fst T)).
Proof. unfold others, nonzero. induction T as [|[l n] r IH]; simpl; auto. destruct (l =? 0); simpl; rewrite IH; auto. Qed.
Lemma nonzero_in L l : In l (nonzero L) <-> In l L /\ l <> 0.
Proof. unfold nonzero. rewrite filter_In. rewrite negb_true_iff, Nat.eqb_neq. tauto. Qed.

(* what codes weigh together, and the heaviest one *)
Fixpoint mass (X : list code) : nat := match X with [] => 0 | s :: Y => weight s + mass Y end.
Fixpoint heaviest (X : list code) : nat := match X with [] => 0 | s :: Y => Nat.max (weight s) (heaviest Y) end.
Definition unit_weights := forall s, weight s = 1.
Lemma mass_app X Y : mass (X ++ Y) = mass X + mass Y.
Proof. induction X; simpl; lia. Qed.
Lemma mass_incl Y : NoDup Y -> forall X, incl Y X -> mass Y <= mass X.
Proof.
  induction 1 as [|s Y NI N IH]; intros X I; simpl; [lia|].
  destruct (in_split s X (I s (or_introl eq_refl))) as [P [Q ->]].
  assert (J : incl Y (P ++ Q)).
  { intros y Hy. assert (H : In y (P ++ s :: Q)) by (apply I; simpl; auto).
    apply in_app_iff in H. apply in_app_iff. destruct H as [H|[H|H]]; auto. subst; tauto. }
  specialize (IH _ J). rewrite mass_app in *. simpl. lia.
Qed.
Lemma mass_unit X : unit_weights -> mass X = length X.
Proof. intro U. induction X as [|s X IH]; simpl; auto. rewrite U, IH. auto. Qed.
Lemma heaviest_unit X : unit_weights -> heaviest X <= 1.
Proof. intro U. induction X as [|s X IH]; simpl; auto. rewrite U. lia. Qed.
Lemma heaviest_in X s : In s X -> weight s <= heaviest X.
Proof. induction X as [|x X IH]; simpl; [tauto|]. intros [->|I]; [lia|]. specialize (IH I). lia. Qed.

(* NODE: a guess costs one for each secret, and what its parts cost at least *)
Lemma total_node d g sub L X : NoDup L -> ~ In 0 L -> solves d (Node g sub) X ->
  mass X + sum (fun l => total (sub (pred l)) (part g l X)) L <= total (Node g sub) X.
Proof.
  intros N Z. induction X as [|s X IH]; intros SO.
  - simpl. clear. induction L; simpl; auto.
  - destruct (SO s (or_introl eq_refl)) as [n [T _]]. specialize (IH (fun x I => SO x (or_intror I))).
    change (total (Node g sub) (s :: X)) with (weight s * cost (Node g sub) s + total (Node g sub) X). rewrite (cost_node _ _ _ _ T). cbn [mass].
    assert (P : forall l, part g l (s :: X) = if key g s =? l then s :: part g l X else part g l X) by (intro; reflexivity).
    destruct (eqb g s) eqn:E.
    + rewrite (sum_same _ (fun l => total (sub (pred l)) (part g l X)) L); [lia|]. intros l Hl. rewrite P. unfold key. rewrite E.
      destruct l; simpl; [tauto|auto].
    + assert (H := sum_one (fun l => total (sub (pred l)) (part g l (s :: X))) (fun l => total (sub (pred l)) (part g l X)) (key g s) (weight s * cost (sub (answer g s)) s) L N).
      cbv beta in H. rewrite Nat.mul_succ_r. assert (sum (fun l => total (sub (pred l)) (part g l (s :: X))) L <= sum (fun l => total (sub (pred l)) (part g l X)) L + weight s * cost (sub (answer g s)) s); [apply H|lia].
      * intros l D. rewrite P. replace (key g s =? l) with false; auto. symmetry. apply Nat.eqb_neq. auto.
      * rewrite P, Nat.eqb_refl. unfold key; rewrite E. simpl. lia.
Qed.
Lemma tsum_sum f h T : (forall l n, In (l, n) T -> l <> 0 -> f l n <= h l) -> tsum f T <= sum h (nonzero (map fst T)).
Proof.
  induction T as [|[l n] r IH]; simpl; intro H; auto. destruct (l =? 0) eqn:E; simpl; [apply IH; auto|].
  apply Nat.add_le_mono; [|apply IH; auto]. apply H; auto. apply Nat.eqb_neq; auto.
Qed.
Theorem node G X g d f T : counted g X T -> (forall l n, In (l, n) T -> l <> 0 -> LB (filter (follows g (pred l)) G) (part g l X) (dec d) (f l n)) ->
  GB G X g d (mass X + tsum f T).
Proof.
  intros [N _] H sub [IG LE] SO.
  eapply Nat.le_trans; [|apply (total_node d g sub (nonzero (map fst T))); auto].
  - apply Nat.add_le_mono_l. apply tsum_sum. intros l n I Z. apply (H l n); auto. apply part_solves; auto.
  - apply NoDup_filter; auto.
  - rewrite nonzero_in. tauto.
Qed.

(* whoever is not found within k guesses takes one more, for each k *)
Fixpoint rng (h : nat -> nat) (k f : nat) : nat := match f with 0 => 0 | S f' => h k + rng h (S k) f' end.
Definition later (t : tree) (Y : list code) (d : nat) := mass (filter (fun s => negb (cost t s <=? d)) Y).
Definition soon (t : tree) (Y : list code) (d : nat) := filter (fun s => cost t s <=? d) Y.
Lemma later_soon t Y d : later t Y d + mass (soon t Y d) = mass Y.
Proof. unfold later, soon. induction Y as [|s Y IH]; simpl; auto. destruct (cost t s <=? d); simpl; lia. Qed.
Lemma layers t Y D : rng (later t Y) 0 D <= total t Y.
Proof.
  assert (E : forall w c f k, rng (fun d => if negb (c <=? d) then w else 0) k f <= w * (c - k)).
  { intros w c f. induction f as [|f IH]; intro k; simpl; [apply Nat.le_0_l|]. specialize (IH (S k)). destruct (c <=? k) eqn:E.
    - apply Nat.leb_le in E. replace (c - S k) with 0 in IH by lia. simpl. lia.
    - apply Nat.leb_gt in E. replace (c - k) with (S (c - S k)) by lia. rewrite Nat.mul_succ_r. simpl. lia. }
  assert (B : forall s Y f k, rng (later t (s :: Y)) k f = rng (fun d => if negb (cost t s <=? d) then weight s else 0) k f + rng (later t Y) k f).
  { intros s Z f. induction f as [|f IH]; intro k; simpl; auto. rewrite IH. unfold later; simpl. destruct (negb (cost t s <=? k)); simpl; lia. }
  induction Y as [|s Y IH]. { cbn [total]. clear. generalize 0 at 1. induction D; intro k; simpl; auto. }
  rewrite B. simpl. specialize (E (weight s) (cost t s) D 0). rewrite Nat.sub_0_r in E. lia.
Qed.
Lemma soon_solves e t Y d : solves e t Y -> solves (Some d) t (soon t Y d).
Proof.
  intros SO s H. apply filter_In in H. destruct H as [H C]. apply Nat.leb_le in C. destruct (SO s H) as [n [T _]].
  exists n. split; auto. unfold cost in C. rewrite T in C. auto.
Qed.

Lemma length_parts g L Y : (forall s, In s Y -> In (key g s) (0 :: L)) ->
  length Y <= length (part g 0 Y) + sum (fun l => length (part g l Y)) L.
Proof.
  induction Y as [|s Y IH]; intro K; [simpl; lia|]. specialize (IH (fun x I => K x (or_intror I))).
  assert (P : forall l, part g l (s :: Y) = if key g s =? l then s :: part g l Y else part g l Y) by (intro; reflexivity).
  assert (W : sum (fun l => length (part g l Y)) L <= sum (fun l => length (part g l (s :: Y))) L).
  { apply sum_le. intros l _. rewrite P. destruct (key g s =? l); simpl; lia. }
  destruct (K s (or_introl eq_refl)) as [Q|Q].
  - rewrite (P 0), <- Q. cbn [Nat.eqb length]. lia.
  - assert (H := sum_more (fun l => length (part g l (s :: Y))) (fun l => length (part g l Y)) (key g s) 1 L Q).
    cbv beta in H. assert (length (part g 0 Y) <= length (part g 0 (s :: Y))) by (rewrite (P 0); destruct (key g s =? 0); cbn [length]; lia).
    cbn [length]. assert (sum (fun l => length (part g l Y)) L + 1 <= sum (fun l => length (part g l (s :: Y))) L); [apply H|lia].
    + intro l. rewrite P. destruct (key g s =? l); cbn [length]; lia.
    + rewrite P, Nat.eqb_refl. cbn [length]. lia.
Qed.

(* CAP: at most so many codes are found within d guesses *)
Section Sizes.
Variable G X : list code. Variable q r : nat.
Variable parts : code -> list (nat * nat).
Hypothesis parts_ok : forall g, In g G -> counted g X (parts g).
Hypothesis fan : forall g, In g G -> others (parts g) <= if own (parts g) then q else r.
Variable top : nat.   (* never more than all of X, so that numbers stay small *)
Hypothesis top_is : length X <= top.
Definition next (c : nat) := Nat.min top (Nat.max (1 + q * c) (r * c)).
Fixpoint caps (d : nat) := match d with 0 => 0 | S e => next (caps e) end.
Lemma cap_node d c g sub Y :
  (forall t Z, NoDup Z -> incl Z X -> legal G t -> solves (Some d) t Z -> length Z <= c) ->
  NoDup Y -> incl Y X -> legal G (Node g sub) -> solves (Some (S d)) (Node g sub) Y ->
  length Y <= (if own (parts g) then 1 + q * c else r * c).
Proof.
  intros C N I LE W. assert (IG := proj1 LE). set (L := nonzero (map fst (parts g))).
  assert (H := length_parts g L Y). assert (K : forall s, In s Y -> In (key g s) (0 :: L)).
  { intros s Hs. destruct (Nat.eq_dec (key g s) 0) as [->|Z]; simpl; auto. right. apply nonzero_in. split; auto. apply (parts_ok g IG); auto. }
  specialize (H K). assert (B : sum (fun l => length (part g l Y)) L <= length L * c).
  { apply sum_const. intros l Hl. apply nonzero_in in Hl. apply (C (sub (pred l))).
    - apply NoDup_filter; auto.
    - intros s Hs. apply I. apply (part_incl g l). auto.
    - apply (legal_sub G g); auto.
    - apply (part_solves (Some (S d))); tauto. }
  unfold L in B at 2. rewrite <- others_length in B. assert (F := fan g IG).
  assert (P := part0 g Y N). destruct (own (parts g)) eqn:E; [nia|].
  assert (length (part g 0 Y) = 0); [|nia]. destruct (part g 0 Y) as [|s Z] eqn:E'; auto. exfalso.
  assert (J : In s (part g 0 Y)) by (rewrite E'; simpl; auto). apply part_in in J. destruct J as [J J']. apply (own_key g X (parts g) s); auto.
Qed.
Lemma caps_sound d : forall t Y, NoDup Y -> incl Y X -> legal G t -> solves (Some d) t Y -> length Y <= caps d.
Proof.
  induction d as [|d IH]; intros t Y N I LE W. { rewrite (nothing _ t Y (or_intror eq_refl) W); auto. }
  destruct t as [|g sub]. { rewrite (nothing _ Stuck Y (or_introl eq_refl) W); simpl; lia. }
  assert (H := cap_node d (caps d) g sub Y IH N I LE W). assert (M := NoDup_incl_length N I).
  cbn [caps]. unfold next. destruct (own (parts g)); lia.
Qed.

(* SIZE: what the codes but the k heaviest weigh *)
Definition all_but (over : nat -> nat) (Y : list code) :=
  forall k Z, NoDup Z -> incl Z Y -> length Z <= k -> over k + mass Z <= mass Y.
Fixpoint tail (f cap : nat) (over : nat -> nat) : nat :=
  match f with 0 => 0 | S f' => let o := over cap in if o =? 0 then 0 else o + tail f' (next cap) over end.
Definition size_bound (third f : nat) (over : nat -> nat) : nat :=
  let o := over 0 in Nat.min (over 1 + over (1 + q)) (o + over r) + o + tail f third over.
Lemma tail_sound e t Y over f : all_but over Y -> NoDup Y -> incl Y X -> legal G t -> solves e t Y ->
  forall k, tail f (caps k) over <= rng (later t Y) k f.
Proof.
  intros O N I LE SO. induction f as [|f IH]; intro k; simpl; auto. destruct (over (caps k) =? 0); [lia|].
  specialize (IH (S k)). cbn [caps] in IH. assert (H := later_soon t Y k).
  assert (over (caps k) + mass (soon t Y k) <= mass Y); [|lia]. apply O.
  - apply NoDup_filter; auto.
  - intros s Hs. apply filter_In in Hs. tauto.
  - apply (caps_sound k t); auto. { apply NoDup_filter; auto. } { intros s Hs. apply filter_In in Hs. apply I; tauto. } apply (soon_solves e); auto.
Qed.
Theorem sizes Y d over f : NoDup Y -> incl Y X -> all_but over Y -> LB G Y d (size_bound (caps 3) f over).
Proof.
  intros N I O t LE SO. eapply Nat.le_trans; [|apply (layers t Y (3 + f))].
  change (rng (later t Y) 0 (3 + f)) with (later t Y 0 + (later t Y 1 + (later t Y 2 + rng (later t Y) 3 f))).
  assert (T := tail_sound d t Y over f O N I LE SO 3). unfold size_bound. cbv zeta.
  assert (S0 : forall k, NoDup (soon t Y k)) by (intro; apply NoDup_filter; auto).
  assert (SY : forall k, incl (soon t Y k) Y). { intros k s Hs. apply filter_In in Hs. tauto. }
  assert (S1 : forall k, incl (soon t Y k) X). { intros k s Hs. apply I, (SY k); auto. }
  assert (SW : forall k, solves (Some k) t (soon t Y k)) by (intro; apply (soon_solves d); auto).
  assert (B : forall j k, length (soon t Y j) <= k -> over k <= later t Y j).
  { intros j k Q. assert (H := later_soon t Y j). specialize (O k _ (S0 j) (SY j) Q). lia. }
  assert (C0 : length (soon t Y 0) <= 0) by (apply (caps_sound 0 t); auto). assert (B0 := B 0 0 C0).
  destruct t as [|g sub].
  { destruct Y as [|s Y'].
    - assert (Z : forall k, over k = 0). { intro k. specialize (O k [] (NoDup_nil _) (incl_refl _) (Nat.le_0_l _)). simpl in O. lia. }
      assert (T0 : forall f c, tail f c over = 0) by (intros [|f'] c; cbn [tail]; rewrite ?Z; auto). rewrite T0, !Z. simpl. apply Nat.le_0_l.
    - destruct (SO s (or_introl eq_refl)) as [n [Q _]]. discriminate. }
  assert (C1 := cap_node 0 0 g sub (soon (Node g sub) Y 1) (caps_sound 0) (S0 1) (S1 1) LE (SW 1)).
  assert (C2 := cap_node 1 (caps 1) g sub (soon (Node g sub) Y 2) (caps_sound 1) (S0 2) (S1 2) LE (SW 2)).
  assert (K : caps 1 <= 1) by (cbn [caps]; unfold next; lia).
  assert (K2 : q * caps 1 <= q * 1) by (apply Nat.mul_le_mono_l; auto). assert (K3 : r * caps 1 <= r * 1) by (apply Nat.mul_le_mono_l; auto).
  destruct (own (parts g)).
  - assert (B1 : over 1 <= later (Node g sub) Y 1) by (apply B; lia). assert (B2 : over (1 + q) <= later (Node g sub) Y 2) by (apply B; lia). lia.
  - assert (B1 : over 0 <= later (Node g sub) Y 1) by (apply B; lia). assert (B2 : over r <= later (Node g sub) Y 2) by (apply B; lia). lia.
Qed.
(* with a limit: what cannot be found has any bound *)
Theorem hopeless Y k b : NoDup Y -> incl Y X -> caps k < length Y -> LB G Y (Some k) b.
Proof. intros N I H t LE SO. assert (C := caps_sound k t Y N I LE SO). lia. Qed.
End Sizes.

(* by any threshold: codes weigh as much as it at most; the best one is the weight of the heaviest code but k *)
Definition capped (top : nat) (ws : list nat) : nat := fold_right (fun w n => Nat.min w top + n) 0 ws.
Definition over_weights (ws sorted : list nat) (k : nat) : nat := let top := nth k sorted 0 in capped top ws - k * top.
Lemma capped_cut top Z : NoDup Z -> forall Y, incl Z Y -> capped top (map weight Y) + mass Z <= mass Y + length Z * top.
Proof.
  assert (S : forall P Q, capped top (map weight (P ++ Q)) = capped top (map weight P) + capped top (map weight Q)).
  { intros P Q. induction P as [|x P IH]; auto. cbn [map app capped fold_right]. fold (capped top). unfold capped in *. lia. }
  induction 1 as [|s Z NI N IH]; intros Y I.
  - simpl. induction Y as [|y Y IH]; simpl; auto. assert (J : incl [] Y) by (intros x []). specialize (IH J). unfold capped in *. lia.
  - destruct (in_split s Y (I s (or_introl eq_refl))) as [P [Q ->]].
    assert (J : incl Z (P ++ Q)).
    { intros y Hy. assert (H : In y (P ++ s :: Q)) by (apply I; simpl; auto).
      apply in_app_iff in H. apply in_app_iff. destruct H as [H|[H|H]]; auto. subst; tauto. }
    specialize (IH _ J). rewrite S, mass_app in *.
    change (capped top (map weight (s :: Q))) with (Nat.min (weight s) top + capped top (map weight Q)). cbn [mass length]. lia.
Qed.
Lemma weights_over Y sorted : all_but (over_weights (map weight Y) sorted) Y.
Proof.
  intros k Z N I L. unfold over_weights. cbv zeta. set (top := nth k sorted 0). assert (H := capped_cut top Z N Y I). assert (M := mass_incl Z N Y I).
  assert (K := Nat.mul_le_mono_r _ _ top L). lia.
Qed.
Lemma unit_over Y n : unit_weights -> length Y = n -> all_but (fun k => n - k) Y.
Proof. intros U E k Z N I L. rewrite !mass_unit by auto. assert (H := NoDup_incl_length N I). lia. Qed.

(* FEW *)
Lemma few G X d : NoDup X -> LB G X d (2 * mass X - heaviest X).
Proof.
  intros N t LE SO. assert (H := layers t X 2). simpl in H.
  assert (H0 := later_soon t X 0). assert (H1 := later_soon t X 1).
  assert (P : forall s, In s X -> 1 <= cost t s).
  { intros s Hs. destruct (SO s Hs) as [n [T _]]. destruct t; [discriminate|]. rewrite (cost_node _ _ _ _ T). destruct (eqb g s); lia. }
  assert (Z : soon t X 0 = []). { destruct (soon t X 0) as [|s Y] eqn:E; auto. assert (J : In s (soon t X 0)) by (rewrite E; simpl; auto).
    apply filter_In in J. destruct J as [J C]. apply Nat.leb_le in C. specialize (P s J). lia. }
  assert (length (soon t X 1) <= 1).
  2: { rewrite Z in H0. assert (mass (soon t X 1) <= heaviest X); [|simpl in *; lia].
    assert (Q : forall s, In s (soon t X 1) -> weight s <= heaviest X) by (intros s Hs; apply heaviest_in; apply filter_In in Hs; tauto).
    destruct (soon t X 1) as [|s [|? ?]]; simpl in *; try lia. specialize (Q s (or_introl eq_refl)). lia. }
  destruct t as [|g sub]. { rewrite (nothing d Stuck X (or_introl eq_refl) SO). simpl. lia. }
  eapply Nat.le_trans; [|apply (part0 g X N)]. apply NoDup_incl_length. { apply NoDup_filter; auto. }
  intros s Hs. apply filter_In in Hs. destruct Hs as [Hs C]. apply Nat.leb_le in C. apply part_in. split; auto.
  destruct (SO s Hs) as [n [T _]]. rewrite (cost_node _ _ _ _ T) in C. unfold key. destruct (eqb g s) eqn:E; auto. exfalso.
  simpl in T. rewrite E in T. destruct (turns (sub (answer g s)) s) as [k|] eqn:U; [|discriminate].
  assert (1 <= cost (sub (answer g s)) s); [|lia]. destruct (sub (answer g s)) eqn:V; [discriminate|]. rewrite (cost_node _ _ _ _ U). destruct (eqb g0 s); lia.
Qed.

(* PARTS *)
Lemma tsum_parts T : 2 * tsum (fun _ n => n) T <= tsum (fun _ n => 2 * n - 1) T + others T.
Proof. unfold others. induction T as [|[l n] r IH]; cbn [tsum]; auto. destruct (l =? 0); lia. Qed.
Lemma parts_count g X T : NoDup X -> counted g X T -> length X <= tsum (fun _ n => n) T + if own T then 1 else 0.
Proof.
  intros ND C. assert (P := part0 g X ND). destruct C as [N [K S]].
  assert (H := length_parts g (nonzero (map fst T)) X). assert (Q : forall s, In s X -> In (key g s) (0 :: nonzero (map fst T))).
  { intros s I. destruct (Nat.eq_dec (key g s) 0) as [->|Z]; simpl; auto. right. apply nonzero_in. auto. }
  specialize (H Q). assert (B : sum (fun l => length (part g l X)) (nonzero (map fst T)) <= tsum (fun _ n => n) T).
  { clear -S. unfold nonzero. induction T as [|[l n] r IH]; simpl; auto. assert (E := S l n (or_introl eq_refl)).
    specialize (IH (fun l' n' I => S l' n' (or_intror I))). destruct (l =? 0); simpl; lia. }
  destruct (own T) eqn:O; [lia|]. assert (length (part g 0 X) = 0); [|lia].
  destruct (part g 0 X) as [|s Y] eqn:E; auto. exfalso. assert (J : In s (part g 0 X)) by (rewrite E; simpl; auto).
  apply part_in in J. destruct J as [J J']. apply (own_key g X T s); auto. repeat split; auto.
Qed.
Lemma few_unit G X d : unit_weights -> NoDup X -> LB G X d (2 * length X - 1).
Proof.
  intros U N t L SO. eapply Nat.le_trans; [|apply (few G X d N t L SO)]. rewrite mass_unit by auto. assert (H := heaviest_unit X U). lia.
Qed.
Theorem parts G X g d T : unit_weights -> NoDup X -> counted g X T -> GB G X g d (3 * length X - others T - 2 * if own T then 1 else 0).
Proof.
  intros U ND C sub LE SO. assert (H := node G X g d (fun _ n => 2 * n - 1) T C).
  assert (Q : forall l n, In (l, n) T -> l <> 0 -> LB (filter (follows g (pred l)) G) (part g l X) (dec d) (2 * n - 1)).
  { intros l n I _. rewrite (proj2 (proj2 C) l n I). apply few_unit; auto. apply NoDup_filter; auto. }
  specialize (H Q sub LE SO). rewrite mass_unit in H by auto. assert (S1 := tsum_parts T). assert (S2 := parts_count g X T ND C). destruct (own T); lia.
Qed.

(* a guess outside of the set finds nothing: two guesses a code *)
Lemma outside G X g d sub : ~ In g X -> legal G (Node g sub) -> solves d (Node g sub) X -> 2 * mass X <= total (Node g sub) X.
Proof.
  intros O LE. induction X as [|s X IH]; intro SO; [simpl; lia|]. destruct (SO s (or_introl eq_refl)) as [n [T _]].
  assert (I : 2 * mass X <= total (Node g sub) X) by (apply IH; [simpl in O; tauto|intros x J; apply SO; simpl; auto]).
  change (total (Node g sub) (s :: X)) with (weight s * cost (Node g sub) s + total (Node g sub) X). rewrite (cost_node _ _ _ _ T).
  destruct (eqb g s) eqn:E. { apply eqb_true in E. subst. simpl in O. tauto. }
  simpl in T. rewrite E in T. destruct (turns (sub (answer g s)) s) as [k|] eqn:U; [|discriminate].
  assert (1 <= cost (sub (answer g s)) s); [|cbn [mass]; nia].
  destruct (sub (answer g s)) eqn:V; [discriminate|]. rewrite (cost_node _ _ _ _ U). destruct (eqb g0 s); lia.
Qed.

(* ALL: every guess but those that tell nothing *)
Theorem all_guesses G X d b : X <> [] ->
  (forall g, In g G -> (exists l, l <> 0 /\ forall s, In s X -> key g s = l) \/ GB G X g d b) -> LB G X d b.
Proof.
  intros NE H t. induction t as [|g sub IH]; intros LE SO. { destruct (NE (nothing d Stuck X (or_introl eq_refl) SO)). }
  destruct (H g (proj1 LE)) as [[l [U K]]|B]; [|apply B; auto].
  assert (P : part g l X = X).
  { clear -K. unfold part. induction X as [|s X IH]; simpl; auto. rewrite (K s) by (simpl; auto). rewrite Nat.eqb_refl. f_equal. apply IH. intros; apply K; simpl; auto. }
  assert (T := total_node d g sub [l] X). simpl sum in T. rewrite P in T.
  assert (S1 : solves d (sub (pred l)) X). { apply (solves_le (dec d)); [apply dec_le|]. rewrite <- P. apply part_solves; auto. }
  specialize (IH (pred l) (legal_sub G g sub (pred l) LE) S1).
  assert (NoDup [l]) by (constructor; [simpl; tauto|constructor]).
  assert (Z : ~ In 0 [l]) by (simpl; intuition). specialize (T H0 Z SO). lia.
Qed.
End Rules.
