"""References in blocks: several lines for each segment and a blank one between, as data-to-text test sets have them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

from sigcore.data.checks import Finding
from sigcore.formatting import count
from sigcore.readers import Item, evened


def apart(items: Sequence[Item], findings: list[Finding]) -> list[Item]:
    """The items; a reference with as many blocks as the outputs have lines, and more lines, is several references.

    A block with fewer lines than another has its first one again, which changes no score.
    """
    sizes = {len(item.segments) for item in items if item.role == "system" and item.kind == "text"}
    out = list[Item]()
    for item in items:
        if item.role != "reference" or item.kind != "text" or len(sizes) != 1 or len(item.segments) in sizes:
            out.append(item)
            continue
        blocks = _blocks(item.segments)
        if {len(blocks)} != sizes:
            out.append(item)
            continue
        streams = list(zip(*evened(blocks), strict=True))
        message = f"{item.name} has {count(len(blocks), 'block')} of up to {count(len(streams), 'line')}, a blank line "
        findings.append(Finding("note", f"{message}between: they are the references of as many segments.", item.file))
        for k, segments in enumerate(streams, 1):
            out.append(replace(item, name=f"{item.name} {k}", segments=segments, keys=()))
    return out


def _blocks(segments: Sequence[str]) -> list[list[str]]:
    """The lines between blank ones."""
    groups = itertools.groupby(segments, key=lambda line: bool(line.strip()))
    return [list(lines) for full, lines in groups if full]
