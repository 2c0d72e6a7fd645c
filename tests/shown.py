"""The commands of the documents, and what `console` blocks print; `python -m tests.shown` writes the outputs again.

A block is not run if the line above it is `<!-- Not run: REASON. -->`. In a `console` block, lines after "$ " are
commands and the others are their standard output.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from sigboard import terminal

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "samples").rglob("*.md")),
]
# `make` only prints what it would do: its targets install packages or start servers.
PRELUDE = """set -e
sigboard() { "$SHOWN_PYTHON" "$SHOWN_ROOT/cli.py" "$@"; }
python() { "$SHOWN_PYTHON" "$@"; }
make() { command make --dry-run -C "$SHOWN_ROOT" "$@" > make.log; }
"""
FENCE = re.compile(
    r"(?:^<!-- Not run: (?P<reason>[^\n]*?) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)

SHELL = re.compile(r"[$`|&;<>(){}~?\[]")  # what only a shell understands
MACHINE = re.compile(r"\b(Python|numpy) [0-9][^,\s\"]*")  # in JSON: what differs from machine to machine


@dataclass(frozen=True)
class Block:
    """A fenced block of a document: its page, line, language and text, and why it is not run ("" = it is run)."""

    page: Path
    line: int
    language: str
    text: str
    reason: str = ""

    @property
    def name(self) -> str:
        """Page and line, as in "docs/tutorial.md:12"."""
        return f"{self.page.relative_to(ROOT).as_posix()}:{self.line}"

    @property
    def steps(self) -> list[tuple[str, str | None]]:
        """(command, expected output) in order; the output is None where the block shows none."""
        if self.language != "console":
            return [(self.text, None)]
        steps: list[tuple[str, str]] = []
        continued = False
        for line in self.text.splitlines(keepends=True):
            command, output = steps[-1] if steps else ("", "")
            if line.startswith("$ "):
                steps.append((line[2:], ""))
            else:
                steps[-1:] = [(command + line, output) if continued else (command, output + line)]
            continued = (line.startswith("$ ") or continued) and line.endswith("\\\n")
        return list(steps)


def blocks(page: Path, text: str | None = None) -> list[Block]:
    """All fenced blocks of a document."""
    text = page.read_text(encoding="utf-8") if text is None else text
    return [
        Block(page, text.count("\n", 0, match.start("text")), match["language"], match["text"], match["reason"] or "")
        for match in FENCE.finditer(text)
    ]


def prepare(folder: Path) -> Path:
    """The folder, with what the commands need: a copy of the samples, beside which they may write, and the program."""
    shutil.copytree(ROOT / "samples", folder / "samples", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "cli.py").symlink_to(ROOT / "cli.py")
    return folder


def run(command: str, folder: Path) -> str:
    """What the command prints to standard output, run in the folder: by a shell, or in this process where it is nothing but
    lines of `sigboard` and `cd`.

    Raises: RuntimeError with all that was printed, where the command fails.
    """
    lines = [shlex.split(line, comments=True) for line in command.replace("\\\n", " ").splitlines()]
    if SHELL.search(command) or any(words and words[0] not in ("cd", "sigboard") for words in lines):
        return _run_by_shell(command, folder)
    said, told = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with chdir(folder), redirect_stdout(said), redirect_stderr(told):
        for first, *words in filter(None, lines):
            if first == "cd":
                os.chdir(words[0])
            elif terminal.main(_matched(words)):
                raise RuntimeError(f"{command}\nended with an error.\n{told.getvalue()}")
    said.flush()
    return said.buffer.getvalue().decode()  # type: ignore[attr-defined, no-any-return]


def _matched(words: Sequence[str]) -> list[str]:
    """The words, with the files that a pattern stands for, as a shell gives them."""
    return [each for word in words for each in (sorted(map(str, Path().glob(word))) if "*" in word else [word])]


def _run_by_shell(command: str, folder: Path) -> str:
    settings = {"SHOWN_PYTHON": sys.executable, "SHOWN_ROOT": str(ROOT)}
    # `make test` hands its own variables to every `make` inside it, and some test runners the width of their terminal
    others = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "COLUMNS")
    kept = {name: value for name, value in os.environ.items() if name not in others}
    outcome = subprocess.run(
        ["sh", "-c", PRELUDE + command], cwd=folder, env=kept | settings, capture_output=True, text=True, check=False
    )
    if outcome.returncode:
        raise RuntimeError(f"{command}\nended with {outcome.returncode}.\n{outcome.stdout}\n{outcome.stderr}")
    return outcome.stdout


def differences(block: Block, folder: Path) -> list[str]:
    """One sentence for each command that does not print what the block shows."""
    found = []
    for command, expected in block.steps:
        printed = run(command, folder)
        if expected is not None and _plain(printed) != _plain(expected):
            found.append(f"{block.name}: {command}prints\n{printed}\nand the document shows\n{expected}")
    return found


def _plain(text: str) -> list[str]:
    """The lines without spaces at their ends, which an editor may remove, and without the versions of this machine."""
    return [MACHINE.sub(r"\1 ...", line.rstrip()) for line in text.strip("\n").split("\n")]


def _again(block: Block, folder: Path) -> str:
    """The text of a console block with what its commands print now."""
    return "".join(f"$ {command}" + "\n".join([*_plain(run(command, folder)), ""]) for command, _ in block.steps)


def main() -> None:
    """Write the outputs of all console blocks of docs/tutorial.md again."""
    page = ROOT / "docs" / "tutorial.md"
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        folder = prepare(Path(name))
        for block in blocks(page):
            if block.language == "console":
                text = text.replace(f"```console\n{block.text}```", f"```console\n{_again(block, folder)}```")
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
