"""What is odd about files that agree in length: copies, empty segments, lengths, tokens, languages."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sigcore.readers import Item
from sigcore.testset import Outputs, digest, identical

FEW_SEGMENTS = 30
SHORT, LONG = 0.5, 2.0  # bounds on the length of a system against the references
MANY_TOKENISED = 0.5
ERRORS = re.compile(
    r"(?<![a-z])(?:metricx|h?ter|[wc]er|per|aer|perplexity|ppl|errors?|penalty)(?![a-z])", re.IGNORECASE
)
# The cosine of letter pairs: measured .98 and more between translations into one language, .73 and less between French
# and English, .60 between Czech and English.
SAME_LANGUAGE, ENOUGH_PAIRS = 0.85, 2_000
NAMES_SHOWN = 6

# Languages whose words BLEU's usual tokeniser does not find: a share of letters that tells them, and the option.
LOOKED_AT, MANY_LETTERS = 500, 0.1  # segments; share of all characters
WRITINGS = (
    ("Japanese", re.compile("[\u3041-\u30ff]"), "ja-mecab (or char)"),
    ("Korean", re.compile("[\uac00-\ud7a3]"), "ko-mecab (or char)"),
    ("Chinese", re.compile("[\u3400-\u9fff]"), "zh"),
)


@dataclass(frozen=True)
class Finding:
    """One thing the data checks saw; an "error" leaves something out, a "warning" may mislead, a "note" informs."""

    severity: str
    what: str
    where: str = ""
    fix: str = ""


def examine(
    systems: list[Item], outputs: tuple[Outputs, ...], references: list[Item], gold: list[Item], n: int, kind: str
) -> Iterator[Finding]:
    """All that is odd about a test set and the systems that agree with it."""
    yield from _numbers(len(systems), n)
    for group in identical(outputs):
        what = f"{listed(group)} are identical: their difference is zero, and every test must give p = 1."
        yield Finding("warning", what, "", "Was one file loaded under two names?")
    if kind == "scores":
        yield from _orientation(systems)
    if kind == "text":
        yield from _copies(systems, outputs, [item for item in gold if item.role in ("reference", "source")])
        yield from _empties([*references, *systems])
        yield from _lengths(systems, references)
        yield from _tokenised(systems, references)
        yield from _foreign(systems, references, n)
        yield from _written(references)


def _orientation(systems: list[Item]) -> Iterator[Finding]:
    """A word on measures that are known to count errors."""
    for measure in dict.fromkeys(item.measure for item in systems):
        if ERRORS.search(measure):
            what = f"By its name, {measure} counts errors: the lower, the better."
            yield Finding("note", what, "", "If so, set better to lower in the options of the scores.")


def _numbers(systems: int, n: int) -> Iterator[Finding]:
    if not systems:
        yield Finding("error", "There is no system to look at.", "", "Load the output of at least two systems.")
    if systems == 1:
        yield Finding("warning", "There is one system only, and nothing to compare it with.", "", "Load a baseline.")
    if systems and n < FEW_SEGMENTS:
        what = f"The test set has {count(n, 'segment')}: too few to find any but large differences."
        fix = "Do not read a large p as 'no difference', nor trust a small p of a bootstrap test."
        yield Finding("warning", what, "", fix)


def _copies(systems: list[Item], outputs: Sequence[Outputs], gold: list[Item]) -> Iterator[Finding]:
    prints = [(item, digest(item.segments)) for item in gold]
    for system, own in zip(systems, outputs, strict=True):
        for item in (item for item, other in prints if other == own.digest):
            what = f"{system.name} is identical to the {item.role} {item.name}."
            yield Finding("warning", what, f"{system.file} and {item.file}", "Is its role right, and its content?")


def _empties(items: list[Item]) -> Iterator[Finding]:
    for item in items:
        empty = [i for i, segment in enumerate(item.segments) if not segment.strip()]
        if empty:
            verb = "is" if len(empty) == 1 else "are"
            what = f"{len(empty)} of {len(item.segments)} segments of {item.name} {verb} empty."
            yield Finding("warning", what, f"{item.file}, segment {empty[0] + 1}", "They are scored as they are.")


def _lengths(systems: list[Item], references: list[Item]) -> Iterator[Finding]:
    """Systems far shorter or longer than the references, in characters; one finding where most are longer."""
    gold = sum(sum(map(len, item.segments)) for item in references) / max(len(references), 1)
    if not gold:
        return
    ratios = [(item, sum(map(len, item.segments)) / gold) for item in systems]
    longer = [item for item, ratio in ratios if ratio > LONG]
    if len(longer) > 1 and 2 * len(longer) > len(systems):
        what = f"The references are much shorter than {len(longer)} of {len(systems)} systems."
        fix = "Is a reference in truth a system, or in another language?"
        yield Finding("warning", what, listed(item.file for item in references), fix)
        ratios = [(item, ratio) for item, ratio in ratios if ratio <= LONG]
    for item, ratio in ratios:
        if not SHORT <= ratio <= LONG:
            what = f"{item.name} has {ratio:.2f} times the characters of the references."
            yield Finding("warning", what, item.file, "Is it the right file, in the right language and role?")


def _foreign(systems: list[Item], references: list[Item], n: int) -> Iterator[Finding]:
    """Systems that hardly share letter pairs with the references: they look like another language."""
    gold = _pairs(segment for item in references for segment in item.segments[:LOOKED_AT])
    if n < FEW_SEGMENTS or sum(gold.values()) < ENOUGH_PAIRS:
        return
    own = [(item, _pairs(item.segments[:LOOKED_AT])) for item in systems]
    odd = [item for item, pairs in own if sum(pairs.values()) >= ENOUGH_PAIRS and _cosine(pairs, gold) < SAME_LANGUAGE]
    if len(odd) > 1 and len(odd) == len(systems):
        what = "The systems look as if they were in another language than the references."
        fix = "Was the source loaded as the reference, or the reference of another language pair?"
        yield Finding("warning", what, listed(item.file for item in references), fix)
        return
    for item in odd:
        what = f"{item.name} looks as if it were in another language than the references."
        yield Finding("warning", what, item.file, "Is it the right file, and is its role system?")


def _pairs(segments: Iterable[str]) -> Counter[str]:
    text = " ".join(segments).lower()
    return Counter(map("".join, itertools.pairwise(text)))


def _cosine(one: Counter[str], other: Counter[str]) -> float:
    dot = sum(count * other[pair] for pair, count in one.items())
    lengths = (math.sqrt(sum(count * count for count in pairs.values())) for pairs in (one, other))
    return dot / math.prod(lengths)


def _tokenised(systems: list[Item], references: list[Item]) -> Iterator[Finding]:
    """Files with blanks before their full stops and commas; worse where only one side has them."""
    looks = {
        side: [item for item in items if _looks_tokenised(item.segments)]
        for side, items in (("systems", systems), ("references", references))
    }
    found = looks["systems"] + looks["references"]
    if not found:
        return
    where = listed(item.file for item in found)
    if len(found) == len(systems) + len(references):
        what = "All files look tokenised (blanks before full stops or commas)."
        yield Finding("note", what, where, "Score them with the tokeniser off, or detokenise them all.")
    else:
        what = (
            f"{len(looks['systems'])} of {len(systems)} systems and {len(looks['references'])} of {len(references)} "
            "references look tokenised (blanks before full stops or commas), the others do not."
        )
        yield Finding("warning", what, where, "Detokenise them: unlike files get unlike scores for the same words.")


def _looks_tokenised(segments: Sequence[str]) -> bool:
    hits = sum(segment.endswith(" .") or " , " in segment for segment in segments)
    return hits > MANY_TOKENISED * len(segments)


def writing(segments: Sequence[str]) -> tuple[str, str]:
    """A language whose words are not found between blanks and the tokeniser BLEU has for it; ("", "") for others."""
    text = "".join(segments[:LOOKED_AT])
    for language, letters, tokeniser in WRITINGS:
        if len(letters.findall(text)) > MANY_LETTERS * len(text):
            return language, tokeniser
    return "", ""


def _written(references: list[Item]) -> Iterator[Finding]:
    language, tokeniser = writing(references[0].segments) if references else ("", "")
    if language:
        what = f"The references look {language}: BLEU's usual tokeniser (13a) does not find their words."
        fix = f"Set the option tokenize of BLEU to {tokeniser}, or take chrF, which needs no words."
        yield Finding("warning", what, listed(item.file for item in references), fix)


# ---- words


def count(n: int, noun: str) -> str:
    return f"{n} {noun}" + ("" if n == 1 else "s")


def listed(names: Iterable[str]) -> str:
    """The names, each once, joined; from the seventh on only their number."""
    found = list(dict.fromkeys(names))
    shown = ", ".join(found[:NAMES_SHOWN])
    return shown + (f" and {len(found) - NAMES_SHOWN} more" if len(found) > NAMES_SHOWN else "")
