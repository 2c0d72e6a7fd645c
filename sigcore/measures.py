"""The one vocabulary of measures: which scores are better by their name, and which may be negative."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from sigcore.types import Better, Direction


@dataclass(frozen=True)
class Subject:
    """The measures of one subject, as normalised words: `higher` and `lower` are better, `signed` ones may be negative.

    A signed measure is also one of `higher` or `lower`.
    """

    title: str
    higher: tuple[str, ...] = ()
    lower: tuple[str, ...] = ()
    signed: tuple[str, ...] = ()


RECORDS: Mapping[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))  # Any: texts, lists
SUBJECTS = tuple(
    Subject(one["title"], *(tuple(one.get(kind, ())) for kind in ("higher", "lower", "signed")))
    for one in RECORDS["subject"]
)
NONE: tuple[str, ...] = tuple(RECORDS["none"])
TITLES: Mapping[str, str] = RECORDS["titles"]

BEFORE = frozenset([
    "no", "non", "not", "without", "zero", "never", "neg", "negative", "negated", "minus", "inverse", "inverted", "anti",
    "un", "absence", "lack",
])  # fmt: skip
AFTER = frozenset(("free", "freeness", "freedom", "less"))
# Behind something bad: who finds or corrects mistakes does well.
FOUND = frozenset((
    "identification", "identified", "location", "localization", "localisation", "recognition", "handling", "fixed", "corrected",
    "repaired", "avoided", "prevented", "averted", "effectiveness", "awareness",
))  # fmt: skip
# Behind something bad they say nothing of whose it is: errors found are good of who looks for them, and bad of who made them.
OPEN = frozenset(("found", "detected", "caught", "spotted", "reported", "flagged"))
FILLING = frozenset(["of", "any", "mean", "avg", "average", "the", "a", "an", "total", "overall"])
# What follows one of these only says for what, or on what, the words before it were measured.
PASSED = frozenset(("of", "with"))  # what follows counts where nothing before it does: percent of correct answers
JOINTS = PASSED | frozenset((
    "per", "by", "in", "at", "on", "for", "over", "under", "against", "vs", "versus", "from", "to", "during", "after", "across",
    "within", "among",
))  # fmt: skip
PER = "per"  # the phone error rate, and in points per question only a joint
# 1 - WER, but not the F1-score, ROUGE-1-F or Hits@1-rate: there the number belongs to the word before it
PLACE = re.compile(r"\s*(?:(?:human|mean|average|avg)[-_ ])?(?:rank|ranking|place)\s*", re.IGNORECASE)  # 1 is the best
# The place of what was looked for, counted from 1: first_hit, gold_rank, position of the answer.
FIRST_PLACE = re.compile(
    r"(?:.+[-_ ])?first[-_ ](?:hit|match|relevant|correct|gold|answer)(?:[-_ ](?:rank|position|pos|place))?|(?:.+[-_ ])?ranks?|"
    r"(?:rank|position|place)[-_ ]of[-_ ](?:\w+[-_ ])?(?:answer|gold|correct|right|relevant|hit|match|target|truth|reference)",
    re.IGNORECASE,
)
# Of these ranks more is better, or they are no places.
NO_PLACE = frozenset([
    "reciprocal", "inverse", "inverted", "percentile", "percent", "normalized", "normalised", "relative", "neg", "negative",
    "page", "low", "full", "matrix", "tensor", "recip", "spearman", "spearmans", "kendall", "kendalls", "correlation", "corr", "inv",
    "hits", "goodman", "rbo", "biased",
])  # fmt: skip
# How often something was hit, as a count: whether that is good depends on what it was.
COUNTED = re.compile(r"(?:n|num|number(?: of)?|count(?: of)?)[-_ ]?(?:of[-_ ])?hits", re.IGNORECASE)
# api_total_s: what took so many seconds; model_s is a small model.
SECONDS = re.compile(
    r"(?:\w+_)?(?:total|prefill|decode|load|wall|gen(?:eration)?|infer(?:ence)?|response|elapsed|api|exec|train|eval)\w*_s",
    re.IGNORECASE,
)
COMPLEMENT = re.compile(r"(?<![\w.@\-\u2212\u2013])\s*(?:1|1\.0|100)\s*[-\u2212\u2013]\s*(?=[A-Za-z])")
AVERAGED = re.compile(r"\b(?:mean|average|avg|median|scores?|macro|micro|corpus|overall|of)\b", re.IGNORECASE)
SAID: dict[Better, re.Pattern[str]] = {
    "higher": re.compile("[\u2191\u2b06]|(?:higher|larger|more)[ _-]*(?:is|=)[ _-]*better", re.IGNORECASE),
    "lower": re.compile("[\u2193\u2b07]|(?:lower|smaller|less)[ _-]*(?:is|=)[ _-]*better", re.IGNORECASE),
}
OF_FIRST = {
    "p": "precision@", "r": "recall@", "ap": "average precision@", "hr": "hit rate@", "err": "expected reciprocal rank@",
}  # fmt: skip
AT = re.compile(r"(?<![a-z0-9])(?:(?P<of>p|r|ap|hr|err)@(?=[a-z0-9])|(?P<trec>p)_(?=\d+$))")
BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
APART, CAMEL = re.compile(r"[^a-z0-9]+"), re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
LONGEST_STEM = 3  # letters that a word keeps at least without its number: rouge1, but f1


@dataclass(frozen=True)
class _Found:
    """A known phrase from word `start` to word `end` of a heading, and which of its scores are better ("": neither)."""

    start: int
    end: int
    phrase: str
    better: Better | None


def _table() -> dict[tuple[str, ...], Better | None]:
    known: dict[tuple[str, ...], Better | None] = {tuple(phrase.split()): None for phrase in NONE}
    for subject in SUBJECTS:
        known |= {tuple(phrase.split()): "higher" for phrase in subject.higher}
        known |= {tuple(phrase.split()): "lower" for phrase in subject.lower}
    return known


KNOWN = _table()
LONGEST = max(map(len, KNOWN))
SIGNED = frozenset(phrase for subject in SUBJECTS for phrase in subject.signed)
DIFFERENCES = frozenset([
    "log", "z", "zscore", "diff", "difference", "differences", "delta", "net", "margin", "standardized", "standardised",
])  # fmt: skip
OPPOSITE: dict[Better, Better] = {"higher": "lower", "lower": "higher"}


# Expected reciprocal rank, also intent-aware; an error is not counted at a rank.
RECIPROCAL_RANK = re.compile(r"n?ERR(?:-IA)?@\d+|n?ERR-IA|nERR", re.IGNORECASE)


def _of_rank(name: str) -> Better | None:
    """Which ranks are better, and which measures of them, by their whole names; None for other measures."""
    if PLACE.fullmatch(name) or (FIRST_PLACE.fullmatch(name.strip()) and NO_PLACE.isdisjoint(_split(name))):
        return "lower"
    return "higher" if RECIPROCAL_RANK.fullmatch(name.strip()) else None


@lru_cache(maxsize=10_000)
def better_of(name: str) -> Better | None:
    """Which scores of a measure are better, by whole words of its name; None where no word is known.

    The last known measure before a joint decides: the accuracy of error detection is higher, errors per word are lower.
    A negation turns it (error-free rate, non-toxic), and so does a name such as 1-WER. A name may also say it itself, with
    an arrow or as "lower is better"; other words in brackets count only where nothing before them is known.
    """
    if of_rank := _of_rank(name):
        return of_rank
    if COUNTED.fullmatch(name.strip()):
        return None
    said: list[Better] = [better for better, pattern in SAID.items() if pattern.search(name)]
    if said:
        return said[0] if len(said) == 1 else None
    rest = COMPLEMENT.sub("", name, count=1)
    if rest != name:
        whole, only = is_measure(AVERAGED.sub(" ", rest)), _measure(rest)
        if whole and only:
            return OPPOSITE[only[0]]
    found = _measure(name)
    return found[0] if found else "lower" if SECONDS.fullmatch(name.strip()) else None


def direction_of(name: str) -> Direction:
    """The direction of a measure: known by its name, or else "higher is better (assumed)"."""
    better = better_of(name)
    return Direction("higher", "assumed") if better is None else Direction(better, "known")


def is_open(name: str) -> bool:
    """Whether a name counts something bad that was found, so that many may be good or bad: bugs_found."""
    found, words = _measure(name), _split(name)
    return found is not None and found[0] == "lower" and words[-1] in OPEN


def only_holds(name: str) -> bool:
    """Whether a name holds a word of which less is better, and is no measure itself: time_qa, and neither time nor results_wer."""
    found = _measure(name)
    is_one = is_measure(name) or PLACE.fullmatch(name) or (found is not None and found[1] in TITLES)
    return better_of(name) == "lower" and not is_one


def may_be_negative(name: str) -> bool:
    """Whether the measure has scores below zero by its definition: correlations, log probabilities, gains, decibels."""
    found = _measure(name)
    words = {*_split(name), *_split(CAMEL.sub(" ", name))}
    return bool(found and found[1] in SIGNED) or bool(words & DIFFERENCES)


def titled(name: str) -> str:
    """The name, with the long form of a usual abbreviation behind it: "EER (equal error rate)"."""
    words = _split(name)
    long = TITLES.get(words[0]) if len(words) == 1 else None
    return f"{name} ({long})" if long else name


def _split(name: str) -> list[str]:
    """The words of a name in lower case; numbers alone are none. P@10 and P_10 are the precision of ten documents."""
    name = AT.sub(lambda match: OF_FIRST[match["of"] or match["trec"]], name.lower())
    return [word for word in APART.split(name) if word and not word.isdigit()]


TRUTHS = (["correct"], ["passed"], ["resolved"], ["solved"])  # is_correct is a measure, is_valid a field of a log


def is_measure(name: str) -> bool:
    """Whether the name is one known measure and nothing else."""
    words = _split(name)
    words = words[1:] if words[:1] == ["is"] and words[1:] in TRUTHS else words
    found = list(_phrases(words))
    return len(found) == 1 and (found[0].start, found[0].end) == (0, len(words))


def _measure(name: str) -> tuple[Better, str] | None:
    """Which scores are better and the phrase that says it; the words as they are written, or else apart at capitals."""
    bare = BRACKETS.sub(" ", name)
    if bare != name and (found := _measure(bare)):
        return found
    capital = re.search(r"(?<![A-Za-z])PER(?![A-Za-z])", name) is not None and name != name.upper()
    return _decided(_split(name), capital) or _decided(_split(CAMEL.sub(" ", name)), capital)


def _decided(words: list[str], capital: bool) -> tuple[Better, str] | None:
    """What the last known measure before the first joint says, else what follows a joint such as "of"."""
    if words[:1] == [PER] and len(words) > 2 and not capital:  # per word perplexity
        words = words[2:]
    found = [one for one in _phrases(words) if one.phrase != PER or capital or one.end == len(words)]
    joint = _joint(words, found)
    for one in reversed(found):
        if one.end <= joint and one.better is not None:
            return (OPPOSITE[one.better] if _turned(words, one) else one.better), one.phrase
    return _behind(words, joint, capital) if joint < len(words) and words[joint] in PASSED else None


def _behind(words: list[str], joint: int, capital: bool) -> tuple[Better, str] | None:
    """What the words behind a joint say: absence of errors, percent of correct answers."""
    rest = _decided(words[joint + 1 :], capital)
    return (OPPOSITE[rest[0]], rest[1]) if rest and words[joint - 1] in BEFORE else rest


def _joint(words: Sequence[str], found: Sequence[_Found]) -> int:
    """Where the first joint is that is part of no measure; the number of words without one."""
    inside = {k for one in found for k in range(one.start, one.end)}
    return next((k for k, word in enumerate(words) if k and word in JOINTS and k not in inside), len(words))


def _turned(words: Sequence[str], one: _Found) -> bool:
    """Whether a negation is before the phrase, or "free" behind it."""
    before = one.start - 1
    while before > 0 and words[before] in FILLING:
        before -= 1
    behind = words[one.end] if one.end < len(words) else ""
    found = one.better == "lower" and behind in FOUND
    return (before >= 0 and words[before] in BEFORE) or behind in AFTER or found


def _phrases(words: Sequence[str]) -> Iterator[_Found]:
    """The known phrases from left to right, the longest first at each word; a number at the end of a word may be left out."""
    stems = [_stem(word) for word in words]
    k = 0
    while k < len(words):
        for end in range(min(len(words), k + LONGEST), k, -1):
            phrase = next((one for one in (tuple(words[k:end]), tuple(stems[k:end])) if one in KNOWN), None)
            if phrase is not None:
                yield _Found(k, end, " ".join(phrase), KNOWN[phrase])
                k = end - 1
                break
        k += 1


def _stem(word: str) -> str:
    stem = word.rstrip("0123456789")
    return stem if len(stem) >= LONGEST_STEM else word
