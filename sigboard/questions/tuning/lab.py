"""The lab's tables: methods by test sets as in a paper, every row against every other, and one JSON shape."""

from __future__ import annotations

from collections.abc import Sequence

from sigboard.questions.tuning.report import moses_weights, named
from sigboard.render import tables
from sigboard.render.json import environment
from sigboard.render.tables import latex_table
from sigboard.render.text import align, printable
from sigcore.formatting import count, format_gain, format_interval, format_p, format_score
from sigcore.results import DIRECTION, as_json, plain
from sigcore.studies import tuning
from sigcore.types import Row

MOST_PAIRS = 36  # of methods that are printed; JSON and the tables of a file have all
WORDS = "p: the mixed model of runs and segments, two-sided; it is about other runs and other segments."


def lab_table(result: tuning.LabResult, alpha: float) -> str:
    """The scores of every row, its gains over the baseline, every method against every other, and the verdict."""
    setup = result.setup
    tested = ", ".join(f"{name} {segments:,}" for name, segments in result.sizes[1:])
    parts = [
        f"Tuned on {count(result.sizes[0][1], 'segment')} ({printable(result.sizes[0][0], 0)}); tested on segments of: {tested}.",
        _scores(result, alpha),
        f"{WORDS} Corrected by {setup.correction_title} for all {count(len(result.comparisons), 'comparison')}.",
        _gains(result),
        f"s_sel / s_opt: standard deviation of a run's score over drawn segments, and over the runs\n\n{_spreads(result)}",
        _against_each_other(result),
        printable(result.verdict(alpha), 0),
        "\n".join(
            [
                *(f"note: {printable(note, 0)}" for note in result.notes),
                *(f"chosen: {printable(line, 0)}" for line in result.chosen),
                *(f"features of {name}: {len(names):,}" for name, names in result.features.items()),
            ]
        ),
    ]
    return "\n\n".join(part for part in parts if part)


def significant(result: tuning.LabResult, row: tuning.LabRow, place: str, alpha: float) -> bool:
    """Whether the row differs significantly from the baseline in a place."""
    return row.label != result.baseline and result.against(row.label, result.baseline, place).significant(alpha)


def _scores(result: tuning.LabResult, alpha: float) -> str:
    """The averages of the runs, with a star where a row differs significantly from the baseline."""
    decimals = result.setup.decimals
    head = [f"{result.setup.metric_title}, average of the runs", "runs", "dev", *map(printable, result.places)]
    rows = []
    for row in result.rows:
        cells = [
            format_score(float(score), decimals) + ("*" if significant(result, row, place, alpha) else " ")
            for score, place in zip(row.averages, result.places, strict=True)
        ]
        dev = format_score(float(row.dev.mean()), decimals)
        rows.append(
            [printable(row.title, 0) + " (baseline)" * (row.label == result.baseline), str(len(row.dev)), dev, *cells]
        )
    key = f"* differs significantly from the baseline at alpha {alpha:g}, after the correction"
    return f"{align(head, rows, left=(0,))}\n\n{key}"


def _gains(result: tuning.LabResult) -> str:
    """Every row against the baseline, in each place."""
    head = ["gain over the baseline", *(cell for place in result.places for cell in (printable(place), "corrected p"))]
    rows = []
    for row in result.rows:
        if row.label != result.baseline:
            found = [result.against(row.label, result.baseline, place) for place in result.places]
            cells = [
                cell
                for one in found
                for cell in (format_gain(one.gain, result.setup.decimals), format_p(one.adjusted, 0))
            ]
            rows.append([printable(row.title, 0), *cells])
    return align(head, rows, left=(0,))


def _spreads(result: tuning.LabResult) -> str:
    decimals = result.setup.decimals
    rows = [
        [
            printable(row.title, 0),
            *(
                f"{format_score(float(a), decimals)} / {format_score(float(b), decimals)}"
                for a, b in zip(row.s_sel, row.s_opt, strict=True)
            ),
        ]
        for row in result.rows
    ]
    return align(["", *map(printable, result.places)], rows, left=(0,))


def _against_each_other(result: tuning.LabResult) -> str:
    """The comparisons of all rows in the last place, the largest gains first."""
    place, decimals = result.places[-1], result.setup.decimals
    found = [one if one.gain >= 0 else tuning.turned(one) for one in result.comparisons if one.place == place]
    found.sort(key=lambda one: -one.gain)
    rows = [
        [
            printable(result.row(one.system).title, 0),
            printable(result.row(one.baseline).title, 0),
            format_gain(one.gain, decimals),
            format_interval(one.interval, decimals),
            format_p(one.p_value, 0),
            format_p(one.adjusted, 0),
        ]
        for one in found[:MOST_PAIRS]
    ]
    more = f"\n\n{len(found) - MOST_PAIRS:,} more pairs are in --json and --csv." if len(found) > MOST_PAIRS else ""
    return f"Every row against every other, {printable(place)}\n\n{align(['better', 'than', 'gain', 'interval', 'p', 'corrected p'], rows, left=(0, 1))}{more}"


def lab_rows(result: tuning.LabResult) -> list[Row]:
    """A row for each row of the lab and each place: scores, spreads, and the comparison with the baseline."""
    out = list[Row]()
    for row in result.rows:
        for k, place in enumerate(result.places):
            cells: Row = {
                "method": row.title,
                "features": row.features,
                "place": place,
                "runs": len(row.dev),
                "dev": float(row.dev.mean()),
                "average": float(row.averages[k]),
                "s_sel": float(row.s_sel[k]),
                "s_opt": float(row.s_opt[k]),
                "gain": 0.0,
                "low": None,
                "high": None,
                "p": None,
                "corrected_p": None,
            }
            if row.label != result.baseline:
                one = result.against(row.label, result.baseline, place)
                cells |= {"gain": one.gain, "low": one.interval[0], "high": one.interval[1]}
                cells |= {"p": one.p_value, "corrected_p": one.adjusted}
            out.append(cells)
    return [{name: plain(value) for name, value in one.items()} for one in out]


def pair_rows(result: tuning.LabResult) -> list[Row]:
    """A row for each comparison of two rows in a place."""
    return [
        {
            "system": result.row(one.system).title,
            "baseline": result.row(one.baseline).title,
            "place": one.place,
            "gain": one.gain,
            "low": plain(one.interval[0]),
            "high": plain(one.interval[1]),
            "p": plain(one.p_value),
            "corrected_p": plain(one.adjusted),
        }
        for one in result.comparisons
    ]


def paper_rows(result: tuning.LabResult) -> list[Row]:
    """Methods by places, as a paper prints them."""
    return [
        {"features": row.features, "method": row.title}
        | {place: float(score) for place, score in zip(result.places, row.averages, strict=True)}
        for row in result.rows
    ]


def lab_xlsx(result: tuning.LabResult) -> bytes:
    """The three tables as sheets."""
    return tables.workbook({"methods": paper_rows(result), "rows": lab_rows(result), "comparisons": pair_rows(result)})


def lab_latex(result: tuning.LabResult, alpha: float) -> str:
    r"""Methods by places as a floating table, in groups of features; the best of each place is bold, and a dagger marks what
    differs significantly from the baseline."""
    decimals, lower = result.setup.decimals, result.setup.better == "lower"
    sign = -1 if lower else 1
    best = [
        max(sign * round(float(row.averages[k]), decimals) for row in result.rows) for k in range(len(result.places))
    ]
    rows, rules = [], []
    for number, row in enumerate(result.rows):
        cells = [row.title + " (baseline)" * (row.label == result.baseline)]
        for k, place in enumerate(result.places):
            score = format_score(float(row.averages[k]), decimals)
            bold = sign * round(float(row.averages[k]), decimals) == best[k]
            mark = r"$^\dagger$" if significant(result, row, place, alpha) else ""
            cells.append(tables.Finished((rf"\textbf{{{score}}}" if bold else score) + mark))
        rows.append(cells)
        if number + 1 < len(result.rows) and result.rows[number + 1].features != row.features:
            rules.append(number)
    runs = max(len(row.dev) for row in result.rows)
    caption = (
        f"{result.setup.metric_title}, average of {count(runs, 'run')}. Bold: the best. Dagger: differs significantly from "
        f"{result.row(result.baseline).title} at {alpha:g} (mixed model of runs and {result.setup.unit.noun(2)}, Holm's correction for {len(result.comparisons)} comparisons)."
    )
    return latex_table(["Method", *result.places], rows, caption, "tab:tuning", rules=rules)


def lab_json(result: tuning.LabResult, warnings: Sequence[str] = ()) -> Row:
    """Everything as one JSON shape; weights of 0 are left out."""
    setup, plan = result.setup, result.plan.tuning
    content = {
        **named(setup, "metric metric_title better correction n segments seed signature"),
        "direction": as_json(DIRECTION, setup.direction),
        "baseline": result.baseline,
        "places": list(result.places),
        "sizes": [{"name": name, "segments": segments} for name, segments in result.sizes],
        "features": {name: len(names) for name, names in result.features.items()},
        "rows": [_row(result, row) for row in result.rows],
        "comparisons": [
            {**named(one, "system baseline place gain p_value adjusted"), "interval": list(one.interval)}
            for one in result.comparisons
        ],
        "options": {name: dict(values) for name, values in result.options},
        "replicates": plan.replicates,
        "resampled_dev": plan.resample and plan.replicates > 1,
        "test_name": setup.test,
        "unit": str(setup.unit),
        "chosen": list(result.chosen),
        "warnings": list(dict.fromkeys([*warnings, *result.notes])),
        "environment": environment(),
    }
    return {name: plain(value) for name, value in content.items()}


def _row(result: tuning.LabResult, row: tuning.LabRow) -> Row:
    names = result.names_of(row)
    weights = [
        {name: weight for name, weight in zip(names, one.weights.tolist(), strict=False) if weight}
        for one in row.replicates
    ]
    return {
        "label": row.label,
        "title": row.title,
        "features": row.features,
        "untuned": row.untuned,
        "dev": row.dev.tolist(),
        "scores": {place: row.scores[:, k].tolist() for k, place in enumerate(result.places)},
        "average": dict(zip(result.places, row.averages.tolist(), strict=True)),
        "s_sel": dict(zip(result.places, row.s_sel.tolist(), strict=True)),
        "s_opt": dict(zip(result.places, row.s_opt.tolist(), strict=True)),
        "weights": weights,
    }


def lab_weights(result: tuning.LabResult) -> dict[str, str]:
    """The weights of every run in Moses' format, those that are not 0, by "label.run"."""
    out = dict[str, str]()
    for row in result.rows:
        for one in row.replicates:
            if len(one.weights) and not row.untuned:
                known = [
                    (name, value)
                    for name, value in zip(result.names_of(row), one.weights.tolist(), strict=True)
                    if value
                ]
                out[f"{row.label}.{one.number}"] = moses_weights(
                    [name for name, _ in known], [value for _, value in known]
                )
    return out
