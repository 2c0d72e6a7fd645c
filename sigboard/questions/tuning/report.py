"""Tuned outputs against a baseline: a table for the terminal, and one JSON shape."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from sigboard.render.json import environment
from sigboard.render.text import align, printable
from sigcore import Outputs, SigError
from sigcore.formatting import format_draws, format_gain, format_interval, format_p, format_score, format_units
from sigcore.results import DIRECTION, as_json, of_p, plain
from sigcore.studies import tuning
from sigcore.types import Role, Row

MOST_SHOWN = 40  # features in the table of their influence
RUN_T = "run t: would another tuning run gain as well on these segments? It says nothing about other segments; p does."


def tuning_table(result: tuning.TuningResult, alpha: float) -> str:
    """The scores of every method, its tests, and the influence of the features."""
    setup, parts = result.setup, [_scores(result)]
    if result.tests:
        drawn = format_draws(setup.resamples, setup.seed)
        held_out = f"{format_units(setup.n, setup.unit, setup.segments)} held out"
        parts.append(f"{setup.test_title}, two-sided, {held_out}, {drawn}; p corrected by {setup.correction_title}\n")
        parts[-1] += f"\n{_tests(result, alpha)}\n\n{RUN_T}"
    parts += [_sweep_table(result, item) for item in result.sweeps]
    if any(len(item.weights) for item in result.replicates):
        title = "Influence of the features: weight times standard deviation, length 1, averaged over the replicates\n\n"
        parts.append(title + _influence(result))
    notes = [f"note: {printable(note, 0)}" for note in result.notes]
    chosen = [f"chosen: {printable(line, 0)}" for line in result.chosen]
    for name, values in result.options:
        settings = ", ".join(f"{option} {value}" for option, value in values.items())
        chosen.append(f"options of {name}: {settings}")
    said = f"{result} {result.averaged()}" if result.tests else str(result)
    return "\n\n".join([*parts, printable(said, 0), "\n".join([*notes, *chosen])])


def _scores(result: tuning.TuningResult) -> str:
    """The baseline, the oracle and every method on both parts."""
    decimals = result.setup.decimals
    head = [result.setup.metric_title, "dev", *(["held out"] if result.test else [])]
    rows = []
    for name, field in ((f"baseline: {printable(result.baseline)}", "baseline"), ("oracle", "oracle")):
        parts = [part for part in (result.dev, result.test) if part is not None]
        rows.append([name, *(format_score(getattr(part, field), decimals) for part in parts)])
    for item in result.replicates:
        name = f"{item.title} {item.number}" if len(result.of(item.method)) > 1 else item.title
        scores = [item.dev, *([item.test] if result.test else [])]
        rows.append([name, *(format_score(score, decimals) for score in scores)])
    return align(head, rows, left=(0,))


def _tests(result: tuning.TuningResult, alpha: float) -> str:
    """Every method against the baseline: average and spread of its runs, gain and p."""
    decimals, resamples = result.setup.decimals, result.setup.resamples
    head = ["", "average", "s_sel", "s_opt", "gain", "interval", "p", "corrected p", "", "run t", "p of t"]
    rows = []
    for item in result.tests:
        verdict = "significant" if item.adjusted <= alpha else ""
        t = "n/a" if math.isnan(item.run_t) else f"{item.run_t:.2f}"
        rows.append(
            [
                item.title,
                format_score(item.average, decimals),
                format_score(item.s_sel, decimals),
                format_score(item.s_opt, decimals),
                format_gain(item.gain, decimals),
                format_interval(item.interval, decimals),
                format_p(item.p_value, resamples),
                format_p(item.adjusted, resamples),
                verdict,
                t,
                format_p(item.run_p, 0),
            ]
        )
    return align(head, rows, left=(0,))


def _sweep_table(result: tuning.TuningResult, item: tuning.Sweep) -> str:
    """The average score of the runs under every value of a setting."""
    decimals, tests = result.setup.decimals, {one.system: one for one in result.tests}
    rows = []
    for value, name in item.values:
        dev = sum(run.dev for run in result.of(name)) / len(result.of(name))
        row = [f"{value:g}", format_score(dev, decimals)]
        if name in tests:
            row += [format_score(tests[name].average, decimals), format_gain(tests[name].gain, decimals)]
        rows.append(row)
    head = [item.setting, "dev", *(["held out", "gain"] if result.tests else [])]
    return f"{item.title}: averages of the runs by {item.setting}\n\n{align(head, rows, left=(0,))}"


def _influence(result: tuning.TuningResult) -> str:
    tuned = [name for name in result.methods if len(result.average_weights(name))]
    columns, names = [result.average_weights(name) for name in tuned], result.features.names
    shown = result.most_influential(MOST_SHOWN)
    rows = [[printable(names[k]), *(f"{column[k]:.3f}" for column in columns)] for k in shown]
    more = f"\n\nThe {len(shown)} features with the most influence of {len(names):,}; --json and --export have all."
    return align(["", *tuned], rows, left=(0,)) + more * (len(shown) < len(names))


def moses_weights(names: Sequence[str], weights: Sequence[float]) -> str:
    """Weights as Moses writes them, `Name= 1 2`, one feature on each line; Name_1, Name_2 ... are the values of one."""
    groups: dict[str, list[str]] = {}
    for name, weight in zip(names, weights, strict=True):
        stem, line, place = name.rpartition("_")
        together = bool(line) and place.isdigit() and int(place) == len(groups.get(stem, ())) + 1
        groups.setdefault(stem if together and (place != "1" or f"{stem}_2" in names) else name, []).append(
            repr(weight)
        )
    return "".join(f"{name}= {' '.join(values)}\n" for name, values in groups.items())


def as_lines(segments: Sequence[str]) -> str:
    """One segment per line."""
    return "".join(f"{segment}\n" for segment in segments)


def tuned_files(result: tuning.TuningResult) -> dict[Role, dict[str, str]]:
    """The held-out segments as files of a test set, by role: references, sources and documents as far as there are some,
    the baseline or the systems that were combined, and the output of every replicate.

    Raises: SigError without held-out segments.
    """
    held_out, baseline = result.held_out, result.baseline_output
    if held_out is None or baseline is None:
        raise SigError("No segments were held out, so there are no outputs of them.", "", "Use a split below 1.")
    references = {f"reference.{k}.txt": as_lines(one) for k, one in enumerate(held_out.references, start=1)}
    systems = dict[str, str]()
    before = result.systems or (Outputs("baseline", baseline.segments),)
    tuned = [(f"{item.method}.{item.number}", item.outputs) for item in result.replicates]
    for name, outputs in [*((one.system, one) for one in before), *tuned]:
        assert outputs is not None
        file = file_name(name)
        while f"{file}.txt" in systems:  # names that differ in other characters
            file += "_"
        systems[f"{file}.txt"] = as_lines(outputs.segments)
    files: dict[Role, dict[str, str]] = {"reference": references, "system": systems}
    if held_out.sources:
        files["source"] = {"source.txt": as_lines(held_out.sources)}
    for role, stream in (("documents", held_out.documents), ("domains", held_out.domains)):
        if stream:
            files[role] = {f"{role}.txt": as_lines(stream)}  # type: ignore[index]
    return files


def file_name(text: str) -> str:
    """The text with a dot for everything that a name of a file may not have."""
    return "".join(c if c.isalnum() or c in "_-" else "." for c in text)


def tuning_json(result: tuning.TuningResult, warnings: Sequence[str] = ()) -> Row:
    """Everything as one JSON shape, ready for `json.dumps(..., allow_nan=False)`.

    `weights`, `dev` and `test` have a list with one entry per replicate under the name of each method (of sparse lists the
    weights that are not 0); `dev` and `test`
    also have `baseline` and `oracle`. Without held-out segments `test` and `tests` are empty.
    """
    setup, plan, features = result.setup, result.plan, result.features
    names = features.names
    content = {
        **named(setup, "metric metric_title better"),
        "direction": as_json(DIRECTION, setup.direction),
        "baseline": result.baseline,
        "fixed_lists": result.fixed,
        "features": [
            {"name": name, "mean": features.means[k], "deviation": features.deviations[k], "varies": features.varies[k]}
            for k, name in enumerate(names)
        ],
        "weights": {name: [_weights(result, item) for item in result.of(name)] for name in result.methods},
        "dev": _part(result, result.dev, "dev"),
        "test": _part(result, result.test, "test"),
        "tests": {item.system: _test(item) for item in result.tests},
        "course": {name: [_course(item) for item in result.of(name)] for name in result.methods},
        "options": dict(result.options),
        "plan": {
            **named(plan, "split replicates"),
            "resampled_dev": plan.resample and plan.replicates > 1,
            "policy": "fixed" if result.fixed else plan.policy,
            **named(plan, "sizes policies"),
        },
        "sweeps": [_sweep(item) for item in result.sweeps],
        "test_name": setup.test,
        **named(setup, "correction estimator n"),
        "unit": str(setup.unit),
        **named(setup, "segments resamples seed"),
        "chosen": list(result.chosen),
        "warnings": list(dict.fromkeys([*warnings, *result.notes])),
        "signature": setup.signature,
        "environment": environment(),
        "family": of_p(
            [item.p_value for item in result.tests], setup.correction, "one baseline", result.baseline
        ).to_dict(),
    }
    return {name: plain(value) for name, value in content.items()}


def _weights(result: tuning.TuningResult, item: tuning.Replicate) -> dict[str, float]:
    """The weights by the name of the feature; of sparse lists those that are not 0."""
    named = zip(result.features.names, item.weights.tolist(), strict=False)
    return {name: weight for name, weight in named if weight or not result.features.sparse}


def named(item: Any, names: str) -> Row:
    """What the item has under these names."""
    return {name: getattr(item, name) for name in names.split()}


def _part(result: tuning.TuningResult, part: tuning.SplitPart | None, side: str) -> Row:
    if part is None:
        return {}
    scores = {name: [getattr(item, side) for item in result.of(name)] for name in result.methods}
    return named(part, "segments hypotheses baseline oracle worst") | scores


def _sweep(item: tuning.Sweep) -> Row:
    """The values of a setting, with the labels under which the scores of each are in the other fields."""
    values: list[Row] = [{"value": value, "label": label} for value, label in item.values]
    return {"title": item.title, "setting": item.setting, "values": values}


def _test(item: tuning.RunsTest) -> Row:
    runs = zip(item.gains.tolist(), item.p_values.tolist(), strict=True)
    return {
        **named(item, "gain interval p_value p_interval adjusted"),
        "runs": [{"gain": gain, "p_value": p} for gain, p in runs],
        "multi_run": named(item, "average s_sel s_opt run_t run_df run_p"),
    }


def _course(item: tuning.Replicate) -> list[Row]:
    return [
        {"iteration": one.number, "dev": one.dev, "lists": one.lists, "steps": [asdict(step) for step in one.steps]}
        for one in item.iterations
    ]
