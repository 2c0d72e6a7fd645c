"""Which of the loaded items are selected: one test set, one kind, one measure; and which are runs of one system."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Literal, TypeVar

from sigcore import measures
from sigcore.data.checks import Finding
from sigcore.errors import OptionError, UnknownMember
from sigcore.formatting import count, listed
from sigcore.readers import SHARED, is_cost, is_missing, is_number, names
from sigcore.readers.contract import Item
from sigcore.testset import length_mismatch
from sigcore.types import KINDS, Kind

# Test sets that only a file name suggests and nothing confirms: my-no.txt is a system, not Burmese.

# Readers that find the test set inside a file.
NAMED_INSIDE = frozenset(("wmt_xml", "wmt_sgm", "known"))
Dropped = list[tuple[Item, Item]]


def settled(items: Sequence[Item]) -> tuple[list[Item], Dropped]:
    """The items, and those that lost an unconfirmed test set, each with the reference that it matches.

    If there are several test sets, one that appears in the name of a single output, and of no reference, source or
    document, is dropped if the output has as many segments as a reference of another: systems often have such names.
    """
    if len({item.testset for item in items if item.testset}) < 2:
        return list(items), []
    doubtful = _doubtful(items)
    references = {len(item.segments): item for item in reversed(items) if item.role == "reference"}
    kept: list[Item] = []
    dropped: Dropped = []
    for item in items:
        other = references.get(len(item.segments)) if item.testset in doubtful else None
        if other is not None:
            dropped.append((item, other))
            item = replace(item, testset="")
        kept.append(item)
    return kept, dropped


def _doubtful(items: Sequence[Item]) -> set[str]:
    """The test sets that only the name of one file suggests."""
    files = Counter(testset for testset, _ in {(item.testset, item.file) for item in items})
    sure = {item.testset for item in items if item.testset and not _is_guess(item)}
    return {testset for testset, number in files.items() if testset and number == 1} - sure


def _is_guess(item: Item) -> bool:
    """Whether only the name of an output indicates its test set."""
    if item.role != "system" or item.reader in NAMED_INSIDE:
        return False
    return item.testset == names.guess_testset(item.file) and not names.in_campaign(item.file)


# The number of segments of a test set: the length of most files, and the files that differ.

BY_LINE = ("", "plain")  # readers for which every line is a segment, the last one too


def agreed_length(items: Sequence[Item], blank_end: bool) -> tuple[int, str]:
    """The number of segments that fits most files, and the name of a file with it; documents do not count.

    A file with an empty last line can have one less, and must unless `blank_end` says that a last segment may be blank.
    Ties: the fewest dropped lines, then the length of the reference, then the longer one (a truncated file is more
    likely than one with added lines).
    """
    voting = [item for item in items if item.role not in SHARED]
    if not voting:
        return 0, ""
    if not blank_end:
        voting = [replace(item, segments=item.segments[: _trimmed(item)]) for item in voting]
    lengths = {len(item.segments) for item in voting} | {_trimmed(item) for item in voting}
    n = max(lengths, key=partial(_merit, voting))
    agreeing = [item for item in voting if n in (len(item.segments), _trimmed(item))]
    return n, min(agreeing, key=lambda item: item.role != "reference").name


def _merit(items: Sequence[Item], n: int) -> tuple[int, int, int, int]:
    """How well a number of segments fits the items; the largest is agreed on."""
    as_is = [item for item in items if len(item.segments) == n]
    fits = len(as_is) + sum(_trimmed(item) == n != len(item.segments) for item in items)
    return fits, len(as_is), sum(item.role == "reference" for item in as_is), n


def of_length(
    items: Sequence[Item], n: int, other: str, findings: list[Finding], found: Callable[[Item], str] = lambda item: ""
) -> list[Item]:
    """The items with n segments; one extra empty last line is dropped with a note, other lengths are reported, with what is
    `found` about them."""
    kept = []
    for item in items:
        if len(item.segments) == n:
            kept.append(item)
        elif _trimmed(item) == n:
            kept.append(replace(item, segments=item.segments[:-1]))
            message = f"The empty last line of {item.name} was dropped: without it the numbers of segments agree."
            findings.append(Finding("note", message, f"{item.file}, line {n + 1}"))
        else:
            fault = length_mismatch(item.name, item.segments, other, n, found(item))
            where = "; ".join(filter(None, (item.file, fault.where)))
            findings.append(Finding("error", fault.what, where, fault.fix))
    return kept


def _trimmed(item: Item) -> int:
    """The number of segments without an empty last one, which only a file of lines can have by accident."""
    n = len(item.segments)
    return n - 1 if n > 1 and item.reader in BY_LINE and not item.segments[-1].strip() else n


WITHOUT_GOLD: tuple[Kind, ...] = ("scores", "statistics")
AnyKind = Kind | Literal[""]
Name = TypeVar("Name", bound=str)


@dataclass(frozen=True)
class Choices:
    """What can be selected among the items: test sets, the kinds in the selected one, the measures of its scores."""

    testsets: tuple[str, ...]
    kinds: tuple[Kind, ...]
    measures: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Selected:
    """The selected items, of one test set, kind and measure; () if there are none of the kind."""

    items: tuple[Item, ...]
    testset: str
    kind: Kind


def choices(items: Iterable[Item], testset: str = "", kind: str = "") -> Choices:
    """The available choices, the most frequent first; kinds depend on the test set, measures on both."""
    used = with_labels(settled([item for item in items if item.role != "ignored"])[0])
    testsets = _testsets(used)
    candidates = _of_testset(used, one_of(testsets, testset))
    kinds = _kinds(candidates)
    kind = one_of(kinds, kind)
    scored = [item for item in candidates if item.role == "system" and item.kind == kind]
    first = {item.measure: item for item in reversed(scored)}
    measures = dict.fromkeys(item.measure for item in scored)
    likely = sorted(measures, key=lambda one: (_is_sparse(first[one]), *_unlikely(one), _is_half(one, measures)))
    return Choices(testsets, kinds, tuple(likely))


HALF = re.compile(r"(.+[-_. ])(?:p|r|precision|recall)", re.IGNORECASE)
WHOLE = ("f", "f1", "f-measure", "f_measure", "fmeasure", "fscore", "f_score")


def _is_half(measure: str, measures: Iterable[str]) -> bool:
    """Whether a measure is the precision or the recall of another one, whose F is there too: rouge1-P beside rouge1-F."""
    half = HALF.fullmatch(measure)
    return half is not None and any(one.lower() in {f"{half[1].lower()}{end}" for end in WHOLE} for one in measures)


def _is_sparse(item: Item) -> bool:
    """Whether scores are missing for more than half of the segments, as where a measure is of one category alone."""
    return item.kind == "scores" and 2 * sum(map(is_missing, item.segments)) > len(item.segments)


FINAL = re.compile(r"(?:\w+[-_. ])*final[-_ ](?:score|rating|grade|points)", re.IGNORECASE)  # what all others led to
OVERALL = re.compile(r"(?:\w+[-_. ])*(?:overall|total)(?:[-_ ](?:score|rating|grade|points|\d+))?", re.IGNORECASE)
# top1_score may be of anything; the scores of people and judges are of quality
SCORED = re.compile(r"(?!(?:mqm|esa|da|z|judge|human|expert)[-_ ])(?:\w+[-_ ])+scores?|.+/v\d+/score", re.IGNORECASE)
VERSIONED = re.compile(r"/v\d+/score$", re.IGNORECASE)  # answer_correctness/v1/score, as MLflow writes it


def _unlikely(measure: str) -> tuple[bool, bool, bool, bool]:
    """What speaks against a measure as the first that is shown: it says what an answer costs, it is one of several criteria
    beside their total, or a score of something of which nobody knows whether more of it is better."""
    return (
        is_cost(measure),
        FINAL.fullmatch(measure) is None,
        OVERALL.fullmatch(measure) is None,
        bool(SCORED.fullmatch(measure)) and measures.better_of(_bare(measure)) is None,
    )


def _bare(measure: str) -> str:
    """The name of a measure without the version that a program gave it."""
    return VERSIONED.sub("", measure)


def one_of(known: Sequence[Name], chosen: str) -> Name | Literal[""]:
    """The chosen name if it is known; else the first known name; "" if there is none."""
    return next((name for name in known if name == chosen), known[0] if known else "")


def known(family: str, name: str, names: Sequence[Name]) -> Name | Literal[""]:
    """The name, if it is known, or "". The last part of one nested name is enough (f1 for metrics.f1).

    Raises: UnknownMember for any other name: nothing is used in its place.
    """
    ends = [one for one in names if name and one.endswith(f".{name}")]
    if name not in names and len(ends) == 1:
        return ends[0]
    if name and name not in names:
        raise UnknownMember(f"{family} in these files", name, filter(None, names))
    return next((one for one in names if one == name), "")


def with_labels(items: Sequence[Item]) -> list[Item]:
    """The items; if a reference holds numbers, those that hold numbers also as text: they are labels to compare."""
    if not any(item.role == "reference" and item.kind == "scores" for item in items):
        return list(items)
    numbers = [item for item in items if item.kind == "scores" and not item.measure]
    return [*items, *(replace(item, kind="text") for item in numbers)]


def selected(items: Sequence[Item], kind: AnyKind, testset: str, measure: str, findings: list[Finding]) -> Selected:
    """The selected items; everything set aside is reported."""
    available = choices(items, testset, kind)
    testset = one_of(available.testsets, testset)
    findings += _others(
        f"{count(len(available.testsets), 'test set')} are loaded", testset, available.testsets, "testset"
    )
    candidates = _of_testset(items, testset)
    # the most frequent kind of the systems; without systems, that of the first item
    kinds = [*available.kinds, *(item.kind for item in _own(candidates))]
    kind = kind or (kinds[0] if kinds else "text")
    chosen = [item for item in candidates if item.kind == kind or item.role in SHARED]
    findings += _set_aside(candidates, chosen, kind)
    chosen = _of_measure(chosen, measure, findings)
    return Selected(tuple(chosen) if _own(chosen) else (), testset, kind)


def _own(items: Iterable[Item]) -> list[Item]:
    """The items without documents and domains, which belong to every kind."""
    return [item for item in items if item.role not in SHARED]


def _others(message: str, name: str, names: Sequence[str], option: str) -> list[Finding]:
    """The note that this one of several is selected, and the `option` that selects another."""
    others = [one for one in names if one not in ("", name)]
    if len(names) < 2:
        return []
    message = f"{message}; this is {name or 'the one without a name'}."
    fix = f"Select another to see it{f': --{option} {shlex.quote(others[0])} in the terminal' if others else ''}."
    return [Finding("note", message, listed(one or "(no name)" for one in names), fix)]


def _set_aside(candidates: Sequence[Item], chosen: Sequence[Item], kind: Kind) -> list[Finding]:
    """The finding about items of other kinds, if there are any."""
    used = {id(item.segments) for item in chosen}  # numbers appear both as labels and as scores
    aside = [item for item in _own(candidates) if id(item.segments) not in used]
    if not aside:
        return []
    files = listed(item.file for item in aside)
    beside_links = {(item.kind, item.role) for item in aside} <= {("text", "source"), ("text", "system")}
    if kind == "alignments" and beside_links:
        message = (
            "Text next to links is their words, not the links of a system: links to words that it does not have are "
        )
        return [Finding("note", message + "reported, and Preview shows the words.", files)]
    other = aside[0].kind
    number = len({item.file for item in aside})
    message = f"{kind.capitalize()} and {other} are separate test sets; {count(number, 'file')} of {other} set aside."
    way = " (--metric own_scores in the terminal)" if other == "scores" else ""
    return [Finding("warning", message, files, f"Select {other} to see them{way}.")]


def _of_measure(chosen: list[Item], measure: str, findings: list[Finding]) -> list[Item]:
    """The items, without the systems of other measures than the selected one."""
    measures = tuple(dict.fromkeys(item.measure for item in chosen if item.role == "system"))
    if len(measures) < 2:
        return chosen
    measure = one_of(measures, measure)
    findings += _others(f"The scores are of {count(len(measures), 'measure')}", measure, measures, "measure")
    return [item for item in chosen if item.measure == measure or not _is_of_other(item, measure)]


def _is_of_other(item: Item, measure: str) -> bool:
    """Whether an item is a system of another measure, or belongs to the segments that only another measure has."""
    if item.role not in ("documents", "domains"):
        return item.role == "system"
    return bool(item.measure) and not f"{measure} ".startswith(f"{item.measure} ")


def _kinds(items: Sequence[Item]) -> tuple[Kind, ...]:
    """The kinds of the systems, the most frequent first."""
    numbers = Counter(item.kind for item in items if item.role == "system")
    # a kind with a reference was meant to be scored; scores of the same systems are often loaded with it
    referenced = {item.kind for item in items if item.role == "reference"}
    if _are_scored(items):
        referenced = {"scores"}
    # text cannot be scored without any reference, so it comes after scores
    alone = WITHOUT_GOLD if not referenced else KINDS
    return tuple(sorted(numbers, key=lambda k: (k not in referenced, k not in alone, -numbers[k], KINDS.index(k))))


def _are_scored(items: Sequence[Item]) -> bool:
    """Whether every output has its scores by a metric, or its grades, in its own file, which was written for these scores."""
    systems = [item for item in items if item.role == "system"]
    known = [i for i in systems if i.kind == "scores"]
    of_metrics = set(filter(_is_measure, {i.measure for i in known}))
    scored = {i.file for i in known if i.better or i.measure in of_metrics or _are_grades(i)}
    return bool(scored) and {item.file for item in systems if item.kind == "text"} <= scored


IN_METRICS = re.compile(r"(?:scores|metrics|results)\.")  # before the name of a measure
# from 0 to 10; measures that only say that somebody scored
MOST_GRADES, PLAIN = 11, ("score", "scores", "grade", "grades", "verdict", "judgment", "judgement", "rating")


def _are_grades(item: Item) -> bool:
    """Whether scores without a name are a few steps: what somebody found, and not how sure a system was."""
    found = {float(cell) for cell in {*item.segments} if is_number(cell)}
    steps = all((2 * value).is_integer() for value in found)
    return item.measure.lower() in PLAIN and 1 < len(found) <= MOST_GRADES and steps


def _is_measure(name: str) -> bool:
    name = _bare(IN_METRICS.sub("", name))
    return bool(names.measure_word(name)) or measures.is_measure(name)


def _testsets(items: Sequence[Item]) -> tuple[str, ...]:
    """The names of the test sets, the one with most systems first; () if none has a name.

    "" is among them if files without a test set form their own, of another length than all the others.
    """
    names = {item.testset for item in items if item.role not in SHARED} - {""}
    if not names:
        return ()
    unnamed = _own_length(items)
    systems = [item for item in items if item.role == "system"]
    numbers = Counter(item.testset for item in systems if item.testset or len(item.segments) == unnamed)
    return tuple(sorted(names | ({""} if unnamed else set()), key=lambda name: (-numbers[name], name)))


def _own_length(items: Iterable[Item]) -> int:
    """The number of segments of files without a test set that form their own, next to others; 0 if none do."""
    lengths: dict[tuple[str, str, bool], set[int]] = {}
    for item in items:
        lengths.setdefault((item.kind, item.role, bool(item.testset)), set()).add(len(item.segments))
    others = {n for (_, role, named), numbers in lengths.items() if named and role not in SHARED for n in numbers}
    for kind in KINDS:
        systems = lengths.get((kind, "system", False), set())
        gold = systems if kind in WITHOUT_GOLD else lengths.get((kind, "reference", False), set())
        shared = sorted((systems & gold) - others)
        if others and shared:
            return shared[-1]
    return 0


def _of_testset(items: Sequence[Item], testset: str) -> list[Item]:
    """The items of a test set, and those without one that may belong to it."""
    unnamed = _own_length(items)
    if unnamed and not testset:
        return [item for item in items if not item.testset]
    return [item for item in items if item.testset in ("", testset) and (item.testset or len(item.segments) != unnamed)]


# Which names look like runs of one system (A.seed1, A.seed2), and the system and run in names of given patterns.

SYSTEM, RUN = "{system}", "{run}"
RUNS_EXAMPLE = f"{SYSTEM}.seed{RUN}"
APART = r"[._\-\s]"  # what separates the parts of a name
# What comes before the number of a run: words, and after a separator also words and letters with which others end.
WORD = rf"(?:{names.RUN_WORDS}|opt|init|ckpt|checkpoint|epoch)"
MARK = rf"(?:{APART}?{WORD}{APART}?|{APART}(?:ep|step|iter){APART}?|{APART}[sr])"
# "A.seed1", also with something behind it ("A.seed1.detok"), and "seed1-A".
AFTER = re.compile(rf"(?P<system>.*[^._\-\s])(?P<mark>{MARK})(?P<run>\d+)(?P<tail>(?:{APART}.*)?)", re.IGNORECASE)
# A bare number or a date at the end, where other systems have the same: A_1, A_2, B_1, B_2.
BARE = re.compile(
    rf"(?P<system>.*?[^._\-\s])(?P<mark>{APART})(?P<run>20\d\d-?[01]\d-?[0-3]\d|\d+)(?P<tail>)", re.DOTALL
)
DATE = re.compile(r"20\d\d-?[01]\d-?[0-3]\d")
BEFORE = re.compile(rf"(?P<mark>{WORD}{APART}?)(?P<run>\d+)(?P<tail>{APART})(?P<system>.+)", re.IGNORECASE)


def like_runs(names: Iterable[str]) -> dict[str, list[str]]:
    """The names that look like two or more runs of one system, by a pattern that fits them ("A.seed{run}").

    It is only a guess, to be confirmed by the user: versions of a system, for example, are not runs.
    """
    names, found = list(names), dict[str, list[str]]()
    for name in names:
        match = _apart(name)
        if match:
            found.setdefault(f"{name[: match.start('run')]}{RUN}{name[match.end('run') :]}", []).append(name)
    marked = {pattern: alike for pattern, alike in found.items() if len(alike) > 1}
    return marked or _bare_runs(names)


def _bare_runs(names: Iterable[str]) -> dict[str, list[str]]:
    """The names by pattern that end in a date, or only in numbers, the same as those of another system."""
    found: dict[str, dict[str, str]] = {}
    for match in filter(None, map(BARE.fullmatch, names)):
        found.setdefault(f"{match['system']}{match['mark']}{RUN}", {})[match["run"]] = match[0]
    several = {pattern: runs for pattern, runs in found.items() if len(runs) > 1 and not all(map(_is_size, runs))}
    times = Counter(frozenset(runs) for runs in several.values())
    return {
        pattern: list(runs.values())
        for pattern, runs in several.items()
        if times[frozenset(runs)] > 1 or all(map(DATE.fullmatch, runs))
    }


def _is_size(run: str) -> bool:
    """Whether a number is rather a size than the number of a run: 256, 512 or 1000 of something."""
    number = int(run) if run.isdigit() else 0
    return number > 15 and (number & (number - 1) == 0 or number % 50 == 0)


def share_runs(names: Iterable[str]) -> bool:
    """Whether two systems have the same two runs or more, by words of runs in their names: A_s1, A_s2, B_s1, B_s2.

    Rivals are not named so. Bare numbers may be sizes, and runs of a single system its versions.
    """
    own = [
        {name[start : len(name) - len(pattern) + start + len(RUN)] for name in alike}
        for pattern, alike in like_runs(names).items()
        if _apart(alike[0])
        for start in [pattern.index(RUN)]
    ]
    return any(len(one & other) > 1 for one, other in combinations(own, 2))


def pattern_of(alike: str) -> str:
    """The pattern for the names of all systems, from one of `like_runs`: "A.seed{run}" gives "{system}.seed{run}"."""
    match = _apart(alike.replace(RUN, "0")) or BARE.fullmatch(alike.replace(RUN, "0"))
    if match is None:
        return f"{SYSTEM}.{RUN}"
    number = f"{match['mark']}{RUN}{match['tail']}"
    return f"{number}{SYSTEM}" if match.re is BEFORE else f"{SYSTEM}{number}"


def _apart(name: str) -> re.Match[str] | None:
    return BEFORE.fullmatch(name) or AFTER.fullmatch(name)


def by_pattern(names: Iterable[str], patterns: str | Sequence[str]) -> dict[str, list[str]]:
    """The names by system, both in order; a name that does not fit any pattern is a system with one run.

    A pattern has "{system}" and "{run}" once each; everything else is literal. Of several patterns the first that fits a
    name counts.

    Raises: OptionError for another pattern, and for one that no name fits.
    """
    given = [patterns] if isinstance(patterns, str) else list(patterns)
    rules = {pattern: _rule(pattern) for pattern in given}
    known, used = list(names), set[str]()
    out: dict[str, list[str]] = {}
    for name in known:
        fits = next(((pattern, match) for pattern, rule in rules.items() if (match := rule.fullmatch(name))), None)
        if fits:
            used.add(fits[0])
        out.setdefault(fits[1]["system"] if fits else name, []).append(name)
    for pattern in given:
        if pattern not in used:
            raise OptionError(f"No name of a system fits {pattern!r}.", "", f"Names: {', '.join(known)}.")
    return out


def fit_runs(names: Iterable[str], patterns: Sequence[str]) -> bool:
    """Whether these are patterns of which each fits some of the names."""
    try:
        return bool(patterns and by_pattern(names, patterns))
    except OptionError:
        return False


def _rule(pattern: str) -> re.Pattern[str]:
    if pattern.count(SYSTEM) != 1 or pattern.count(RUN) != 1:
        raise OptionError(f"{pattern!r} is not a pattern for runs.", "", f"Write {RUNS_EXAMPLE}, for example.")
    text = re.escape(pattern).replace(re.escape(SYSTEM), "(?P<system>.+)").replace(re.escape(RUN), "(?P<run>.+)")
    return re.compile(text)
