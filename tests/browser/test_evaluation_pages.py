"""The pages Pairwise and Tasks without a browser: judgments, scores, logs of two tasks, and what is missing."""

from __future__ import annotations

import json

from tests.browser.test_pages import (  # noqa: F401  (the fixture works by being here)
    a_server_that_knows_its_pages,
    dropped,
    page,
    press,
    said,
    start,
)

ARENA = "question_id,model_a,model_b,winner\n" + "".join(
    f"{k},{'AB'[k % 2]},{'BC'[k % 2]},{('model_a', 'model_b', 'tie', 'model_a')[k // 2 % 4]}\n" for k in range(60)
)


def log(system: str, task: str) -> str:
    """A log of lm-evaluation-harness with 40 questions."""
    rows = [
        {"doc_id": k, "doc": {"q": f"q{k}"}, "target": "x", "resps": [["y"]], "filtered_resps": ["y"], "filter": "none",
         "metrics": ["acc"], "acc": float((k * k + len(task) + 3 * ord(system)) % 7 < 4)}
        for k in range(40)
    ]  # fmt: skip
    return "".join(json.dumps(row) + "\n" for row in rows)


LOGS = {f"{s}/samples_{t}_2026-01-01T00-00-00.1.jsonl": log(s, t) for s in "AB" for t in ("one", "three")}


def test_judgments_have_pairs_and_a_ranking() -> None:
    """Dropped judgments are listed on the page Files; their page shows pairs, ranking and tables, all with 95% intervals."""
    app = dropped({"arena.csv": ARENA}, start(resamples="1,000"))
    app = page(app, "data")
    assert "Pairwise judgments are loaded" in said(app)
    app = page(app, "pairwise")
    assert "pairs" in said(app) and "sign test, Holm" in said(app)  # noqa: PT018
    assert "60 questions" in " ".join(caption.value for caption in app.caption)
    assert [tab.label for tab in app.tabs] == ["Pairs", "Ranking", "Tables"]
    assert len(app.get("plotly_chart")) == 1


def test_zeros_and_ones_are_mcnemars_test() -> None:
    """Scores of 0 and 1 have McNemar's test, and no ranking."""
    scores = {f"{s}.txt": "".join(f"{int((k * k + ord(s)) % 5 < 2)}\n" for k in range(60)) for s in "AB"}
    app = page(dropped(scores, start(resamples="1,000")), "pairwise")
    assert "McNemar's test" in said(app)
    assert [tab.label for tab in app.tabs] == ["Pairs", "Tables"]


def test_the_sample_is_compared_by_its_segments() -> None:
    """Text has wins by the metric of each segment or document."""
    app = page(start(resamples="1,000"), "pairwise")
    assert "the better score wins" in " ".join(caption.value for caption in app.caption)


def test_tasks_have_a_macro_average() -> None:
    """Two tasks of two systems: three rows, and the note on what the average is about."""
    app = page(dropped(LOGS, start(resamples="1,000")), "tasks")
    assert "on 2 tasks" in said(app)
    figure = json.loads(app.get("plotly_chart")[0].proto.spec)
    assert [name.strip() for name in figure["layout"]["yaxis"]["ticktext"]] == ["one", "three", "macro average"]
    assert "not about other tasks" in said(app)


def test_a_page_without_scores_says_what_it_needs() -> None:
    """The sample has texts: the page of tasks asks for scores."""
    assert "This page needs scores per question" in said(page(start(), "tasks"))
    nothing = press(page(start(), "data"), "Clear everything")
    asked = page(nothing, "tasks")
    assert "This page needs scores per question" in said(asked)
    press(asked, "Load the sample harbour quiz")
    assert "on 3 tasks" in said(asked)


def test_mcnemar_is_beside_the_other_tests() -> None:
    """The page Pair prints it for scores of 0 and 1, and not for others."""
    scores = {f"{s}.txt": "".join(f"{int((k * k + ord(s)) % 5 < 2)}\n" for k in range(60)) for s in "AB"}
    app = page(dropped(scores, start(resamples="1,000")), "compare")
    assert "McNemar" in " ".join(caption.value for caption in app.caption)
    other = page(start(resamples="1,000"), "compare")
    assert "McNemar" not in " ".join(caption.value for caption in other.caption)
