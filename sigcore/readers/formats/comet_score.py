"""What comet-score prints: the score of each segment of each file, and of each file as a whole."""

from __future__ import annotations

import re

from sigcore.errors import ReadError
from sigcore.readers import names
from sigcore.readers.contract import CERTAIN, NO, Content, Found, Item, Notice, Options, Reader

SEGMENT = re.compile(r"([^\t]+)\tSegment ([0-9]{1,9})\tscore: (\S+)(?:\tvariance: \S+)?")
WHOLE = re.compile(r"([^\t]+)\tscore: (\S+)")
MEASURE = "COMET"
HEAD = 50  # lines looked at; a log may stand before the scores


def _looks(content: Content) -> int:
    return CERTAIN if any(SEGMENT.fullmatch(line) for line in content.lines[:HEAD]) else NO


def _read(content: Content, options: Options) -> Found:
    file, other = content.file, 0
    scores: dict[str, dict[int, str]] = {}
    for number, line in enumerate(content.lines, 1):
        found = SEGMENT.fullmatch(line)
        if found is None:
            other += bool(line.strip()) and WHOLE.fullmatch(line) is None
            continue
        own = scores.setdefault(found[1], {})
        if int(found[2]) in own:
            what = f"line {number}: {found[1]} has segment {found[2]} a second time."
            raise ReadError(what, file, number, "Keep the output of one run of comet-score in a file.")
        own[int(found[2])] = found[3]
    if not scores:
        raise ReadError("It holds no scores of segments.", file, fix="Run comet-score without --quiet.")
    n = 1 + max(max(own) for own in scores.values())
    if n > 2 * sum(map(len, scores.values())):
        raise ReadError(f"It speaks of {n:,} segments but scores hardly any.", file, fix="Load the whole output.")
    shown = {path: names.display_name(path) for path in scores}
    apart = len(set(shown.values())) == len(shown)  # the outputs of several runs may have one name
    out = Found(notices=[Notice(file, f"Lines that are no scores were left out: {other}.")] if other else [])
    for path, own in scores.items():
        cells = tuple(own.get(i, "") for i in range(n))
        note = f"what comet-score printed, {n} segments"
        name = shown[path] if apart else names.clean(path)
        out.items.append(Item(name or "unnamed", "system", "scores", cells, file, note, measure=MEASURE))
    return out


READER = Reader(
    name="comet_score",
    title="scores (comet-score)",
    kinds=("scores",),
    looks=_looks,
    read=_read,
    help="What comet-score prints: FILE, Segment N, score: X, separated by TAB; its --to_json file is read as records.",
    example=(
        "comet.txt",
        "One.en\tSegment 0\tscore: 0.8123\nTwo.en\tSegment 0\tscore: 0.7990\nOne.en\tSegment 1\tscore: 0.6401\n"
        "Two.en\tSegment 1\tscore: 0.7012\nOne.en\tscore: 0.7262\nTwo.en\tscore: 0.7501\n",
    ),
)
