(* RENAME and CLASS: a renaming under which equal answers stay equal keeps every bound; and which renamings are such. *)
Require Import List Arith Lia Bool Permutation.
Import ListNotations.
Require Import Game Rules.

Section Renaming.
Context {A : Answers} {Fw : Follows} {We : Weights}.
Variable G S : list code. Variable f : code -> code.
Hypothesis sub_G : incl S G.
Hypothesis into : forall g, In g G -> In (f g) G.
Hypothesis inj : forall g h, In g G -> In h G -> f g = f h -> g = h.
Hypothesis keeps : forall g s s', In g G -> In s S -> In s' S -> answer g s = answer g s' -> answer (f g) (f s) = answer (f g) (f s').
Hypothesis obeys : forall g s h, In g G -> In s S -> In h G -> follows (f g) (answer (f g) (f s)) (f h) = true -> follows g (answer g s) h = true.
Hypothesis NDG : NoDup G.

Lemma map_nodup Y : NoDup Y -> incl Y G -> NoDup (map f Y).
Proof.
  induction 1 as [|s Y NI N IH]; intro I; simpl; constructor.
  - intro H. apply in_map_iff in H. destruct H as [x [E J]]. apply NI. rewrite <- (inj x s); auto; apply I; simpl; auto.
  - apply IH. intros x Hx. apply I; simpl; auto.
Qed.
Lemma onto g : In g G -> exists h, In h G /\ f h = g.
Proof.
  intro I. assert (J : incl G (map f G)).
  { apply NoDup_length_incl.
    - apply map_nodup; auto. apply incl_refl.
    - rewrite map_length; auto.
    - intros x Hx. apply in_map_iff in Hx. destruct Hx as [y [<- Hy]]. auto. }
  specialize (J g I). apply in_map_iff in J. destruct J as [h [E H]]. exists h; auto.
Qed.
(* the guess that is renamed to g *)
Definition back (g : code) : code := match find (fun h => eqb (f h) g) G with Some h => h | None => g end.
Lemma back_ok g : In g G -> In (back g) G /\ f (back g) = g.
Proof.
  intro I. unfold back. destruct (find (fun h => eqb (f h) g) G) as [h|] eqn:E.
  - apply find_some in E. destruct E as [J E]. apply eqb_true in E. auto.
  - exfalso. destruct (onto g I) as [h [J E']]. assert (Q := find_none _ _ E h J). simpl in Q. rewrite E', eqb_refl in Q. discriminate.
Qed.
(* a strategy, renamed back; there is nothing where no secret leads *)
Fixpoint pull (t : tree) : tree :=
  match t with Stuck => Stuck | Node g sub => let h := back g in
    Node h (fun l => match find (fun s => answer h s =? l) S with Some s => pull (sub (answer g (f s))) | None => Stuck end) end.
(* what may be guessed of it, L, where M is what may be guessed of the other *)
Definition covers (L M : list code) := forall h, In h G -> In (f h) M -> In h L.
Lemma pull_legal t : forall L M, incl M G -> covers L M -> legal M t -> legal L (pull t).
Proof.
  induction t as [|g sub IH]; simpl; auto. intros L M I C [J K]. destruct (back_ok g (I g J)) as [B E]. split.
  { apply C; auto. rewrite E. auto. }
  intro l. destruct (find (fun s => answer (back g) s =? l) S) as [s|] eqn:Q; [|exact Logic.I]. apply find_some in Q. destruct Q as [Is Q].
  apply Nat.eqb_eq in Q. apply (IH _ _ (filter (follows g (answer g (f s))) M)); auto.
  - intros h H. apply filter_In in H. apply I. tauto.
  - intros h Ih H. apply filter_In in H. destruct H as [H H']. apply filter_In. split; auto. rewrite <- Q. apply obeys; auto. rewrite E. auto.
Qed.
Lemma pull_turns t : forall M, incl M G -> legal M t -> forall s, In s S -> turns (pull t) s = turns t (f s).
Proof.
  induction t as [|g sub IH]; simpl; auto. intros M I [J L] s Hs. destruct (back_ok g (I g J)) as [B E].
  assert (T : turns match find (fun x => answer (back g) x =? answer (back g) s) S with Some x => pull (sub (answer g (f x))) | None => Stuck end s
    = turns (sub (answer g (f s))) (f s)).
  { destruct (find (fun x => answer (back g) x =? answer (back g) s) S) as [x|] eqn:Q.
    - apply find_some in Q. destruct Q as [Ix Q]. apply Nat.eqb_eq in Q. replace (answer g (f x)) with (answer g (f s)).
      + apply (IH _ (filter (follows g (answer g (f s))) M)); auto. intros h H. apply filter_In in H. apply I. tauto.
      + rewrite <- E. apply keeps; auto.
    - assert (N := find_none _ _ Q s Hs). simpl in N. rewrite Nat.eqb_refl in N. discriminate. }
  rewrite T. destruct (eqb (back g) s) eqn:E1, (eqb g (f s)) eqn:E2; auto; exfalso.
  - apply eqb_true in E1. rewrite <- E1, E, eqb_refl in E2. discriminate.
  - apply eqb_true in E2. rewrite (inj (back g) s), eqb_refl in E1; auto; congruence.
Qed.
Definition heavier (Y : list code) := forall s, In s Y -> weight s <= weight (f s).
Lemma pull_total t Y M : incl M G -> legal M t -> incl Y S -> heavier Y -> total (pull t) Y <= total t (map f Y).
Proof.
  intros IM L. induction Y as [|s Y IH]; simpl; auto. intros I Hv. apply Nat.add_le_mono.
  - unfold cost. rewrite (pull_turns t M); auto; [|apply I; simpl; auto]. apply Nat.mul_le_mono_r. apply Hv. simpl; auto.
  - apply IH; intros x Hx; [apply I|apply Hv]; simpl; auto.
Qed.
Lemma pull_solves d t Y M : incl M G -> legal M t -> incl Y S -> solves d t (map f Y) -> solves d (pull t) Y.
Proof. intros IM L I SO s Hs. rewrite (pull_turns t M); auto. apply SO, in_map; auto. Qed.

Theorem renamed L M Y d b : incl M G -> covers L M -> incl Y S -> heavier Y -> LB L Y d b -> LB M (map f Y) d b.
Proof. intros IM C I Hv H t Q SO. eapply Nat.le_trans; [|apply (pull_total t Y M); auto]. apply H; eauto using pull_legal, pull_solves. Qed.
Theorem guess_class L X g d b : incl L G -> covers L L -> NoDup X -> incl X S -> In g G -> incl (map f X) X -> heavier X -> GB L X g d b -> GB L X (f g) d b.
Proof.
  intros IL C N I Ig K Hv H sub Q SO.
  eapply Nat.le_trans; [|apply (total_incl (Node (f g) sub) (map f X)); auto].
  2: { apply map_nodup; auto. intros x Hx. apply sub_G, I, Hx. }
  eapply Nat.le_trans; [|apply (pull_total _ X L); auto].
  assert (Q' := pull_legal _ L L IL C Q). assert (SO' : solves d (pull (Node (f g) sub)) X).
  { apply (pull_solves d _ X L); auto. apply (solves_incl d _ X); auto. }
  assert (B : back (f g) = g). { destruct (back_ok (f g) (into g Ig)) as [J E]. apply inj; auto. }
  simpl in *. rewrite B in *. apply H; auto.
Qed.
End Renaming.

(* A witness has for each peg which one it takes, and new colors for old ones. *)
Definition witness := list (nat * list nat).
Definition act (m : witness) (g : code) : code := map (fun x => nth (nth (fst x) g 0) (snd x) 0) m.
Fixpoint nodupn (l : list nat) : bool := match l with [] => true | a :: r => negb (existsb (Nat.eqb a) r) && nodupn r end.
Definition is_perm (n : nat) (l : list nat) : bool := (length l =? n) && forallb (fun a => a <? n) l && nodupn l.
Definition perms (p c : nat) (m : witness) : bool := is_perm p (map fst m) && forallb (fun x => is_perm c (snd x)) m.
Definition uniform (m : witness) : bool := match m with [] => true | x :: r => forallb (fun y => eqb (snd y) (snd x)) r end.

Lemma nodupn_ok l : nodupn l = true -> NoDup l.
Proof.
  induction l as [|a r IH]; cbn [nodupn]; intro H; constructor; apply andb_prop in H; destruct H as [H1 H2]; auto.
  intro I. apply negb_true_iff in H1. assert (existsb (Nat.eqb a) r = true); [|congruence].
  apply existsb_exists. exists a. split; auto. apply Nat.eqb_refl.
Qed.
Lemma is_perm_ok n l : is_perm n l = true -> Permutation l (seq 0 n).
Proof.
  unfold is_perm. intro H. apply andb_prop in H. destruct H as [H N]. apply andb_prop in H. destruct H as [L B].
  apply NoDup_Permutation_bis; auto using nodupn_ok.
  - rewrite seq_length. apply Nat.eqb_eq in L. lia.
  - intros a I. rewrite forallb_forall in B. specialize (B a I). apply Nat.ltb_lt in B. apply in_seq. lia.
Qed.
Lemma perm_lt n l a : is_perm n l = true -> a < n -> nth a l 0 < n.
Proof.
  intros P H. apply is_perm_ok in P. assert (I : In (nth a l 0) (seq 0 n)); [|apply in_seq in I; lia].
  apply (Permutation_in _ P). apply nth_In. rewrite (Permutation_length P), seq_length. auto.
Qed.
Lemma perm_inj n l a b : is_perm n l = true -> a < n -> b < n -> nth a l 0 = nth b l 0 -> a = b.
Proof.
  intros P H K E. apply is_perm_ok in P. assert (N : NoDup l) by (apply (Permutation_NoDup (Permutation_sym P)), seq_NoDup).
  rewrite (NoDup_nth l 0) in N. assert (Q := Permutation_length P). rewrite seq_length in Q. apply (N a b); rewrite ?Q; auto.
Qed.

Lemma all_in p c g : In g (all p c) <-> length g = p /\ forall a, In a g -> a < c.
Proof.
  revert g. induction p as [|p IH]; intro g; simpl.
  - split. { intros [<-|[]]. split; auto. simpl; tauto. } intros [L _]. destruct g; [auto|discriminate].
  - rewrite in_flat_map. split.
    + intros [a [I H]]. apply in_map_iff in H. destruct H as [h [<- H]]. apply IH in H. destruct H as [L B].
      apply in_seq in I. split; simpl; [lia|]. intros b [<-|J]; [lia|auto].
    + intros [L B]. destruct g as [|a h]; [discriminate|]. exists a. split. { apply in_seq. specialize (B a (or_introl eq_refl)). lia. }
      apply in_map. apply IH. split; [simpl in L; lia|]. intros b J. apply B; simpl; auto.
Qed.
Lemma nodup_app {B} (u v : list B) : NoDup u -> NoDup v -> (forall x, In x u -> ~ In x v) -> NoDup (u ++ v).
Proof.
  induction u as [|x u IH]; simpl; auto. intros N M D. inversion N; subst. constructor.
  - intro I. apply in_app_iff in I. destruct I; auto. apply (D x); auto.
  - apply IH; auto.
Qed.
Lemma all_nodup p c : NoDup (all p c).
Proof.
  induction p as [|p IH]; simpl. { repeat constructor; simpl; auto. }
  generalize (seq_NoDup c 0). generalize (seq 0 c). intros l N. induction N as [|a r NI N IHl]; simpl; [constructor|].
  apply nodup_app; auto.
  - apply FinFun.Injective_map_NoDup; auto. intros x y E. injection E; auto.
  - intros x I J. apply in_map_iff in I. destruct I as [u [<- _]]. apply in_flat_map in J. destruct J as [b [J K]].
    apply in_map_iff in K. destruct K as [v [E _]]. injection E as -> _. auto.
Qed.
Lemma nth_self p g : length g = p -> g = map (fun i => nth i g 0) (seq 0 p).
Proof.
  revert g. induction p as [|p IH]; intros g L; destruct g as [|a h]; try discriminate; auto.
  cbn [seq map]. f_equal. rewrite <- seq_shift, map_map. simpl. apply IH. simpl in L; lia.
Qed.

(* colors in common, whatever the order *)
Lemma remove_some a s : In a s -> exists r, remove a s = Some r /\ Permutation s (a :: r).
Proof.
  induction s as [|b s IH]; simpl; [tauto|]. intro H. destruct (a =? b) eqn:E.
  - apply Nat.eqb_eq in E; subst. exists s; auto.
  - destruct H as [->|H]; [rewrite Nat.eqb_refl in E; discriminate|]. destruct (IH H) as [r [-> P]]. exists (b :: r). split; auto.
    rewrite P. apply perm_swap.
Qed.
Lemma remove_none a s : ~ In a s -> remove a s = None.
Proof.
  induction s as [|b s IH]; simpl; auto. intro H. destruct (a =? b) eqn:E.
  - apply Nat.eqb_eq in E; subst; tauto.
  - rewrite IH; auto.
Qed.
Lemma common_r g : forall s s', Permutation s s' -> common g s = common g s'.
Proof.
  induction g as [|a g IH]; intros s s' P; auto. cbn [common]. destruct (in_dec Nat.eq_dec a s) as [I|I].
  - destruct (remove_some a s I) as [r [-> Q]]. destruct (remove_some a s' (Permutation_in _ P I)) as [r' [-> Q']].
    f_equal. apply IH. apply Permutation_cons_inv with a. rewrite <- Q, <- Q'. auto.
  - rewrite (remove_none a s), (remove_none a s'); auto. intro J. apply I. eapply Permutation_in; [symmetry; eauto|auto].
Qed.
Lemma common_swap x y l s : common (x :: y :: l) s = common (y :: x :: l) s.
Proof.
  destruct (Nat.eq_dec x y) as [->|D]; auto.
  assert (H : forall a b, a <> b -> In a s -> ~ In b s -> common (a :: b :: l) s = common (b :: a :: l) s).
  { intros a b D' I J. cbn [common]. rewrite (remove_none b s J). destruct (remove_some a s I) as [r [-> Q]].
    rewrite (remove_none b r); auto. intro K. apply J. apply (Permutation_in _ (Permutation_sym Q)). simpl; auto. }
  destruct (in_dec Nat.eq_dec x s) as [I|I], (in_dec Nat.eq_dec y s) as [J|J].
  - cbn [common]. destruct (remove_some x s I) as [r [-> Q]]. destruct (remove_some y s J) as [q [-> R]].
    assert (Iy : In y r). { assert (B : In y (x :: r)) by (apply (Permutation_in _ Q J)). destruct B; auto. subst; tauto. }
    assert (Ix : In x q). { assert (B : In x (y :: q)) by (apply (Permutation_in _ R I)). destruct B; auto. subst; tauto. }
    destruct (remove_some y r Iy) as [r2 [-> Q2]]. destruct (remove_some x q Ix) as [q2 [-> R2]].
    do 2 f_equal. apply common_r. apply Permutation_cons_inv with y. rewrite <- Q2. apply Permutation_cons_inv with x.
    rewrite <- Q. rewrite R. rewrite R2. apply perm_swap.
  - auto.
  - symmetry; auto.
  - cbn [common]. rewrite (remove_none x s I), (remove_none y s J); auto.
Qed.
Lemma common_l g g' : Permutation g g' -> forall s, common g s = common g' s.
Proof.
  induction 1; intro s; auto.
  - cbn [common]. destruct (remove x s); [f_equal|]; auto.
  - apply common_swap.
  - transitivity (common l' s); auto.
Qed.
Section Colors.
Variable h : nat -> nat. Variable c : nat.
Hypothesis inj : forall a b, a < c -> b < c -> h a = h b -> a = b.
Lemma remove_map a s : a < c -> (forall b, In b s -> b < c) ->
  remove (h a) (map h s) = match remove a s with Some r => Some (map h r) | None => None end.
Proof.
  intro L. induction s as [|b s IH]; simpl; auto. intro B. rewrite IH by auto.
  replace (h a =? h b) with (a =? b).
  { destruct (a =? b); auto. destruct (remove a s); auto. }
  destruct (a =? b) eqn:E; symmetry. { apply Nat.eqb_eq in E; subst. apply Nat.eqb_refl. }
  apply Nat.eqb_neq. apply Nat.eqb_neq in E. intro Q. apply E. apply inj; auto.
Qed.
Lemma remove_in a s r b : remove a s = Some r -> In b r -> In b s.
Proof.
  revert r. induction s as [|x s IH]; simpl; intros r H I; [discriminate|]. destruct (a =? x). { injection H as <-. auto. }
  destruct (remove a s) as [q|]; [|discriminate]. injection H as <-. destruct I as [->|I]; auto. right. apply (IH q); auto.
Qed.
Lemma common_map g : forall s, (forall b, In b g -> b < c) -> (forall b, In b s -> b < c) -> common (map h g) (map h s) = common g s.
Proof.
  induction g as [|a g IH]; intros s L B; auto. cbn [map common]. rewrite remove_map by (simpl in L; auto).
  destruct (remove a s) as [r|] eqn:E; rewrite IH; simpl in L; auto. intros b Hb. apply B. apply (remove_in _ _ _ _ E Hb).
Qed.
End Colors.

(* WITNESS: permutations of pegs and colors *)
Section Valid.
Variable p c : nat. Variable m : witness.
Hypothesis V : perms p c m = true.
Let P : Permutation (map fst m) (seq 0 p). Proof. apply is_perm_ok. apply andb_prop in V. tauto. Qed.
Let C : forall x, In x m -> is_perm c (snd x) = true.
Proof. apply andb_prop in V. destruct V as [_ H]. rewrite forallb_forall in H. auto. Qed.
Let peg x : In x m -> In (fst x) (seq 0 p). Proof. intro I. apply (Permutation_in _ P). apply in_map; auto. Qed.
Lemma nth_lt g i : In g (all p c) -> In i (seq 0 p) -> nth i g 0 < c.
Proof. intros I J. apply all_in in I. destruct I as [L B]. apply B. apply nth_In. apply in_seq in J. lia. Qed.
Lemma act_into g : In g (all p c) -> In (act m g) (all p c).
Proof.
  intro I. apply all_in. unfold act. split.
  - rewrite map_length. rewrite <- (map_length fst), (Permutation_length P), seq_length; auto.
  - intros a H. apply in_map_iff in H. destruct H as [x [<- H]]. apply perm_lt; auto. apply nth_lt; auto.
Qed.
Lemma act_inj g s : In g (all p c) -> In s (all p c) -> act m g = act m s -> g = s.
Proof.
  intros I J E. destruct (proj1 (all_in p c g) I) as [Lg _]. destruct (proj1 (all_in p c s) J) as [Ls _].
  rewrite (nth_self p g Lg), (nth_self p s Ls). apply map_ext_in. intros i Hi.
  apply (Permutation_in _ (Permutation_sym P)) in Hi. apply in_map_iff in Hi. destruct Hi as [x [<- Hx]].
  apply (perm_inj c (snd x)); auto using nth_lt.
  unfold act in E. clear -E Hx. induction m as [|y r IH]; simpl in *; [tauto|]. injection E as E1 E2. destruct Hx as [->|Hx]; auto.
Qed.
Lemma blacks_map (u v : nat * list nat -> nat) l : blacks (map u l) (map v l) = fold_right (fun x n => (if u x =? v x then 1 else 0) + n) 0 l.
Proof. induction l; simpl; auto. Qed.
Lemma act_blacks g s : In g (all p c) -> In s (all p c) -> blacks (act m g) (act m s) = blacks g s.
Proof.
  intros I J. destruct (proj1 (all_in p c g) I) as [Lg _]. destruct (proj1 (all_in p c s) J) as [Ls _].
  assert (F : forall l l', Permutation l l' -> fold_right (fun i n => (if nth i g 0 =? nth i s 0 then 1 else 0) + n) 0 l
                         = fold_right (fun i n => (if nth i g 0 =? nth i s 0 then 1 else 0) + n) 0 l').
  { induction 1; simpl; try lia. }
  assert (Q : blacks g s = fold_right (fun i n => (if nth i g 0 =? nth i s 0 then 1 else 0) + n) 0 (seq 0 p)).
  { rewrite (nth_self p g Lg) at 1. rewrite (nth_self p s Ls) at 1. generalize (seq 0 p). induction l; simpl; auto. }
  rewrite Q, <- (F _ _ P). unfold act. rewrite blacks_map. clear Q F.
  assert (K : forall x, In x m -> (nth (nth (fst x) g 0) (snd x) 0 =? nth (nth (fst x) s 0) (snd x) 0) = (nth (fst x) g 0 =? nth (fst x) s 0)).
  { intros x Hx. destruct (nth (fst x) g 0 =? nth (fst x) s 0) eqn:E. { apply Nat.eqb_eq in E. rewrite E. apply Nat.eqb_refl. }
    apply Nat.eqb_neq. apply Nat.eqb_neq in E. intro R. apply E. apply (perm_inj c (snd x)); auto using nth_lt. }
  clear -K. induction m as [|x r IH]; simpl; auto. rewrite K, IH; simpl; auto. intros y Hy. apply K; simpl; auto.
Qed.
Lemma act_length g : In g (all p c) -> length (act m g) = length g.
Proof. intro I. assert (J := act_into g I). apply all_in in I. apply all_in in J. destruct I, J. congruence. Qed.

Hypothesis U : uniform m = true.
Let h (a : nat) := match m with [] => a | x :: _ => nth a (snd x) 0 end.
Lemma act_perm g : In g (all p c) -> Permutation (act m g) (map h g).
Proof.
  intro I. destruct (proj1 (all_in p c g) I) as [L _].
  assert (Q : act m g = map (fun i => h (nth i g 0)) (map fst m)).
  { unfold act. rewrite map_map. apply map_ext_in. intros x Hx. unfold h. revert U. clear -Hx. destruct m as [|y r]; simpl in *; [tauto|].
    rewrite forallb_forall. intro U. destruct Hx as [->|Hx]; auto. specialize (U x Hx). apply eqb_true in U. f_equal. exact U. }
  rewrite Q. replace (map h g) with (map (fun i => h (nth i g 0)) (seq 0 p)). { apply Permutation_map. exact P. }
  symmetry. rewrite <- (map_map (fun i => nth i g 0) h). f_equal. apply nth_self; auto.
Qed.
Lemma act_common g s : In g (all p c) -> In s (all p c) -> common (act m g) (act m s) = common g s.
Proof.
  intros I J. rewrite (common_l _ _ (act_perm g I)). rewrite (common_r _ _ _ (act_perm s J)).
  apply (common_map h c).
  - unfold h. intros a b La Lb. destruct m as [|x r] eqn:E; auto. apply (perm_inj c (snd x)); auto. apply C. simpl; auto.
  - intros b. apply all_in in I. apply I.
  - intros b. apply all_in in J. apply J.
Qed.
End Valid.

(* where nothing is proven of a feedback, each guess and secret is tried: do equal answers stay equal? *)
Fixpoint functional (seen P : list (nat * nat)) : bool :=
  match P with
  | [] => true
  | (k, v) :: r => match find (fun x => fst x =? k) seen with
      | Some x => (snd x =? v) && functional seen r
      | None => functional ((k, v) :: seen) r end
  end.
Lemma functional_ok P : forall seen, functional seen P = true -> exists h : nat -> nat,
  (forall x, In x P -> h (fst x) = snd x) /\ forall k x, find (fun x => fst x =? k) seen = Some x -> h k = snd x.
Proof.
  induction P as [|[k v] r IH]; intros seen H.
  - exists (fun k => match find (fun x => fst x =? k) seen with Some x => snd x | None => 0 end). split; [simpl; tauto|].
    intros k x E. rewrite E. auto.
  - cbn [functional] in H. destruct (find (fun x => fst x =? k) seen) as [x|] eqn:E.
    + apply andb_prop in H. destruct H as [Q H]. apply Nat.eqb_eq in Q. destruct (IH seen H) as [h [H1 H2]]. exists h. split; auto.
      intros y [<-|I]; auto. simpl. rewrite (H2 k x); auto.
    + destruct (IH _ H) as [h [H1 H2]]. exists h. split.
      * intros y [<-|I]; auto. simpl. apply (H2 k (k, v)). simpl. rewrite Nat.eqb_refl. auto.
      * intros k' x F. apply H2. simpl. destruct (k =? k') eqn:Q; auto. apply Nat.eqb_eq in Q. subst. congruence.
Qed.

Section Board.
Variable B : board.
Instance answers : Answers := score (feed B).
Instance follow : Follows := next_guess B.
(* of a guess and its image, the answers that go together: each pair once is enough *)
Definition pairs (m : witness) (X : list (code * code)) (g : code) : list (nat * nat) := map (fun x => (answer g (fst x), answer (act m g) (snd x))) X.
Definition once (P : list (nat * nat)) : list (nat * nat) :=
  fold_left (fun Q x => if existsb (fun y => (fst y =? fst x) && (snd y =? snd x)) Q then Q else x :: Q) P [].
Definition images_of (m : witness) : list (code * code) := map (fun s => (s, act m s)) (secrets B).
Definition tried (m : witness) : bool := let X := images_of m in forallb (fun g => functional [] (pairs m X g)) (guesses B).
Definition tried_back (m : witness) : bool :=
  let X := images_of m in forallb (fun g => functional [] (map (fun x => (snd x, fst x)) (pairs m X g))) (guesses B).
Definition tried_clues (m : witness) : bool :=
  let X := images_of m in let Y := map (fun h => (h, act m h)) (guesses B) in
  forallb (fun g => let g' := act m g in forallb (fun a => forallb (fun h =>
    if uses g' (snd a) (snd h) then uses g (fst a) (fst h) else true) Y) (once (pairs m X g))) (guesses B).
Definition is_witness (m : witness) : bool :=
  negb (is_list B) && perms (pegs B) (symbols B) m
  && forallb (fun g => fine (colors B) (guess_repeats B) (guess_blanks B) (act m g)) (guesses B)
  && match feed B with Standard => uniform m | Black => true | _ => tried m end
  && match obey B with
     | Free => true
     | Possible => match feed B with Standard | Black => true | _ => tried_back m end
         && forallb (fun g => if secret B (act m g) then secret B g else true) (guesses B)
     | Hard => tried_clues m end.

Lemma secrets_in : incl (secrets B) (guesses B).
Proof. intros s H. apply filter_In in H. tauto. Qed.
Lemma once_in P x : In x P -> In x (once P).
Proof.
  unfold once. assert (H : forall P Q, (In x P \/ In x Q) -> In x (fold_left (fun Q x => if existsb (fun y => (fst y =? fst x) && (snd y =? snd x)) Q then Q else x :: Q) P Q)).
  { clear. induction P as [|y P IH]; simpl; intros Q K. { tauto. } apply IH.
    destruct (existsb (fun z => (fst z =? fst y) && (snd z =? snd y)) Q) eqn:E; [|simpl; tauto]. destruct K as [[->|K]|K]; auto.
    apply existsb_exists in E. destruct E as [[a b] [I E]]. apply andb_prop in E. destruct E as [E1 E2]. apply Nat.eqb_eq in E1. apply Nat.eqb_eq in E2.
    right. destruct x as [c e]. simpl in *. congruence. }
  intro I. apply H. auto.
Qed.
Lemma witness_ok m : is_witness m = true ->
  (forall g, In g (guesses B) -> In (act m g) (guesses B)) /\
  (forall g h, In g (guesses B) -> In h (guesses B) -> act m g = act m h -> g = h) /\
  (forall g s s', In g (guesses B) -> In s (secrets B) -> In s' (secrets B) -> answer g s = answer g s' ->
     answer (act m g) (act m s) = answer (act m g) (act m s')) /\
  (forall g s h, In g (guesses B) -> In s (secrets B) -> In h (guesses B) -> follows (act m g) (answer (act m g) (act m s)) (act m h) = true ->
     follows g (answer g s) h = true).
Proof.
  unfold is_witness. intro H. apply andb_prop in H. destruct H as [H O]. apply andb_prop in H. destruct H as [H T]. apply andb_prop in H. destruct H as [H V'].
  apply andb_prop in H. destruct H as [L V]. apply negb_true_iff in L.
  assert (E : guesses B = filter (fine (colors B) (guess_repeats B) (guess_blanks B)) (all (pegs B) (symbols B))) by (unfold guesses; rewrite L; auto).
  assert (I : incl (guesses B) (all (pegs B) (symbols B))) by (rewrite E; intros g Hg; apply filter_In in Hg; tauto).
  assert (J := secrets_in). rewrite forallb_forall in V'.
  assert (same : match feed B with Standard | Black => True | _ => False end -> forall g s, In g (guesses B) -> In s (guesses B) -> answer (act m g) (act m s) = answer g s).
  { intros Q g s Hg Hs. unfold answer, answers in *. destruct (feed B); try tauto; cbn [score].
    + rewrite !(act_length (pegs B) (symbols B)), !(act_blacks (pegs B) (symbols B)), !(act_common (pegs B) (symbols B)); auto.
    + rewrite !(act_blacks (pegs B) (symbols B)); auto. }
  split; [|split; [|split]].
  - intros g Hg. specialize (V' g Hg). rewrite E. apply filter_In. split; auto. apply act_into; auto.
  - intros g h Hg Hh. apply (act_inj (pegs B) (symbols B)); auto.
  - assert (W : tried m = true -> forall g s s', In g (guesses B) -> In s (secrets B) -> In s' (secrets B) ->
      answer g s = answer g s' -> answer (act m g) (act m s) = answer (act m g) (act m s')).
    { unfold tried. cbv zeta. rewrite forallb_forall. intros W g s s' Hg Hs Hs' Q. specialize (W g Hg). cbv beta in W.
      destruct (functional_ok _ _ W) as [h [H1 _]].
      assert (K : forall x, In x (secrets B) -> h (answer g x) = answer (act m g) (act m x)).
      { intros x Hx. assert (Z := H1 (answer g x, answer (act m g) (act m x))). cbn [fst snd] in Z. apply Z. unfold pairs, images_of.
        rewrite map_map. apply in_map_iff. exists x; auto. }
      rewrite <- (K s Hs), <- (K s' Hs'). congruence. }
    intros g s s' Hg Hs Hs' Q. destruct (feed B) eqn:Fe; auto; rewrite !same; auto.
  - intros g s h Hg Hs Hh. unfold follows, follow, next_guess. destruct (obey B) eqn:R; auto.
    + apply andb_prop in O. destruct O as [O P]. rewrite forallb_forall in P. specialize (P h Hh). intro Q. apply andb_prop in Q. destruct Q as [Q1 Q].
      rewrite Q1 in P. rewrite P. cbn [andb]. apply Nat.eqb_eq. apply Nat.eqb_eq in Q. change (answer (act m g) (act m h) = answer (act m g) (act m s)) in Q.
      change (answer g h = answer g s). assert (K : In h (secrets B)) by (apply filter_In; auto).
      assert (W : tried_back m = true -> answer g h = answer g s).
      { unfold tried_back. cbv zeta. rewrite forallb_forall. intro W. specialize (W g Hg). cbv beta in W. destruct (functional_ok _ _ W) as [u [H1 _]].
        assert (Z : forall x, In x (secrets B) -> u (answer (act m g) (act m x)) = answer g x).
        { intros x Hx. assert (Y := H1 (answer (act m g) (act m x), answer g x)). cbn [fst snd] in Y. apply Y. unfold pairs, images_of. rewrite !map_map. apply in_map_iff. exists x; auto. }
        rewrite <- (Z h K), <- (Z s Hs). congruence. }
      destruct (feed B) eqn:Fe; auto; rewrite !same in Q; auto.
    + unfold tried_clues in O. cbv zeta in O. rewrite forallb_forall in O. specialize (O g Hg). cbv beta in O. rewrite forallb_forall in O.
      assert (I1 : In (answer g s, answer (act m g) (act m s)) (once (pairs m (images_of m) g))).
      { apply once_in. unfold pairs, images_of. rewrite map_map. apply in_map_iff. exists s; auto. }
      specialize (O _ I1). cbv beta in O. rewrite forallb_forall in O. assert (I2 : In (h, act m h) (map (fun h => (h, act m h)) (guesses B))).
      { apply in_map_iff. exists h; auto. }
      specialize (O _ I2). cbn [fst snd] in O. intro Q. rewrite Q in O. exact O.
Qed.
End Board.
