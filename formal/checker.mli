
val negb : bool -> bool

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
  val pow : int -> int -> int

  val divmod : int -> int -> int -> int -> int * int
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

val digits : int -> int -> int list

val stays : code -> code -> code -> bool

val marked_colors : code -> code -> code

val uses : code -> int -> code -> bool

type answers = code -> code -> int

val answer : answers -> code -> code -> int

type follows = code -> int -> code -> bool

val follows0 : follows -> code -> int -> code -> bool

type weights = code -> int

val weight : weights -> code -> int

val all : int -> int -> code list

type rule =
| Free
| Possible
| Hard

type board = { pegs : int; colors : int; feed : feedback; repeats : bool;
               guess_repeats : bool; blanks : bool; guess_blanks : bool;
               words : code list; probes : code list; obey : rule;
               weighed : (code * int) list }

val distinct : int -> code -> bool

val fine : int -> bool -> bool -> code -> bool

val is_list : board -> bool

val symbols : board -> int

val guesses : board -> code list

val hidden : board -> code -> bool

val weigh : board -> code -> int

val secret : board -> code -> bool

val secrets : board -> code list

val next_guess : board -> code -> int -> code -> bool

val dec : int option -> int option

val le_lim : int option -> int option -> bool

val key : answers -> code -> code -> int

val tsum : (int -> int -> int) -> (int * int) list -> int

val mass : weights -> code list -> int

val next : int -> int -> int -> int -> int

val caps : int -> int -> int -> int -> int

val tail : int -> int -> int -> int -> int -> (int -> int) -> int

val size_bound : int -> int -> int -> int -> int -> (int -> int) -> int

val capped : int -> int list -> int

val over_weights : int list -> int list -> int -> int

type witness = (int * int list) list

val act : witness -> code -> code

val nodupn : int list -> bool

val is_perm : int -> int list -> bool

val perms : int -> int -> witness -> bool

val uniform : witness -> bool

val functional : (int * int) list -> (int * int) list -> bool

val answers0 : board -> answers

val pairs : board -> witness -> (code * code) list -> code -> (int * int) list

val once : (int * int) list -> (int * int) list

val images_of : board -> witness -> (code * code) list

val tried : board -> witness -> bool

val tried_back : board -> witness -> bool

val tried_clues : board -> witness -> bool

val is_witness : board -> witness -> bool

type 'a vec = 'a Arrays.vec

type row = Arrays.row

type grid = Arrays.grid

type 't tree_of =
| Leaf
| Fork of 't option * 't tree_of * 't tree_of

val put : int -> int -> 'a1 -> 'a1 tree_of -> 'a1 tree_of

val look : int -> int -> 'a1 tree_of -> 'a1 option

type lemma = { hist : (int * int) list; within : int option; bound : 
               int; kept : int list;
               ents : (int * (int * (int * int option)) list) list;
               orbs : (int * int list) list }

type fact = ((int list * (int * int) list) * int option) * int

val fuel : int

val useless : (int * int) list -> bool

val all2 : ('a1 -> 'a2 -> bool) -> 'a1 list -> 'a2 list -> bool

val before : code -> code -> bool

val search : code vec -> int -> int -> int -> code -> int

val labels : answers -> code list -> code -> row

val table : answers -> code list -> code list -> grid

val images : code list -> code list -> witness -> (int vec * int vec) option

val every_image :
  code list -> code list -> witness list -> (int vec * int vec) list option

val mass_of : bool -> int vec -> int list -> int

val heaviest_of : bool -> int vec -> int list -> int

val insert : int -> int list -> int list

val over_of : int vec -> int list -> int -> int

val fits : grid -> (int * int) list -> int -> bool

val narrow : grid -> (int * int) list -> int list -> int list

val inside :
  code list -> bool -> grid -> (int vec * int vec) vec -> int vec ->
  (int * int) list -> int option -> int -> bool

val parts_of : int -> grid -> int list -> int -> (int * int) list

val part_at : grid -> int list -> int -> int -> int list

val floor :
  bool -> grid -> int vec -> (int list -> int) -> int list -> int -> int ->
  int -> int

val may_guess :
  follows -> bool -> (code -> bool) -> code vec -> (int * int) list -> int ->
  bool

val allowed :
  follows -> bool -> (code -> bool) -> code vec -> int list -> (int * int)
  list -> int list

val allows :
  follows -> bool -> (code -> bool) -> (int vec * int vec) vec -> code vec ->
  int list -> (int * int) list -> (int * int) list -> int option -> bool

val named_bound :
  follows -> code list -> bool -> (code -> bool) -> bool -> grid -> (int
  vec * int vec) vec -> code vec -> int list -> int vec -> fact tree_of ->
  (int * int) list -> int option -> int -> int option -> int

val part_bound :
  follows -> code list -> bool -> (code -> bool) -> bool -> grid -> (int
  vec * int vec) vec -> code vec -> int list -> int vec -> fact tree_of ->
  (int * int) list -> int option -> int -> (int * (int * int option)) list ->
  (int -> int -> int -> int) -> int -> int -> int

val marked : int tree_of -> int -> bool

val mark : int tree_of -> int list -> int tree_of

val orbits :
  (int vec * int vec) vec -> int list -> int tree_of -> (int * int list) list
  -> int tree_of option

val scan :
  int vec -> int -> int -> int list -> int -> int -> int list ->
  int * (int * int list)

val check_guesses :
  follows -> code list -> code list -> witness list -> int -> bool -> (code
  -> bool) -> bool -> grid -> (int vec * int vec) vec -> code vec -> int list
  -> int vec -> fact tree_of -> lemma -> int list -> int -> (int -> int ->
  int -> int) -> int list -> bool

val check_few :
  int -> bool -> grid -> int vec -> int vec -> int -> int -> int list -> bool

val by_size :
  int -> int option -> int -> int -> int -> int -> (int -> int) -> int

val check_lemma :
  follows -> code list -> code list -> witness list -> int -> int -> bool ->
  (code -> bool) -> bool -> grid -> (int vec * int vec) vec -> code vec ->
  int list -> int list -> int vec -> int vec -> fact tree_of -> lemma -> fact
  option

val check_lemmas :
  follows -> code list -> code list -> witness list -> int -> int -> bool ->
  (code -> bool) -> bool -> grid -> (int vec * int vec) vec -> code vec ->
  int list -> int list -> int vec -> int vec -> fact tree_of -> int -> lemma
  list -> fact tree_of option

type claim = int option * int option

val says : int -> claim -> fact -> bool

val nodupb : code list -> bool

val most_labels : board -> int

val check :
  board -> witness list -> int -> lemma list -> (claim * int) list -> bool
