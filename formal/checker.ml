
(** val negb : bool -> bool **)

let negb = function
| true -> false
| false -> true

(** val option_map : ('a1 -> 'a2) -> 'a1 option -> 'a2 option **)

let option_map f = function
| Some a -> Some (f a)
| None -> None

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
  (** val sub : int -> int -> int **)

  let rec sub n m =
    (fun fO fS n -> if n=0 then fO () else fS (n-1))
      (fun _ -> n)
      (fun k ->
      (fun fO fS n -> if n=0 then fO () else fS (n-1))
        (fun _ -> n)
        (fun l -> sub k l)
        m)
      n

  (** val ltb : int -> int -> bool **)

  let ltb n m =
    (<=) (Stdlib.Int.succ n) m

  (** val max : int -> int -> int **)

  let rec max n m =
    (fun fO fS n -> if n=0 then fO () else fS (n-1))
      (fun _ -> m)
      (fun n' ->
      (fun fO fS n -> if n=0 then fO () else fS (n-1))
        (fun _ -> n)
        (fun m' -> Stdlib.Int.succ (max n' m'))
        m)
      n

  (** val min : int -> int -> int **)

  let rec min n m =
    (fun fO fS n -> if n=0 then fO () else fS (n-1))
      (fun _ -> 0)
      (fun n' ->
      (fun fO fS n -> if n=0 then fO () else fS (n-1))
        (fun _ -> 0)
        (fun m' -> Stdlib.Int.succ (min n' m'))
        m)
      n

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

  (** val div : int -> int -> int **)

  let div x y =
    (fun fO fS n -> if n=0 then fO () else fS (n-1))
      (fun _ -> y)
      (fun y' -> fst (divmod x y' 0 y'))
      y

  (** val modulo : int -> int -> int **)

  let modulo x y =
    (fun fO fS n -> if n=0 then fO () else fS (n-1))
      (fun _ -> x)
      (fun y' -> sub y' (snd (divmod x y' 0 y')))
      y
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

(** val combine : 'a1 list -> 'a2 list -> ('a1 * 'a2) list **)

let rec combine l l' =
  match l with
  | [] -> []
  | x :: tl ->
    (match l' with
     | [] -> []
     | y :: tl' -> (x, y) :: (combine tl tl'))

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
     | b :: s' -> (&&) ((=) a b) (eqb g' s'))

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
       add (if (=) a b then Stdlib.Int.succ 0 else 0) (blacks g' s'))

(** val remove : int -> code -> code option **)

let rec remove a = function
| [] -> None
| b :: s' ->
  if (=) a b
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
  length (filter (fun a -> existsb ((=) a) s) g)

(** val rest : code -> code -> code **)

let rec rest g s =
  match g with
  | [] -> s
  | a :: g' ->
    (match s with
     | [] -> s
     | b :: s' -> if (=) a b then rest g' s' else b :: (rest g' s'))

(** val marks : code -> code -> code -> int list **)

let rec marks g s r =
  match g with
  | [] -> []
  | a :: g' ->
    (match s with
     | [] -> []
     | b :: s' ->
       if (=) a b
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
            (if (&&) ((=) m 0)
                  ((||) ((=) (Nat.div a k) (Nat.div b k))
                    ((=) (Nat.modulo a k) (Nat.modulo b k)))
             then Stdlib.Int.succ 0
             else 0) (halves k g' s' ms')))

(** val many : int -> int list -> int **)

let many m ms =
  length (filter ((=) m) ms)

type feedback =
| Standard
| Black
| Membership
| Positional
| Grand of int

(** val score : feedback -> code -> code -> int **)

let score f g s =
  let pegs0 = length g in
  let ms = marks g s (rest g s) in
  (match f with
   | Standard -> add (mul (blacks g s) pegs0) (common g s)
   | Black -> blacks g s
   | Membership -> add (mul (blacks g s) pegs0) (members g s)
   | Positional ->
     fold_left (fun n m ->
       add (mul (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ 0))) n) m)
       ms 0
   | Grand k ->
     add
       (mul
         (add
           (mul (many (Stdlib.Int.succ (Stdlib.Int.succ 0)) ms)
             (Stdlib.Int.succ pegs0)) (many (Stdlib.Int.succ 0) ms))
         (Stdlib.Int.succ pegs0)) (halves k g s ms))

type answers = code -> code -> int

(** val answer : answers -> code -> code -> int **)

let answer answers1 =
  answers1

(** val all : int -> int -> code list **)

let rec all p c =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> [] :: [])
    (fun q -> flat_map (fun a -> map (fun x -> a :: x) (all q c)) (seq 0 c))
    p

type board = { pegs : int; colors : int; feed : feedback; repeats : bool;
               guess_repeats : bool; blanks : bool; guess_blanks : bool;
               words : code list; probes : code list }

(** val distinct : int -> code -> bool **)

let rec distinct c = function
| [] -> true
| a :: r -> (&&) ((||) ((=) a c) (negb (existsb ((=) a) r))) (distinct c r)

(** val fine : int -> bool -> bool -> code -> bool **)

let fine c twice empty s =
  (&&) ((||) twice (distinct c s)) ((||) empty (negb (existsb ((=) c) s)))

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

(** val secrets : board -> code list **)

let secrets b =
  filter (hidden b) (guesses b)

(** val dec : int option -> int option **)

let dec = function
| Some k -> Some (pred k)
| None -> None

(** val le_lim : int option -> int option -> bool **)

let le_lim d e =
  match d with
  | Some k -> (match e with
               | Some m -> (<=) k m
               | None -> true)
  | None -> (match e with
             | Some _ -> false
             | None -> true)

(** val key : answers -> code -> code -> int **)

let key a g s =
  if eqb g s then 0 else Stdlib.Int.succ (answer a g s)

(** val bump : int -> (int * int) list -> (int * int) list **)

let rec bump k = function
| [] -> (k, (Stdlib.Int.succ 0)) :: []
| p :: r ->
  let (a, n) = p in
  if (=) a k then (a, (Stdlib.Int.succ n)) :: r else (a, n) :: (bump k r)

(** val tsum : (int -> int -> int) -> (int * int) list -> int **)

let rec tsum f = function
| [] -> 0
| p :: r -> let (l, n) = p in add (if (=) l 0 then 0 else f l n) (tsum f r)

(** val own : (int * int) list -> bool **)

let own t =
  existsb (fun p -> (=) (fst p) 0) t

(** val others : (int * int) list -> int **)

let others t =
  tsum (fun _ _ -> Stdlib.Int.succ 0) t

(** val next : int -> int -> int -> int -> int **)

let next q r top c =
  Nat.min top (Nat.max (add (Stdlib.Int.succ 0) (mul q c)) (mul r c))

(** val caps : int -> int -> int -> int -> int **)

let rec caps q r top d =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> 0)
    (fun e -> next q r top (caps q r top e))
    d

(** val tail : int -> int -> int -> int -> int -> int -> int **)

let rec tail q r top f cap x =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> 0)
    (fun f' ->
    if (<=) x cap
    then 0
    else add (sub x cap) (tail q r top f' (next q r top cap) x))
    f

(** val size_bound : int -> int -> int -> int -> int -> int **)

let size_bound q r top third x =
  add
    (Nat.min
      (add
        (sub (mul (Stdlib.Int.succ (Stdlib.Int.succ 0)) x) (Stdlib.Int.succ
          0)) (sub (sub x (Stdlib.Int.succ 0)) q))
      (add (mul (Stdlib.Int.succ (Stdlib.Int.succ 0)) x) (sub x r)))
    (tail q r top x third x)

(** val useless : (int * int) list -> bool **)

let useless = function
| [] -> false
| p :: l0 ->
  let (l, _) = p in (match l0 with
                     | [] -> negb ((=) l 0)
                     | _ :: _ -> false)

type witness = (int * int list) list

(** val act : witness -> code -> code **)

let act m g =
  map (fun x -> nth (nth (fst x) g 0) (snd x) 0) m

(** val nodupn : int list -> bool **)

let rec nodupn = function
| [] -> true
| a :: r -> (&&) (negb (existsb ((=) a) r)) (nodupn r)

(** val is_perm : int -> int list -> bool **)

let is_perm n l =
  (&&) ((&&) ((=) (length l) n) (forallb (fun a -> Nat.ltb a n) l)) (nodupn l)

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
  (match find (fun x -> (=) (fst x) k) seen with
   | Some x -> (&&) ((=) (snd x) v) (functional seen r)
   | None -> functional ((k, v) :: seen) r)

(** val answers0 : board -> answers **)

let answers0 b =
  score b.feed

(** val tried : board -> witness -> bool **)

let tried b m =
  let x = map (fun s -> (s, (act m s))) (secrets b) in
  forallb (fun g ->
    let g' = act m g in
    functional []
      (map (fun x0 -> ((answer (answers0 b) g (fst x0)),
        (answer (answers0 b) g' (snd x0)))) x)) (guesses b)

(** val is_witness : board -> witness -> bool **)

let is_witness b m =
  (&&)
    ((&&) ((&&) (negb (is_list b)) (perms b.pegs (symbols b) m))
      (forallb (fun g ->
        fine b.colors b.guess_repeats b.guess_blanks (act m g)) (guesses b)))
    (match b.feed with
     | Standard -> uniform m
     | Black -> true
     | _ -> tried b m)

type lemma = { hist : (code * int) list; within : int option; bound : 
               int; kept : int list;
               ents : (code * (int * (int * int option)) list) list;
               orbs : (int * code list) list }

type fact = (code list * int option) * int

type column_set = (code * int list) list

(** val map2 : ('a1 -> 'a2 -> 'a3) -> 'a1 list -> 'a2 list -> 'a3 list **)

let rec map2 f l m =
  match l with
  | [] -> []
  | a :: l' -> (match m with
                | [] -> []
                | b :: m' -> (f a b) :: (map2 f l' m'))

(** val maxl : int list -> int **)

let maxl l =
  fold_right Nat.max 0 l

(** val table : answers -> code list -> code list -> column_set **)

let table a g s =
  map (fun s0 -> (s0, (map (fun g0 -> key a g0 s0) g))) s

(** val fits : answers -> (code * int) list -> code -> bool **)

let fits a h s =
  forallb (fun x -> (=) (key a (fst x) s) (snd x)) h

(** val tallies : code list -> column_set -> (int * int) list list **)

let tallies g x =
  fold_right (fun x0 t -> map2 bump (snd x0) t) (map (fun _ -> []) g) x

(** val renamed_by : witness list -> int option -> (code -> code) option **)

let renamed_by w = function
| Some i -> option_map act (nth_error w i)
| None -> Some (fun s -> s)

(** val inside :
    answers -> (code -> bool) -> (code * int) list -> code -> bool **)

let inside a is_secret h s =
  (&&) (is_secret s) (fits a h s)

(** val named_bound :
    answers -> (code -> bool) -> witness list -> fact list -> (code * int)
    list -> int option -> int -> int option -> int **)

let named_bound a is_secret w facts h d i w0 =
  match nth_error facts i with
  | Some f0 ->
    let (p, b) = f0 in
    let (y, e) = p in
    (match renamed_by w w0 with
     | Some f ->
       if (&&) (le_lim d e) (forallb (fun s -> inside a is_secret h (f s)) y)
       then b
       else 0
     | None -> 0)
  | None -> 0

(** val part_bound :
    answers -> (code -> bool) -> witness list -> fact list -> (code * int)
    list -> int option -> code -> (int * (int * int option)) list -> (int ->
    int) -> int -> int -> int **)

let part_bound a is_secret w facts h d g rs sz l n =
  match find (fun x -> (=) (fst x) l) rs with
  | Some x ->
    Nat.max (sz n)
      (named_bound a is_secret w facts ((g, l) :: h) d (fst (snd x))
        (snd (snd x)))
  | None -> sz n

(** val orbits :
    witness list -> code list -> (int * code list) list -> code list option **)

let rec orbits ms r = function
| [] -> Some r
| p :: r0 ->
  let (i, gs) = p in
  (match nth_error ms i with
   | Some m ->
     if forallb (has r) gs
     then orbits ms (app (map (act m) gs) r) r0
     else None
   | None -> None)

(** val keep :
    answers -> (code -> bool) -> witness list -> (code * int) list -> code
    list -> int list -> witness list option **)

let rec keep a is_secret w h x = function
| [] -> Some []
| i :: r ->
  (match nth_error w i with
   | Some m ->
     (match keep a is_secret w h x r with
      | Some ms ->
        if forallb (fun s -> inside a is_secret h (act m s)) x
        then Some (m :: ms)
        else None
      | None -> None)
   | None -> None)

(** val check_guesses :
    answers -> (code -> bool) -> witness list -> fact list -> lemma ->
    (code * (int * int) list) list -> int -> (int -> int) -> code list -> bool **)

let check_guesses a is_secret w facts l t n sz x =
  let after = dec l.within in
  (&&)
    (forallb (fun e ->
      match find (fun x0 -> eqb (fst x0) (fst e)) t with
      | Some p ->
        let (g, t0) = p in
        (<=) l.bound
          (add n
            (tsum (part_bound a is_secret w facts l.hist after g (snd e) sz)
              t0))
      | None -> false) l.ents)
    (match keep a is_secret w l.hist x l.kept with
     | Some ms ->
       (match orbits ms (map fst l.ents) l.orbs with
        | Some r ->
          forallb (fun x0 ->
            (||)
              ((||) (useless (snd x0))
                ((<=) l.bound (add n (tsum (fun _ -> sz) (snd x0)))))
              (has r (fst x0))) t
        | None -> false)
     | None -> false)

(** val check_lemma :
    answers -> code list -> (code -> bool) -> witness list -> int ->
    column_set -> fact list -> lemma -> fact option **)

let check_lemma a g is_secret w huge tab facts l =
  let c = filter (fun x -> fits a l.hist (fst x)) tab in
  let x = map fst c in
  let n = length x in
  if (=) n 0
  then None
  else if (<=) l.bound
            (sub (mul (Stdlib.Int.succ (Stdlib.Int.succ 0)) n)
              (Stdlib.Int.succ 0))
       then Some ((x, l.within), l.bound)
       else let t = combine g (tallies g c) in
            let q =
              maxl
                (map (fun x0 -> if own (snd x0) then others (snd x0) else 0)
                  t)
            in
            let r =
              maxl
                (map (fun x0 -> if own (snd x0) then 0 else others (snd x0))
                  t)
            in
            let third =
              caps q r n (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
                0)))
            in
            let sz =
              match l.within with
              | Some k ->
                let most = caps q r n (pred k) in
                (fun n0 ->
                if Nat.ltb most n0 then huge else size_bound q r n third n0)
              | None -> size_bound q r n third
            in
            if (||)
                 ((||)
                   (match l.within with
                    | Some k -> Nat.ltb (caps q r n k) n
                    | None -> false)
                   ((<=) l.bound (size_bound q r n third n)))
                 (check_guesses a is_secret w facts l t n sz x)
            then Some ((x, l.within), l.bound)
            else None

(** val check_lemmas :
    answers -> code list -> (code -> bool) -> witness list -> int ->
    column_set -> fact list -> lemma list -> fact list option **)

let rec check_lemmas a g is_secret w huge tab facts = function
| [] -> Some facts
| l :: r ->
  (match check_lemma a g is_secret w huge tab facts l with
   | Some f -> check_lemmas a g is_secret w huge tab (f :: facts) r
   | None -> None)

type claim = int option * int option

(** val says : int -> claim -> fact -> bool **)

let says n c = function
| (p, b) ->
  let (_, e) = p in
  (&&) (le_lim (fst c) e)
    (let (o, o0) = c in
     (match o with
      | Some k ->
        (match o0 with
         | Some a -> (<=) a b
         | None -> Nat.ltb (mul k n) b)
      | None -> (match o0 with
                 | Some a -> (<=) a b
                 | None -> false)))

(** val nodupb : code list -> bool **)

let rec nodupb = function
| [] -> true
| s :: y -> (&&) (negb (has y s)) (nodupb y)

(** val check :
    board -> witness list -> int -> lemma list -> claim list -> bool **)

let check b w huge ls cs =
  let a = score b.feed in
  let g = guesses b in
  let s = secrets b in
  (&&) ((&&) ((||) (negb (is_list b)) (nodupb g)) (forallb (is_witness b) w))
    (match check_lemmas a g (hidden b) w huge (table a g s) [] ls with
     | Some facts -> forallb (fun c -> existsb (says (length s) c) facts) cs
     | None -> false)
