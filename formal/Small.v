(* Small boards as theorems for the kernel itself: it computes the check, and no extracted program is trusted. *)
Require Import List. Import ListNotations.
Require Import Game Checker.

Definition standard (p c : nat) : board :=
  {| pegs := p; colors := c; feed := Standard; repeats := true; guess_repeats := true; blanks := false; guess_blanks := false; words := []; probes := [] |}.

Theorem least_2x3 : optimum_at_least (standard 2 3) None 21.
Proof. apply (check_sound (standard 2 3) [] 0 [Lem [] None 21 [] [] []] [((None, Some 21), 0)] eq_refl None (Some 21) 0). simpl; auto. Qed.
Theorem not_3x4_within_3 : not_within (standard 3 4) 3.
Proof. apply (check_sound (standard 3 4) [] 200 [Lem [] (Some 3) 200 [] [] []] [((Some 3, None), 0)] eq_refl (Some 3) None 0). simpl; auto. Qed.
