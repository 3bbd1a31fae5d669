(* Reads an explicit certificate, numbers apart by spaces, from standard input, and asks the proven checker. Nothing here is
   proven. 0 stands for nothing where nothing may stand, and n + 1 for n. What was read of the board and the claims is said. *)
let version = "entropeg-checker 1"
let refuse why = Printf.printf "%s: unreadable: %s\n" version why; exit 3
let () =
  try
    let input = Scanf.Scanning.stdin and most = 1 lsl 40 in
    let said = Buffer.create 200 and saying = ref true in
    let number () = Scanf.bscanf input " %d" (fun n ->
      if n < 0 || n > most then refuse "a number below 0, or above 2^40" else
      (if !saying then Buffer.add_string said (" " ^ string_of_int n); n)) in
    let below m = let n = number () in if n >= m then refuse "a number that is too large for its place" else n in
    let rec more n read = if n = 0 then [] else let one = read () in one :: more (n - 1) read in
    let many read = more (number ()) read in
    let list n read = more n read in
    let flag () = below 2 = 1 in
    let maybe read = let n = read () in if n = 0 then None else Some (n - 1) in
    let pegs = below 21 in
    let colors = below 256 in
    let feed = match below 5, below 256 with
      | 0, _ -> Checker.Standard | 1, _ -> Black | 2, _ -> Membership | 3, _ -> Positional
      | _, k -> if k = 0 then refuse "no shapes" else Grand k in
    let repeats = flag () in let guess_repeats = flag () in let blanks = flag () in let guess_blanks = flag () in
    let word () = list pegs number in
    let words = many word in let probes = many word in
    let board = { Checker.pegs; colors; feed; repeats; guess_repeats; blanks; guess_blanks; words; probes } in
    let claims = many (fun () -> let d = maybe number in let b = maybe number in (d, b)) in
    saying := false;
    let codes = Array.of_list (Checker.guesses board) in
    let code () = codes.(below (Array.length codes)) in
    let symbols = colors + if guess_blanks then 1 else 0 in
    let witnesses = many (fun () -> list pegs (fun () -> let old = number () in let names = list symbols number in (old, names))) in
    let lemma () =
      let hist = many (fun () -> let g = code () in let l = number () in (g, l)) in
      let within = maybe (fun () -> below 100_000) in
      let bound = number () in
      let kept = many number in
      let ents = many (fun () -> let g = code () in
        (g, many (fun () -> let l = number () in let back = number () in let w = maybe number in (l, (back, w))))) in
      let orbs = many (fun () -> let m = number () in (m, many code)) in
      { Checker.hist; within; bound; kept; ents; orbs } in
    let lemmas = many lemma in
    let good = Checker.check board witnesses most lemmas claims in
    Printf.printf "%s: %s:%s\n" version (if good then "accepted" else "refused") (Buffer.contents said);
    exit (if good then 0 else 1)
  with Scanf.Scan_failure _ | Failure _ | End_of_file -> refuse "it ends too early, or has something that is no number"
     | Stack_overflow | Out_of_memory -> refuse "it takes more memory than there is"
