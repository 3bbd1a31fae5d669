
(** val negb : bool -> bool **)

let negb = function
| true -> false
| false -> true

(** val fst : ('a1 * 'a2) -> 'a1 **)

let fst = function
| (x, _) -> x

(** val snd : ('a1 * 'a2) -> 'a2 **)

let snd = function
| (_, y) -> y

(** val length : 'a1 list -> int **)

let rec length = function
| [] -> 0
| _ :: l' -> Stdlib.Int.succ (length l')

(** val app : 'a1 list -> 'a1 list -> 'a1 list **)

let rec app l m =
  match l with
  | [] -> m
  | a :: l1 -> a :: (app l1 m)

(** val pred : int -> int **)

let pred = fun n -> Stdlib.max 0 (n-1)

(** val add : int -> int -> int **)

let rec add = (+)

(** val mul : int -> int -> int **)

let rec mul = ( * )

(** val sub : int -> int -> int **)

let rec sub = fun n m -> Stdlib.max 0 (n-m)

module Nat =
 struct
  (** val pow : int -> int -> int **)

  let rec pow n m =
    (fun fO fS n -> if n=0 then fO () else fS (n-1))
      (fun _ -> Stdlib.Int.succ 0)
      (fun m0 -> ( * ) n (pow n m0))
      m

  (** val divmod : int -> int -> int -> int -> int * int **)

  let rec divmod x y q u =
    (fun fO fS n -> if n=0 then fO () else fS (n-1))
      (fun _ -> (q, u))
      (fun x' ->
      (fun fO fS n -> if n=0 then fO () else fS (n-1))
        (fun _ -> divmod x' y (Stdlib.Int.succ q) y)
        (fun u' -> divmod x' y q u')
        u)
      x
 end

(** val nth : int -> 'a1 list -> 'a1 -> 'a1 **)

let rec nth n l default =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> match l with
              | [] -> default
              | x :: _ -> x)
    (fun m -> match l with
              | [] -> default
              | _ :: t -> nth m t default)
    n

(** val nth_error : 'a1 list -> int -> 'a1 option **)

let rec nth_error l n =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> match l with
              | [] -> None
              | x :: _ -> Some x)
    (fun n0 -> match l with
               | [] -> None
               | _ :: l0 -> nth_error l0 n0)
    n

(** val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list **)

let rec map f = function
| [] -> []
| a :: t -> (f a) :: (map f t)

(** val flat_map : ('a1 -> 'a2 list) -> 'a1 list -> 'a2 list **)

let rec flat_map f = function
| [] -> []
| x :: t -> app (f x) (flat_map f t)

(** val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1 **)

let rec fold_left f l a0 =
  match l with
  | [] -> a0
  | b :: t -> fold_left f t (f a0 b)

(** val fold_right : ('a2 -> 'a1 -> 'a1) -> 'a1 -> 'a2 list -> 'a1 **)

let rec fold_right f a0 = function
| [] -> a0
| b :: t -> f b (fold_right f a0 t)

(** val existsb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec existsb f = function
| [] -> false
| a :: l0 -> (||) (f a) (existsb f l0)

(** val forallb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec forallb f = function
| [] -> true
| a :: l0 -> (&&) (f a) (forallb f l0)

(** val filter : ('a1 -> bool) -> 'a1 list -> 'a1 list **)

let rec filter f = function
| [] -> []
| x :: l0 -> if f x then x :: (filter f l0) else filter f l0

(** val find : ('a1 -> bool) -> 'a1 list -> 'a1 option **)

let rec find f = function
| [] -> None
| x :: tl -> if f x then Some x else find f tl

(** val seq : int -> int -> int list **)

let rec seq start len =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> [])
    (fun len0 -> start :: (seq (Stdlib.Int.succ start) len0))
    len

type code = int list

(** val eqb : code -> code -> bool **)

let rec eqb g s =
  match g with
  | [] -> (match s with
           | [] -> true
           | _ :: _ -> false)
  | a :: g' ->
    (match s with
     | [] -> false
     | b :: s' -> (&&) (Arrays.same a b) (eqb g' s'))

(** val has : code list -> code -> bool **)

let has r g =
  existsb (eqb g) r

(** val blacks : code -> code -> int **)

let rec blacks g s =
  match g with
  | [] -> 0
  | a :: g' ->
    (match s with
     | [] -> 0
     | b :: s' ->
       add (if Arrays.same a b then Stdlib.Int.succ 0 else 0) (blacks g' s'))

(** val remove : int -> code -> code option **)

let rec remove a = function
| [] -> None
| b :: s' ->
  if Arrays.same a b
  then Some s'
  else (match remove a s' with
        | Some r -> Some (b :: r)
        | None -> None)

(** val common : code -> code -> int **)

let rec common g s =
  match g with
  | [] -> 0
  | a :: g' ->
    (match remove a s with
     | Some r -> Stdlib.Int.succ (common g' r)
     | None -> common g' s)

(** val members : code -> code -> int **)

let members g s =
  length (filter (fun a -> existsb (Arrays.same a) s) g)

(** val rest : code -> code -> code **)

let rec rest g s =
  match g with
  | [] -> s
  | a :: g' ->
    (match s with
     | [] -> s
     | b :: s' -> if Arrays.same a b then rest g' s' else b :: (rest g' s'))

(** val marks : code -> code -> code -> int list **)

let rec marks g s r =
  match g with
  | [] -> []
  | a :: g' ->
    (match s with
     | [] -> []
     | b :: s' ->
       if Arrays.same a b
       then (Stdlib.Int.succ (Stdlib.Int.succ 0)) :: (marks g' s' r)
       else (match remove a r with
             | Some r' -> (Stdlib.Int.succ 0) :: (marks g' s' r')
             | None -> 0 :: (marks g' s' r)))

(** val halves : int -> code -> code -> code -> int **)

let rec halves k g s ms =
  match g with
  | [] -> 0
  | a :: g' ->
    (match s with
     | [] -> 0
     | b :: s' ->
       (match ms with
        | [] -> 0
        | m :: ms' ->
          add
            (if (&&) (Arrays.same m 0)
                  ((||) (Arrays.same (Arrays.div a k) (Arrays.div b k))
                    (Arrays.same (Arrays.modulo a k) (Arrays.modulo b k)))
             then Stdlib.Int.succ 0
             else 0) (halves k g' s' ms')))

(** val many : int -> int list -> int **)

let many m ms =
  length (filter (Arrays.same m) ms)

type feedback =
| Standard
| Black
| Membership
| Positional
| Grand of int

(** val score : feedback -> code -> code -> int **)

let score f g s =
  let pegs0 = length g in
  (match f with
   | Standard -> add (mul (blacks g s) pegs0) (common g s)
   | Black -> blacks g s
   | Membership -> add (mul (blacks g s) pegs0) (members g s)
   | Positional ->
     fold_left (fun n m ->
       add (mul (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ 0))) n) m)
       (marks g s (rest g s)) 0
   | Grand k ->
     let ms = marks g s (rest g s) in
     add
       (mul
         (add
           (mul (many (Stdlib.Int.succ (Stdlib.Int.succ 0)) ms)
             (Stdlib.Int.succ pegs0)) (many (Stdlib.Int.succ 0) ms))
         (Stdlib.Int.succ pegs0)) (halves k g s ms))

(** val digits : int -> int -> int list **)

let rec digits p l =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> [])
    (fun q ->
    (Arrays.modulo
      (Arrays.div l
        (Nat.pow (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ 0))) q))
      (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ 0)))) :: (digits q l))
    p

(** val stays : code -> code -> code -> bool **)

let rec stays g ms h =
  match g with
  | [] -> true
  | a :: g' ->
    (match ms with
     | [] -> true
     | m :: ms' ->
       (match h with
        | [] -> true
        | b :: h' ->
          (&&)
            (if Arrays.same m (Stdlib.Int.succ (Stdlib.Int.succ 0))
             then Arrays.same a b
             else true) (stays g' ms' h')))

(** val marked_colors : code -> code -> code **)

let rec marked_colors g ms =
  match g with
  | [] -> []
  | a :: g' ->
    (match ms with
     | [] -> []
     | m :: ms' ->
       if Arrays.same m 0
       then marked_colors g' ms'
       else a :: (marked_colors g' ms'))

(** val uses : code -> int -> code -> bool **)

let uses g l h =
  let ms = digits (length g) l in
  if stays g ms h
  then let r = marked_colors g ms in
       forallb (fun a -> Arrays.at_most (many a r) (many a h)) r
  else false

type answers = code -> code -> int

(** val answer : answers -> code -> code -> int **)

let answer answers1 =
  answers1

type follows = code -> int -> code -> bool

(** val follows0 : follows -> code -> int -> code -> bool **)

let follows0 follows1 =
  follows1

type weights = code -> int

(** val weight : weights -> code -> int **)

let weight weights0 =
  weights0

(** val all : int -> int -> code list **)

let rec all p c =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> [] :: [])
    (fun q -> flat_map (fun a -> map (fun x -> a :: x) (all q c)) (seq 0 c))
    p

type rule =
| Free
| Possible
| Hard

type board = { pegs : int; colors : int; feed : feedback; repeats : bool;
               guess_repeats : bool; blanks : bool; guess_blanks : bool;
               words : code list; probes : code list; obey : rule;
               weighed : (code * int) list }

(** val distinct : int -> code -> bool **)

let rec distinct c = function
| [] -> true
| a :: r ->
  (&&) ((||) (Arrays.same a c) (negb (existsb (Arrays.same a) r)))
    (distinct c r)

(** val fine : int -> bool -> bool -> code -> bool **)

let fine c twice empty s =
  (&&) ((||) twice (distinct c s))
    ((||) empty (negb (existsb (Arrays.same c) s)))

(** val is_list : board -> bool **)

let is_list b =
  match b.words with
  | [] -> false
  | _ :: _ -> true

(** val symbols : board -> int **)

let symbols b =
  if b.guess_blanks then Stdlib.Int.succ b.colors else b.colors

(** val guesses : board -> code list **)

let guesses b =
  if is_list b
  then app b.words b.probes
  else filter (fine b.colors b.guess_repeats b.guess_blanks)
         (all b.pegs (symbols b))

(** val hidden : board -> code -> bool **)

let hidden b s =
  if is_list b then has b.words s else fine b.colors b.repeats b.blanks s

(** val weigh : board -> code -> int **)

let weigh b s =
  match find (fun x -> eqb (fst x) s) b.weighed with
  | Some x -> snd x
  | None -> Stdlib.Int.succ 0

(** val secret : board -> code -> bool **)

let secret b s =
  (&&) (hidden b s) (Arrays.below 0 (weigh b s))

(** val secrets : board -> code list **)

let secrets b =
  filter (secret b) (guesses b)

(** val next_guess : board -> code -> int -> code -> bool **)

let next_guess b g l h =
  match b.obey with
  | Free -> true
  | Possible -> (&&) (secret b h) (Arrays.same (score b.feed g h) l)
  | Hard -> uses g l h

(** val dec : int option -> int option **)

let dec = function
| Some k -> Some (pred k)
| None -> None

(** val le_lim : int option -> int option -> bool **)

let le_lim d e =
  match d with
  | Some k -> (match e with
               | Some m -> Arrays.at_most k m
               | None -> true)
  | None -> (match e with
             | Some _ -> false
             | None -> true)

(** val key : answers -> code -> code -> int **)

let key a g s =
  if eqb g s then 0 else Stdlib.Int.succ (answer a g s)

(** val tsum : (int -> int -> int) -> (int * int) list -> int **)

let rec tsum f = function
| [] -> 0
| p :: r ->
  let (l, n) = p in add (if Arrays.same l 0 then 0 else f l n) (tsum f r)

(** val mass : weights -> code list -> int **)

let rec mass we = function
| [] -> 0
| s :: y -> add (weight we s) (mass we y)

(** val next : int -> int -> int -> int -> int **)

let next q r top c =
  Arrays.min top (Arrays.max (add (Stdlib.Int.succ 0) (mul q c)) (mul r c))

(** val caps : int -> int -> int -> int -> int **)

let rec caps q r top d =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> 0)
    (fun e -> next q r top (caps q r top e))
    d

(** val tail : int -> int -> int -> int -> int -> (int -> int) -> int **)

let rec tail q r top f cap over =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> 0)
    (fun f' ->
    let o = over cap in
    if Arrays.same o 0
    then 0
    else add o (tail q r top f' (next q r top cap) over))
    f

(** val size_bound :
    int -> int -> int -> int -> int -> (int -> int) -> int **)

let size_bound q r top third f over =
  let o = over 0 in
  add
    (add
      (Arrays.min
        (add (over (Stdlib.Int.succ 0)) (over (add (Stdlib.Int.succ 0) q)))
        (add o (over r))) o) (tail q r top f third over)

(** val capped : int -> int list -> int **)

let capped top ws =
  fold_right (fun w n -> add (Arrays.min w top) n) 0 ws

(** val over_weights : int list -> int list -> int -> int **)

let over_weights ws sorted k =
  let top = nth k sorted 0 in sub (capped top ws) (mul k top)

type witness = (int * int list) list

(** val act : witness -> code -> code **)

let act m g =
  map (fun x -> nth (nth (fst x) g 0) (snd x) 0) m

(** val nodupn : int list -> bool **)

let rec nodupn = function
| [] -> true
| a :: r -> (&&) (negb (existsb (Arrays.same a) r)) (nodupn r)

(** val is_perm : int -> int list -> bool **)

let is_perm n l =
  (&&)
    ((&&) (Arrays.same (length l) n) (forallb (fun a -> Arrays.below a n) l))
    (nodupn l)

(** val perms : int -> int -> witness -> bool **)

let perms p c m =
  (&&) (is_perm p (map fst m)) (forallb (fun x -> is_perm c (snd x)) m)

(** val uniform : witness -> bool **)

let uniform = function
| [] -> true
| x :: r -> forallb (fun y -> eqb (snd y) (snd x)) r

(** val functional : (int * int) list -> (int * int) list -> bool **)

let rec functional seen = function
| [] -> true
| p0 :: r ->
  let (k, v) = p0 in
  (match find (fun x -> Arrays.same (fst x) k) seen with
   | Some x -> (&&) (Arrays.same (snd x) v) (functional seen r)
   | None -> functional ((k, v) :: seen) r)

(** val answers0 : board -> answers **)

let answers0 b =
  score b.feed

(** val pairs :
    board -> witness -> (code * code) list -> code -> (int * int) list **)

let pairs b m x g =
  map (fun x0 -> ((answer (answers0 b) g (fst x0)),
    (answer (answers0 b) (act m g) (snd x0)))) x

(** val once : (int * int) list -> (int * int) list **)

let once p =
  fold_left (fun q x ->
    if existsb (fun y ->
         (&&) (Arrays.same (fst y) (fst x)) (Arrays.same (snd y) (snd x))) q
    then q
    else x :: q) p []

(** val images_of : board -> witness -> (code * code) list **)

let images_of b m =
  map (fun s -> (s, (act m s))) (secrets b)

(** val tried : board -> witness -> bool **)

let tried b m =
  let x = images_of b m in
  forallb (fun g -> functional [] (pairs b m x g)) (guesses b)

(** val tried_back : board -> witness -> bool **)

let tried_back b m =
  let x = images_of b m in
  forallb (fun g ->
    functional [] (map (fun x0 -> ((snd x0), (fst x0))) (pairs b m x g)))
    (guesses b)

(** val tried_clues : board -> witness -> bool **)

let tried_clues b m =
  let x = images_of b m in
  let y = map (fun h -> (h, (act m h))) (guesses b) in
  forallb (fun g ->
    let g' = act m g in
    forallb (fun a ->
      forallb (fun h ->
        if uses g' (snd a) (snd h) then uses g (fst a) (fst h) else true) y)
      (once (pairs b m x g))) (guesses b)

(** val is_witness : board -> witness -> bool **)

let is_witness b m =
  (&&)
    ((&&)
      ((&&) ((&&) (negb (is_list b)) (perms b.pegs (symbols b) m))
        (forallb (fun g ->
          fine b.colors b.guess_repeats b.guess_blanks (act m g)) (guesses b)))
      (match b.feed with
       | Standard -> uniform m
       | Black -> true
       | _ -> tried b m))
    (match b.obey with
     | Free -> true
     | Possible ->
       (&&)
         (match b.feed with
          | Standard -> true
          | Black -> true
          | _ -> tried_back b m)
         (forallb (fun g -> if secret b (act m g) then secret b g else true)
           (guesses b))
     | Hard -> tried_clues b m)

type 'a vec = 'a Arrays.vec

type row = Arrays.row

type grid = Arrays.grid

type 't tree_of =
| Leaf
| Fork of 't option * 't tree_of * 't tree_of

(** val put : int -> int -> 'a1 -> 'a1 tree_of -> 'a1 tree_of **)

let rec put fuel0 n x t =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> t)
    (fun f ->
    match t with
    | Leaf ->
      let p = (None, Leaf) in
      let r = Leaf in
      let (y, l) = p in
      if Arrays.same n 0
      then Fork ((Some x), l, r)
      else if Arrays.same
                (Arrays.modulo n (Stdlib.Int.succ (Stdlib.Int.succ 0)))
                (Stdlib.Int.succ 0)
           then Fork (y,
                  (put f (Arrays.div n (Stdlib.Int.succ (Stdlib.Int.succ 0)))
                    x l), r)
           else Fork (y, l,
                  (put f
                    (sub (Arrays.div n (Stdlib.Int.succ (Stdlib.Int.succ 0)))
                      (Stdlib.Int.succ 0)) x r))
    | Fork (y, l, r) ->
      let p = (y, l) in
      let (y0, l0) = p in
      if Arrays.same n 0
      then Fork ((Some x), l0, r)
      else if Arrays.same
                (Arrays.modulo n (Stdlib.Int.succ (Stdlib.Int.succ 0)))
                (Stdlib.Int.succ 0)
           then Fork (y0,
                  (put f (Arrays.div n (Stdlib.Int.succ (Stdlib.Int.succ 0)))
                    x l0), r)
           else Fork (y0, l0,
                  (put f
                    (sub (Arrays.div n (Stdlib.Int.succ (Stdlib.Int.succ 0)))
                      (Stdlib.Int.succ 0)) x r)))
    fuel0

(** val look : int -> int -> 'a1 tree_of -> 'a1 option **)

let rec look fuel0 n t =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> None)
    (fun f ->
    match t with
    | Leaf -> None
    | Fork (y, l, r) ->
      if Arrays.same n 0
      then y
      else if Arrays.same
                (Arrays.modulo n (Stdlib.Int.succ (Stdlib.Int.succ 0)))
                (Stdlib.Int.succ 0)
           then look f (Arrays.div n (Stdlib.Int.succ (Stdlib.Int.succ 0))) l
           else look f
                  (sub (Arrays.div n (Stdlib.Int.succ (Stdlib.Int.succ 0)))
                    (Stdlib.Int.succ 0)) r)
    fuel0

type lemma = { hist : (int * int) list; within : int option; bound : 
               int; kept : int list;
               ents : (int * (int * (int * int option)) list) list;
               orbs : (int * int list) list }

type fact = ((int list * (int * int) list) * int option) * int

(** val fuel : int **)

let fuel =
  Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    0)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))

(** val useless : (int * int) list -> bool **)

let useless = function
| [] -> false
| p :: l0 ->
  let (l, _) = p in
  (match l0 with
   | [] -> negb (Arrays.same l 0)
   | _ :: _ -> false)

(** val all2 : ('a1 -> 'a2 -> bool) -> 'a1 list -> 'a2 list -> bool **)

let rec all2 f l m =
  match l with
  | [] -> (match m with
           | [] -> true
           | _ :: _ -> false)
  | a :: l' ->
    (match m with
     | [] -> false
     | b :: m' -> (&&) (f a b) (all2 f l' m'))

(** val before : code -> code -> bool **)

let rec before g s =
  match g with
  | [] -> false
  | a :: g' ->
    (match s with
     | [] -> false
     | b :: s' -> if Arrays.same a b then before g' s' else Arrays.below a b)

(** val search : code vec -> int -> int -> int -> code -> int **)

let rec search v f low high g =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> low)
    (fun f' ->
    if Arrays.at_most high low
    then low
    else let mid =
           Arrays.div (add low high) (Stdlib.Int.succ (Stdlib.Int.succ 0))
         in
         if before (Arrays.get [] v mid) g
         then search v f' (Stdlib.Int.succ mid) high g
         else search v f' low mid g)
    f

(** val labels : answers -> code list -> code -> row **)

let labels a s g =
  Arrays.row_of (map (key a g) s)

(** val table : answers -> code list -> code list -> grid **)

let table a g s =
  Arrays.grid_of (map (labels a s) g)

(** val images :
    code list -> code list -> witness -> (int vec * int vec) option **)

let images g s =
  let nG = length g in
  let nS = length s in
  (fun w ->
  let vG = Arrays.vec_of g in
  let vS = Arrays.vec_of s in
  let to_guess = map (fun g0 -> search vG fuel 0 nG (act w g0)) g in
  let to_secret =
    map (fun s0 ->
      let t = act w s0 in
      let i = search vS fuel 0 nS t in
      if eqb (Arrays.get [] vS i) t then i else nS) s
  in
  if all2 (fun g0 i ->
       (&&) (Arrays.below i nG) (eqb (Arrays.get [] vG i) (act w g0))) g
       to_guess
  then Some ((Arrays.vec_of to_guess), (Arrays.vec_of to_secret))
  else None)

(** val every_image :
    code list -> code list -> witness list -> (int vec * int vec) list option **)

let rec every_image g s = function
| [] -> Some []
| w :: r ->
  (match images g s w with
   | Some i ->
     (match every_image g s r with
      | Some l -> Some (i :: l)
      | None -> None)
   | None -> None)

(** val mass_of : bool -> int vec -> int list -> int **)

let mass_of is_unit weights0 x =
  if is_unit
  then length x
  else fold_right (fun s n -> add (Arrays.get 0 weights0 s) n) 0 x

(** val heaviest_of : bool -> int vec -> int list -> int **)

let heaviest_of is_unit weights0 x =
  if is_unit
  then Arrays.min (Stdlib.Int.succ 0) (length x)
  else fold_right (fun s n -> Arrays.max (Arrays.get 0 weights0 s) n) 0 x

(** val insert : int -> int list -> int list **)

let rec insert w ws = match ws with
| [] -> w :: []
| v :: r -> if Arrays.below v w then w :: ws else v :: (insert w r)

(** val over_of : int vec -> int list -> int -> int **)

let over_of weights0 x =
  let ws = map (Arrays.get 0 weights0) x in
  over_weights ws (fold_right insert [] ws)

(** val fits : grid -> (int * int) list -> int -> bool **)

let fits tab h s =
  forallb (fun x ->
    Arrays.same (Arrays.at_row (Arrays.row_at tab (fst x)) s) (snd x)) h

(** val narrow : grid -> (int * int) list -> int list -> int list **)

let rec narrow tab h x =
  match h with
  | [] -> x
  | p :: r ->
    let (g, l) = p in
    let row0 = Arrays.row_at tab g in
    narrow tab r (filter (fun s -> Arrays.same (Arrays.at_row row0 s) l) x)

(** val inside :
    code list -> bool -> grid -> (int vec * int vec) vec -> int vec ->
    (int * int) list -> int option -> int -> bool **)

let inside s is_unit =
  let nS = length s in
  (fun tab moved weights0 ->
  let none = ((Arrays.vec_of []), (Arrays.vec_of [])) in
  (fun h w s0 ->
  match w with
  | Some i ->
    let t = Arrays.get nS (snd (Arrays.get none moved i)) s0 in
    (&&) ((&&) (Arrays.below t nS) (fits tab h t))
      (if is_unit
       then true
       else Arrays.at_most (Arrays.get 0 weights0 s0)
              (Arrays.get 0 weights0 t))
  | None -> fits tab h s0))

(** val parts_of : int -> grid -> int list -> int -> (int * int) list **)

let parts_of m tab x g =
  Arrays.tally m (Arrays.row_at tab g) x

(** val part_at : grid -> int list -> int -> int -> int list **)

let part_at tab x g l =
  let row0 = Arrays.row_at tab g in
  filter (fun s -> Arrays.same (Arrays.at_row row0 s) l) x

(** val floor :
    bool -> grid -> int vec -> (int list -> int) -> int list -> int -> int ->
    int -> int **)

let floor is_unit tab sz heavy x g l n =
  if is_unit then Arrays.get 0 sz n else heavy (part_at tab x g l)

(** val may_guess :
    follows -> bool -> (code -> bool) -> code vec -> (int * int) list -> int
    -> bool **)

let may_guess fw is_free opener vG h h0 =
  if is_free
  then true
  else let c = Arrays.get [] vG h0 in
       if opener c
       then forallb (fun x ->
              follows0 fw (Arrays.get [] vG (fst x)) (pred (snd x)) c) h
       else false

(** val allowed :
    follows -> bool -> (code -> bool) -> code vec -> int list -> (int * int)
    list -> int list **)

let allowed fw is_free opener vG guess_list h =
  if is_free
  then guess_list
  else filter (may_guess fw is_free opener vG h) guess_list

(** val allows :
    follows -> bool -> (code -> bool) -> (int vec * int vec) vec -> code vec
    -> int list -> (int * int) list -> (int * int) list -> int option -> bool **)

let allows fw is_free opener moved vG guess_list =
  let none = ((Arrays.vec_of []), (Arrays.vec_of [])) in
  (fun h k w ->
  if is_free
  then true
  else forallb (fun h0 ->
         if may_guess fw is_free opener vG h
              (match w with
               | Some i -> Arrays.get 0 (fst (Arrays.get none moved i)) h0
               | None -> h0)
         then may_guess fw is_free opener vG k h0
         else true) guess_list)

(** val named_bound :
    follows -> code list -> bool -> (code -> bool) -> bool -> grid -> (int
    vec * int vec) vec -> code vec -> int list -> int vec -> fact tree_of ->
    (int * int) list -> int option -> int -> int option -> int **)

let named_bound fw s is_free opener is_unit tab moved vG guess_list weights0 facts h d i w =
  match look fuel i facts with
  | Some f ->
    let (p, b) = f in
    let (p0, e) = p in
    let (y, k) = p0 in
    if (&&)
         ((&&) (le_lim d e)
           (forallb (inside s is_unit tab moved weights0 h w) y))
         (allows fw is_free opener moved vG guess_list h k w)
    then b
    else 0
  | None -> 0

(** val part_bound :
    follows -> code list -> bool -> (code -> bool) -> bool -> grid -> (int
    vec * int vec) vec -> code vec -> int list -> int vec -> fact tree_of ->
    (int * int) list -> int option -> int -> (int * (int * int option)) list
    -> (int -> int -> int -> int) -> int -> int -> int **)

let part_bound fw s is_free opener is_unit tab moved vG guess_list weights0 facts h d g rs low l n =
  match find (fun x -> Arrays.same (fst x) l) rs with
  | Some x ->
    Arrays.max (low g l n)
      (named_bound fw s is_free opener is_unit tab moved vG guess_list
        weights0 facts ((g, l) :: h) d (fst (snd x)) (snd (snd x)))
  | None -> low g l n

(** val marked : int tree_of -> int -> bool **)

let marked r g =
  match look fuel g r with
  | Some h -> Arrays.same h g
  | None -> false

(** val mark : int tree_of -> int list -> int tree_of **)

let rec mark r = function
| [] -> r
| g :: r0 -> mark (put fuel g g r) r0

(** val orbits :
    (int vec * int vec) vec -> int list -> int tree_of -> (int * int list)
    list -> int tree_of option **)

let orbits moved =
  let none = ((Arrays.vec_of []), (Arrays.vec_of [])) in
  let rec orbits0 ms r = function
  | [] -> Some r
  | p :: r0 ->
    let (i, gs) = p in
    (match nth_error ms i with
     | Some w ->
       if forallb (marked r) gs
       then orbits0 ms
              (mark r (map (Arrays.get 0 (fst (Arrays.get none moved w))) gs))
              r0
       else None
     | None -> None)
  in orbits0

(** val scan :
    int vec -> int -> int -> int list -> int -> int -> int list ->
    int * (int * int list) **)

let rec scan counted b n gs q r open0 =
  match gs with
  | [] -> (q, (r, open0))
  | g :: rest0 ->
    let k = Arrays.get 0 counted g in
    let n0 = Arrays.div k (Stdlib.Int.succ (Stdlib.Int.succ 0)) in
    let o = Arrays.modulo k (Stdlib.Int.succ (Stdlib.Int.succ 0)) in
    let left =
      if Arrays.at_most b
           (sub
             (sub
               (mul (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ 0))) n)
               n0) (mul (Stdlib.Int.succ (Stdlib.Int.succ 0)) o))
      then open0
      else g :: open0
    in
    if Arrays.same o (Stdlib.Int.succ 0)
    then scan counted b n rest0 (Arrays.max q n0) r left
    else scan counted b n rest0 q (Arrays.max r n0) left

(** val check_guesses :
    follows -> code list -> code list -> witness list -> int -> bool -> (code
    -> bool) -> bool -> grid -> (int vec * int vec) vec -> code vec -> int
    list -> int vec -> fact tree_of -> lemma -> int list -> int -> (int ->
    int -> int -> int) -> int list -> bool **)

let check_guesses fw g s w m is_free opener is_unit =
  let nG = length g in
  (fun tab moved vG guess_list weights0 facts l open0 n low x ->
  let after = dec l.within in
  (&&)
    ((&&)
      (forallb (fun e ->
        (&&) (Arrays.below (fst e) nG)
          (Arrays.at_most l.bound
            (add n
              (tsum
                (part_bound fw s is_free opener is_unit tab moved vG
                  guess_list weights0 facts l.hist after (fst e) (snd e) low)
                (parts_of m tab x (fst e)))))) l.ents)
      (forallb (fun w0 ->
        (&&)
          ((&&) (Arrays.below w0 (length w))
            (forallb (inside s is_unit tab moved weights0 l.hist (Some w0)) x))
          (allows fw is_free opener moved vG guess_list l.hist l.hist (Some
            w0))) l.kept))
    (match orbits moved l.kept (mark Leaf (map fst l.ents)) l.orbs with
     | Some r ->
       forallb (fun g0 ->
         let t = parts_of m tab x g0 in
         (||)
           ((||) (Arrays.at_most l.bound (add n (tsum (low g0) t)))
             (useless t)) (marked r g0)) open0
     | None -> false))

(** val check_few :
    int -> bool -> grid -> int vec -> int vec -> int -> int -> int list ->
    bool **)

let check_few m is_unit tab own_guess weights0 b n x =
  (&&) (Arrays.at_most b (mul (Stdlib.Int.succ (Stdlib.Int.succ 0)) n))
    (forallb (fun s ->
      let g = Arrays.get 0 own_guess s in
      Arrays.at_most b
        (add n
          (tsum (fun l n0 ->
            if is_unit
            then sub (mul (Stdlib.Int.succ (Stdlib.Int.succ 0)) n0)
                   (Stdlib.Int.succ 0)
            else let y = part_at tab x g l in
                 sub
                   (mul (Stdlib.Int.succ (Stdlib.Int.succ 0))
                     (mass_of is_unit weights0 y))
                   (heaviest_of is_unit weights0 y)) (parts_of m tab x g))))
      x)

(** val by_size :
    int -> int option -> int -> int -> int -> int -> (int -> int) -> int **)

let by_size huge w q r n n0 over =
  if match w with
     | Some k -> Arrays.below (caps q r n (pred k)) n0
     | None -> false
  then huge
  else size_bound q r n
         (caps q r n (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ 0))))
         n0 over

(** val check_lemma :
    follows -> code list -> code list -> witness list -> int -> int -> bool
    -> (code -> bool) -> bool -> grid -> (int vec * int vec) vec -> code vec
    -> int list -> int list -> int vec -> int vec -> fact tree_of -> lemma ->
    fact option **)

let check_lemma fw g s w huge m is_free opener is_unit tab moved vG guess_list secret_list own_guess weights0 facts l =
  let x = narrow tab l.hist secret_list in
  let n = length x in
  if Arrays.same n 0
  then None
  else let m0 = mass_of is_unit weights0 x in
       if (||)
            (Arrays.at_most l.bound
              (sub (mul (Stdlib.Int.succ (Stdlib.Int.succ 0)) m0)
                (heaviest_of is_unit weights0 x)))
            (check_few m is_unit tab own_guess weights0 l.bound m0 x)
       then Some (((x, l.hist), l.within), l.bound)
       else let (q, p) =
              scan (Arrays.sweep m tab x) l.bound (if is_unit then n else 0)
                (allowed fw is_free opener vG guess_list l.hist) 0 0 []
            in
            let (r, open0) = p in
            let sz =
              if is_unit
              then Arrays.vec_of
                     (map (fun n0 ->
                       by_size huge l.within q r n n0 (fun k -> sub n0 k))
                       (seq 0 (add (Stdlib.Int.succ 0) n)))
              else Arrays.vec_of []
            in
            let heavy = fun y ->
              by_size huge l.within q r n (length y) (over_of weights0 y)
            in
            let over =
              if is_unit then (fun k -> sub n k) else over_of weights0 x
            in
            if (||)
                 ((||)
                   (match l.within with
                    | Some k -> Arrays.below (caps q r n k) n
                    | None -> false)
                   (Arrays.at_most l.bound
                     (size_bound q r n
                       (caps q r n (Stdlib.Int.succ (Stdlib.Int.succ
                         (Stdlib.Int.succ 0)))) n over)))
                 (check_guesses fw g s w m is_free opener is_unit tab moved
                   vG guess_list weights0 facts l open0 m0
                   (floor is_unit tab sz heavy x) x)
            then Some (((x, l.hist), l.within), l.bound)
            else None

(** val check_lemmas :
    follows -> code list -> code list -> witness list -> int -> int -> bool
    -> (code -> bool) -> bool -> grid -> (int vec * int vec) vec -> code vec
    -> int list -> int list -> int vec -> int vec -> fact tree_of -> int ->
    lemma list -> fact tree_of option **)

let rec check_lemmas fw g s w huge m is_free opener is_unit tab moved vG guess_list secret_list own_guess weights0 facts number = function
| [] -> Some facts
| l :: r ->
  (match check_lemma fw g s w huge m is_free opener is_unit tab moved vG
           guess_list secret_list own_guess weights0 facts l with
   | Some f ->
     check_lemmas fw g s w huge m is_free opener is_unit tab moved vG
       guess_list secret_list own_guess weights0 (put fuel number f facts)
       (add (Stdlib.Int.succ 0) number) r
   | None -> None)

type claim = int option * int option

(** val says : int -> claim -> fact -> bool **)

let says n c = function
| (p, b) ->
  let (p0, e) = p in
  let (_, k) = p0 in
  (&&) ((&&) (match k with
              | [] -> true
              | _ :: _ -> false) (le_lim (fst c) e))
    (let (o, o0) = c in
     (match o with
      | Some k0 ->
        (match o0 with
         | Some a -> Arrays.at_most a b
         | None -> Arrays.below (mul k0 n) b)
      | None -> (match o0 with
                 | Some a -> Arrays.at_most a b
                 | None -> false)))

(** val nodupb : code list -> bool **)

let rec nodupb = function
| [] -> true
| s :: y -> (&&) (negb (has y s)) (nodupb y)

(** val most_labels : board -> int **)

let most_labels b =
  let p = b.pegs in
  add (Stdlib.Int.succ (Stdlib.Int.succ 0))
    (match b.feed with
     | Black -> p
     | Positional ->
       Nat.pow (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ 0))) p
     | Grand _ ->
       mul (mul (Stdlib.Int.succ p) (Stdlib.Int.succ p)) (Stdlib.Int.succ p)
     | _ -> add (mul p p) p)

(** val check :
    board -> witness list -> int -> lemma list -> (claim * int) list -> bool **)

let check b w huge ls cs =
  let a = score b.feed in
  let fw = next_guess b in
  let free = match b.obey with
             | Free -> true
             | _ -> false in
  let opener = match b.obey with
               | Possible -> secret b
               | _ -> (fun _ -> true)
  in
  let we = weigh b in
  let unit0 = match b.weighed with
              | [] -> true
              | _ :: _ -> false in
  let g = guesses b in
  let s = secrets b in
  let nG = length g in
  let nS = length s in
  let m = most_labels b in
  let every_guess = seq 0 nG in
  let every_secret = seq 0 nS in
  let vG = Arrays.vec_of g in
  let own_list = filter (fun i -> secret b (Arrays.get [] vG i)) every_guess
  in
  let tab = table a g s in
  (&&)
    ((&&)
      ((&&)
        ((&&) ((||) (negb (is_list b)) (nodupb g)) (forallb (is_witness b) w))
        (all2 (fun s0 i ->
          (&&) (Arrays.below i nG) (eqb (Arrays.get [] vG i) s0)) s own_list))
      (forallb (fun g0 ->
        let r = Arrays.row_at tab g0 in
        forallb (fun s0 -> Arrays.below (Arrays.at_row r s0) m) every_secret)
        every_guess))
    (match every_image g s w with
     | Some l ->
       (match check_lemmas fw g s w huge m free opener unit0 tab
                (Arrays.vec_of l) vG every_guess every_secret
                (Arrays.vec_of own_list) (Arrays.vec_of (map (weigh b) s))
                Leaf 0 ls with
        | Some facts ->
          let n = mass we s in
          forallb (fun c ->
            match look fuel (snd c) facts with
            | Some f -> says n (fst c) f
            | None -> false) cs
        | None -> false)
     | None -> false)
