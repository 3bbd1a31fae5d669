(* What stands for definitions of Coq in the extracted program (formal/Extract.v), trusted as the extraction itself is. *)

(* numbers of Coq's library, from 0 on *)
let minus (n : int) m = if n < m then 0 else n - m
let pred n = minus n 1
let at_most (n : int) m = n <= m
let below (n : int) m = n < m
let same (n : int) m = n = m
let max (n : int) m = if n < m then m else n
let min (n : int) m = if n < m then n else m
let div n m = if m = 0 then 0 else n / m
let modulo n m = if m = 0 then n else n mod m

(* of formal/Arrays.v: there of lists, here of arrays *)
type 'a vec = 'a array
let vec_of = Array.of_list
let get none v i = if i < Array.length v then Array.unsafe_get v i else none

(* a label takes two bytes; greater ones end the check *)
type row = Bytes.t
let row_of labels =
  let row = Bytes.create (2 * List.length labels) in
  List.iteri (fun i label -> if label > 0xffff then failwith "a label above 65,535" else Bytes.set_uint16_ne row (2 * i) label) labels;
  row
let at_row row i = if 2 * i < Bytes.length row then Bytes.get_uint16_ne row (2 * i) else 0

(* one array is used again and again, and is left full of zeros *)
let counts = ref [||]
let tally m row codes =
  if Array.length !counts < m then counts := Array.make m 0;
  let counts = !counts in
  let rec count = function
    | [] -> ()
    | code :: rest ->
      let label = at_row row code in
      if label < m then Array.unsafe_set counts label (1 + Array.unsafe_get counts label);
      count rest in
  count codes;
  let rec pairs label found =
    if label < 0 then found else
    let n = Array.unsafe_get counts label in
    if n = 0 then pairs (label - 1) found else (Array.unsafe_set counts label 0; pairs (label - 1) ((label, n) :: found)) in
  pairs (m - 1) []

(* all guesses at once, secret by secret, as the labels of one secret lie side by side; more than 62 labels row by row *)
type grid = { rows : row array; columns : row array Lazy.t }
let grid_of rows =
  let rows = Array.of_list rows in
  let width = Array.fold_left (fun n row -> if Bytes.length row / 2 > n then Bytes.length row / 2 else n) 0 rows in
  let column secret = row_of (List.map (fun row -> at_row row secret) (Array.to_list rows)) in
  { rows; columns = lazy (Array.init width column) }
let row_at grid guess = get (row_of []) grid.rows guess
let kinds m row codes =
  let pairs = tally m row codes in
  2 * List.length (List.filter (fun (label, _) -> label > 0) pairs) + if List.mem_assoc 0 pairs then 1 else 0
let rec ones n bits = if bits = 0 then n else ones (n + 1) (bits land (bits - 1))
let sweep m grid codes =
  let columns = Lazy.force grid.columns and guesses = Array.length grid.rows in
  if m > 62 || List.exists (fun code -> code >= Array.length columns) codes then Array.map (fun row -> kinds m row codes) grid.rows
  else begin
    let seen = Array.make guesses 0 in
    List.iter (fun code ->
      let column = columns.(code) in
      for guess = 0 to guesses - 1 do
        let label = Bytes.get_uint16_ne column (2 * guess) in
        if label < m then Array.unsafe_set seen guess (Array.unsafe_get seen guess lor (1 lsl label))
      done) codes;
    for guess = 0 to guesses - 1 do
      let bits = Array.unsafe_get seen guess in
      Array.unsafe_set seen guess (2 * ones 0 (bits lsr 1) + bits land 1)
    done;
    seen
  end
