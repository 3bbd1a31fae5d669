(* Reads an explicit certificate, numbers apart by spaces, from standard input, and asks the proven checker. Nothing here is
   proven. 0 stands for nothing where nothing may stand, and n + 1 for n. What was read of the board and the claims is said. *)
let version = "entropeg-checker 4"
let refuse why = Printf.printf "%s: unreadable: %s\n" version why; exit 3
let most = 1 lsl 40
let no_number () = refuse "it ends too early, or has something that is no number"
let rec number_from n = match input_char stdin with
  | '0' .. '9' as digit ->
    let n = 10 * n + Char.code digit - 48 in
    if n > most then refuse "a number above 2^40" else number_from n
  | ' ' | '\n' -> n
  | _ -> no_number ()
  | exception End_of_file -> n
let rec any_number () = match input_char stdin with
  | ' ' | '\n' -> any_number ()
  | '0' .. '9' as digit -> number_from (Char.code digit - 48)
  | _ -> no_number ()
  | exception End_of_file -> no_number ()
let () =
  Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 20 };
  try
    let said = Buffer.create 200 and saying = ref true in
    let number () =
      let n = any_number () in
      if !saying then Buffer.add_string said (" " ^ string_of_int n);
      n in
    let below m = let n = number () in if n >= m then refuse "a number that is too large for its place" else n in
    let list n read = let rec more n found = if n = 0 then List.rev found else let one = read () in more (n - 1) (one :: found) in more n [] in
    let many read = list (number ()) read in
    let flag () = below 2 = 1 in
    let maybe read = let n = read () in if n = 0 then None else Some (n - 1) in
    let pegs = below 21 in
    let colors = below 256 in
    let feed = match below 5, below 256 with
      | 0, _ -> Checker.Standard | 1, _ -> Black | 2, _ -> Membership | 3, _ -> Positional
      | _, k -> if k = 0 then refuse "no shapes" else Grand k in
    let repeats = flag () in let guess_repeats = flag () in let blanks = flag () in let guess_blanks = flag () in
    let symbols = colors + if guess_blanks then 1 else 0 in
    let rec codes n left = if n > 1 lsl 24 then refuse "a board that is too large" else if left > 0 then codes (n * symbols) (left - 1) in
    let word () = list pegs number in
    let words = many word in let probes = many word in
    if words = [] then codes 1 pegs;
    let obey = match below 3 with 0 -> Checker.Free | 1 -> Possible | _ -> Hard in
    let weighed = many (fun () -> let code = word () in let weight = number () in (code, weight)) in
    let board = { Checker.pegs; colors; feed; repeats; guess_repeats; blanks; guess_blanks; words; probes; obey; weighed } in
    let claims = many (fun () -> let d = maybe number in let b = maybe number in (d, b)) in
    saying := false;
    let rests = List.map (fun claim -> (claim, number ())) claims in
    let witnesses = many (fun () -> list pegs (fun () -> let old = number () in let names = list symbols number in (old, names))) in
    let lemma () =
      let pair read () = let n = number () in let other = read () in (n, other) in
      let hist = many (pair number) in
      let within = maybe (fun () -> below 100_000) in
      let bound = number () in
      let kept = many number in
      let ents = many (pair (fun () -> many (pair (pair (fun () -> maybe number))))) in
      let orbs = many (pair (fun () -> many number)) in
      { Checker.hist; within; bound; kept; ents; orbs } in
    let lemmas = many lemma in
    let good = Checker.check board witnesses most lemmas rests in
    Printf.printf "%s: %s:%s\n" version (if good then "accepted" else "refused") (Buffer.contents said);
    exit (if good then 0 else 1)
  with Failure why -> refuse why
     | Stack_overflow | Out_of_memory | Invalid_argument _ -> refuse "it takes more memory than there is"
