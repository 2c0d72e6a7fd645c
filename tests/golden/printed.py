"""The numbers that a program printed for the samples, and what they are compared with."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from sigcore import metrics
from sigcore.data import Collection
from sigcore.metrics import extractor
from sigcore.sufficient import SufficientStatistics

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(__file__).parent / "data"


def printed(name: str) -> dict[str, Any]:
    """The numbers of a program; its inputs are the samples as they are now."""
    figures: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    for path, digest in figures["sha256"].items():
        assert hashlib.sha256((ROOT / path).read_bytes()).hexdigest() == digest, f"{path} is not what {name} was run on"
    return figures


@cache
def measured(sample: str, metric: str, references: int = 0, **given: object) -> dict[str, SufficientStatistics]:
    """The statistics of every system of a sample, loaded as a person loads it; with the first references only, if asked."""
    collection = Collection()
    collection.add_sample(sample)
    loaded = collection.sound()
    testset, member = loaded.testset, metrics.get(metric)
    assert testset is not None
    if references:
        testset = replace(testset, references=testset.references[:references], digest="")
    extract = extractor(member, testset, member.chosen(given), len(loaded.outputs))
    return {item.system: extract(item) for item in loaded.outputs}
