(* What is proven, as definitions to read and agree with: codes and answers, strategies, boards, and two statements. *)
Require Import List Arith Bool.
Import ListNotations.

(* A code is its colors, peg by peg. *)
Definition code := list nat.
Fixpoint eqb (g s : code) : bool :=
  match g, s with [], [] => true | a :: g', b :: s' => (a =? b) && eqb g' s' | _, _ => false end.
Definition has (R : list code) (g : code) : bool := existsb (eqb g) R.

(* Answers are numbers, as docs/understand/proofs.md has them. *)
Fixpoint blacks (g s : code) : nat :=
  match g, s with a :: g', b :: s' => (if a =? b then 1 else 0) + blacks g' s' | _, _ => 0 end.
Fixpoint remove (a : nat) (s : code) : option code :=
  match s with [] => None | b :: s' => if a =? b then Some s' else
    match remove a s' with Some r => Some (b :: r) | None => None end end.
(* pegs that have their like anywhere: copies counted; and not counted *)
Fixpoint common (g s : code) : nat :=
  match g with [] => 0 | a :: g' => match remove a s with Some r => S (common g' r) | None => common g' s end end.
Definition members (g s : code) : nat := length (filter (fun a => existsb (Nat.eqb a) s) g).
(* a mark for each peg: 2 in place; 1, from the left, while copies are left in r; 0 *)
Fixpoint rest (g s : code) : code :=
  match g, s with a :: g', b :: s' => if a =? b then rest g' s' else b :: rest g' s' | _, _ => s end.
Fixpoint marks (g s r : code) : list nat :=
  match g, s with
  | a :: g', b :: s' => if a =? b then 2 :: marks g' s' r else
      match remove a r with Some r' => 1 :: marks g' s' r' | None => 0 :: marks g' s' r end
  | _, _ => [] end.
(* color and shape of a pair; pegs without a mark that have one of them right *)
Fixpoint halves (k : nat) (g s ms : code) : nat :=
  match g, s, ms with a :: g', b :: s', m :: ms' =>
      (if (m =? 0) && ((a / k =? b / k) || (a mod k =? b mod k)) then 1 else 0) + halves k g' s' ms'
  | _, _, _ => 0 end.
Definition many (m : nat) (ms : list nat) : nat := length (filter (Nat.eqb m) ms).

Inductive feedback := Standard | Black | Membership | Positional | Grand (shapes : nat).
Definition score (f : feedback) (g s : code) : nat :=
  let pegs := length g in
  match f with
  | Standard => blacks g s * pegs + common g s
  | Black => blacks g s
  | Membership => blacks g s * pegs + members g s
  | Positional => fold_left (fun n m => 3 * n + m) (marks g s (rest g s)) 0
  | Grand k => let ms := marks g s (rest g s) in (many 2 ms * S pegs + many 1 ms) * S pegs + halves k g s ms
  end.

(* Where a rule says so, a guess uses what is known. Of marks as positional feedback has them: who is in place stays there,
   and each color is there as often as it has marks. *)
Fixpoint digits (p l : nat) : list nat := match p with 0 => [] | S q => (l / 3 ^ q) mod 3 :: digits q l end.
Fixpoint stays (g ms h : code) : bool :=
  match g, ms, h with a :: g', m :: ms', b :: h' => (if m =? 2 then a =? b else true) && stays g' ms' h' | _, _, _ => true end.
Fixpoint marked_colors (g ms : code) : code :=
  match g, ms with a :: g', m :: ms' => if m =? 0 then marked_colors g' ms' else a :: marked_colors g' ms' | _, _ => [] end.
Definition uses (g : code) (l : nat) (h : code) : bool :=
  let ms := digits (length g) l in
  if stays g ms h then let r := marked_colors g ms in forallb (fun a => many a r <=? many a h) r else false.

(* A strategy guesses, and goes on by the answer. Whether a guess may still follow once another one has its answer. *)
Class Answers := answer : code -> code -> nat.
Class Follows := follows : code -> nat -> code -> bool.
Class Weights := weight : code -> nat.
Inductive tree := Stuck | Node (g : code) (sub : nat -> tree).
Section Play.
Context {A : Answers} {Fw : Follows} {We : Weights}.
Fixpoint turns (t : tree) (s : code) : option nat :=
  match t with
  | Stuck => None
  | Node g sub => if eqb g s then Some 1 else
      match turns (sub (answer g s)) s with Some n => Some (S n) | None => None end
  end.
(* G: what may be guessed *)
Fixpoint legal (G : list code) (t : tree) : Prop :=
  match t with Stuck => True | Node g sub => In g G /\ forall l, legal (filter (follows g l) G) (sub l) end.
(* with a limit of d guesses, or without one *)
Definition may (d : option nat) (n : nat) : Prop := match d with Some k => n <= k | None => True end.
Definition solves (d : option nat) (t : tree) (X : list code) : Prop :=
  forall s, In s X -> exists n, turns t s = Some n /\ may d n.
Definition cost (t : tree) (s : code) : nat := match turns t s with Some n => n | None => 0 end.
Fixpoint total (t : tree) (X : list code) : nat := match X with [] => 0 | s :: Y => weight s * cost t s + total t Y end.
End Play.

(* A board: guesses are codes of pegs and colors, or words; some of them may be hidden. *)
Fixpoint all (p c : nat) : list code :=
  match p with 0 => [[]] | S q => flat_map (fun a => map (cons a) (all q c)) (seq 0 c) end.
Inductive rule := Free | Possible | Hard.   (* any guess; codes that may still be the secret; the clues of positional feedback *)
Record board := { pegs : nat; colors : nat; feed : feedback;
  repeats : bool; guess_repeats : bool;        (* whether a secret, a guess, may have a color twice *)
  blanks : bool; guess_blanks : bool;          (* and the blank, the color after the last, as often as one likes *)
  words : list code; probes : list code;       (* in the place of all these, where there are words *)
  obey : rule;
  weighed : list (code * nat) }.                (* codes that do not count as one *)
Fixpoint distinct (c : nat) (s : code) : bool :=
  match s with [] => true | a :: r => ((a =? c) || negb (existsb (Nat.eqb a) r)) && distinct c r end.
Definition fine (c : nat) (twice empty : bool) (s : code) : bool :=
  (twice || distinct c s) && (empty || negb (existsb (Nat.eqb c) s)).
Definition is_list (B : board) : bool := match words B with [] => false | _ => true end.
Definition symbols (B : board) : nat := if guess_blanks B then S (colors B) else colors B.
Definition guesses (B : board) : list code :=
  if is_list B then words B ++ probes B
  else filter (fine (colors B) (guess_repeats B) (guess_blanks B)) (all (pegs B) (symbols B)).
Definition hidden (B : board) (s : code) : bool :=
  if is_list B then has (words B) s else fine (colors B) (repeats B) (blanks B) s.
Definition weigh (B : board) (s : code) : nat := match find (fun x => eqb (fst x) s) (weighed B) with Some x => snd x | None => 1 end.
Definition secret (B : board) (s : code) : bool := hidden B s && (0 <? weigh B s).
Definition secrets (B : board) : list code := filter (secret B) (guesses B).

Definition first_guesses (B : board) : list code := match obey B with Possible => secrets B | _ => guesses B end.
Definition next_guess (B : board) (g : code) (l : nat) (h : code) : bool :=
  match obey B with Free => true | Possible => secret B h && (score (feed B) g h =? l) | Hard => uses g l h end.

(* The two statements: of all guesses together, each as often as the secret weighs, and of a limit that is too small. *)
Definition optimum_at_least (B : board) (d : option nat) (b : nat) : Prop :=
  let A : Answers := score (feed B) in let Fw : Follows := next_guess B in let We : Weights := weigh B in
  forall t, legal (first_guesses B) t -> solves d t (secrets B) -> b <= total t (secrets B).
Definition not_within (B : board) (d : nat) : Prop :=
  let A : Answers := score (feed B) in let Fw : Follows := next_guess B in let We : Weights := weigh B in
  forall t, legal (first_guesses B) t -> ~ solves (Some d) t (secrets B).
