"""The figure of what makes the score of a system with several runs uncertain."""

from __future__ import annotations

from sigboard.questions.compare.figure import spread, spread_alt
from sigcore import Outputs, Testset
from sigcore.studies import runs
from sigcore.study import Study


def made(documents: bool) -> runs.RunsResult:
    """Three runs of A and one of B on 60 segments."""
    gold = tuple(f"the boat number {i} sails home again" for i in range(60))

    def output(step: int) -> tuple[str, ...]:
        return tuple(text if i % step else "a boat is home" for i, text in enumerate(gold))

    own = tuple(str(i // 5) for i in range(60)) if documents else ()
    test = Testset("made", "text", 60, (gold,), documents=own)
    systems = {"A": [Outputs(f"A{k}", output(k)) for k in (3, 4, 5)], "B": [Outputs("B1", output(7))]}
    return runs.read(runs.run(Study(test, (), resamples=200), runs.RunsPlan(systems)), "bleu")


def test_the_bars_are_the_standard_deviations() -> None:
    """Over runs, documents and segments, in this order; what is undefined (one run of B) has no length."""
    result = made(documents=True)
    first, second = spread(result, (0, 1), "light").data
    assert list(first.y) == ["over runs", "over documents", "over segments"]
    assert list(first.x) == [result.s_opt[0], result.over_documents[0], result.over_segments[0]]
    assert [x == x for x in second.x] == [False, True, True]
    assert second.text[0] == "n/a"


def test_without_documents_there_is_no_row_for_them() -> None:
    """A row that would be empty for all is left out, in the figure and in its words."""
    result = made(documents=False)
    assert list(spread(result, (0, 1), "dark").data[0].y) == ["over runs", "over segments"]
    assert "documents" not in spread_alt(result, (0, 1))
