"""Numbers and verdicts as people read them: the same p, gain and symbol in figures, tables and sentences."""

from __future__ import annotations

import itertools
import math
import re
import statistics
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal

from sigcore.types import Setup, Unit

ALPHAS = (0.1, 0.05, 0.01, 0.005, 0.001)
SYMBOLS = {3: "+++", 2: "++", 1: "+", 0: ".", -1: "-", -2: "--", -3: "---"}
DIGITS = 2  # significant digits of p
SMALLEST = 1e-6  # an exact p may be far smaller, but more digits are of no use
ZERO_OF = 3.689  # no resample of R beyond the cut-off: p is below this / R with 95% confidence (Clopper-Pearson)
DECIMALS = 2  # of scores and gains, where the metric does not say otherwise
MORE = 4  # digits of an end of an interval that would else be 0
ROUNDED = 1e-15  # an end this near to 0 is 0
NOISE = 5e-10  # a gain below this is the rounding of floating point, not a difference
NO_VERDICT = "no verdict"
NAMES_SHOWN = 6  # names that a sentence lists


def count(n: int, noun: str) -> str:
    """A number with its noun: "1 segment", "2,037 segments", "0 hypotheses", "3 entities"."""
    plural = f"{noun[:-2]}es" if noun.endswith("sis") else f"{noun}s"
    if noun.endswith(("ty", "ry")):
        plural = f"{noun[:-1]}ies"
    return f"{n:,} {noun if n == 1 else plural}"


def counted(n: int, noun: str, one: str, many: str) -> str:
    """A number with its noun and verb: "1 rating has", "2 ratings have"."""
    return f"{count(n, noun)} {one if n == 1 else many}"


def listed(names: Iterable[str], most: int = NAMES_SHOWN, separator: str = ", ") -> str:
    """The names, each once, in one phrase: "a, b and 3 more"."""
    once = list(dict.fromkeys(names))
    shown = separator.join(once[:most])
    return shown + (f" and {len(once) - most:,} more" if len(once) > most else "")


def numbered(name: str, k: int) -> str:
    """The name of the k-th of several items with the same name: "a (2)"."""
    return f"{name} ({k})"


def unique(names: Iterable[str], numbered: Callable[[str, int], str] = numbered) -> list[str]:
    """The names in order; repeated ones get an unused number, " (2)", " (3)" ..., which `numbered` inserts."""
    wanted = list(names)
    given, last = set(wanted), dict.fromkeys(wanted, 0)
    result = []
    for name in wanted:
        last[name] += 1
        while last[name] > 1 and numbered(name, last[name]) in given:
            last[name] += 1
        result.append(name if last[name] == 1 else numbered(name, last[name]))
    return result


def format_p(p: float, resamples: int, high: float = math.nan) -> str:
    """A p-value in two significant digits: "0.21", "0.031", "0.0012", "0.00010"; "n/a" where it is undefined.

    A p above one of ALPHAS gets as many digits as it needs to stay above it: 0.0504 is not significant at 0.05 and must
    not read as 0.050. A counted p is always a number, never a bound: its Monte Carlo interval says how exact it is.
    There are two exceptions. A p of 0 (c / R without the + 1) is below `high`, the upper end of its Monte Carlo
    interval, rounded up (3.7 / R, and twice that for a doubled test, if it is nan). A p that was computed without
    resampling (`resamples` 0) and is below a millionth is "< 0.000001".
    """
    if math.isnan(p):
        return "n/a"
    if not resamples and p < SMALLEST:
        return f"< {SMALLEST:.6f}"
    if p <= 0:
        return f"< {_digits(high if high > 0 else min(1.0, ZERO_OF * 2 / resamples), ROUND_CEILING)}"
    return _digits(p)


def _digits(x: float, rounding: str = ROUND_HALF_EVEN) -> str:
    """A number above 0 in two significant digits, or in more until it is as much above each of ALPHAS as `x` is."""
    exact = Decimal(repr(float(x)))
    for digits in range(DIGITS, 18):
        rounded = Context(prec=digits, rounding=rounding).create_decimal(exact)
        text = f"{rounded:.{max(0, digits - 1 - rounded.adjusted())}f}"
        if not any(x > alpha >= float(text) for alpha in ALPHAS):
            break
    return text


def p_text(p: float, resamples: int, high: float = math.nan) -> str:
    """A p-value as a statement: "p = 0.034", "p < 0.00037" or "p is undefined"; the arguments of `format_p`."""
    if math.isnan(p):
        return "p is undefined"
    text = format_p(p, resamples, high)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def _fixed(value: float, decimals: int) -> str:
    """The number with that many decimals. A half is rounded away from zero, as browsers do it in tables and figures:
    3.125 is 3.13."""
    text = f"{value:.{decimals}f}"
    if not math.isfinite(value) or abs(value) >= 1e15:
        return text
    step = Decimal(1).scaleb(-decimals)
    return text if Decimal(text) == Decimal(value) else f"{Decimal(value).quantize(step, ROUND_HALF_UP):f}"


def format_score(value: float, decimals: int = DECIMALS) -> str:
    """A score in the decimals of its metric; "n/a" where it is undefined."""
    if math.isnan(value):
        return "n/a"
    text = _fixed(value, decimals)
    # a rounded zero has no sign
    return text.lstrip("-") if float(text) == 0 else text


def format_gain(value: float, decimals: int = DECIMALS) -> str:
    """A gain in the decimals of its metric, with its sign.

    A gain of exactly zero is "0.00" without a sign; a gain too small for the decimals shows its first digit
    ("+0.004"), because "+0.00" would look like no gain.
    """
    if math.isnan(value):
        return "n/a"
    if abs(value) >= NOISE:
        for enough in range(decimals, 11):
            text = _fixed(value, enough)
            if float(text) != 0:
                return text if value < 0 else f"+{text}"
    return f"{0:.{decimals}f}"


def format_size(value: float, decimals: int = DECIMALS) -> str:
    """The size of a gain, without its sign: "0.62"."""
    return format_gain(abs(value), decimals).lstrip("+")


def format_interval(interval: tuple[float, float], decimals: int = DECIMALS) -> str:
    """An interval of scores or gains: "[0.20, 1.00]".

    An end that only its rounding would make 0 has more digits: "[0.004, 1.00]", so that what is printed has 0 in it where the
    interval has. Where MORE digits are too few, 0 is left out of the interval: "(0.00, 1.00]".
    """
    low, high = (_end(value, decimals) for value in interval)
    outside = [abs(value) > ROUNDED and not float(text) for value, text in zip(interval, (low, high), strict=True)]
    left, right = outside[0] and interval[0] > 0, outside[1] and interval[1] < 0
    return f"{'(' if left else '['}{low}, {high}{')' if right else ']'}"


def _end(value: float, decimals: int) -> str:
    """One end of an interval, with so many more digits that it is not 0."""
    texts = [format_score(value, decimals + more) for more in range(MORE + 1)]
    return texts[0] if math.isnan(value) else next((text for text in texts if float(text)), texts[0])


def format_p_interval(interval: tuple[float, float], resamples: int) -> str:
    """The Monte Carlo interval of a p-value: "[0.031, 0.038]"; "exact" if nothing was drawn, "n/a" if p is undefined.

    The digits are those of `format_p`. The ends are rounded outwards, so what is printed contains the interval and the
    printed p; and it contains one of ALPHAS only if the interval does.
    """
    if not resamples:
        return "exact"
    low, high = interval
    if math.isnan(low) or math.isnan(high):
        return "n/a"
    return f"[{_digits(low, ROUND_FLOOR) if low > 0 else '0'}, {_digits(high, ROUND_CEILING) if high > 0 else '0'}]"


def format_level(level: float) -> str:
    """A level of confidence as a percentage: 0.95 gives "95%"."""
    return f"{100 * level:.6g}%"


def format_share(part: int, whole: int) -> str:
    """A part of a whole in words: "3.4%", "less than 0.1%", "none", "all"."""
    if part <= 0:
        return "none"
    if part >= whole:
        return "all"
    percent = 100 * part / whole
    if percent < 0.1:
        return f"{percent:.1g}%"
    # never a rounded 100%: that would be all
    return f"{min(percent, 99.99):.2f}%" if percent > 99.9 else f"{percent:.1f}%"


def format_units(n: int, unit: Unit, segments: int | None = None) -> str:
    """The number of units behind a result: "2,037 segments", "448 documents (2,037 segments)"."""
    words = f"{n:,} {unit.noun(n)}"
    return words if unit.kind == "segment" or segments is None else f"{words} ({count(segments, unit.part)})"


def format_draws(resamples: int, seed: int | None = None, by_formula: bool = False) -> str:
    """What a p-value was counted on: "R = 10,000, seed 12345"; "exact" where nothing was drawn, "by formula" where p is
    that of a distribution with estimated parameters."""
    if not resamples:
        return "by formula" if by_formula else "exact"
    return f"R = {resamples:,}" + ("" if seed is None else f", seed {seed}")


def draws_of(setup: Setup, seed: bool = True) -> str:
    """What the p-values of a result were counted on, as `format_draws`: "R = 10,000 to 200,000, seed 12345" where undecided
    pairs have more resamples than others."""
    words = format_draws(setup.resamples, setup.seed if seed else None, setup.by_formula)
    return words.replace("R = ", f"R = {setup.fewest:,} to ") if setup.fewest else words


def resamples_of(setup: Setup) -> str:
    """How many resamples a result has: "10,000 resamples", "10,000 to 200,000 resamples"."""
    return f"{setup.fewest:,} to " * bool(setup.fewest) + count(setup.resamples, "resample")


def format_effect(effects: Sequence[float]) -> str:
    """A design effect in two decimals; of several the median, and the least and the largest in brackets."""
    middle = f"{statistics.median(effects):.2f}"
    return middle if len(effects) == 1 else f"{middle} [{min(effects):.2f}, {max(effects):.2f}]"


def design_effect_sentence(unit: Unit, effects: Sequence[float]) -> str:
    """How much gains vary over a unit compared with segments, as a sentence."""
    noun = unit.noun(2)
    comparison, ratio = _times_as_much(effects)
    return f"{noun[0].upper()}{noun[1:]}: the {comparison} as if {unit.part}s were independent ({ratio})."


def ignored_documents(documents: int, effects: Sequence[float]) -> str:
    """That resampling segments ignored how similar the segments of a document are, as a sentence."""
    comparison, ratio = _times_as_much(effects)
    return (
        f"Segments were resampled as if they were independent, but they are alike within the {count(documents, 'document')}: "
        f"over documents the {comparison} ({ratio}), so p is too small."
    )


def _times_as_much(effects: Sequence[float]) -> tuple[str, str]:
    """The comparison in words, and the ratio that it states."""
    many = len(effects) > 1
    over = f"; the median of {len(effects)} pairs, from {min(effects):.2f} to {max(effects):.2f}" if many else ""
    verb = "differences vary" if many else "difference varies"
    return f"{verb} {statistics.median(effects):.2f} times as much", f"design effect: a ratio of variances{over}"


def thresholds(alpha: float) -> dict[int, float]:
    """The largest adjusted p for each verdict size (1, 2, 3) that is possible at alpha."""
    steps = {1: alpha, 2: min(alpha, 0.01), 3: min(alpha, 0.001)}
    possible = {1: alpha > 0.01, 2: alpha > 0.001, 3: True}
    return {size: bound for size, bound in steps.items() if possible[size]}


def inside(title: str) -> str:
    """A title inside a sentence: "Approximate randomization" begins with a small letter, "TER" and names stay as they are."""
    first = title.partition(" ")[0]
    name = first.endswith("'s") or not first[1:2].islower()
    return title if name else title[:1].lower() + title[1:]


def verdict_word(level: int, adjusted: float, no_verdict: bool = False) -> str:
    """A verdict of MatrixResult.levels in words, about the row: better, worse, no significant difference, undefined;
    "no verdict" where p cannot be one."""
    if math.isnan(adjusted):
        return "undefined"
    if no_verdict:
        return NO_VERDICT
    return "better" if level > 0 else "worse" if level < 0 else "no significant difference"


def shorten(name: str, limit: int) -> str:
    """The name with its middle left out where it is longer than the limit; systems often differ at the end."""
    if len(name) <= limit:
        return name
    tail = (limit - 1) // 2
    return f"{name[: limit - 1 - tail]}…{name[-tail:]}"


BEFORE = 6  # letters that are shown before the first in which names differ


def shorten_all(names: Sequence[str], limit: int) -> list[str]:
    """The names as `shorten` has them; those that would be the same then are shown from where they begin to differ."""
    short = [shorten(name, limit) for name in names]
    groups: dict[str, list[str]] = {}
    for name, shown in zip(names, short, strict=True):
        groups.setdefault(shown, []).append(name)
    alike = {shown: _shared(own) for shown, own in groups.items() if len({*own}) > 1}
    both = zip(names, short, strict=True)
    return [_from(name, alike[shown], limit) if shown in alike else shown for name, shown in both]


def _shared(names: Sequence[str]) -> int:
    """The number of letters with which all names begin."""
    columns = zip(*names, strict=False)
    return sum(1 for _ in itertools.takewhile(lambda letters: len({*letters}) == 1, columns))


def _from(name: str, place: int, limit: int) -> str:
    """A part of a name with the letters from this place on, or the last ones."""
    start = max(0, min(place - BEFORE, len(name) - limit + 1))
    part = f"…{name[start:]}" if start else name
    return part if len(part) <= limit else f"{part[: limit - 1]}…"


# Characters that nobody sees alone, but that scripts need: blanks that do not break, joiners, soft hyphens, marks of direction.
UNSEEN = frozenset("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")


def visible(text: str, also: str = "") -> str:
    """The text with U+FFFD for each control character, lone surrogate and override of direction; `also` are kept, too."""

    def stays(letter: str) -> bool:
        return letter.isprintable() or letter in UNSEEN or letter in also or unicodedata.category(letter) == "Zs"

    return text if text.isprintable() else "".join(one if stays(one) else "\ufffd" for one in text)


COMMAND = re.compile(r""": (--columns (?:[^\s"'.,]|,(?!\s)|'[^']*'|"[^"]*"|\.(?!\s|$)|\s(?!\s))+)\.(?=\s|$)""")


def in_lines(fix: str) -> list[str]:
    """The advice with each command on a line of its own, from where it can be copied."""
    parts = [part.strip() for part in COMMAND.split(fix)]
    shown = [
        f"    {part}" if k % 2 else f"{part}:".replace(". Or, if ", ".\nOr, if ") for k, part in enumerate(parts[:-1])
    ]
    return [line for part in (*shown, parts[-1]) for line in part.split("\n") if line]
