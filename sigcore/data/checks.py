"""The data checks: what is suspicious about files that agree in length."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from sigcore.formatting import count, listed
from sigcore.readers import Item, Scale, different_scales, is_copy, is_cost, scale
from sigcore.testset import Outputs, identical
from sigcore.text import links
from sigcore.types import Ints, Kind, Severity

# The contract of data checks: functions of the files that agree in length, which yield findings.


@dataclass(frozen=True)
class Finding:
    """One result of a data check: what is wrong, where, and how to fix it (see `sigcore.types.Severity`).

    `answer` names the setting with which a person can say that it is right as it is; "" if there is none.
    """

    severity: Severity
    what: str
    where: str = ""
    fix: str = ""
    answer: Literal["", "accept_order"] = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.what, self.where and f"[{self.where}]", self.fix)))


@dataclass(frozen=True, eq=False)
class Checked:
    """The input of a check: the systems with their outputs, the gold side, and all loaded items.

    `gold` has the references, sources, documents and domains; `n` is the number of segments.
    """

    kind: Kind
    n: int
    systems: Sequence[Item]
    outputs: Sequence[Outputs]
    gold: Sequence[Item]
    everything: Sequence[Item]

    @property
    def references(self) -> list[Item]:
        """The references."""
        return [item for item in self.gold if item.role == "reference"]


Check = Callable[[Checked], Iterable[Finding]]


# Checks of test sets of every kind: too few systems or segments, identical systems, names that look the same.

FEW_SEGMENTS = 30
MANY_SYSTEMS = 4  # with one segment each they may be documents


ALONE = Finding("warning", "There is only one system, and nothing to compare it with.", "", "Load a baseline.")
JUDGED = "Load a baseline. Its judgments of pairs compare it with others: `sigboard pairwise`, or the page Preferences."


def told_of_judgments(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings, of which that on a single system says that there are judgments of pairs, too."""
    return tuple(replace(one, fix=JUDGED) if one == ALONE else one for one in findings)


def numbers(checked: Checked) -> Iterator[Finding]:
    """Too few systems, or too few segments."""
    systems, n = len(checked.systems), checked.n
    # systems that were left out have an error of their own
    if not systems and not any(item.role == "system" for item in checked.everything):
        yield Finding("error", "There is no system to score.", "", "Load the output of at least two systems.")
    if systems == 1:
        yield ALONE
    if systems >= MANY_SYSTEMS and n == 1:
        message = f"Each of {count(systems, 'system')} has one segment: no test can tell one from another by it."
        fix = "If each file is a document of a system, put the files of each system into a folder of its own."
        yield Finding("error", message, listed(item.file for item in checked.systems if item.file), fix)
    elif systems > 1 and n == 1 and checked.kind == "scores":
        message = "Only 1 segment has scores of all systems: it cannot show a difference."
        fix = "Load scores of the same segments for all systems, or choose a measure that all of them have."
        yield Finding("error", message, "", fix)
    elif systems and n < FEW_SEGMENTS:
        message = f"The test set has {count(n, 'segment')}: too few to find any but large differences."
        fix = "Do not interpret a large p as 'no difference', and do not trust a small p of a bootstrap test."
        yield Finding("warning", message, "", fix)


def copies(checked: Checked) -> Iterator[Finding]:
    """Systems whose segments are all the same."""
    for group in identical(checked.outputs):
        # systems may well have equal scores by one measure, and other outputs
        what = "have equal scores on every segment" if checked.kind == "scores" else "are identical"
        message = f"{listed(group)} {what}: their difference is zero, and every test gives p = 1."
        yield Finding("warning", message, "", "Was the same file loaded under two names?")


def names(checked: Checked) -> Iterator[Finding]:
    """Systems whose names look the same on the screen: composed and decomposed letters, wide letters, other spaces."""
    alike: dict[str, list[str]] = {}
    for name in dict.fromkeys(outputs.system for outputs in checked.outputs):
        alike.setdefault(" ".join(unicodedata.normalize("NFKC", name).split()), []).append(name)
    for shown, own in alike.items():
        if len(own) > 1:
            different = " and ".join(map(_code_points, _without_common_ends(own)))
            who = f"{count(len(own), 'system')} have names that look the same, {shown}"
            files = listed(item.file for item in checked.systems if item.name in own)
            fix = "Rename one of them; or load only one, if they are the same system."
            yield Finding("warning", f"{who}, but are different: {different}.", files, fix)


def _without_common_ends(names: Sequence[str]) -> list[str]:
    """The names without the letters that all of them begin or end with; at least one letter of the longest is kept."""
    least, start, end = min(map(len, names)), 0, 0
    while start < least and len({name[start] for name in names}) == 1:
        start += 1
    while end < least - start and len({name[-1 - end] for name in names}) == 1:
        end += 1
    return [name[start : len(name) - end] for name in names]


def _code_points(text: str) -> str:
    return " ".join(f"U+{ord(char):04X}" for char in text) or "nothing"


# Checks of word links: words counted from the wrong number, source and target swapped, indices beyond a sentence.

LOOKED_AT = 2_000  # segments: enough to detect it, and fast on any test set
FAR = 1 << 20  # above every index that is compared
ENOUGH = 10  # segments with links; with fewer, the first index is not checked
STEEP, SHARE = 15.0, 0.7  # AER must fall by this many points, and to this share of what it was
Reading = tuple[int, bool]
Fit = tuple[Item, float, float]  # the system, its AER as the file is, and under the other reading
TARGET = re.compile(r"tgt|trg|target", re.IGNORECASE)

# How a system's links may have to be read to fit gold: (added to both ends, source and target swapped) -> in words
READINGS: dict[Reading, str] = {
    (1, False): "with 1 added to every index (words counted from the wrong number)",
    (-1, False): "with 1 subtracted from every index (words counted from the wrong number)",
    (0, True): "with source and target swapped (the wrong direction)",
    (1, True): "with source and target swapped and 1 added to every index",
    (-1, True): "with source and target swapped and 1 subtracted from every index",
}
FIX = "Read the file again with the right options (words from 0 or from 1, reverse), or fix the gold file."


def examine_links(checked: Checked) -> Iterator[Finding]:
    """Everything that is suspicious about the links of a test set."""
    gold = [Linked(item) for item in checked.references]
    systems = [Linked(item) for item in checked.systems]
    for first in gold[:1]:
        # often the file of possible links was forgotten
        if len(first.links) and first.links[:, 3].all():
            message = f"All links of {first.item.name} are sure, so AER is 1 - F1."
            fix = "If there is a file of possible links, load it too."
            yield Finding("note", message, first.item.file, fix)
        yield from _starts(first, systems)
        yield from _readings(first, systems)
    texts = [item for item in checked.everything if item.kind == "text" and len(item.segments) == checked.n]
    for side, text in enumerate((text_of(texts, "source"), text_of(texts, "target")), 1):
        if text is not None:
            yield from _beyond([*gold, *systems], side, text)


class Linked:
    """An item and its links, (links, 4): segment, source, target, 1 if sure."""

    def __init__(self, item: Item) -> None:
        self.item, self.links = item, links.table(item.segments)

    def has_zero(self) -> bool | None:
        """Whether any link has an end that is 0; None if too few segments have links."""
        few = len(np.unique(self.links[:, 0])) < ENOUGH
        return None if few else bool((self.links[:, 1:3] == 0).any())

    def codes(self, by: int = 0, reverse: bool = False, only_sure: bool = False) -> Ints:
        """The distinct links of the first segments under another reading, as one number each."""
        kept = self.links[self.links[:, 0] < LOOKED_AT]
        kept = kept[kept[:, 3] == 1] if only_sure else kept
        ends = kept[:, [2, 1] if reverse else [1, 2]] + by
        codes = (kept[:, 0] * FAR + ends[:, 0]) * FAR + ends[:, 1]
        return np.unique(codes[(ends >= 0).all(axis=1)])


def _starts(gold: Linked, systems: Sequence[Linked]) -> Iterator[Finding]:
    """Systems that have an index 0 where gold has none, or none where gold has one."""
    zero = gold.has_zero()
    odd = [one.item for one in systems if zero is not None and one.has_zero() not in (zero, None)]
    if odd:
        have, do = ("have", "never do") if zero else ("never have", "do")
        message = f"The gold links {have} an index 0, but those of {listed(item.name for item in odd)} {do}: "
        message += "do both count words from 0?"
        yield Finding("warning", message, listed(item.file for item in odd), FIX)


def _readings(gold: Linked, systems: Sequence[Linked]) -> Iterator[Finding]:
    """Systems whose AER falls steeply under another reading; one finding for each reading."""
    sure, possible = gold.codes(only_sure=True), gold.codes()
    fits: dict[Reading, list[Fit]] = {}
    for one in systems:
        usual = _aer(sure, possible, one.codes())
        rates = {reading: _aer(sure, possible, one.codes(*reading)) for reading in READINGS}
        best = min(rates, key=lambda reading: rates[reading])
        if rates[best] <= min(usual - STEEP, SHARE * usual):
            fits.setdefault(best, []).append((one.item, usual, rates[best]))
    for reading, fit in fits.items():
        yield _better_read(reading, fit, of_all=len(fit) == len(systems) > 1)


def _better_read(reading: Reading, fits: Sequence[Fit], of_all: bool) -> Finding:
    """The finding on systems that fit gold better under another reading."""
    item, usual, better = fits[0]
    names = listed(one.name for one, _, _ in fits)
    verb = "fits" if len(fits) == 1 else "fit"
    message = f"{names} {verb} the gold links far better {READINGS[reading]}: "
    message += f"the AER of {item.name} falls from {usual:.1f} to {better:.1f}."
    fix = "This is true of all systems, so the gold file is probably the cause. " if of_all else ""
    return Finding("warning", message, listed(one.file for one, _, _ in fits), fix + FIX)


def _aer(sure: Ints, possible: Ints, linked: Ints) -> float:
    """AER in percent of links as numbers; 100 if there are none at all."""
    hits = sum(int(np.isin(linked, gold, assume_unique=True).sum()) for gold in (sure, possible))
    total = len(linked) + len(sure)
    return float(100.0 * (1 - hits / total)) if total else 100.0


def _beyond(files: Sequence[Linked], side: int, text: Item) -> Iterator[Finding]:
    """Files with links, on one side, to words that the text does not have."""
    words = np.array([len(segment.split()) for segment in text.segments])
    for one in files:
        last = np.full(len(words), -1)
        np.maximum.at(last, one.links[:, 0], one.links[:, side])
        outside = np.flatnonzero(last >= words)
        if len(outside):
            first = outside[0]
            message = f"{one.item.name} has links to words that {text.name} does not have, in {count(len(outside), 'segment')}."
            where = f"{one.item.file}, segment {first + 1}: index {last[first]} of {words[first]} words"
            yield Finding("warning", message, where, FIX)


def text_of(texts: Sequence[Item], side: str) -> Item | None:
    """The text of one side: by its role, or the target's by its name."""
    if side == "source":
        return next((item for item in texts if item.role == "source"), None)
    named = [item for item in texts if any(map(TARGET.fullmatch, re.split(r"[.\-_ ]", item.name)))]
    return next((item for item in texts if item.role == "reference"), named[0] if named else None)


# Checks of constituency trees: outer brackets that are counted in one file but not, or differently, in another.

LABEL = re.compile(r"\(([^()\s]*)")
NOT_COUNTED = "TOP"
WRAPPERS = {"", NOT_COUNTED, "ROOT", "S1", "VROOT"}


def outer(checked: Checked) -> Iterator[Finding]:
    """Systems whose outer bracket differs from gold's, if that changes the number of brackets."""
    if not checked.references:
        return
    usual = _outer(checked.references[0])
    others = [(item, _outer(item)) for item in checked.systems]
    odd = [(item, label) for item, label in others if label != usual and {label, usual} & WRAPPERS]
    if odd:
        message = (
            f"Gold trees start with '({usual}', those of {listed(one.name for one, _ in odd)} with '({odd[0][1]}'."
        )
        message += f" Every outer bracket except {NOT_COUNTED} counts, as in evalb."
        yield Finding("warning", message, listed(one.file for one, _ in odd), "Give all files the same outer bracket.")


def _outer(item: Item) -> str:
    """The most frequent label of the outer bracket."""
    labels = Counter(match[1] for match in map(LABEL.match, item.segments) if match is not None)
    return labels.most_common(1)[0][0] if labels else NOT_COUNTED


# Checks of scores: systems on different scales, and systems whose scores are all the same.


def scales(checked: Checked) -> Iterator[Finding]:
    """Rivals whose numbers cannot be scores of one measure, and systems with the same score everywhere."""
    values = [(item.name, scale(item.segments)) for item in checked.systems]
    low, high = different_scales(values)
    if low and high:
        first, second = (_range(name, dict(values)[name]) for name in (low, high))
        shares = all(0 <= end <= 1 for name in (low, high) for end in _ends(dict(values)[name]))
        message = f"The scores of {first} and {second} are on very different scales"
        fix = "Load scores of one measure in one range; a field that is not a score needs --score-field, or the role ignored."
        # a bad system and a good one may be so far apart between 0 and 1, or in time
        if shares or all(is_cost(item.measure) for item in checked.systems):
            yield Finding("warning", f"{message}.", "", f"Check that they are of one measure. {fix}")
        else:
            yield Finding("error", f"{message}: they cannot be compared.", "", fix)
    same = [name for name, one in values if len(one) > 2 and len(one.values) == 1]
    if same:
        message = f"All scores of {listed(same)} are the same number."
        yield Finding("warning", message, "", "Check that these are scores.")


def _ends(one: Scale) -> tuple[float, float]:
    return one.values[0], one.values[-1]


def _range(name: str, one: Scale) -> str:
    low, high = _ends(one)
    return f"{name} ({low:g} to {high:g})"


# Checks of text: outputs copied from gold, empty segments, lengths, tokenization, languages.

# Pairs of neighbouring letters as numbers, sorted, and how often each occurs.
Pairs = tuple[Ints, Ints]

SHORT, LONG = 0.5, 2.0  # bounds on the length of a system against the references
MANY_TOKENISED = 0.5
# A copy of a reference is an error for this many segments, if these have more words than labels.
MANY, LABEL_WORDS = 30, 3
# The cosine of letter pairs: measured at .98 or more between translations into one language, .73 or less between French
# and English, .60 between Czech and English.
SAME_LANGUAGE, ENOUGH_PAIRS = 0.85, 2_000

# Languages whose words BLEU's default tokenizer does not split: the letters that identify them, and the right option.
TEXT_LOOKED_AT, MANY_LETTERS = 500, 0.1  # segments; share of all characters
UNSPLIT = "BLEU's default tokenizer (13a) does not split their words"
WRITINGS = (
    ("Japanese", re.compile("[\u3041-\u30ff]"), "ja-mecab (or char)"),
    ("Korean", re.compile("[\uac00-\ud7a3]"), "ko-mecab (or char)"),
    ("Chinese", re.compile("[\u3400-\u9fff]"), "zh"),
)


def copied_segments(checked: Checked) -> Iterator[Finding]:
    """Systems that are identical to a reference or the source; an error for a reference of several words per segment."""
    for system in checked.systems:
        for item in (item for item in checked.gold if item.role in ("reference", "source")):
            number = sum(map(str.__eq__, system.segments, item.segments))
            nearly = item.role == "reference" and _has_words(item) and is_copy(system.segments, item.segments)
            if number == checked.n or nearly:
                yield _copy(system, item, number, checked.n)


def _has_words(item: Item) -> bool:
    """Whether most segments have several words: a perfect system is possible for labels and short answers."""
    return 2 * sum(len(segment.split()) > LABEL_WORDS for segment in item.segments) > len(item.segments)


def _copy(system: Item, item: Item, number: int, n: int) -> Finding:
    """The finding on a system that is a copy of a gold file."""
    how = "identical to" if number == n else f"in {number} of {count(n, 'segment')} identical to"
    message = f"{system.name} is {how} the {item.role} {item.name}."
    where = f"{system.file} and {item.file}"
    if item.role == "reference" and n >= MANY and _has_words(item):
        fix = "It is not an output: leave it out, or set its role to reference or ignored."
        return Finding("error", message, where, fix)
    return Finding("warning", message, where, "Check its role and its content.")


def empties(checked: Checked) -> Iterator[Finding]:
    """References and systems with empty segments."""
    for item in [*checked.references, *checked.systems]:
        empty = [i for i, segment in enumerate(item.segments) if not segment.strip()]
        if empty:
            verb = "is" if len(empty) == 1 else "are"
            message = f"{len(empty)} of {count(len(item.segments), 'segment')} of {item.name} {verb} empty."
            yield Finding("warning", message, f"{item.file}, segment {empty[0] + 1}", "They are scored as they are.")


def lengths(checked: Checked) -> Iterator[Finding]:
    """Systems far shorter or longer than the references, in characters; one finding if most are longer."""
    references = checked.references
    gold = sum(sum(map(len, item.segments)) for item in references) / max(len(references), 1)
    if not gold:
        return
    ratios = [(item, sum(map(len, item.segments)) / gold) for item in checked.systems]
    longer = sum(ratio > LONG for _, ratio in ratios)
    mostly_longer = longer > 1 and 2 * longer > len(ratios)
    if mostly_longer:
        message = f"The references are much shorter than {longer} of {count(len(ratios), 'system')}."
        fix = "Is a reference actually a system output, or in another language?"
        yield Finding("warning", message, listed(item.file for item in references), fix)
    for item, ratio in ratios:
        if ratio < SHORT or (ratio > LONG and not mostly_longer):
            message = f"{item.name} has {ratio:.2f} times the characters of the references."
            fix = "Check that it is the right file, in the right language and role."
            yield Finding("warning", message, item.file, fix)


def foreign(checked: Checked) -> Iterator[Finding]:
    """Systems that share few letter pairs with the references: they look like another language."""
    gold = _pairs(segment for item in checked.references for segment in item.segments[:TEXT_LOOKED_AT])
    if checked.n < FEW_SEGMENTS or gold[1].sum() < ENOUGH_PAIRS:
        return
    pairs = [(item, _pairs(item.segments[:TEXT_LOOKED_AT])) for item in checked.systems]
    odd = [item for item, own in pairs if own[1].sum() >= ENOUGH_PAIRS and _cosine(own, gold) < SAME_LANGUAGE]
    if 1 < len(odd) == len(checked.systems):
        message = "The systems look as if they were in a different language from the references."
        fix = "Was the source, or the reference of another language pair, loaded as the reference?"
        yield Finding("warning", message, listed(item.file for item in checked.references), fix)
        return
    for item in odd:
        message = f"{item.name} looks as if it were in a different language from the references."
        yield Finding("warning", message, item.file, "Check that it is the right file, and that its role is system.")


def _pairs(segments: Iterable[str]) -> Pairs:
    text = " ".join(segments).lower().encode("utf-32-le", "surrogatepass")
    letters = np.frombuffer(text, dtype="<u4").astype(np.int64)
    return np.unique(letters[:-1] << 32 | letters[1:], return_counts=True)


def _cosine(one: Pairs, other: Pairs) -> float:
    _, here, there = np.intersect1d(one[0], other[0], assume_unique=True, return_indices=True)
    dot = int(one[1][here] @ other[1][there])
    return dot / math.prod(math.sqrt(int(counts @ counts)) for _, counts in (one, other))


def tokenised(checked: Checked) -> Iterator[Finding]:
    """Files with spaces before full stops and commas; a warning if only some files have them."""
    systems, references = checked.systems, checked.references
    of_systems, of_references = (list(filter(_looks_tokenised, items)) for items in (systems, references))
    odd = of_systems + of_references
    if not odd:
        return
    where = listed(item.file for item in odd)
    if len(odd) == len(systems) + len(references):
        message = "All files look tokenised (spaces before full stops or commas)."
        yield Finding("note", message, where, "Score them with the tokenizer off, or detokenise them all.")
    else:
        message = (
            f"{len(of_systems)} of {count(len(systems), 'system')} and {len(of_references)} of {len(references)} "
            "references look tokenised (spaces before full stops or commas), but the others do not."
        )
        yield Finding("warning", message, where, "Detokenise them: otherwise the same words get different scores.")


def _looks_tokenised(item: Item) -> bool:
    hits = sum(segment.endswith(" .") or " , " in segment for segment in item.segments)
    return hits > MANY_TOKENISED * len(item.segments)


def writing(segments: Sequence[str]) -> tuple[str, str]:
    """A language without spaces between words, and BLEU's tokenizer for it; ("", "") for other languages."""
    text = "".join(segments[:TEXT_LOOKED_AT])
    for language, letters, tokenizer in WRITINGS:
        if len(letters.findall(text)) > MANY_LETTERS * len(text):
            return language, tokenizer
    return "", ""


def written(checked: Checked) -> Iterator[Finding]:
    """References in a language whose words BLEU's default tokenizer does not split."""
    references = checked.references
    language, tokenizer = writing(references[0].segments) if references else ("", "")
    if language:
        message = f"The references look {language}: {UNSPLIT}."
        way = f"Set the option tokenize of BLEU to {tokenizer}, or use chrF, which does not need words."
        fix = "Where none is set, BLEU splits them with the tokenizer zh." if tokenizer == "zh" else way
        yield Finding("warning", message, listed(item.file for item in references), fix)


ALWAYS: tuple[Check, ...] = (numbers, copies, names)
# Checks of one kind of test set, in the order in which their findings are listed.
OF_KIND: dict[Kind, tuple[Check, ...]] = {
    "text": (copied_segments, empties, lengths, tokenised, foreign, written),
    "scores": (scales,),
    "alignments": (examine_links,),
    "brackets": (outer,),
}


def examine(checked: Checked) -> Iterator[Finding]:
    """Everything that is suspicious about a test set and the systems that agree with it."""
    for check in (*ALWAYS, *OF_KIND.get(checked.kind, ())):
        yield from check(checked)
