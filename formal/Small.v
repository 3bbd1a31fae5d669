(* Small boards as theorems for the kernel itself: it computes the check, and no extracted program is trusted. *)
Require Import List. Import ListNotations.
Require Import Game Symmetry Checker.

Definition standard (p c : nat) : board :=
  {| pegs := p; colors := c; feed := Standard; repeats := true; guess_repeats := true; blanks := false; guess_blanks := false; words := []; probes := []; obey := Free; weighed := [] |}.

Theorem least_2x3 : optimum_at_least (standard 2 3) None 21.
Proof. apply (check_sound (standard 2 3) [] 0 [Lem [] None 21 [] [] []] [((None, Some 21), 0)] eq_refl None (Some 21) 0). simpl; auto. Qed.
Theorem not_3x4_within_3 : not_within (standard 3 4) 3.
Proof. apply (check_sound (standard 3 4) [] 200 [Lem [] (Some 3) 200 [] [] []] [((Some 3, None), 0)] eq_refl (Some 3) None 0). simpl; auto. Qed.
Definition lemmas_3x3 : list lemma := [
  Lem [(1, 9)] None 12 [] [] [];
  Lem [] None 73 [0; 1; 2; 3] [(1, [(9, (0, None))])] [(0, [1]); (2, [1]); (3, [1]); (0, [12; 2]); (1, [3]); (2, [2]); (3, [12]); (0, [14; 24]); (1, [10; 6]); (2, [24]); (0, [25]); (1, [16; 20]); (1, [23])]].
Definition witnesses_3x3 : list witness := [[(0, [0; 1; 2]); (2, [0; 1; 2]); (1, [0; 1; 2])]; [(1, [0; 1; 2]); (0, [0; 1; 2]); (2, [0; 1; 2])]; [(0, [1; 0; 2]); (1, [1; 0; 2]); (2, [1; 0; 2])]; [(0, [0; 2; 1]); (1, [0; 2; 1]); (2, [0; 2; 1])]].
Theorem least_3x3 : optimum_at_least (standard 3 3) None 73.
Proof.
  apply (check_sound (standard 3 3) witnesses_3x3 0 lemmas_3x3 [((None, Some 73), 1)]) with (i := 1) (b := Some 73); [vm_compute; reflexivity|simpl; auto].
Qed.

Definition lemmas_2x6 : list lemma := [
  Lem [(1, 2); (2, 1)] None 6 [] [] [];
  Lem [(1, 2); (8, 1)] None 6 [] [] [];
  Lem [(1, 2)] None 21 [0; 1; 2; 3] [(2, [(1, (0, None))]); (8, [(1, (1, None)); (4, (0, None))])] [(0, [2]); (1, [2]); (0, [3]); (2, [3]); (0, [4]); (3, [4]); (0, [5]); (0, [8]); (1, [8]); (0, [9]); (2, [9]); (0, [10]); (3, [10]); (0, [11])];
  Lem [(1, 4); (0, 4)] None 9 [] [] [];
  Lem [(1, 4); (2, 1)] None 9 [] [] [];
  Lem [(1, 4); (2, 4)] None 9 [] [] [];
  Lem [(1, 4); (8, 2)] None 6 [] [] [];
  Lem [(1, 4)] None 29 [0; 1; 2; 3] [(0, [(4, (3, None))]); (2, [(1, (4, None)); (4, (5, None))]); (8, [(2, (6, None)); (1, (5, None))])] [(0, [0]); (0, [2]); (1, [2]); (0, [3]); (2, [3]); (0, [4]); (3, [4]); (0, [5]); (0, [8]); (1, [8]); (0, [9]); (2, [9]); (0, [10]); (3, [10]); (0, [11])];
  Lem [(1, 1); (15, 1)] None 8 [] [] [];
  Lem [(1, 1); (15, 4)] None 13 [] [] [];
  Lem [(1, 1)] None 45 [0; 1; 2; 3] [(15, [(1, (8, None)); (4, (9, None))])] [(0, [15]); (2, [15]); (0, [16]); (1, [16]); (3, [16]); (0, [22; 17]); (1, [17]); (0, [23]); (2, [23]); (0, [29])];
  Lem [] None 132 [4; 5; 6; 1; 2; 3] [(1, [(2, (2, None)); (4, (7, None)); (1, (10, None))])] [(0, [1]); (2, [1]); (0, [2]); (1, [2]); (3, [2]); (0, [8; 3]); (1, [3]); (4, [3]); (0, [9; 4]); (1, [4]); (2, [9]); (5, [4]); (0, [10; 15; 5]); (1, [5]); (2, [10]); (0, [11; 16]); (2, [11]); (3, [16]); (0, [17; 22]); (3, [17]); (0, [23]); (4, [23]); (0, [29])]].
Definition witnesses_2x6 : list witness := [[(1, [1; 0; 2; 3; 4; 5]); (0, [1; 0; 2; 3; 4; 5])]; [(0, [0; 1; 3; 2; 4; 5]); (1, [0; 1; 3; 2; 4; 5])]; [(0, [0; 1; 2; 4; 3; 5]); (1, [0; 1; 2; 4; 3; 5])]; [(0, [0; 1; 2; 3; 5; 4]); (1, [0; 1; 2; 3; 5; 4])]; [(1, [0; 1; 2; 3; 4; 5]); (0, [0; 1; 2; 3; 4; 5])]; [(0, [1; 0; 2; 3; 4; 5]); (1, [1; 0; 2; 3; 4; 5])]; [(0, [0; 2; 1; 3; 4; 5]); (1, [0; 2; 1; 3; 4; 5])]].
Theorem least_2x6 : optimum_at_least (standard 2 6) None 132.
Proof.
  apply (check_sound (standard 2 6) witnesses_2x6 0 lemmas_2x6 [((None, Some 132), 11)]) with (i := 11) (b := Some 132); [vm_compute; reflexivity|simpl; auto].
Qed.

