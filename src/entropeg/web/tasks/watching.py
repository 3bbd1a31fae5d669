"""Games of a codebreaker against a codemaker, to be looked at turn by turn."""

from __future__ import annotations

from typing import Any

from entropeg.codemakers.honest import Honest
from entropeg.experiments import watched
from entropeg.rules import Rules
from entropeg.web import inputs
from entropeg.web.refusals import field


def watch(data: dict[str, Any]) -> dict[str, Any]:
    """Tell the `WatchedGame` of `codebreaker` and `codemaker` on `rules` with a `seed` (None: one is drawn).

    With a `secret` the codemaker is honest and keeps it. `steps`: the most turns. The game takes about `seconds`
    at most, and what its answers would have left as many.
    """
    rules = Rules.parse(data["rules"], files=False)
    codebreaker, codemaker = inputs.codebreaker_of(data["codebreaker"]), inputs.codemaker_of(data["codemaker"])
    if data["secret"] is not None:
        inputs.code_of(data["secret"], rules, "secret", secret=True)
        codemaker = Honest(data["secret"])
    with field("codebreaker"):
        game = watched.watch(codebreaker, codemaker, rules, data["seed"], turns=data["steps"], seconds=data["seconds"])
    return game.to_json()
