"""A calibration as JSON, and as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from sigboard.render.json import WARNINGS
from sigboard.render.text import align
from sigcore.formatting import count, format_size
from sigcore.results import Fields, as_json
from sigcore.studies import trust
from sigcore.types import Row

DOCUMENT = Fields("trust", *trust.RESULT, WARNINGS)
COVERED = {
    "as often as it says": "The interval is as wide as it should be.",
    "too seldom": "The interval is too narrow here.",
    "safe": "The interval is wider than it need be.",
}
HEAD = ("true gain", "alpha", "rejected", "of", "rate", "95% interval", "conclusion")


def headline(result: trust.TrustResult) -> str:
    """How often the test found a difference that was not there, at alpha .05."""
    one = result.at(0.05)
    found = f"this test found one in {trust.percent(one.share)} of {count(one.of, 'data set')}"
    return f"Without any true difference, {found} (alpha {one.alpha:g})."


def trust_json(result: trust.TrustResult, warnings: Sequence[str] = ()) -> Row:
    """The result, ready for `json.dumps(..., allow_nan=False)`."""
    return as_json(DOCUMENT, result, warnings=list(dict.fromkeys(warnings)))


def lines(result: trust.TrustResult) -> list[list[str]]:
    """The rates as written cells, those of true nulls first."""
    out = [_line("none", rate, rate.verdict) for rate in result.rates]
    for one in result.planted:
        gain = f"{format_size(one.gain, result.setup.decimals)} ({100 * one.share:g}%)"
        out += [_line(gain, rate, _power(result, share)) for rate, share in zip(one.rates, one.found, strict=True)]
    return out


def _power(result: trust.TrustResult, found: float) -> str:
    """What a rate of a planted gain is: of a grid also how many of its tests reject in the mean."""
    return "power" if result.tests == 1 else f"any found; {trust.percent(found)} of tests in the mean"


def more(result: trust.TrustResult) -> list[str]:
    """The sentences on p as a whole, and on the coverage of intervals."""
    uniform = [result.uniformity.sentence] if result.uniformity else []
    covered = [f"{one.sentence} {COVERED[one.verdict]}" for one in result.coverage]
    return uniform + covered


def _line(gain: str, rate: trust.Rate, verdict: str) -> list[str]:
    interval = rate.words.partition(" [")[2]
    cells = [f"{rate.alpha:g}", f"{rate.rejected:,}", f"{rate.of:,}", trust.percent(rate.share), f"[{interval}"]
    return [gain, *cells, verdict]


def table(result: trust.TrustResult) -> str:
    """The sentence, the rates and the notes for a terminal."""
    notes = [f"note: {note}" for note in result.notes]
    return "\n".join([str(result), *more(result), *notes, "", align(HEAD, lines(result), left=(0, 6))])
