"""Answers with their steps: where what is right ends with #### and a number (GSM8K), the last number of an output counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sigcore.data.checks import Finding
from sigcore.formatting import count
from sigcore.readers import Item

RIGHT = re.compile(r"(?s).*####\s*(?P<number>[-+]?[$\u20ac\u00a3]?[\d.,]*\d)\s*")
MARKED = re.compile(r"####\s*(?P<number>[-+]?[$\u20ac\u00a3]?\d[\d.,]*)")
NUMBER = re.compile(r"(?<![\w.,])(?:[-+](?=[$\u20ac\u00a3\d]))?[$\u20ac\u00a3]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)")
FEWEST = 2


def counted(systems: Sequence[Item], gold: Sequence[Item], findings: list[Finding]) -> tuple[list[Item], list[Item]]:
    """The systems with the last number of each output, and the right numbers alone, where all references end with #### and a number;
    a note says so, and how many outputs have none. Others as they are."""
    right = {id(item): _right(item.segments) for item in gold if item.role == "reference"}
    if not (systems and right and all(right.values())):
        return list(systems), list(gold)
    kept = [replace(item, segments=tuple(map(_final, item.segments))) for item in systems]
    _note(systems, findings)
    return kept, [replace(item, segments=right.get(id(item), item.segments)) for item in gold]


def _right(texts: Sequence[str]) -> tuple[str, ...]:
    """The number behind #### at the end of each text; () where one has none, and for a single text."""
    found = [match["number"] for match in map(RIGHT.fullmatch, texts) if match]
    return tuple(found) if FEWEST <= len(found) == len(texts) else ()


def _note(systems: Sequence[Item], findings: list[Finding]) -> None:
    """Add which number counts, and how many outputs have none."""
    lost = sum(not NUMBER.search(text) for item in systems for text in item.segments)
    without = f" {count(lost, 'output')} {'has' if lost == 1 else 'have'} none, and cannot be right." if lost else ""
    message = f"What is right ends with #### and a number, so the last number of each output counts.{without}"
    findings.append(Finding("warning" if lost else "note", message, ""))


def _final(text: str) -> str:
    """The number behind the last ####, else the last number of an output; the output where it has none."""
    marked, every = list(MARKED.finditer(text)), list(NUMBER.finditer(text))
    found = marked[-1]["number"] if marked else every[-1][0] if every else text
    return found.rstrip(".,") if marked or every else text
