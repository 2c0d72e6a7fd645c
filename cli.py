"""`python cli.py` is the `sigboard` command."""

import sys

from sigboard.commands import main

if __name__ == "__main__":
    sys.exit(main())
