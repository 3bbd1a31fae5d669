"""The environment of one game: guesses go in, rows of answers and a reward come out."""

from __future__ import annotations

from collections.abc import Collection
from math import log2
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from numpy.typing import NDArray

from entropeg import arguments
from entropeg.agents.contract import Array, Contract
from entropeg.agents.losses import ExactLosses
from entropeg.codes import check_code
from entropeg.errors import InputError
from entropeg.feedback import AnyFeedback, Code, score_trusted
from entropeg.kinds.answers import NamedAnswer
from entropeg.kinds.marks import Marks
from entropeg.position import Position
from entropeg.registry import choice
from entropeg.rules import Rules
from entropeg.svg.palette import BLANK, peg_color

Stepped: TypeAlias = tuple[dict[str, Any], float, bool, bool, dict[str, Any]]


CELL = 16
"""Pixels of a peg, each way; a mark takes half of them."""
MOST_CELLS = 4_000
"""Pegs that are drawn: of larger boards the last rows."""

PAPER, HOLE, BLACK, WHITE, BLUE = (245, 245, 240), (215, 215, 205), (20, 20, 20), (255, 255, 255), (87, 144, 252)


def pixels(position: Position, rows: int) -> NDArray[np.uint8]:
    """Return `uint8[16 * rows, 16 * pegs + 8 * marks + 24, 3]`: a row for each turn, the marks beside the pegs."""
    rules = position.rules
    pegs, marks = rules.pegs, max(rules.pegs, 1)
    shown = max(1, min(rows, MOST_CELLS // pegs))
    picture = np.full((CELL * shown, CELL * (pegs + 1) + CELL // 2 * (marks + 1), 3), PAPER, np.uint8)
    disc = _disc(CELL)
    small, turns = _disc(CELL // 2), position.turns[-shown:]
    for row in range(shown):
        top = row * CELL
        for peg in range(pegs):
            color = HOLE if row >= len(turns) else _color(turns[row].guess[peg], position)
            picture[top : top + CELL, peg * CELL : (peg + 1) * CELL][disc] = color
        for at, color in enumerate(_marks(turns[row].feedback) if row < len(turns) else []):
            left = CELL * (pegs + 1) + at * CELL // 2
            picture[top + CELL // 4 : top + CELL * 3 // 4, left : left + CELL // 2][small] = color
    return picture


def _color(color: int, position: Position) -> tuple[int, int, int]:
    return BLANK if color >= position.rules.colors else peg_color(color, position.rules)


def _marks(answer: AnyFeedback) -> list[tuple[int, int, int]]:
    if isinstance(answer, Marks):
        return [(HOLE, WHITE, BLACK)[mark] for mark in answer]
    if isinstance(answer, NamedAnswer):  # the label, in twos
        return [BLACK if answer[0] >> bit & 1 else HOLE for bit in range(answer[0].bit_length())]
    return [color for number, color in zip(answer, (BLACK, WHITE, BLUE), strict=False) for _ in range(number)]


def _disc(size: int) -> NDArray[np.bool_]:
    at = np.arange(size) - (size - 1) / 2
    return at[:, None] ** 2 + at**2 <= (size / 2 - 0.75) ** 2


class MastermindEnv(gymnasium.Env[dict[str, Any], Any]):
    """One game against an honest codemaker, whose secrets are all alike, or drawn by the prior of the rules.

    `rules`: any, as such or as text. A limit of theirs loses the game; without one it is cut off (truncated) after
    `turns` guesses, 12 unless said otherwise. Actions are the numbers of guesses, in lexicographic order, to 100,000
    of them, else a color for each peg. Observed are `guesses`, `feedback` and `turn`, and what `observe` names:
    `action_mask` (actions that may be the secret), `marginals` (how likely each color is at each peg), `codes_left`.

    `reward`: `steps` (-1 a guess), `win` (1 for the secret), `bits` (what the answer told), `potential` (steps, and
    what the answer told in units of the most that one can tell, so that the best policy stays the same: Ng, Harada and
    Russell 1999), or `loss` (minus the exact loss of the guess; the sum over a game is 0 for the best play alone).

    `invalid` says what becomes of a guess that the rules forbid: `penalty` (it is not counted and costs `penalty`),
    `counted` (it takes a turn without an answer), `ended` (it costs `penalty` and ends the game). With
    `reset(options={"secret": "ABCA"})` the secret is given. Raises InputError for what cannot be.

    >>> env = MastermindEnv("4x6", reward="loss")
    >>> observation, info = env.reset(options={"secret": "ABCA"})
    >>> observation, reward, *_ = env.step(0 * 216 + 0 * 36 + 1 * 6 + 1)
    >>> observation["feedback"][0].tolist(), round(reward, 4)
    ([1, 2], -0.0594)
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array", "svg"], "render_fps": 1}  # noqa: RUF012 - as Gymnasium types it

    def __init__(
        self,
        rules: Rules | str = "4x6",
        reward: str = "steps",
        *,
        turns: int | None = None,
        invalid: str = "penalty",
        penalty: float = 1.0,
        observe: Collection[str] = (),
        render_mode: str | None = None,
    ) -> None:
        """Agree on a game; nothing is drawn before `reset`."""
        if render_mode is not None:
            choice("render_mode", render_mode, tuple(self.metadata["render_modes"]))
        self.contract = Contract.of(rules, reward, turns, invalid, penalty, observe)
        self.render_mode = render_mode
        self.action_space = self.contract.action_space
        self.observation_space = self.contract.observation_space
        self.losses = ExactLosses(self.contract.rules) if reward == "loss" else None
        self.secret: Code | None = None
        self.position = Position(self.contract.rules)
        self._wasted = 0
        self._rows = self._empty()
        self._is_over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game with a secret that the generator draws, or that the options give."""
        super().reset(seed=None if seed is None else arguments.seed(int(seed)))
        given = (options or {}).get("secret")
        rules = self.contract.rules
        self.secret = self.contract.draw(self.np_random) if given is None else check_code(given, rules, secret=True)
        self.position, self._wasted, self._is_over = Position(rules), 0, False
        self._rows = self._empty()
        return self._observed(), {"is_valid": True}

    def step(self, action: Any) -> Stepped:
        """Play an action; raises InputError where no game has begun or it is over, and for what is no action."""
        contract, before, secret = self.contract, self.position, self.secret
        if self._is_over or secret is None:
            raise InputError("the game is over: reset the environment before the next guess")
        if not self.action_space.contains(action):
            raise InputError("{action!r} is no action of {space}", action, str(self.action_space))
        try:
            guess = before.check_guess(contract.code_of(action))
        except InputError:
            return self._refused(action)
        answer = score_trusted(guess, secret, contract.rules)
        self._rows[0][self._turn], self._rows[1][self._turn] = guess, tuple(answer)
        self.position = before.after_trusted(guess, answer)
        ends = self._ends(is_won=self.position.is_won)
        return self._stepped(self._reward(before, guess, is_over=ends[0]), ends)

    @property
    def _turn(self) -> int:
        return len(self.position.turns) + self._wasted

    def _refused(self, action: Any) -> Stepped:
        """Let an action that the rules forbid cost what was agreed on."""
        contract = self.contract
        if contract.invalid != "counted":
            return self._stepped(-contract.penalty, (contract.invalid == "ended", False), is_valid=False)
        if not contract.is_numbered:
            self._rows[0][self._turn] = action
        self._wasted += 1
        # A turn without an answer is a guess lost.
        reward = -1.0 if contract.reward in {"steps", "potential", "loss"} else 0.0
        return self._stepped(reward, self._ends(is_won=False), is_valid=False)

    def _ends(self, *, is_won: bool) -> tuple[bool, bool]:
        """(whether the game is won or lost, whether it is cut off)."""
        is_last, has_limit = self._turn >= self.contract.turns, self.contract.rules.guess_limit is not None
        return is_won or (is_last and has_limit), is_last and not (is_won or has_limit)

    def _stepped(self, reward: float, ends: tuple[bool, bool], *, is_valid: bool = True) -> Stepped:
        self._is_over = any(ends)
        return self._observed(), reward, *ends, {"is_valid": is_valid}

    def _reward(self, before: Position, guess: Code, *, is_over: bool) -> float:
        name, is_won = self.contract.reward, self.position.is_won
        if name == "steps":
            return -1.0
        if name == "win":
            return float(is_won)
        if self.losses is not None:
            return -self.losses.loss(before, guess)
        # A potential is 0 at the end of a game, won or lost; where it is cut off it is not.
        left = 1 if is_won or (is_over and name == "potential") else len(self.position.candidates)
        bits = log2(len(before.candidates) / left)
        return bits if name == "bits" else bits / self.contract.answers_bits - 1.0

    # ------------------------------------------------------------------ observations

    def _empty(self) -> tuple[Array, Array]:
        rules, (width, most) = self.contract.rules, self.contract.answer_shape
        kinds = (self.observation_space[name].dtype for name in ("guesses", "feedback"))  # type: ignore[index]
        shapes = ((rules.pegs, rules.symbols_in_guesses), (width, most + 1))
        guesses, feedback = (
            np.full((self.contract.turns, size), last, kind) for (size, last), kind in zip(shapes, kinds, strict=True)
        )
        return guesses, feedback

    def _observed(self) -> dict[str, Any]:
        contract, position = self.contract, self.position
        seen: dict[str, Any] = {
            "guesses": self._rows[0].copy(), "feedback": self._rows[1].copy(), "turn": np.int64(self._turn),
        }  # fmt: skip
        if "action_mask" in contract.observe:
            seen["action_mask"] = mask = np.zeros(contract.rules.guess_count, np.int8)
            mask[contract.guess_of_secret[position.candidates.ranks]] = 1
        if "marginals" in contract.observe:
            seen["marginals"] = contract.marginals(position.candidates)
        if "codes_left" in contract.observe:
            seen["codes_left"] = np.int64(len(position.candidates))
        return seen

    def render(self) -> Any:
        """Show the turns: as text, as pixels (`uint8[height, width, 3]`), or as SVG."""
        if self.render_mode == "ansi":
            return str(self.position).replace(", ", "\n")
        if self.render_mode == "svg":
            return self.position._repr_svg_()
        return None if self.render_mode is None else pixels(self.position, self.contract.turns)

    def __repr__(self) -> str:
        return f"<MastermindEnv of {self.contract.rules}, {self.contract.reward}: {self.position}>"
