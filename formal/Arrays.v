(* Lists that the extracted program keeps as arrays: here they are lists, and formal/arrays.ml has the same functions. *)
Require Import List Arith Lia Bool.
Import ListNotations.

Definition vec (T : Type) := list T.
Definition vec_of {T} (l : list T) : vec T := l.
Definition get {T} (none : T) (v : vec T) (i : nat) : T := nth i v none.
(* labels of one guess, by secret *)
Definition row := list nat.
Definition row_of (l : list nat) : row := l.
Definition at_row (r : row) (i : nat) : nat := nth i r 0.
(* of these secrets, how many have each label below m that one of them has *)
Definition tally (m : nat) (r : row) (X : list nat) : list (nat * nat) :=
  let n l := length (filter (fun i => at_row r i =? l) X) in
  map (fun l => (l, n l)) (filter (fun l => negb (n l =? 0)) (seq 0 m)).
(* twice the number of these labels but 0, and 1 more where one of them is 0 *)
Definition kinds (m : nat) (r : row) (X : list nat) : nat :=
  let L := map fst (tally m r X) in 2 * length (filter (fun l => negb (l =? 0)) L) + if existsb (fun l => l =? 0) L then 1 else 0.
(* the rows of all guesses, by guess; and what is counted above, for each of them *)
Definition grid := list row.
Definition grid_of (l : list row) : grid := l.
Definition row_at (t : grid) (g : nat) : row := nth g t [].
Definition sweep (m : nat) (t : grid) (X : list nat) : vec nat := map (fun r => kinds m r X) t.

(* Things by number, in a tree that is not proven to find what it was given: only that it finds nothing else. *)
Inductive tree_of (T : Type) := Leaf | Fork (here : option T) (odd even : tree_of T).
Arguments Leaf {T}. Arguments Fork {T}.
Section Trees.
Context {T : Type}.
Fixpoint put (fuel n : nat) (x : T) (t : tree_of T) : tree_of T :=
  match fuel with 0 => t | S f =>
    let '(y, l, r) := match t with Leaf => (None, Leaf, Leaf) | Fork y l r => (y, l, r) end in
    if n =? 0 then Fork (Some x) l r else
    if n mod 2 =? 1 then Fork y (put f (n / 2) x l) r else Fork y l (put f (n / 2 - 1) x r) end.
Fixpoint look (fuel n : nat) (t : tree_of T) : option T :=
  match fuel, t with
  | S f, Fork y l r => if n =? 0 then y else if n mod 2 =? 1 then look f (n / 2) l else look f (n / 2 - 1) r
  | _, _ => None end.
Fixpoint every (P : T -> Prop) (t : tree_of T) : Prop :=
  match t with Leaf => True | Fork y l r => (match y with Some x => P x | None => True end) /\ every P l /\ every P r end.
Lemma put_every (P : T -> Prop) x : P x -> forall fuel n t, every P t -> every P (put fuel n x t).
Proof.
  intro H. induction fuel as [|f IH]; intros n t E; auto. cbn [put].
  destruct t as [|y l r]; (destruct (n =? 0); [|destruct (n mod 2 =? 1)]); simpl in *; intuition.
Qed.
Lemma look_every (P : T -> Prop) x : forall fuel n t, every P t -> look fuel n t = Some x -> P x.
Proof.
  induction fuel as [|f IH]; intros n t E F; [discriminate|]. destruct t as [|y l r]; [discriminate|]. cbn [look] in F. destruct E as [E1 [E2 E3]].
  destruct (n =? 0). { subst; auto. } destruct (n mod 2 =? 1); eauto.
Qed.
End Trees.
