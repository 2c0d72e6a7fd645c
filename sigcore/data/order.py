"""Are the lines of an output in the order of the reference? Words that are rare in the reference say where a line belongs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from statistics import median

from sigcore.data.checks import Finding
from sigcore.formatting import count
from sigcore.readers import Item
from sigcore.text.answers import UNSPACED

# At least four letters, vowel signs among them: in Hindi or Tamil these are no letters for \w, and split every word.
WORD = re.compile(
    r"[^\s\d!-/:-@\[-`{-~\u00a1-\u00bf\u0964\u0965\u060c\u061b\u061f\u2000-\u206f\u2581\u3000-\u303f\uff00-\uff20]{4,}"
)
GRAM = 4  # characters, in scripts without blanks
RARE = 10  # reference lines that have the word, at most
MOST_TIMES = 3  # that a reference comes again
# Rare words, or pieces of four characters, that a line must have in common with one reference line to say where it belongs.
LEAST_WORDS, LEAST_PIECES = 2, 4
LEAST_LINES = 50  # such lines; with fewer only what most of them say counts
# Of so few, half of all lines must say where they belong, and half of these must fit another one: none of 5,200 windows
# of 10 to 40 lines of 33 sound systems does.
FEWEST_LINES, MOST_OF = 8, 0.5
FEWEST_UNRELATED = 16  # lines with rare words that must have nothing in common with theirs: no sound window has so few
MOST_LINES = 5_000  # lines of an output that are looked at, spread evenly
# Lines that were matched by ids, or stand beside their reference in a table, are in order unless many lines, and most of all,
# clearly say otherwise: free answers have words of each other.
MATCHED_OF, MATCHED_FIT = 0.75, 0.5
WARN, REFUSE = 0.10, 0.15  # share of lines that fit another place better: 2-3% for outputs, 6% for other references
NEAR = 50  # lines: where more between two shifted ones are in order, they are not one stretch
MAIN = 0.5  # share of the misplaced lines that one shift must explain
# Lines in another order fit other lines as well as they would fit their own; free text meets them by chance. What tells
# them apart is `Order.fit`: measured at .42 or more where lines are permuted, at .20 or less between unrelated texts.
FIT = 1 / 3
WHOLE = 0.9  # share of all lines: a longer stretch is called all of them
# Of the lines that fit one line best, so many must say where some were lost, and so many on each side of it.
TOLD, EACH_SIDE = 0.8, 3
UNRELATED = 0.1  # share of the lines with rare words that fit their own reference; 70% or more in outputs


@dataclass(frozen=True)
class Order:
    """How many lines say where they belong (`known`), and those that fit another line better: (line, that line).

    `fit` is the share of the lines with rare words that say where they belong, times the median share of its rare words
    that a misplaced line has in common with the line that it fits; `able` lines have rare words.
    """

    known: int
    misplaced: tuple[tuple[int, int], ...]
    n: int
    fit: float = 1.0
    able: int = 0

    @property
    def unrelated(self) -> bool:
        """Whether hardly any line with rare words fits its own reference, and the others fit no line but by chance."""
        right = self.known - len(self.misplaced)
        return self.able >= FEWEST_UNRELATED and right < UNRELATED * self.able and self.fit < FIT

    @property
    def share(self) -> float:
        """The share of the lines that fit another place better; 0 where too few say anything, or only by chance."""
        if self.known < FEWEST_LINES or self.fit < FIT:
            return 0.0
        share = len(self.misplaced) / self.known
        few = 2 * self.known >= self.n and share >= MOST_OF
        return share if self.known >= LEAST_LINES or few else 0.0

    @property
    def share_of_matched(self) -> float:
        """The same of lines that something else has matched already."""
        told = self.known >= max(LEAST_LINES, MATCHED_OF * self.n) and self.fit >= MATCHED_FIT
        return self.share if told else 0.0

    @property
    def described(self) -> str:
        """In what other order the lines are: one line late from line 2 to 301, reversed, or only another one."""
        shifts = Counter(there - here for here, there in self.misplaced)
        shift, number = shifts.most_common(1)[0]
        if number >= MAIN * len(self.misplaced):
            lines = _longest([here + 1 for here, there in self.misplaced if there - here == shift])
            which = "late" if shift < 0 else "early"
            return f"from line {lines[0]:,} to {lines[-1]:,} they are {count(abs(shift), 'line')} {which}"
        turned = sum(there == self.n - 1 - here for here, there in self.misplaced)
        how = "they are in reverse order" if turned >= MAIN * len(self.misplaced) else "they are in another order"
        lines = _longest([here + 1 for here, _ in self.misplaced])
        whole = lines[-1] - lines[0] + 1 >= WHOLE * self.n
        return how if whole else f"from line {lines[0]:,} to {lines[-1]:,} {how}"


def _longest(lines: Sequence[int]) -> list[int]:
    """The longest stretch of lines that are near each other."""
    stretches = [[lines[0]]]
    for line in lines[1:]:
        if line - stretches[-1][-1] <= NEAR:
            stretches[-1].append(line)
        else:
            stretches.append([line])
    return max(stretches, key=len)


def index(references: Sequence[Sequence[str]]) -> dict[str, list[int]]:
    """The lines of the references that have each rare word."""
    found: dict[str, list[int]] = {}
    # in a few lines a word that half of them have is not rare
    rare = max(1, min(RARE, max(map(len, references), default=0) // 5))
    lines = list(zip(*references, strict=True))
    times = Counter(lines)  # a reference that often comes again, such as a label, does not say where a line belongs
    for i, segments in ((i, one) for i, one in enumerate(lines) if times[one] <= MOST_TIMES):
        for word in {word for segment in segments for word in _words(segment)}:
            found.setdefault(word, []).append(i)
    return {word: lines for word, lines in found.items() if len(lines) <= rare}


def examine(segments: Sequence[str], rare: Mapping[str, Sequence[int]]) -> Order:
    """Where the lines of an output fit the reference best; `rare` is the `index` of the references."""
    able, known, misplaced, fits = 0, 0, list[tuple[int, int]](), list[float]()
    for i in _looked_at(len(segments)):
        found, shared = _shared(segments[i], rare)
        able += bool(found)
        if not shared:
            continue
        known += 1
        best = max(shared.values())
        if shared[i] < best:
            fits.append(best / found)
            misplaced.append(
                (i, min((line for line, n in shared.items() if n == best), key=lambda line: abs(line - i)))
            )
    return Order(known, tuple(misplaced), len(segments), known / able * median(fits) if fits else 1.0, able)


def _shared(segment: str, rare: Mapping[str, Sequence[int]]) -> tuple[int, Counter[int]]:
    """How many rare words a line has (0 where they are too few), and how many of them it has in common with each line of the
    references; nothing where no line has enough of them."""
    least = LEAST_PIECES if UNSPACED.search(segment) else LEAST_WORDS
    found = [rare[word] for word in set(_words(segment)) if word in rare]
    if len(found) < least:
        return 0, Counter()
    shared = Counter(line for lines in found for line in lines)
    return len(found), shared if max(shared.values()) >= least else Counter()


def lost(segments: Sequence[str], others: Sequence[Sequence[str]], called: str = "the reference") -> str:
    """Where lines were lost or added, in words: up to there they fit their own of the others (the references, or an output),
    and from there on all fit those that are as far away as the lengths differ. "" where their rare words do not say it."""
    shifts, far = _shifts(segments, index(others)), len(others[0]) - len(segments)
    before = list(accumulate((shift == 0 for _, shift in shifts), initial=0))
    behind = list(accumulate((shift == far for _, shift in reversed(shifts)), initial=0))[::-1]
    explained = [first + rest for first, rest in zip(before, behind, strict=True)]
    cut = explained.index(max(explained))
    if len(shifts) < FEWEST_LINES or explained[cut] < TOLD * len(shifts):
        return ""
    lines, what = count(abs(far), "line"), "lost" if far > 0 else "added"
    be = "was" if abs(far) == 1 else "were"
    where = f"{lines} {'later' if far > 0 else 'earlier'}"
    if before[cut] == 0:
        return f"all its lines fit {called} {where}, so {lines} {be} {what} at the start"
    if behind[cut] == 0:
        return f"all its lines fit their own of {called}, so {lines} {be} {what} at the end"
    if min(before[cut], behind[cut]) < EACH_SIDE:
        return ""
    last, first = shifts[cut - 1][0] + 1, shifts[cut][0] + 1
    place = f"at line {first:,}" if first == last + 1 else f"between lines {last:,} and {first:,}"
    return f"from line {first:,} on its lines fit {called} {where}, so {lines} {be} {what} {place}"


def _shifts(segments: Sequence[str], rare: Mapping[str, Sequence[int]]) -> list[tuple[int, int]]:
    """The lines that fit one line of others best, each with how far that is away."""
    shifts = list[tuple[int, int]]()
    for i in _looked_at(len(segments)):
        _, shared = _shared(segments[i], rare)
        best = max(shared.values(), default=0)
        fits = [line - i for line, n in shared.items() if n == best]
        if len(fits) == 1:
            shifts.append((i, fits[0]))
    return shifts


def _looked_at(n: int) -> Iterator[int]:
    step = max(1, -(-n // MOST_LINES))
    return iter(range(0, n, step))


def _words(text: str) -> list[str]:
    """The longer words of a text in lower case; its pieces of four characters in a script without blanks."""
    text = text.lower()
    if UNSPACED.search(text):
        return [text[k : k + GRAM] for k in range(len(text) - GRAM + 1)]
    return WORD.findall(text)


# The systems and references that are in order.

FIX = "Put its lines in the order of the reference. If they are in order, say so: --accept-order, or the button on the page."


def kept(
    systems: Sequence[Item], gold: Sequence[Item], accepted: bool, findings: list[Finding], every: Sequence[Item] = ()
) -> tuple[list[Item], list[Item]]:
    """The systems and the gold side, without what is in another order, as far as its words say it; that is reported, and
    kept only where somebody `accepted` the order. `every` item was selected: outputs that a table has beside references are matched."""
    beside = {item.file for item in every if item.role == "reference"}
    gold = _of_one_order(systems, gold, accepted, findings)
    references = [item for item in gold if item.role == "reference"]
    rare = index([item.segments for item in references]) if references else {}
    kept_ = [
        item
        for item in systems
        if _is_kept(item, examine(item.segments, rare), accepted, findings, bool(item.keys) or item.file in beside)
    ]
    return kept_, gold


def _is_kept(item: Item, found: Order, accepted: bool, findings: list[Finding], matched: bool) -> bool:
    """Whether the item can be used; what is odd about its order is added to the findings. `matched`: by ids, or in one table."""
    share = found.share_of_matched if matched else found.share
    wrong = share > REFUSE and not accepted
    # what was matched is in order: only a share that is refused elsewhere, too, says that ids are wrong
    if share > (REFUSE if matched else WARN):
        message = f"{item.name}: {share:.0%} of {count(found.known, 'line')} with rare words fit another line of the "
        message += f"reference better; {found.described}."
        if accepted:
            fix = "Somebody said that they are in order, so they were scored."
            findings.append(Finding("warning", message, item.file, fix))
        else:
            findings.append(
                Finding("error" if wrong else "warning", message, item.file, FIX, "accept_order" if wrong else "")
            )
    elif found.unrelated:
        message = f"{item.name} has almost no rare word of the reference in any line: another test set, or free text?"
        findings.append(Finding("warning", message, item.file, "Check that it belongs to this reference."))
    return not wrong


def _of_one_order(systems: Sequence[Item], gold: Sequence[Item], accepted: bool, findings: list[Finding]) -> list[Item]:
    """The gold side without the references in another order than most systems; the words of several references are looked
    at together, where a shuffled one would only add noise."""
    references = [item for item in gold if item.role == "reference"]
    if not _differ(references):
        return list(gold)
    rare = [index([item.segments]) for item in references]
    misfits = [sum(examine(item.segments, one).share > REFUSE for item in systems) for one in rare]
    right = misfits.index(min(misfits))
    found = [(item, examine(item.segments, rare[right])) for item in references]
    out = [item for item, fits in found if not _is_kept(item, fits, accepted, findings, bool(item.keys))]
    return [item for item in gold if item not in out]


def _differ(references: Sequence[Item]) -> bool:
    """Whether a reference is in another order than the first."""
    if len(references) < 2:
        return False
    rare = index([references[0].segments])
    return any(examine(item.segments, rare).share > REFUSE for item in references[1:])
