
val negb : bool -> bool

val option_map : ('a1 -> 'a2) -> 'a1 option -> 'a2 option

val fst : ('a1 * 'a2) -> 'a1

val snd : ('a1 * 'a2) -> 'a2

val length : 'a1 list -> int

val app : 'a1 list -> 'a1 list -> 'a1 list

val pred : int -> int

val add : int -> int -> int

val mul : int -> int -> int

val sub : int -> int -> int

module Nat :
 sig
  val sub : int -> int -> int

  val ltb : int -> int -> bool

  val max : int -> int -> int

  val min : int -> int -> int

  val divmod : int -> int -> int -> int -> int * int

  val div : int -> int -> int

  val modulo : int -> int -> int
 end

val nth : int -> 'a1 list -> 'a1 -> 'a1

val nth_error : 'a1 list -> int -> 'a1 option

val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list

val flat_map : ('a1 -> 'a2 list) -> 'a1 list -> 'a2 list

val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1

val fold_right : ('a2 -> 'a1 -> 'a1) -> 'a1 -> 'a2 list -> 'a1

val existsb : ('a1 -> bool) -> 'a1 list -> bool

val forallb : ('a1 -> bool) -> 'a1 list -> bool

val filter : ('a1 -> bool) -> 'a1 list -> 'a1 list

val find : ('a1 -> bool) -> 'a1 list -> 'a1 option

val combine : 'a1 list -> 'a2 list -> ('a1 * 'a2) list

val seq : int -> int -> int list

type code = int list

val eqb : code -> code -> bool

val has : code list -> code -> bool

val blacks : code -> code -> int

val remove : int -> code -> code option

val common : code -> code -> int

val members : code -> code -> int

val rest : code -> code -> code

val marks : code -> code -> code -> int list

val halves : int -> code -> code -> code -> int

val many : int -> int list -> int

type feedback =
| Standard
| Black
| Membership
| Positional
| Grand of int

val score : feedback -> code -> code -> int

type answers = code -> code -> int

val answer : answers -> code -> code -> int

val all : int -> int -> code list

type board = { pegs : int; colors : int; feed : feedback; repeats : bool;
               guess_repeats : bool; blanks : bool; guess_blanks : bool;
               words : code list; probes : code list }

val distinct : int -> code -> bool

val fine : int -> bool -> bool -> code -> bool

val is_list : board -> bool

val symbols : board -> int

val guesses : board -> code list

val hidden : board -> code -> bool

val secrets : board -> code list

val dec : int option -> int option

val le_lim : int option -> int option -> bool

val key : answers -> code -> code -> int

val bump : int -> (int * int) list -> (int * int) list

val tsum : (int -> int -> int) -> (int * int) list -> int

val own : (int * int) list -> bool

val others : (int * int) list -> int

val next : int -> int -> int -> int -> int

val caps : int -> int -> int -> int -> int

val tail : int -> int -> int -> int -> int -> int -> int

val size_bound : int -> int -> int -> int -> int -> int

val useless : (int * int) list -> bool

type witness = (int * int list) list

val act : witness -> code -> code

val nodupn : int list -> bool

val is_perm : int -> int list -> bool

val perms : int -> int -> witness -> bool

val uniform : witness -> bool

val functional : (int * int) list -> (int * int) list -> bool

val answers0 : board -> answers

val tried : board -> witness -> bool

val is_witness : board -> witness -> bool

type lemma = { hist : (code * int) list; within : int option; bound : 
               int; kept : int list;
               ents : (code * (int * (int * int option)) list) list;
               orbs : (int * code list) list }

type fact = (code list * int option) * int

type column_set = (code * int list) list

val map2 : ('a1 -> 'a2 -> 'a3) -> 'a1 list -> 'a2 list -> 'a3 list

val maxl : int list -> int

val table : answers -> code list -> code list -> column_set

val fits : answers -> (code * int) list -> code -> bool

val tallies : code list -> column_set -> (int * int) list list

val renamed_by : witness list -> int option -> (code -> code) option

val inside : answers -> (code -> bool) -> (code * int) list -> code -> bool

val named_bound :
  answers -> (code -> bool) -> witness list -> fact list -> (code * int) list
  -> int option -> int -> int option -> int

val part_bound :
  answers -> (code -> bool) -> witness list -> fact list -> (code * int) list
  -> int option -> code -> (int * (int * int option)) list -> (int -> int) ->
  int -> int -> int

val orbits :
  witness list -> code list -> (int * code list) list -> code list option

val keep :
  answers -> (code -> bool) -> witness list -> (code * int) list -> code list
  -> int list -> witness list option

val check_guesses :
  answers -> (code -> bool) -> witness list -> fact list -> lemma ->
  (code * (int * int) list) list -> int -> (int -> int) -> code list -> bool

val check_lemma :
  answers -> code list -> (code -> bool) -> witness list -> int -> column_set
  -> fact list -> lemma -> fact option

val check_lemmas :
  answers -> code list -> (code -> bool) -> witness list -> int -> column_set
  -> fact list -> lemma list -> fact list option

type claim = int option * int option

val says : int -> claim -> fact -> bool

val nodupb : code list -> bool

val check : board -> witness list -> int -> lemma list -> claim list -> bool
