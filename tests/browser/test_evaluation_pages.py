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


def test_files_with_the_same_questions_are_asked_for() -> None:
    """The page waits for the answer: two tasks and their average, or one of two measures."""
    rows = "".join(f"{k},{k % 2},{(k + 1) % 3 % 2}\n" for k in range(40))
    asked = page(
        dropped({f"{name}.csv": f"id,A,B\n{rows}" for name in ("boolq", "copa")}, start(resamples="500")), "tasks"
    )
    assert "boolq, copa have scores of the same 40 questions: they are tasks, or measures of one task." in said(asked)
    assert not asked.get("plotly_chart")
    answered = asked.get("button_group")[0].set_value("tasks").run()
    assert "on 2 tasks" in said(answered)
    assert "are swapped and drawn together" in said(answered)
    other = answered.get("button_group")[0].set_value("measures of one task").run()
    assert "on 1 task " in said(other)
    assert other.selectbox(key="sigboard.tasks.measure").options == ["boolq", "copa"]
    # the answer about these files is none about others
    more = page(dropped({"rte.csv": f"id,A,B\n{rows}"}, other), "tasks")
    assert "boolq, copa, rte have scores of the same 40 questions" in said(more)


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


RATINGS = "annotator,item_id,system,adequacy\n" + "".join(
    f"{judge},{k},{system},{1 + (k * (2 + judge) + ord(system)) % 5}\n"
    for judge in (1, 2) for k in range(30) for system in "AB"
)  # fmt: skip


def test_ratings_alone_are_tested_after_a_click() -> None:
    """Ratings without outputs: the page Grid offers what the command does at once, and then shows the same means."""
    app = page(dropped({"ratings.csv": RATINGS}, start(resamples="1,000")), "matrix")
    assert "Ratings by people are loaded" in said(app)
    assert "Nothing is loaded yet" not in said(app)
    app = press(app, "Test the mean rating of each segment")
    rows = [line.split(",") for line in RATINGS.split("\n")[1:-1]]
    means = {of: sum(int(row[3]) for row in rows if row[2] == of) / 60 for of in "AB"}
    shown = [json.loads(part.proto.json) for part in app.get("bidi_component")]
    (grid,) = [one for one in shown if "rows" in one]
    assert {row["name"]: row["score"] for row in grid["rows"]} == {of: f"{mean:.4f}" for of, mean in means.items()}
    assert "the mean of each segment is its score" in said(page(app, "data"))
    # people do not confirm themselves
    human = said(page(app, "human"))
    assert "People distinguish" in human
    assert "as people do" not in human
    assert "Only the ratings are loaded" in human
    assert "Yes: on all" not in said(page(app, "report"))
