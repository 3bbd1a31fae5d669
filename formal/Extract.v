(* The checker as OCaml: nat becomes the machine's integers of 63 bits, and lists that are only looked up become arrays. *)
Require Import Arith Game Symmetry Arrays Checker.
Require Import ExtrOcamlBasic ExtrOcamlNatInt.
Extraction Language OCaml.
Extract Inlined Constant Nat.add => "(+)".
Extract Inlined Constant Nat.mul => "( * )".
Extract Inlined Constant Nat.sub => "Arrays.minus".
Extract Inlined Constant Nat.pred => "Arrays.pred".
Extract Inlined Constant Nat.leb => "Arrays.at_most".
Extract Inlined Constant Nat.ltb => "Arrays.below".
Extract Inlined Constant Nat.eqb => "Arrays.same".
Extract Inlined Constant Nat.max => "Arrays.max".
Extract Inlined Constant Nat.min => "Arrays.min".
Extract Inlined Constant Nat.div => "Arrays.div".
Extract Inlined Constant Nat.modulo => "Arrays.modulo".
Extract Constant vec "'a" => "'a Arrays.vec".
Extract Constant row => "Arrays.row".
Extract Inlined Constant vec_of => "Arrays.vec_of".
Extract Inlined Constant get => "Arrays.get".
Extract Inlined Constant row_of => "Arrays.row_of".
Extract Inlined Constant at_row => "Arrays.at_row".
Extract Inlined Constant tally => "Arrays.tally".
Extract Constant grid => "Arrays.grid".
Extract Inlined Constant grid_of => "Arrays.grid_of".
Extract Inlined Constant row_at => "Arrays.row_at".
Extract Inlined Constant sweep => "Arrays.sweep".
Extraction "checker.ml" check guesses.
