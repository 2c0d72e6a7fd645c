"""How far significance holds on other domains, as JSON and as tables for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from sigboard.render.json import design, of_setup
from sigboard.render.text import align, printable
from sigcore.formatting import count, format_interval, format_size, format_units
from sigcore.results import plain
from sigcore.studies import domains
from sigcore.types import Row


def domains_json(result: domains.DomainsResult, warnings: Sequence[str] = ()) -> Row:
    """Everything, ready for `json.dumps(..., allow_nan=False)`; undefined numbers are null.

    `calibration` is null where no test sets were drawn. `mixtures` has the same three fields of mixtures (null without).
    """
    names = zip(result.domains, result.segments, result.units, strict=True)
    content = {
        **of_setup(result.setup, result.systems),
        "alpha": result.alpha,
        "home": result.home,
        "domains": [{"domain": name, "segments": segments, "units": units} for name, segments, units in names],
        **_held(result.real),
        "mixtures": None if result.mixed is None else _held(result.mixed),
        "replicability": [item.as_dict() for item in result.replicability],
        "sizes": [{"domain": name, **item.as_dict()} for name, item in result.sizes],
        "sentences": list(result.sentences),
        "warnings": list(dict.fromkeys(warnings)),
    }
    return {name: plain(value) for name, value in content.items()}


def _held(held: domains.Held) -> Row:
    return {
        "calibration": None if held.calibration is None else held.calibration.as_dict(),
        "table": [item.as_dict() for item in held.table],
        "borderline": [item.as_dict() for item in held.borderline],
    }


def headline(result: domains.DomainsResult) -> str:
    """On how many pairs the systems differ on every domain, and on how many others on some, by Bonferroni."""
    counts, every = [item.bonferroni for item in result.replicability], len(result.domains)
    whole, some = sum(one == every for one in counts), sum(0 < one < every for one in counts)
    where = "both domains" if every == 2 else "every domain"
    verb = "differs" if len(counts) == 1 else "differ"
    first = f"{whole} of {count(len(counts), 'pair')} {verb} significantly on {where}, in the same direction."
    return f"{first} {some} more on {'one only' if every == 2 else 'some'}." if some else first


def domains_table(result: domains.DomainsResult) -> str:
    """The domains, the table of signs, the thresholds by domain, and replicability, as text."""
    parts = [design(result.setup), _domains(result), _signs(result, result.real)]
    if result.mixed is not None:
        parts.append("Mixtures of these systems:\n\n" + _signs(result, result.mixed))
    parts += [_sizes(result), _replicability(result)]
    parts += ["\n".join(printable(words, 0) for words in result.sentences)]
    parts += ["\n".join(f"note: {printable(note, 0)}" for note in result.notes), f"Signature: {result.setup.signature}"]
    return "\n\n".join(parts)


def _domains(result: domains.DomainsResult) -> str:
    unit = result.setup.unit
    header = ["domain", "", "units"]
    rows = [
        [printable(name), "home" if name == result.home else "", format_units(n, unit, segments)]
        for name, segments, n in zip(result.domains, result.segments, result.units, strict=True)
    ]
    return align(header, rows, left=(0, 1))


def _signs(result: domains.DomainsResult, held: domains.Held) -> str:
    """A row for each bin of p on the home domain: on every other domain the share of pairs with the same sign.

    The borderline pairs are in a separate table, since they are in the bins too.
    """
    parts = []
    for head, cells in held.titled:
        rows = [[words, f"{own[0].pairs:,}", *map(share, own)] for words, own in domains.bins_of(cells)]
        names = [f"same sign on {printable(name)}" for name in dict.fromkeys(item.other for item in cells)]
        parts.append(f"{head}\n" + align([f"p on {printable(result.home)}", "pairs", *names], rows, left=(0,)))
    return "\n\n".join(parts)


def share(item: domains.Cell) -> str:
    """The share of the pairs of a bin with the same sign, and its interval, in percent."""
    if not item.pairs:
        return "n/a"
    numbers = item.as_dict()
    return f"{numbers['same_sign_percent']:.0f}% [{numbers['low_ci']:.0f}, {numbers['high_ci']:.0f}]"


def _sizes(result: domains.DomainsResult) -> str:
    setup = result.setup
    header = [
        "domain",
        "class",
        "first segments",
        f"threshold in {setup.metric_title}",
        "95% interval",
        "pairs near .05",
    ]
    rows = []
    for name, item in result.sizes:
        numbers = ["none", ""]
        if not item.reason:
            own = item.threshold
            numbers = [format_size(own.threshold, setup.decimals), format_interval((own.low, own.high), setup.decimals)]
        rows.append([printable(name), item.pair_class, f"{item.segments:,}", *numbers, f"{item.threshold.n:,}"])
    return align(header, rows, left=(0, 1))


def _replicability(result: domains.DomainsResult) -> str:
    header = ["system", "baseline", f"p <= {result.alpha:g}", "Bonferroni", "Fisher"]
    rows = [
        [
            printable(item.system),
            printable(item.baseline),
            str(item.significant),
            str(item.bonferroni),
            str(item.fisher),
        ]
        for item in result.replicability
    ]
    head = f"On how many of the {count(len(result.domains), 'domain')} is the system better, at least?"
    return f"{head}\n{align(header, rows, left=(0, 1))}"
