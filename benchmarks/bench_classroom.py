"""What it costs to run modules of a course in processes of their own, and whether planted faults are all found.

And a tournament of a class: projects that evaluate, draw and cheat each in its own way (tests/a_class.py). And the
check of a class, half of it right and written so, half with a planted fault each; then once more, from what was kept.

python benchmarks/bench_classroom.py [GAMES [PROJECTS]]: 1000 games and 100 projects unless said otherwise;
--brief: 100 and 6; --class N: the check of a class of N projects alone.
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from machine import machine

from a_class import write_class
from entropeg import codebreakers, codemakers
from entropeg.classroom.players import close_all
from entropeg.classroom.process import Limits
from entropeg.classroom.project import check_project
from entropeg.classroom.series import play_series
from entropeg.classroom.tournament.playing import play_tournament
from entropeg.classroom.whole_class.checking import ClassMember, check_class
from entropeg.rules import Rules
from planted import EXAMPLES, PLANTS, Plant, plant

RULES = Rules.parse("4x8/course")


def overhead(number: int, maker: str, games: int) -> None:
    breaker = codebreakers.get(str(EXAMPLES / f"codebreaker{number}.py"))
    play_series(breaker, codemakers.get(maker), RULES, 2)  # starts the process, compiles the kernels
    series = play_series(breaker, codemakers.get(maker), RULES, games, seed=1)
    turns, ours = sum(series.guesses), series.seconds - series.busy
    print(
        f"codebreaker{number} against {maker}: {games} games, {turns} turns, mean {turns / games:.2f}; the module "
        f"{series.busy:.2f} s, we {ours:.2f} s: {100 * ours / series.busy:.1f} %, {1e6 * ours / turns:.1f} µs a turn"
    )


def planted(projects: int) -> None:
    chance, missed, began = random.Random(0), [], perf_counter()
    limits = Limits(turn_seconds=1.0, game_seconds=20.0, memory=512)
    others = ("codebreaker0.py", "codebreaker2.py", "codemaker1.py", "codemaker2.py")
    with tempfile.TemporaryDirectory() as folder:
        for number in range(projects):
            fault = chance.choice(PLANTS)
            project = plant(fault, Path(folder) / f"project{number}", others=tuple(chance.sample(others, 2)))
            found = check_project(project, games=10, seconds=3, limits=limits, seed=number)
            kinds = [(each.file, each.kind) for each in found.wrong]
            if kinds != [(fault.file, fault.kind)]:
                missed.append(f"{fault.name}: {kinds}")
    seconds = perf_counter() - began
    print(
        f"{projects} projects, one of {len(PLANTS)} faults in each: {projects - len(missed)} found and named, alone, "
        f"in {seconds:.0f} s"
    )
    print("\n".join(missed))


def tournament(projects: int, games: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_class(Path(folder), projects)
        before, began = processor_seconds(), perf_counter()
        only = ("codebreaker2", "codemaker1", "codemaker2")
        found = play_tournament([folder], RULES, games=games, seconds=1000, only=only)
        close_all()
        wrong = sum(len(series.faults) for series in found.series)
        print(
            f"a tournament of {projects} projects: {len(found.series)} pairs, {found.played:,} games, {wrong} of them "
            f"wrong; {processor_seconds() - before:.0f} s of processor time in {perf_counter() - began:.0f} s"
        )


def check_of_a_class(projects: int) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder, keep = Path(place) / "class", Path(place) / "class.check"
        right = {each.name for each in write_class(folder, projects // 2)}
        chance, faults = random.Random(0), dict[str, Plant]()
        every = tuple(sorted(file.name for file in EXAMPLES.glob("*.py")))
        for number in range(projects - len(right)):
            fault = chance.choice(PLANTS)
            plant(fault, folder / f"planted_{number:02}", others=every)
            faults[f"planted_{number:02}"] = fault
        members = list[ClassMember]()
        for again in ("", ", again"):
            before, began = processor_seconds(), perf_counter()
            checked = check_class([folder], keep=keep)
            members = checked.members
            close_all()
            print(
                f"a check of {len(checked.members)} projects{again}: {processor_seconds() - before:.0f} s of processor "
                f"time in {perf_counter() - began:.0f} s; {len(checked.known)} of them were kept"
            )
        for member in members:
            assert member.project is not None
            found = [(each.file, each.kind) for each in member.project.wrong]
            planted = faults.get(member.label)
            if found != ([] if planted is None else [(planted.file, planted.kind)]):
                print(f"{member.label}: {found} instead of {planted}")


def processor_seconds() -> float:
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in usage)


def main() -> None:
    if "--class" in sys.argv:
        print(machine())
        check_of_a_class(int(sys.argv[sys.argv.index("--class") + 1]))
        return
    numbers = [100, 6] if "--brief" in sys.argv else [int(argument) for argument in sys.argv[1:]]
    games, projects = (*numbers, *(1000, 100)[len(numbers) :])
    print(machine())
    print("asked: under 20 % of the module's time, under 50 µs a turn; every planted fault found and named, alone")
    overhead(2, "honest", games)
    overhead(1, "honest", max(1, games // 20))
    overhead(2, "cheat", max(1, games // 10))
    overhead(2, str(EXAMPLES / "codemaker2.py"), max(1, games // 10))
    planted(projects)
    print("asked: a tournament of 10 projects with 20 games a pair under 90 s of processor time")
    brief = "--brief" in sys.argv
    tournament(3 if brief else 10, 6 if brief else 20)
    print("asked: a check of 30 projects under 180 s on two cores, and again in a second or two")
    check_of_a_class(4 if brief else 30)


if __name__ == "__main__":
    main()
