"""A codebreaker that speaks the protocol and asks a language model for each guess.

    python language_model.py COMMAND ...

COMMAND is any program that reads a question on its standard input and prints an answer: a local model, or a few lines
that ask a service. The last code that stands in the answer is played. Where there is none the model is asked again, up to
three times; then the program says so and ends, and the host sets it aside.
"""

import re
import subprocess
import sys

TRIES = 3


def question(rules, turns, complaint):
    """Return what the model is asked: the rules, the turns so far, and what was wrong with its last answer."""
    letters = ", ".join(chr(65 + color) for color in range(rules["colors"]))
    repeats = "No letter occurs twice." if rules["repeats"] == "no" else "Letters may repeat."
    lines = [
        f"You break a code of {rules['pegs']} letters, each one of {letters}. {repeats}",
        "After each guess you are told: black = letters in the right place; white = right letters in a wrong place.",
        *(f"{guess}: {black} black, {white} white" for guess, black, white in turns),
        complaint,
        f"Say your next guess: {rules['pegs']} letters in the last line, and nothing after them.",
    ]
    return "\n".join(filter(None, lines))


def code_in(answer, rules):
    """Return the last code that stands in an answer, or None."""
    last = chr(64 + rules["colors"])
    found = re.findall(rf"(?<![A-Za-z])[A-{last}]{{{rules['pegs']}}}(?![A-Za-z])", answer.upper())
    return found[-1] if found else None


def guess(command, rules, turns):
    """Ask until the answer holds a code."""
    complaint = ""
    for _ in range(TRIES):
        asked = question(rules, turns, complaint)
        answer = subprocess.run(command, input=asked, capture_output=True, text=True, check=False).stdout
        if code := code_in(answer, rules):
            return code
        complaint = f"Your last answer held no code of {rules['pegs']} such letters."
    sys.exit(f"no code in {TRIES} answers; the last was: {answer.strip()[-200:]!r}")


def main(command):
    """Speak the protocol until the host says quit."""
    rules, turns = {}, []
    for line in sys.stdin:
        words = line.split() or [""]
        if words[0] == "mastermind":
            print("name language model\nrole codebreaker\nready", flush=True)
        elif words[0] == "new":
            given = dict(word.split("=", 1) for word in words[2:])
            rules, turns = given | {"pegs": int(given["pegs"]), "colors": int(given["colors"])}, []
        elif words[0] == "turn":
            played, marks = (part.split() for part in line[4:].split(":"))
            turns.append(("".join(chr(65 + int(color)) for color in played), *marks))
        elif words[0] == "go" and (rules["colors"] > 26 or rules["feedback"] != "standard"):
            print("error this program plays black and white marks, with at most 26 colors", flush=True)
        elif words[0] == "go":
            print("guess", *(ord(letter) - 65 for letter in guess(command, rules, turns)), flush=True)
        elif words[0] == "quit":
            break


if __name__ == "__main__":
    main(sys.argv[1:])
