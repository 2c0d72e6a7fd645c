"""What the live stage of each lesson draws in the browser: the statistics of the pair, panels, words, sliders."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sigboard.render.style import Theme, palette
from sigcore import SufficientStatistics, TestResult
from sigcore.formatting import format_gain, format_score, p_text
from sigcore.studies import learn
from sigcore.types import Json, Value

SWAP, SHIFT, PAIRED = learn.TESTS
MOST = 5_000  # draws of one lesson
NUMBERS = 200_000  # of statistics that are sent to a browser; of larger data the draws are those of the server
PRESSES = (1, 10, 1_000)
WORDS = tomllib.loads(Path(__file__).with_name("stage.toml").read_text("utf-8"))  # what each scene says, by its name
Part = dict[str, Json]
# columns (part, whole) of the metrics that are 100 times their ratio
RATES = ("accuracy", "exact_match", "cover_em", "wer", "cer", "ter", "las", "uas", "token_f1")
BUTTON = {"light": "#0072B2", "dark": "#2079B0"}


@dataclass(frozen=True, eq=False)
class Scene:
    """What a lesson shows: the loaded pair under a metric, the lesson's numbers, the seed and alpha of the settings."""

    word: str
    data: learn.Data
    numbers: Any
    seed: int
    alpha: float

    @property
    def pair(self) -> tuple[SufficientStatistics, ...]:
        """The two systems."""
        return self.data.measured.systems

    @property
    def decimals(self) -> int:
        """How gains are written."""
        return self.data.measured.decimals


def content(scene: Scene, theme: Theme, presenting: bool, revealed: Callable[[str], bool]) -> Part:
    """The stage of a lesson as the browser draws it; its `token` changes with everything that changes a draw."""
    made = {"word": scene.word, "seed": scene.seed % 2**32, "alpha": scene.alpha, "most": MOST, **USUAL}
    made |= SCENES[scene.word](scene)
    made["n"] = scene.data.n
    token = hashlib.sha256(json.dumps(made, sort_keys=True).encode()).hexdigest()
    own: Part = {"token": token, "colours": colours(theme), "present": presenting, "revealed": revealed(token)}
    return made | own


USUAL: Mapping[str, Json] = {"decimals": 2, "presses": list(PRESSES), "tails": False, "shows": False, "gain": False}


def colours(theme: Theme) -> Part:
    """The colours by the names of the style."""
    own = palette(theme)
    names = ("ink", "muted", "line", "accent", "warm", "bars", "neutral")
    made: Part = {name: str(getattr(own, name)) for name in names}
    made |= dict(zip(("once", "twice", "thrice"), own.better, strict=True))
    return made | {"button": BUTTON[theme]}


# How the score of a sum is computed in the browser.


def formula(name: str, options: Mapping[str, Value], pair: tuple[SufficientStatistics, ...]) -> Part | None:
    """The formula of a metric's score; None where the browser has none, and the server's draws are shown."""
    columns = len(pair[0].columns)
    if name == "bleu":
        value = options["smooth_value"]
        usual = {"floor": 0.1, "add-k": 1.0}.get(str(options["smooth"]), 0.0)
        names = {"order": options["order"], "smooth": options["smooth"], "effective": options["effective_order"]}
        return {"kind": "bleu", "value": usual if value is None else value, **names}
    if name == "chrf" and not options["eps_smoothing"]:
        return {"kind": "chrf", "beta": options["beta"]}
    # without an empty unit no sum is empty, which each metric defines in its own way
    if columns == 2 and all(float(item.values[:, 1].min(initial=1.0)) > 0 for item in pair):
        if name in RATES:
            return {"kind": "ratio", "scale": 100.0}
        if name == "own_scores":
            return {"kind": "ratio", "scale": 1.0}
    return None


def statistics(data: learn.Data) -> Part | None:
    """The pair as the browser computes with it; None where it has no formula, or too many numbers."""
    first, second = data.measured.systems[:2]
    scored = formula(data.measured.metric.name, data.measured.options, (first, second))
    if scored is None or 2 * first.values.size > NUMBERS:
        return None
    return {
        "n": first.n,
        "k": len(first.columns),
        "one": first.values.ravel().tolist(),
        "two": second.values.ravel().tolist(),
        "formula": scored,
        "lower": first.better == "lower",
        "unit": learn.unit_of((first, second)),
        "gain": learn.gain_of((first, second)),
    }


# The scenes, by the word of their lesson.


def _result(scene: Scene, name: str) -> TestResult:
    found: TestResult = scene.numbers.compared.result(name, "two-sided")
    return found


def _heads(scene: Scene) -> str:
    """Both scores and the observed gain."""
    scores = [format_score(item.corpus_score, scene.decimals) for item in scene.pair]
    named = " and ".join(f"{item.system} {score}" for item, score in zip(scene.pair, scores, strict=True))
    return f"{named} ({scene.data.measured.title}). Observed gain {_gain(scene)}."


def _gain(scene: Scene) -> str:
    return format_gain(learn.gain_of(scene.pair), scene.decimals).replace("-", "\u2212")


def _gains(scene: Scene, name: str, title: str, **more: Json) -> Part:
    """A panel with the gains of one test, and lines at the observed gain and its mirror."""
    test = _result(scene, name)
    assert test.null is not None
    gain = test.gain
    words = ("g", "\u2212g")  # as in the steps
    if not title:
        mirror = format_gain(-gain, scene.decimals).replace("-", "\u2212")
        words = (f"observed {_gain(scene)}", f"mirror {mirror}")
    lines: list[Json] = [
        {"at": place, "words": said, "solid": place == gain, "side": 1 if place >= 0 else -1}
        for place, said in dict(zip((gain, -gain), words, strict=True)).items()
    ]
    # the raw gains of a bootstrap are farther from zero than the shifted ones
    reach = 1.1 * max(abs(gain), float(np.nanmax(np.abs(scene.numbers.compared.result(PAIRED, "two-sided").null))))
    if name == SWAP:
        reach = 1.1 * max(abs(gain), float(np.nanmax(np.abs(test.null))))
    panel: Part = {"kind": "gain", "title": title, "axis": f"gain ({scene.data.measured.title})", "reach": reach or 1.0}
    return panel | {"cut": abs(gain), "lines": lines, "centre": 0.0, "alt": f"Gains: {title}"} | more


def _centre(scene: Scene) -> float:
    """The expectation of the drawn gains, which the shifted bootstrap subtracts."""
    raw, shifted = _result(scene, PAIRED).null, _result(scene, SHIFT).null
    assert raw is not None
    assert shifted is not None
    return float(np.nanmean(raw - shifted))


def _draws(scene: Scene, kind: str) -> Part:
    """What draws resamples: the statistics, or all resamples of the server."""
    pair = statistics(scene.data)
    common: Part = {"unit": learn.unit_of(scene.pair), "decimals": scene.decimals, "gain": True}
    if pair is not None:
        return common | {"kind": kind, "pair": pair, "shows": kind != "three"}
    rows = [_row(scene, k, kind) for k in range(learn.DRAWN)]
    return common | {"kind": "table", "rows": rows, "most": len(rows)}


def _row(scene: Scene, k: int, kind: str) -> Part:
    """One resample of the server, without what was drawn."""
    swap, raw = (_result(scene, name).null for name in (SWAP, PAIRED))
    assert swap is not None
    assert raw is not None
    one, other = float(swap[k]), float(raw[k])
    values = {"swap": [one], "bootstrap": [other], "three": [one, other, other]}[kind]
    return {"values": values, "gain": values[0]}


def _shuffle(scene: Scene) -> Part:
    return {
        **WORDS["shuffle"],
        "heads": _heads(scene),
        "panels": [_gains(scene, SWAP, "", counted="shuffles reach a line")],
        **_draws(scene, "swap"),
    }


def _bootstrap(scene: Scene) -> Part:
    panel = _gains(scene, SHIFT, "", counted="shifted draws reach a line", centre=_centre(scene))
    return {
        **WORDS["bootstrap"],
        "heads": _heads(scene),
        "panels": [panel],
        **_draws(scene, "bootstrap"),
    }


# The steps of each test in our words, after Graham et al. 2014, Figs. 1, 2 and 4.
LOOP = ("g = gain of A over B", "repeat R times:")
DRAW, D = "  draw n units with replacement", "  d = gain of A* over B*"
STEPS = {
    SWAP: (*LOOP, "  a coin for each unit: swap or not", D, "  if |d| \u2265 |g|: c = c + 1", "p = (c + 1) / (R + 1)"),
    SHIFT: (
        *LOOP,
        DRAW,
        D,
        "m = the centre of all d",
        "c = how often |d \u2212 m| \u2265 |g|",
        "p = (c + 1) / (R + 1)",
    ),
    PAIRED: (*LOOP, DRAW, D, "  if the winner does not win: c = c + 1", "p = 2 (c + 1) / (R + 1)"),
}


def _three(scene: Scene) -> Part:
    steps: dict[str, Json] = {name: list(lines) for name, lines in STEPS.items()}
    sign = 1 if learn.gain_of(scene.pair) >= 0 else -1
    zero: Json = [{"at": 0.0, "words": "0", "solid": True}]
    panels = [
        _gains(scene, SWAP, "Randomization", counted="reach a line", steps=steps[SWAP]),
        _gains(scene, SHIFT, "Bootstrap, shifted", counted="reach a line", steps=steps[SHIFT], centre=_centre(scene)),
        _gains(
            scene,
            PAIRED,
            "Paired bootstrap",
            counted="not won",
            steps=steps[PAIRED],
            loses=sign,
            lines=zero,
            centre=None,
        ),
    ]
    return {
        **WORDS["three"],
        "heads": _heads(scene),
        "panels": panels,
        **_draws(scene, "three"),
    }


def _p_panel(title: str = "", short: str = "", counted: str = "have p of at most ALPHA") -> Part:
    alt = f"p-values: {title}" if title else "p-values"
    return {"kind": "p", "title": title, "short": short, "axis": "p", "counted": counted, "alt": alt}


def _two_rules(title: str, short: str, other: str, words: str) -> list[Json]:
    """Two panels of p-values, each with its title and its words in a sentence; each find is a false alarm."""
    return [_p_panel(*named, "are false alarms at alpha ALPHA") for named in ((title, short), (other, words))]


def _slider(name: str, words: str, low: float, high: float, step: float, value: float, end: str = "") -> Part:
    return {"name": name, "words": words, "low": low, "high": high, "step": step, "value": value, "end": end}


def _ten(units: int) -> int:
    """The nearest place of a slider in steps of ten."""
    return max(10, 10 * round(units / 10))


LEVEL = _slider("alpha", "alpha", 0.01, 0.2, 0.01, 0.05)
SETS: Part = {"one": "data set", "many": "data sets", "of": 1_000}


def _worlds(scene: Scene, kind: str, rows: list[Json], **more: Json) -> Part:
    """What draws data sets: the statistics and settings, or those that the server has drawn."""
    pair = statistics(scene.data)
    if pair is not None:
        return {"kind": kind, "pair": pair, "decimals": scene.decimals, "gain": True, **more}
    return {"kind": "table", "rows": rows, "most": len(rows), "decimals": scene.decimals, "gain": True}


def _tail(scene: Scene) -> Part:
    lab: learn.Lab = scene.numbers
    rule, size = lab.rule, lab.size
    rows: list[Json] = [
        {"values": [float(p), float(q)], "gain": float(g)}
        for p, q, g in zip(lab.errors.p, lab.sound.p, lab.drawn.nulls.gains, strict=True)
    ]
    asked: Part = {"kind": rule.draw.kind, "ratio": rule.draw.ratio, "paired": rule.draw.paired}
    asked |= {name: getattr(rule, name) for name in ("strict", "plus_one", "one_sided", "slip")}
    panels: Json = _two_rules("Your rule", "under your rule", "The sound rule", "under the sound rule")
    how = f"{size.units} units and {size.resamples} resamples in each data set. No two systems differ."
    return {
        **WORDS["tail"],
        **SETS,
        "heads": f"{scene.pair[0].system} and {scene.pair[1].system}: {how}",
        "panels": panels,
        **_worlds(scene, "tail", rows, rule=asked, size={"units": size.units, "resamples": size.resamples}),
    }


def _null(scene: Scene) -> Part:
    made: learn.Factory = scene.numbers
    rows: list[Json] = [{"values": [float(p)], "gain": float(g)} for p, g in zip(made.p, made.gains, strict=True)]
    sliders: Json = [_slider("units", "units", 10, 400, 10, _ten(made.units)), LEVEL]
    more: Part = {"sliders": sliders} if statistics(scene.data) is not None else {"sliders": [LEVEL]}
    return {
        **SETS,
        "heads": f"Data sets made of {scene.pair[0].system} and {scene.pair[1].system}. Each one is tested.",
        "invitation": "Press 1 data set: its p drops on the chart.",
        "guess": "Your guess: p-values of at most alpha",
        "panels": [_p_panel()],
        "alt": "p-values of many data sets, in 20 columns",
        **more,
        **_worlds(scene, "factory", rows, resamples=199, kept=0 if made.is_null else 100),
    }


def _mean(scene: Scene) -> Part:
    made: learn.Mean = scene.numbers
    lower = scene.pair[0].better == "lower"
    rows: list[Json] = []
    for a, b, c, d in np.vstack((made.corpus, made.means)).T.tolist():
        rows.append({"values": [a, b, c, d], "gain": b - a if lower else a - b})
    gains = [format_gain(gain, made.decimals).replace("-", "\u2212") for gain in made.gains]
    drawn = p_text(made.p, learn.DRAWN)
    told = f"Gain of the metric {gains[0]}, shuffles give {drawn}. Gain of the means {gains[1]}, a t-test gives {p_text(made.t_p, 0)}."
    panel: Part = {"kind": "course", "axis": f"{made.unit} so far", "counted": "", "alt": "Scores of the first units"}
    lines = [f"{name}, {what}" for what in (made.title, "mean of units") for name in made.systems]
    return {
        **WORDS["mean"],
        "rows": rows,
        "most": len(rows),
        "decimals": made.decimals,
        "heads": f"Blue: {made.systems[0]}. Orange: {made.systems[1]}. Solid: {made.title} of all units. Dotted: mean of units.",
        "of": len(rows),
        "panels": [panel | {"names": list[Json](lines)}],
        "summary": told,
    }


def _many(scene: Scene) -> Part:
    made: learn.Many = scene.numbers
    found, kept = made.found(0.05), made.kept(0.05)
    rows: list[Json] = [
        {"values": [int(a), int(b)], "gain": int(a)} for a, b in zip(found.tolist(), kept.tolist(), strict=True)
    ]
    counted = "worlds have a false alarm"
    panel: Part = {"kind": "count", "axis": "false alarms among 105 pairs", "counted": counted}
    return {
        **WORDS["many"],
        "rows": rows,
        "most": len(rows),
        "presses": [1, 10, 50],
        "of": len(rows),
        "panels": [
            panel | {"title": "Without a correction", "short": "false alarms", "alt": "False alarms"},
            panel | {"title": "After Holm", "short": "after Holm", "alt": "False alarms after Holm"},
        ],
    }


def _interval(scene: Scene) -> Part:
    made: learn.Intervals = scene.numbers
    rows: list[Json] = [
        {"values": [gain], "gain": gain, "ends": ends, "holds": holds}
        for gain, ends, holds in zip(made.gains.tolist(), made.ends.tolist(), made.holds.tolist(), strict=True)
    ]
    reach = 1.05 * float(np.nanmax(np.abs(made.ends - made.true))) or 1.0
    panel: Part = {"kind": "interval", "axis": f"gain ({scene.data.measured.title})", "reach": reach}
    line: Json = [{"at": made.true, "words": f"true gain {_gain(scene)}", "solid": True}]
    panel |= {"around": made.true, "lines": line, "counted": "intervals miss the true gain", "alt": "Intervals"}
    sliders: Json = [_slider("units", "units", 10, 400, 10, _ten(made.units))]
    return {
        **WORDS["interval"],
        "heads": f"Test sets drawn from the units of {scene.pair[0].system} and {scene.pair[1].system}.",
        "panels": [panel],
        **({"sliders": sliders} if statistics(scene.data) is not None else {}),
        **_worlds(scene, "intervals", rows, resamples=200),
    }


def _plan(scene: Scene) -> Part:
    made: learn.Plan = scene.numbers
    # neither hopeless nor sure
    place = int(np.abs((made.p <= scene.alpha).mean(axis=1) - 0.6).argmin())
    rows: list[Json] = [{"values": [float(p)], "gain": made.true} for p in made.p[place]]
    sliders: Json = [
        _slider("units", "units", 10, 800, 10, _ten(made.sizes[place])),
        _slider("kept", "true gain", 0, 100, 25, 100, "% of your pair's"),
        LEVEL,
    ]
    return {
        **WORDS["plan"],
        "heads": _heads(scene),
        "panels": [_p_panel(counted="test sets find the gain at alpha ALPHA")],
        **({"sliders": sliders} if statistics(scene.data) is not None else {"sliders": [LEVEL]}),
        **_worlds(scene, "factory", rows, resamples=199),
    }


def _runs(scene: Scene) -> Part:
    return {
        **WORDS["runs"],
        "panels": _two_rules("Each answer is a unit", "by answers", "Each question is a unit", "by questions"),
        "sliders": [
            _slider("questions", "questions", 10, 200, 10, learn.QUESTIONS),
            _slider("runs", "runs", 1, 20, 1, learn.RUNS),
            LEVEL,
        ],
    }


def _judge(scene: Scene) -> Part:
    made: learn.Judge = scene.numbers
    return {
        **WORDS["judge"],
        "longer": learn.LONGER,
        "panels": _two_rules("The judge", "by the judge", "People", "by people"),
        "sliders": [
            _slider("items", "items", 50, 2_000, 50, made.sizes[1]),
            _slider("habit", "longer wins in", 0, 100, 5, made.habit, "% of the items"),
            LEVEL,
        ],
    }


SCENES: dict[str, Callable[[Scene], Part]] = {
    "shuffle": _shuffle, "bootstrap": _bootstrap, "three": _three, "tail": _tail, "null": _null, "mean": _mean,
    "many": _many, "interval": _interval, "plan": _plan, "runs": _runs, "judge": _judge,
}  # fmt: skip
