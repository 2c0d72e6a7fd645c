"""Statistics of real systems: equal to sacrebleu's rows, and to the TER its command line gave."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from sigcore.metrics.chrf import ChrfReferences
from sigcore.metrics.ter import TerReferences
from sigcore.text.bleu import BleuReferences
from sigcore.text.compiled import available
from tests.oracles import sacre_rows

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
CZECH, CHINESE = DATA / "mt" / "wmt22.cs-en", DATA / "mt" / "wmt22.en-zh"

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(not available(), reason="numba is not installed"),
    pytest.mark.skipif(not DATA.is_dir(), reason="../shared/data is not there"),
]


def lines(file: Path) -> list[str]:
    """The lines of a file, split at line feeds only."""
    return file.read_text(encoding="utf-8").split("\n")[:-1]


def references(folder: Path, letters: str) -> list[list[str]]:
    """The references with these letters."""
    (language,) = {file.suffix for file in folder.glob("ref.*")}
    return [lines(folder / f"ref.{letter}{language}") for letter in letters]


def systems(folder: Path) -> dict[str, list[str]]:
    """All systems of a test set."""
    return {file.name: lines(file) for file in sorted((folder / "systems").iterdir())}


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_bleu_and_chrf_rows_of_all_systems_equal_sacrebleu(step: int) -> None:
    """Rows of 11 systems against two references: of every fourth segment, or of all."""
    gold = [stream[::step] for stream in references(CZECH, "BC")]
    pairs = [
        (BleuReferences(gold).rows, sacre_rows.bleu(gold)),
        (ChrfReferences(gold, word_order=2).rows, sacre_rows.chrf(gold, word_order=2)),
    ]
    for name, segments in systems(CZECH).items():
        assert all(np.array_equal(ours(segments[::step]), theirs(segments[::step])) for ours, theirs in pairs), name


@pytest.mark.parametrize("letters", ["B", "C", "BC"])
def test_ter_of_all_systems_equals_the_command_line(letters: str) -> None:
    """Corpus TER to all six printed decimals. Origin: sacrebleu 2.6.0, see the README beside the golden files."""
    ter = TerReferences(references(CZECH, letters))
    golden = json.loads((DATA / "golden" / f"cs-en.ref{letters}.scores.json").read_text(encoding="utf-8"))
    assert len(golden) == 11
    for row in golden:
        edits, length = ter.rows(lines(CZECH / row["system"])).sum(axis=0)
        assert f"{100 * edits / length:.6f}" == row["TER"], row["system"]


def test_ter_rows_of_every_twentieth_segment_equal_sacrebleu() -> None:
    """Rows of 11 systems against two references."""
    gold = [stream[::20] for stream in references(CZECH, "BC")]
    ours, theirs = TerReferences(gold).rows, sacre_rows.ter(gold)
    for name, segments in systems(CZECH).items():
        assert np.array_equal(ours(segments[::20]), theirs(segments[::20])), name


@pytest.mark.slow
def test_chinese_rows_equal_sacrebleu() -> None:
    """Text without spaces: BLEU with the zh tokenizer, chrF, and TER split into characters."""
    asian = {"normalized": True, "asian_support": True}
    gold = [stream[::80] for stream in references(CHINESE, "AB")]
    pairs = [
        (BleuReferences(gold, tokenize="zh").rows, sacre_rows.bleu(gold, tokenize="zh")),
        (ChrfReferences(gold).rows, sacre_rows.chrf(gold)),
        (TerReferences(gold, **asian).rows, sacre_rows.ter(gold, **asian)),
    ]
    for name, segments in systems(CHINESE).items():
        assert all(np.array_equal(ours(segments[::80]), theirs(segments[::80])) for ours, theirs in pairs), name
