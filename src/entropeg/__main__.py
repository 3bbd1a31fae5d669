"""The command `entropeg`, and `python -m entropeg`."""

from entropeg import signals


def main() -> None:
    """Run the command line; Ctrl-C while its first modules are read ends it, without a word."""
    signals.take()
    try:
        from entropeg.cli import group

        group.main(prog_name="entropeg")
    except (KeyboardInterrupt, SystemExit) as end:
        code = end.code if isinstance(end, SystemExit) else signals.exit_code()
        signals.let_go(code)
        raise SystemExit(code) from None


if __name__ == "__main__":
    main()
