"""Writes the reference of the command line from the commands themselves: a page each, and a table of all.

What the pages say is what `entropeg COMMAND --help` prints, so that neither can be behind the other.
"""

import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

import click

from entropeg.cli import COMMANDS, GROUPS, group

FOLDER = "lookup/commands"
"""Where the pages stand, below the folder of the documentation; nothing there is kept in the repository."""

AT_WORK = {
    "play": "../command-line.md#break-a-code-play",
    "break": "../command-line.md#let-a-code-be-broken-break",
    "assist": "../../do/advice.md#a-session-assist",
    "advise": "../../do/advice.md#one-answer-advise",
    "explore": "../../do/explore.md",
    "train": "../../do/train.md",
    "serve": "../../do/page.md",
    "site": "../../do/page.md#without-a-server",
    "engine": "../protocol.md",
    "mcp": "../../do/language-model.md#tools-for-a-model",
    "review": "../../do/review.md",
    "decode": "../../understand/decoder.md",
    "candidates": "../../understand/huge.md#candidates-without-a-list",
    "score": "../command-line.md#answer-one-guess-score",
    "classroom": "../../do/classroom.md",
    "check-log": "../../do/classroom.md#check-a-log",
    "list": "../command-line.md#rules",
    "arena": "../../do/arena.md",
    "report": "../../do/report.md",
    "compare": "../one-step.md",
    "tree": "../../do/trees.md",
    "bench": "../../do/evaluate.md",
    "optimal": "../../understand/exact.md",
    "value": "../../do/prove.md#the-value-of-the-game",
    "static": "../../do/prove.md#questions-asked-all-at-once",
    "table": "../../do/tables.md",
    "verify": "../../understand/exact.md#how-it-is-checked",
    "force": "../../understand/cheats.md#what-a-codebreaker-can-be-forced-to",
    "bounds": "../../understand/reach.md#what-is-known-about-a-board",
    "doctor": "../../do/install.md#what-is-there-and-does-it-work-doctor",
    "warm": "../../do/install.md#compile-beforehand-warm",
    "completion": "../command-line.md#completion-in-the-shell",
}
"""The page that shows a command at work, for every command; a test holds the list complete."""

_MARKUP = re.compile(r"([\\*_<>|$\[\]{}#~]|^-(?= ))")


def marked(text: str, names: Collection[str] = ()) -> str:
    r"""Return words of a help text as Markdown: options and the names of arguments as code, all else as it stands.

    >>> print(marked("Stop after T seconds, as --limit does, with FILE [default: 5_000]", {"FILE"}))
    Stop after T seconds, as `--limit` does, with `FILE` \[default: 5\_000\]
    """
    code = "|".join(
        ["`[^`]*`", r"(?<![\w-])--?[a-zA-Z][\w-]*", *(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names)]
    )
    pieces = []
    end = 0
    for match in re.finditer(code, text):
        pieces.append(_MARKUP.sub(r"\\\1", text[end : match.start()]))
        pieces.append(match[0] if match[0].startswith("`") else f"`{match[0]}`")
        end = match.end()
    return "".join([*pieces, _MARKUP.sub(r"\\\1", text[end:])])


def paragraphs(text: str) -> list[str]:
    r"""Split a help text of click into paragraphs of one line each.

    >>> paragraphs("One\n two.\n\n\b\nThree.")
    ['One two.', 'Three.']
    """
    whole = re.split(r"\n\s*\n", text.replace("\b", "").strip())
    return [" ".join(each.split()) for each in whole if each.strip()]


def one_command(command: click.Command, path: list[str], parent: click.Context | None) -> str:
    """Return what there is to say of one command: how it is called, what it does, its options, and its sub-commands."""
    context = click.Context(command, info_name=path[-1], parent=parent)
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    arguments = {each.make_metavar(context).strip("[]") for each in command.params if isinstance(each, click.Argument)}
    said = [marked(each, arguments) for each in paragraphs(command.help or "")]
    name = " ".join(path[1:])
    lines = [f"{'#' * (len(path) - 1)} `{name}`", "", *said[:1], "", "```text", usage, "```", ""]
    for_programs = [each for each in said[1:] if each.startswith("Keys with")]
    for each in said[1:]:
        lines += [] if each in for_programs else [each, ""]
    records = [record for each in command.params if (record := each.get_help_record(context)) and record[1]]
    if records:
        lines += [":::{list-table}", ":class: options", ":widths: 34 66", ""]
        for names, meaning in records:
            lines += [f"* - `{names}`", f"  - {marked(' '.join(meaning.split()), arguments)}"]
        lines += [":::", ""]
    for each in for_programs:
        lines += [each, ""]
    if isinstance(command, click.Group):
        for sub in command.list_commands(context):
            found = command.get_command(context, sub)
            assert found is not None, f"the group `{name}` lists `{sub}`, which it does not have"
            lines += [one_command(found, [*path, sub], context), ""]
    return "\n".join(lines)


def page(name: str, told: str) -> str:
    """Return the page of one command, which ends with the way to the page that shows it at work."""
    parent = click.Context(group, info_name="entropeg", **group.context_settings)  # click keeps the first help option
    command = group.get_command(parent, name)
    assert command is not None, f"`entropeg {name}` is in the table of commands, and is none"
    text = one_command(command, ["entropeg", name], parent)
    head, rest = text.split("\n```text", 1)
    return f"{head}\nAt work: [](<{told}>).\n\n```text{rest}"


def overview() -> str:
    """Return the page that names all commands, under the headings of the help page."""
    lines = [
        "# Commands",
        "",
        "Every command with all its options, written from the program itself. [The command line](../command-line.md)",
        "shows them at work, and says what holds for all of them: rules, files, exit codes.",
        "",
    ]
    for theme, names in GROUPS.items():
        lines += [f"## {theme}", "", ":::{list-table}", ":widths: 20 80", ""]
        lines += [line for name in names for line in (f"* - [`{name}`]({name}.md)", f"  - {COMMANDS[name][1]}")]
        lines += [":::", ""]
        lines += ["```{toctree}", ":hidden:", "", *names, "```", ""]
    return "\n".join(lines)


def pages() -> dict[str, str]:
    """Return all pages, by the names of their files."""
    return {"index.md": overview()} | {f"{name}.md": page(name, where) for name, where in AT_WORK.items()}


def write_pages(app: Any) -> None:
    """Write the pages where the documentation is built; those that have not changed are left as they are."""
    folder = Path(app.srcdir) / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    wanted = pages()
    for name, text in wanted.items():
        file = folder / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
    for file in folder.glob("*.md"):
        if file.name not in wanted:
            file.unlink()


def setup(app: Any) -> dict[str, bool]:
    """Enter the pages into a build of Sphinx."""
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
