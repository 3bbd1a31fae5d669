"""The command `entropeg`, and `python -m entropeg`."""

from entropeg.errors import INTERRUPTED


def main() -> None:
    """Run the command line; Ctrl-C while its modules are read ends it as quietly as later on."""
    try:
        from entropeg.cli import group

        group.main(prog_name="entropeg")
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


if __name__ == "__main__":
    main()
