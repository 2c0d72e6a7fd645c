"""`sigboard app`: starts the app and opens it in the browser."""

from __future__ import annotations

import argparse
import importlib
import inspect
import pkgutil
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
PORT = 8501
# What the pages import. The first visitor does not wait for it: it is imported before the server answers.
ROOMS = PACKAGE / "questions"
LIBRARIES = ("plotly.graph_objects", "scipy.special", "sacrebleu.metrics", "PIL.Image")


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The port, and further options for Streamlit."""
    add = command.add_argument
    add("--port", type=_port, default=PORT, help=f"port of the app (default: {PORT})")
    help = "further options for Streamlit, after --, for example: -- --server.headless true"
    add("options", nargs="*", metavar="OPTION", help=help)


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"{port} is not a port. Give a number from 0 (any free port) to 65535.")
    return port


def run(args: argparse.Namespace) -> None:
    """Run the app until it is stopped."""
    from streamlit.web import cli  # the other commands start faster without it

    if args.port:  # with 0 the system chooses the port
        print(f"Starting Sigboard at http://127.0.0.1:{args.port} (Ctrl+C stops it; --port chooses another port).")
    prepare()
    cli.main(["run", str(folder() / "serve.py"), "--server.port", str(args.port), *args.options], prog_name="streamlit")


def prepare() -> None:
    """Import what the pages use, and read what the first visit shows."""
    for name in LIBRARIES:
        importlib.import_module(name)
    for room in sorted(path for path in ROOMS.iterdir() if path.is_dir() and path.name.isidentifier()):
        for module in pkgutil.iter_modules([str(room)]):
            if module.name != "command":
                importlib.import_module(f"sigboard.questions.{room.name}.{module.name}")
    importlib.import_module("sigboard.shell.session").prepare()
    inspect.stack()  # Streamlit does this before it shows anything; the first time it asks for the file of every module


def folder() -> Path:
    """The folder of serve.py, the app, its pages and its settings: inside the installed package, or at the top of a checkout."""
    installed = PACKAGE / "app"
    return installed if installed.is_dir() else PACKAGE.parent
