"""Entity F1 against conlleval and seqeval; the numbers are in tests/golden/data."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sigcore import data, metrics, readers
from sigcore.metrics import extractor
from sigcore.sufficient import SufficientStatistics
from tests.golden.printed import DATA

TITLES = {"f": "f1", "precision": "precision", "recall": "recall"}


def figures(name: str) -> dict[str, Any]:
    """What a program printed."""
    found: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return found


def measured(text: str, average: str) -> SufficientStatistics:
    """Entity F1, precision or recall of the one system in a file of words with gold and predicted tags."""
    chosen = {"A.conll": readers.Choice("tagged", {"tag_columns": "both"})}
    intake = readers.read([("A.conll", text.encode())], chosen=chosen)
    assert intake.problems == ()
    ready = data.assemble(intake.items).sound()
    member = metrics.get("entity_f1")
    return extractor(member, ready.testset, member.chosen({"average": average}))(ready.outputs[0])


@pytest.mark.parametrize("average", TITLES)
@pytest.mark.parametrize("scheme", ["BIO", "BIOES", "IOE"])
def test_tags_that_break_their_scheme_are_read_as_seqeval_reads_them(scheme: str, average: str) -> None:
    """Precision, recall and F1 to all digits, on random tags of three schemes."""
    found = figures("seqeval.tags")["sets"][scheme]
    sentences = [zip(gold.split(), own.split(), strict=True) for gold, own in found["tags"]]
    text = "\n\n".join("\n".join(f"w {gold} {own}" for gold, own in sentence) for sentence in sentences)
    assert measured(text, average).corpus_score == pytest.approx(100 * found[TITLES[average]], rel=1e-12)


@pytest.mark.parametrize("average", TITLES)
def test_counts_give_what_conlleval_prints(average: str) -> None:
    """The example of its documentation: 371 of 539 found phrases are right, and gold has 459."""
    found = figures("conlleval.example")
    hits, wrong = found["correct"], found["found"] - found["correct"]
    missed = found["phrases"] - hits
    pairs = ["B-NP B-NP"] * hits + ["O B-NP"] * wrong + ["B-NP O"] * missed
    rows = measured("\n\n".join(f"w {pair}" for pair in pairs), average)
    assert rows.total.tolist() == [hits, found["found"], found["phrases"]]
    assert f"{rows.corpus_score:.2f}" == found[TITLES[average]]
