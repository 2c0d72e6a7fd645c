"""`python cli.py` is the `sigboard` command."""

from sigboard.start import run

if __name__ == "__main__":
    run()
