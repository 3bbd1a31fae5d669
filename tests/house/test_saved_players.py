"""A file that comes from elsewhere starts no program: the players that saved games and results name."""

from __future__ import annotations

import sys
from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from entropeg import cli, codebreakers, codemakers
from entropeg.codebreakers.basic import FirstConsistent
from entropeg.engine.server import serve
from entropeg.errors import EntropegError, InputError
from entropeg.experiments.adjusted import adjusted_mean
from entropeg.experiments.runner import arena, replay
from entropeg.game import Game, save_game
from entropeg.registry import Registry, imported
from entropeg.rules import Rules
from entropeg.sessions.breaking import BreakSession
from entropeg.sessions.playing import PlaySession
from entropeg.web.runs.arenas_and_proofs import play_arena
from entropeg.web.runs.value import RunTask


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    return tmp_path / "started"


@pytest.fixture
def command(marker: Path) -> str:
    script = marker.with_name("leaves_a_mark.py")
    script.write_text(f"open({str(marker)!r}, 'w').close()\n")
    return f"cmd:{sys.executable} {script}"


def saved(role: str, player: str) -> Game:
    game = Game(Rules.parse("2x2"), (), seed=1)
    return replace(game, codebreaker=player) if role == "codebreaker" else replace(game, codemaker=player)


def resumed(role: str, player: str, *, trusts: bool = False) -> None:
    kind = PlaySession if role == "codemaker" else BreakSession
    kind.resume(saved(role, player), trusts=trusts).start()


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(cli.group, arguments, input="", prog_name="entropeg")


@pytest.mark.parametrize("role", ["codebreaker", "codemaker"])
def test_a_saved_game_starts_no_program(role: str, command: str, marker: Path) -> None:
    with pytest.raises(InputError, match=f"would run code from outside entropeg.*--{role} at the prompt"):
        resumed(role, command)

    assert not marker.exists()


@pytest.mark.parametrize("role", ["codebreaker", "codemaker"])
def test_a_trusted_game_starts_its_program(role: str, command: str, marker: Path) -> None:
    with pytest.raises(InputError, match="it ended"):
        resumed(role, command, trusts=True)

    assert marker.exists()


@pytest.mark.parametrize(("name", "role"), [("break", "codebreaker"), ("play", "codemaker")])
def test_at_the_prompt_the_same_player_must_be_named(
    name: str, role: str, command: str, marker: Path, tmp_path: Path
) -> None:
    file = tmp_path / "game.txt"
    save_game(saved(role, command), file)
    alone = typed(name, "--load", str(file))
    with_another = typed(name, "--load", str(file), f"--{role}", f"{command} -v")

    assert (2, 2) == (alone.exit_code, with_another.exit_code)
    assert "if you trust it, name the" in alone.stderr
    assert "it cannot be another" in with_another.stderr
    assert not marker.exists()
    typed(name, "--load", str(file), f"--{role}", command)
    assert marker.exists()


@pytest.mark.parametrize("role", ["codebreaker", "codemaker"])
def test_a_saved_game_runs_no_module(role: str, marker: Path) -> None:
    module = marker.with_name("player.py")
    module.write_text(f"open({str(marker)!r}, 'w').close()\ndef {role}(*_):\n    return 'AA'\n")
    with pytest.raises(InputError, match="outside entropeg"):
        resumed(role, str(module))

    assert not marker.exists()


def nested(registry: Registry[Any]) -> list[str]:
    # A command in every parameter of every player of our own that takes a text.
    return [
        f"{name}:{field.name}={{}}"
        for name, row in registry.rows.items()
        for field in fields(imported(row.target))
        if field.init and str(field.type).startswith("str")
    ]


@pytest.mark.parametrize("spec", nested(codemakers.registry))
def test_no_parameter_of_a_saved_codemaker_starts_a_program(spec: str, command: str, marker: Path) -> None:
    with pytest.raises(InputError):
        resumed("codemaker", spec.format(command))

    assert not marker.exists()


@pytest.mark.parametrize("spec", nested(codebreakers.registry))
def test_no_parameter_of_a_saved_codebreaker_starts_a_program(spec: str, command: str, marker: Path) -> None:
    with pytest.raises(InputError):
        resumed("codebreaker", spec.format(command))

    assert not marker.exists()


def test_players_in_parameters_are_found() -> None:
    find = codemakers.registry.foreign_in

    assert "cmd:x" == find("worst-case:cmd:x") == find(" worst-case : codebreaker = cmd:x ")
    assert "a/b.py" == find("worst-case:codebreaker=a/b.py") == codebreakers.registry.foreign_in("a/b.py")
    assert "cmd:x" == codebreakers.registry.foreign_in("by-turn:turns=minimax/cmd:x")
    assert "cmd:x" == find("worst-case:codebreaker=by-turn:turns=minimax/cmd:x")
    assert not any(map(find, ["honest", "cheat:first", "worst-case", "worst-case:by-turn:minimax/parts", "nobody"]))


def test_a_player_of_another_package_is_not_imported_for_a_saved_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(codebreakers.registry), "_foreign", {"theirs": None})

    with pytest.raises(InputError, match="'theirs', which would run code"):
        resumed("codebreaker", "theirs")


def test_our_own_players_go_on_without_being_named_and_may_be_named(tmp_path: Path) -> None:
    save_game(saved("codemaker", "cheat"), tmp_path / "game.txt")
    alone = typed("play", "--load", str(tmp_path / "game.txt"))
    named = typed("play", "--load", str(tmp_path / "game.txt"), "--codemaker", "cheat")

    assert (0, 0) == (alone.exit_code, named.exit_code)
    assert alone.stdout == named.stdout


def test_a_run_from_a_file_starts_no_program_unless_it_is_given(command: str, marker: Path) -> None:
    [run] = arena("memory", "honest", "2x2", games=1)
    with pytest.raises(InputError, match=r"give the codebreaker as well, as codebreaker=\.\.\."):
        replay(replace(run, codebreaker=command), 0)
    assert not marker.exists()
    with pytest.raises(InputError, match="it ended"):
        replay(replace(run, codebreaker=command), 0, codebreaker=command)

    assert marker.exists()


def test_a_mean_without_luck_starts_no_program_unless_it_is_given(command: str, marker: Path) -> None:
    [run] = arena("memory", "honest", "2x2", games=1)
    with pytest.raises(InputError, match=r"give the codebreaker as well, as codebreaker=\.\.\."):
        adjusted_mean(replace(run, codebreaker=command))
    with pytest.raises(InputError, match=r"give the codemaker as well, as codemaker=\.\.\."):
        adjusted_mean(replace(run, codemaker=command))
    assert not marker.exists()
    with pytest.raises(InputError, match="it ended"):
        adjusted_mean(replace(run, codebreaker=command), codebreaker=command)

    assert marker.exists()


class OfAnotherPackage(FirstConsistent):
    name = "packaged"


def test_a_player_that_is_typed_is_trusted_for_the_mean_without_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    point = SimpleNamespace(load=lambda: OfAnotherPackage)
    monkeypatch.setitem(vars(codebreakers.registry), "_foreign", {"packaged": point})
    told = typed("arena", "packaged", "honest", "--rules", "2x2", "--games", "3", "--adjusted", "--jobs", "1")

    assert (0, "") == (told.exit_code, told.stderr)
    assert "without luck" in told.stdout


def test_a_host_starts_no_program_in_the_engine(command: str, marker: Path) -> None:
    said = list[str]()
    lines = ["mastermind 1", f"set codebreaker {command}", "set codemaker worst-case:" + command, "quit"]
    serve(lines, said.append, "consistent", "honest")

    assert 2 == sum("would run code from outside entropeg: start the engine with it" in line for line in said)
    assert not marker.exists()


def test_a_host_may_set_the_program_that_the_engine_was_started_with(command: str, marker: Path) -> None:
    said = list[str]()
    lines = ["mastermind 1", f"set codebreaker {command}", f"set codebreaker {command} -v", f"set codemaker {command}"]
    serve(lines, said.append, command, "honest")

    assert f"option codebreaker text {command}" in said
    assert 2 == sum(line.startswith("error") for line in said)
    assert not marker.exists()
    serve([lines[1], "new codebreaker pegs=2 colors=2", "go"], said.append, command, "honest")
    assert marker.exists()


def test_a_run_of_the_page_is_checked_again_when_it_is_read(command: str, marker: Path, tmp_path: Path) -> None:
    asked = {"codebreakers": [command], "codemakers": ["honest"], "rules": "2x2", "games": 1, "seed": 1}
    request = {**asked, "all_secrets": False, "adjusted": False}
    task = RunTask("arena", request, "0123456789ab", str(tmp_path), str(tmp_path), 1, 1 << 20, 60.0)

    with pytest.raises(EntropegError, match="no codebreaker called"):
        play_arena(task, lambda _: None)
    assert not marker.exists()
