"""Says how much of each room the suite has run, and refuses a room that falls below its floor.

    python scripts/covered.py REPORT

REPORT is the JSON of coverage.py. The floors stand in tests/covered.txt: whole percents of the lines of a room. A room
that is two percents above its floor raises it: the file is written again, to be committed. Moments decide whether a few
lines of a run are reached, so that a floor lies a percent below what was measured.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

FLOORS = Path(__file__).parents[1] / "tests" / "covered.txt"


def by_room(files: dict[str, dict[str, dict[str, int]]]) -> dict[str, tuple[int, int]]:
    """Return the lines of each room that were run, and all that could have been.

    >>> lines = {"summary": {"covered_lines": 3, "num_statements": 4}}
    >>> by_room({"src/entropeg/rules.py": lines, "src/entropeg/tree/a.py": lines, "src/entropeg/tree/b.py": lines})
    {'(ground floor)': (3, 4), 'tree': (6, 8)}
    """
    rooms: dict[str, tuple[int, int]] = {}
    for name, file in files.items():
        if not name.startswith("src/entropeg/"):  # copies that tests have made
            continue
        below = Path(name).parts[2:]
        room = below[0] if len(below) > 1 else "(ground floor)"
        done, lines = rooms.get(room, (0, 0))
        rooms[room] = (done + file["summary"]["covered_lines"], lines + file["summary"]["num_statements"])
    return rooms


def read_floors() -> dict[str, int]:
    """Return the least percents of the rooms."""
    lines = FLOORS.read_text(encoding="utf-8").splitlines() if FLOORS.exists() else []
    return {room: int(percent) for line in lines for room, _, percent in [line.rpartition(" ")]}


def main(report: str) -> int:
    """Print the rooms, raise their floors, and count those that fell below."""
    rooms = by_room(json.loads(Path(report).read_text(encoding="utf-8"))["files"])
    floors, fallen = read_floors(), 0
    for room, (done, lines) in sorted(rooms.items()):
        percent = 100 * done / max(lines, 1)
        floor = floors.get(room, 0)
        is_below = percent < floor
        fallen += is_below
        print(f"{room:<16}{done:>7,} of {lines:>7,} lines {percent:>6.1f} %   floor {floor} %{'  BELOW' * is_below}")
        floors[room] = max(floor, int(percent) - 1)
    done, lines = (sum(numbers) for numbers in zip(*rooms.values(), strict=True))
    print(f"{'all':<16}{done:>7,} of {lines:>7,} lines {100 * done / max(lines, 1):>6.1f} %")
    FLOORS.write_text(
        "".join(f"{room} {floors[room]}\n" for room in sorted(floors.keys() & rooms.keys())), encoding="utf-8"
    )
    return fallen and 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
