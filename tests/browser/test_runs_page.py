"""Several runs of a system on the compare and matrix pages: nothing is taken as a run before the person says so."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from sigcore import Collection
from sigcore.studies import runs
from sigcore.study import Study
from tests.browser.test_pages import (
    GOOD,
    a_server_that_knows_its_pages,
    dropped,
    figure,
    page,
    press,
    said,
    sound,
    start,
)

__all__ = ["a_server_that_knows_its_pages"]  # a fixture that every test here uses

QUESTION = "These look like runs of one system"


def output(start: int, step: int) -> str:
    """The reference with every `step`-th line spoilt."""
    lines = GOOD.split("\n")[:-1]
    return "".join(("a boat is home\n" if k % step == start else f"{line}\n") for k, line in enumerate(lines))


FILES = {
    "ref.txt": GOOD,
    **{f"A.seed{k}.txt": output(k, 5) for k in (1, 2, 3)},
    **{f"B.seed{k}.txt": output(k, 3) for k in (0, 1, 2)},
}


def loaded(**address: str) -> AppTest:
    """The app with three runs of each of two systems."""
    return dropped(FILES, start(resamples="1000", **address))


def test_runs_are_asked_for_and_not_assumed() -> None:
    """Before the answer there is no table of all pairs; after no the six outputs are systems, and the question is gone."""
    app = page(loaded(), "matrix")
    for word in ("rank", "report", "matrix"):
        page(app, word)
        assert QUESTION in said(app)
        assert "A.seed1, A.seed2, A.seed3" in said(app)
        assert "of 15 pairs" not in said(app)
        assert "15 pairs" not in said(app)
    press(app, "No, different systems")
    assert QUESTION not in said(app)
    assert "of 15 pairs" in said(app)


def test_after_yes_compare_shows_what_the_runs_add() -> None:
    """Average, s_sel, s_opt and all four p of the pair are those of the study, and the notes are there."""
    app = press(page(loaded(), "compare"), "Yes, they are runs")
    assert "A against B" in said(app)
    assert "6 outputs as runs of 2 systems" in said(app)
    assert "over runs" in figure(app)
    collection = Collection()
    collection.add([(name, text.encode()) for name, text in FILES.items()], [("ref.txt", "reference")])
    by_name = {item.system: item for item in collection.sound().outputs}
    given = {name: [by_name[one] for one in sorted(by_name) if one.startswith(name)] for name in "AB"}
    test = collection.sound().testset
    assert test is not None
    result = runs.read(runs.run(Study(test, (), resamples=1000), runs.RunsPlan(given)), "bleu")
    systems, tests = app.dataframe[0].value, app.dataframe[1].value
    assert list(systems["average"]) == pytest.approx(result.average.tolist())
    assert list(systems["s_opt"]) == pytest.approx(result.s_opt.tolist())
    assert list(systems["s_sel"]) == pytest.approx(result.s_sel.tolist())
    assert tests["value"][0] == result.grid.written_p(0, 1, adjusted=False)
    assert f"p = {result.grid.written_p(0, 1)}" in said(app)
    assert len(tests) == 5
    assert result.grid.notes
    assert all(note in said(app) for note in result.grid.notes)


def test_the_strip_of_runs_is_opened() -> None:
    """The fold has the tests of runs, the chosen shuffle marked with the p of the table above, and MultEval."""
    app = press(page(loaded(), "compare"), "Yes, they are runs")
    assert "a difference is found by" not in said(app)
    app.session_state["sigboard.strip.fold"] = True
    sound(app.run())
    assert "1 test over runs." in said(app)
    table = next(frame.value for frame in app.dataframe if "asked for" in frame.value)
    marked = table[table["asked for"] == "*"]
    assert list(marked["test or program"]) == ["Mixed model of runs and units"]
    assert list(marked["p"]) == [app.dataframe[1].value["value"][0]]
    assert "It shuffles runs as the row of its name" in said(app)


def test_the_answer_can_be_taken_back() -> None:
    """One click compares the outputs as different systems again."""
    app = press(page(loaded(), "compare"), "Yes, they are runs")
    press(app, "Compare them as different systems")
    assert "A.seed1" in next(box for box in app.selectbox if box.label == "system").options


def test_the_matrix_has_a_row_for_each_system() -> None:
    """After yes the grid has two systems, with the averages of their runs."""
    app = press(page(loaded(), "matrix"), "Yes, they are runs")
    assert "A.seed1" not in figure(app)
    assert list(app.dataframe[0].value["system"]) == ["A", "B"]


def test_names_without_runs_are_not_asked_about() -> None:
    """The sample has no runs: there is no question, also where the address has an answer for other files."""
    app = page(start(runs="{system}.seed{run}"), "compare")
    assert QUESTION not in said(app)
    assert "outputs as runs" not in said(app)


def test_present_shows_the_figure_of_the_runs_alone() -> None:
    """present=1 after yes: the spread of both systems with doubled type, and nothing is asked; the button leaves."""
    app = press(page(loaded(), "compare"), "Yes, they are runs")
    assert "Present" in [button.label for button in app.button]
    small = json.loads(figure(app))["layout"]["yaxis"]["tickfont"]["size"]
    press(app, "Present")
    drawn = json.loads(figure(app))
    assert drawn["layout"]["yaxis"]["tickfont"]["size"] == 2 * small
    assert [trace["name"] for trace in drawn["data"]] == ["A", "B"]
    assert not app.dataframe
    assert QUESTION not in said(app)
    assert "outputs as runs" not in said(app)
    press(app, "Leave")
    assert len(app.dataframe) == 3


def test_multevals_shuffle_is_an_option_whose_flaw_is_explained() -> None:
    """p is that of the chosen shuffle; MultEval's has a note, and the rates of both are on the page."""
    app = press(page(loaded(), "compare"), "Yes, they are runs")
    assert not any("MultEval's shuffle may" in note for note in said(app).split("\n"))
    next(box for box in app.selectbox if box.label == "shuffle of runs").set_value("multeval")
    app = page(app, "compare")
    assert "From three runs on, MultEval's shuffle" in said(app)
    rates = app.dataframe[2].value
    assert list(rates["MultEval's shuffle"]) == ["8%", "18%", "19%", "70%"]
    assert list(rates["first run of each alone"])[2] == "16%"


def test_several_patterns_are_one_answer() -> None:
    """Names with different words for runs are recognised together, and a pattern may be corrected before yes."""
    files = {
        "ref.txt": GOOD,
        **{f"A.seed{k}.txt": output(k, 5) for k in (1, 2)},
        **{f"B-run{k}.txt": output(k, 3) for k in (1, 2)},
        "C_x_s1.txt": output(0, 4),
    }
    app = page(dropped(files, start(resamples="1000")), "compare")
    rows = {row[0]: row[2] for row in app.dataframe[0].value.values.tolist()}
    assert rows == {"A": "A.seed1, A.seed2", "B": "B-run1, B-run2", "C_x_s1": "C_x_s1"}
    app.text_input[0].set_value("{system}.seed{run}")
    app = sound(app.run())
    assert [row[0] for row in app.dataframe[0].value.values.tolist()] == ["A", "B-run1", "B-run2", "C_x_s1"]
    press(app, "Yes, they are runs")
    assert "5 outputs as runs of 4 systems" in said(app)
    assert next(box for box in app.selectbox if box.label == "shuffle of runs").disabled  # other numbers of runs


def test_runs_that_differ_much_are_warned_about() -> None:
    """Where a shuffle of these runs finds a difference and the mixed model does not, a warning says so, and a note why."""
    spoilt = {f"A.seed{k}.txt": output(0, k) for k in (2, 9, 40)}
    app = press(page(dropped(FILES | spoilt, start(resamples="1000")), "compare"), "Yes, they are runs")
    assert "The runs of A differ by more than half" in said(app)
    shown = app.dataframe[1].value.set_index("name")["value"].astype(float)
    assert shown["shuffle of runs"] <= 0.05 < shown["mixed model"]
    assert "These runs differ significantly, but the mixed model does not show that the systems do" in said(app)


def test_runs_that_agree_with_the_verdict_are_not_warned_about() -> None:
    """Where the mixed model shows the difference, too, nothing is left to be shown."""
    files = (
        FILES | {f"A.seed{k}.txt": output(k, 20) for k in (1, 2, 3)} | {f"B.seed{k}.txt": output(k, 2) for k in (0, 1)}
    )
    files |= {"B.seed2.txt": output(0, 2).replace("a boat is home", "the boat is here")}
    app = press(page(dropped(files, start(resamples="1000")), "compare"), "Yes, they are runs")
    assert ": significantly better at alpha 0.05." in said(app) or ": significantly worse at alpha 0.05." in said(app)
    assert "These runs differ significantly, but" not in said(app)


def off(app: AppTest) -> list[str]:
    """The settings that change nothing on the page."""
    return [one.proto.popover.label for one in app.get("popover") if one.proto.popover.disabled]


def test_settings_that_runs_have_no_use_for_are_off() -> None:
    """The test and the family are used before the answer, and not after it."""
    app = page(loaded(), "matrix")
    assert off(app) == []
    press(app, "Yes, they are runs")
    assert off(app) == ["approximate randomization", "all 15 pairs"]
    assert "Mixed model of runs and units, 1 pair" in said(app)


def test_a_link_with_multevals_shuffle_opens_on_unequal_numbers_of_runs() -> None:
    """MultEval's shuffle needs as many runs of each system; where there are not, the exact one is used, without an error."""
    fewer = {name: text for name, text in FILES.items() if name != "B.seed2.txt"}
    app = press(page(dropped(fewer, start(resamples="1000", shuffle="multeval")), "compare"), "Yes, they are runs")
    box = next(box for box in app.selectbox if box.label == "shuffle of runs")
    assert box.disabled
    assert "From three runs on, MultEval's shuffle" not in said(app)
    assert "5 outputs as runs of 2 systems" in said(app)
    assert "With these runs as given (shuffle of runs): p =" in said(app)
