"""Games of a codebreaker against a codemaker, to be looked at turn by turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from entropeg.rules import Rules
from entropeg.web import gate
from entropeg.web.errors import field
from entropeg.web.values import code_data, feedback_data

if TYPE_CHECKING:
    from entropeg.experiments.watched import WatchedTurn


def watch(data: dict[str, Any]) -> dict[str, Any]:
    """Return the game of `codebreaker` and `codemaker` on `rules` with a `seed` (None: one is drawn).

    With a `secret` the codemaker is honest and keeps it. `steps`: at most so many turns. The game takes about `seconds`
    at most, and what its answers would have left as many.
    """
    from entropeg.codemakers.honest import Honest
    from entropeg.experiments.watched import watch as watched

    rules = Rules.parse(data["rules"], files=False)
    codebreaker, codemaker = gate.codebreaker_of(data["codebreaker"]), gate.codemaker_of(data["codemaker"])
    if data["secret"] is not None:
        gate.code_of(data["secret"], rules, "secret", secret=True)
        codemaker = Honest(data["secret"])
    with field("codebreaker"):
        game = watched(codebreaker, codemaker, rules, data["seed"], turns=data["steps"], seconds=data["seconds"])
    return {
        "rules": str(rules),
        "codebreaker": game.codebreaker,
        "codemaker": game.codemaker,
        "seed": game.seed,
        "secret": None if game.secret is None else code_data(game.secret, rules),
        "turns": [_turn_data(turn, rules) for turn in game.turns],
        "state": game.state,
        "cut": game.is_cut,
    }


def _turn_data(turn: WatchedTurn, rules: Rules) -> dict[str, Any]:
    guess, answer = turn.turn
    return {
        "guess": code_data(guess, rules)["text"],
        "pegs": list(guess),
        "feedback": feedback_data(answer, rules, guess),
        "before": turn.before,
        "after": turn.after,
        "sample": turn.sample,
        "chance": turn.chance,
        "parts": [
            {"feedback": feedback_data(each, rules, guess), "size": size, "chance": chance, "hit": each == answer}
            for each, size, chance in turn.parts
        ],
        "says": turn.in_words(rules),
    }
