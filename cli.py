"""`python cli.py` is the `sigboard` command."""

from sigboard.terminal.start import main, run

__all__ = ["main", "run"]

if __name__ == "__main__":
    run()
