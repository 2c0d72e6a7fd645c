"""A score matrix and its pairs as JSON; undefined numbers are null."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sigboard.reports.json import plain
from sigboard.reports.scores import FAMILIES, why_not
from sigcore.studies import scores

GROUPS_IN_FULL = 150  # groups up to which every pair of mean ranks is written out


def scores_json(result: scores.ScoresResult, alpha: float) -> dict[str, Any]:
    """Everything, ready for `json.dumps(..., allow_nan=False)`; undefined numbers are null.

    `kruskal` and `tukey` are over document sets, `kruskal_systems` and `tukey_systems` over systems; in `counts` a
    number is how many pairs have p <= alpha, uncorrected unless it is under `corrected`; null where so few draws cannot
    give such a p.
    """
    run, matrix = result.run, result.run.matrix
    content: dict[str, Any] = {
        "matrix": matrix.name,
        "systems": list(matrix.systems),
        "humans": list(result.humans),
        "documents": matrix.n,
        "missing": matrix.missing,
        "better": matrix.better,
        "alpha": alpha,
        "correction": result.correction,
        "estimator": result.estimator,
        "zeros": run.zeros,
        "resamples": run.resamples,
        "seed": run.seed,
        "signature": result.signature,
        "notes": list(result.notes(alpha)),
        "counts": {family: _family(result, family, alpha) for family in FAMILIES},
        "efficiency": {"theory": dict(scores.THEORY), "estimated": _quartiles(run.efficiency)},
    }
    for test, factor in (("kruskal", "documents"), ("friedman", "systems")):
        content[test] = _omnibus(run.test(test, factor))
    content["kruskal_systems"] = _omnibus(run.test("kruskal", "systems"))
    content["friedman_documents"] = _omnibus(run.test("friedman", "documents"))
    names = {"tukey": "documents", "tukey_systems": "systems", "tukey_within_documents": "systems within documents"}
    content |= {name: _tukey(run.ranks(factor), alpha) for name, factor in names.items()}
    content["pairs"] = [_pair(result, k, alpha) for k in range(len(run.pairs))]
    return dict(plain(content))


def _family(result: scores.ScoresResult, family: str, alpha: float) -> dict[str, Any] | None:
    counts = [c for c in result.counts(alpha) if c.family == family]
    if not counts:
        return None
    by = {(c.method, c.statistic): c for c in counts}

    def cells(name: str) -> dict[str, Any]:
        drawn = {m: {s: _number(by[m, s], name) for s in scores.STATISTICS} for m in scores.METHODS if m != "theory"}
        return {s: _number(by["theory", s], name) for s in scores.STATISTICS} | drawn

    return {"pairs": counts[0].pairs, **cells("raw"), "corrected": cells("corrected"), "tested": cells("tested")}


def _number(count: scores.Count, name: str) -> int | None:
    """One of the numbers of a count; None where R draws cannot give a p of at most alpha."""
    return getattr(count, name) if getattr(count, f"{name}_possible", True) else None


def _omnibus(item: scores.Omnibus | None) -> dict[str, Any] | None:
    if item is None:
        return None
    numbers = {"statistic": item.statistic, "df": item.freedom, "p": item.p_value, "groups": item.groups, "n": item.n}
    return numbers | {"note": item.why or item.used}


def _tukey(ranks: scores.MeanRanks | None, alpha: float) -> dict[str, Any] | None:
    """Mean ranks with comparison intervals; the p of every pair unless there are too many groups."""
    if ranks is None:
        return None
    half = ranks.half_widths(alpha)
    groups = range(len(ranks.names))
    return {
        "groups": list(ranks.names),
        "n": ranks.counts,
        "mean_ranks": ranks.means,
        "low": ranks.means - half,
        "high": ranks.means + half,
        "critical": ranks.critical(alpha),
        "differing": [int(ranks.differing(g, alpha).sum()) for g in groups],
        "p_values": [ranks.p_values(g) for g in groups] if len(ranks.names) <= GROUPS_IN_FULL else None,
    }


def _pair(result: scores.ScoresResult, k: int, alpha: float) -> dict[str, Any]:
    run, cut = result.run, result.cutoffs(alpha)
    i, j = run.pairs[k]

    def one(m: int, r: int) -> dict[str, Any]:
        return {
            "statistic": run.statistics[r, k],
            "p": result.p_values[m, r, k],
            "adjusted": result.adjusted[m, r, k],
            "cutoff": cut[m, r, k],
        }

    content: dict[str, Any] = {
        "system": run.matrix.systems[i],
        "baseline": run.matrix.systems[j],
        "n": run.n[k],
        "gain": run.gains[k],
        **{name: one(0, r) for r, name in enumerate(scores.STATISTICS)},
    }
    total = run.plus[k] - run.statistics[2, k]
    content["wilcoxon"] |= {"w_plus": run.plus[k], "w_minus": total, "exact": bool(run.exact[k])}
    for m, method in enumerate(scores.METHODS[1:], start=1):
        content[method] = {name: one(m, r) for r, name in enumerate(scores.STATISTICS)}
    return content | {"efficiency": run.efficiency[k], "note": why_not(result, k)}


def _quartiles(values: Any) -> dict[str, float]:
    defined = values[np.isfinite(values)]
    if not len(defined):
        return dict.fromkeys(("low", "median", "high"), math.nan)
    low, middle, high = np.percentile(defined, [25, 50, 75])
    return {"low": float(low), "median": float(middle), "high": float(high)}
