(* The checker as OCaml: nat becomes the machine's integers of 63 bits. *)
Require Import Game Symmetry Checker.
Require Import ExtrOcamlBasic ExtrOcamlNatInt.
Extraction Language OCaml.
Extraction "checker.ml" check guesses.
