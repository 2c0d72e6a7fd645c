"""Every command of the documents runs on the sample as it is printed, and prints what the document shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import shown

ALL = [block for page in shown.PAGES for block in shown.blocks(page)]
COMMANDS = [block for block in ALL if block.language in ("sh", "console")]
# What a command begins with; such a line is not allowed in a block that is not run.
PROGRAM = re.compile(r"^(\$ |[A-Z_]+=\S+ )?(sigboard|make|pip|python|dask|docker|streamlit) ", re.MULTILINE)


MANY = 10  # lines of a block that runs every command once more


def _quick(blocks: list[shown.Block]) -> list[Any]:
    """The blocks, of which those that run very many commands are slow tests."""
    slow = pytest.mark.slow
    return [pytest.param(one, marks=slow) if one.text.count("sigboard ") > MANY else one for one in blocks]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that has what a checkout has at its top; files that the commands write stay in it."""
    return shown.prepare(tmp_path_factory.mktemp("checkout"))


@pytest.mark.parametrize("block", _quick([b for b in COMMANDS if not b.reason]), ids=lambda block: block.name)
def test_commands_run_as_printed(block: shown.Block, folder: Path) -> None:
    """The block runs without an error; a console block prints what it shows."""
    assert shown.differences(block, folder) == []


def test_the_rest_has_a_reason() -> None:
    """A block that is not run says why in a sentence, and only blocks of commands say so."""
    left_out = [block for block in ALL if block.reason]
    assert [b.name for b in left_out if not re.fullmatch(r"\w.{15,}\.", b.reason) or b not in COMMANDS] == []
    assert len(left_out) < len(COMMANDS) / 2


def test_no_command_is_hidden() -> None:
    """A line that begins with a program is in a block of commands, not in a plain one."""
    assert [block.name for block in ALL if block.language == "" and PROGRAM.search(block.text)] == []


def test_the_readme_and_the_tutorial_show_commands() -> None:
    """Both have commands that are run, and the tutorial shows what they print."""
    assert [b for b in COMMANDS if b.page.name == "README.md" and not b.reason]
    tutorial = [b for b in COMMANDS if b.page.name == "tutorial.md"]
    assert all(
        output and output.strip() for block in tutorial for _, output in block.steps if "--json" not in block.text
    )


def test_another_output_is_seen(tmp_path: Path) -> None:
    """A number that differs, and a command that fails, are faults."""
    page = shown.ROOT / "README.md"
    text = "```console\n$ echo 1 \\\n  2\n1 2\n$ echo 3\n4\n```\n"
    (block,) = shown.blocks(page, text)
    assert block.steps == [("echo 1 \\\n  2\n", "1 2\n"), ("echo 3\n", "4\n")]
    assert [fault.split(" prints")[0] for fault in shown.differences(block, tmp_path)] == [
        "README.md:1: echo 3\nprints\n3\n\nand the document shows\n4\n"
    ]
    with pytest.raises(RuntimeError, match="ended with"):
        shown.run("false", tmp_path)


def test_a_reason_is_read() -> None:
    """The comment above a block is its reason."""
    (block,) = shown.blocks(shown.ROOT / "README.md", "<!-- Not run: it needs files of yours. -->\n```sh\nmake\n```\n")
    assert block.reason == "it needs files of yours."


def test_python_of_the_pages_runs() -> None:
    """Every Python example of docs/pages.md runs as printed, in the folder of the project."""
    examples = re.findall(r"```python\n(.*?)```", (shown.ROOT / "docs/pages.md").read_text(encoding="utf-8"), re.DOTALL)
    assert examples
    for example in examples:
        outcome = subprocess.run([sys.executable, "-c", example], cwd=shown.ROOT, capture_output=True, text=True)
        assert outcome.returncode == 0, outcome.stderr
        assert outcome.stdout.strip()
