"""Settings that only some systems have, rows without a winner, differences beside measures, cited passages, columns by number."""

from __future__ import annotations

import json

import pytest

from sigcore.errors import SigError
from tests.made_tables import N, asked, means, rows, scored, told, value
from tests.unit.sigcore.data.test_collection_choices import with_files
from tests.unit.sigcore.readers.test_votes_and_rows import said


def test_a_setting_that_only_some_systems_have_names_them_with_others() -> None:
    """An empty cell was no name, and vector was no number."""
    names = [("vector", ""), ("bm25", "0"), ("bm25", "0.75")]
    lines = (f"{m},{b},q{k},{value(k, i)}" for i, (m, b) in enumerate(names) for k in range(N))
    found = scored(rows("model,b,query,AP@all", *lines), columns="model=system\nb=system\nquery=question\nAP@all=score")
    assert {*means(found)} == {"vector", "bm25, 0", "bm25, 0.75"}
    assert means(found)["bm25, 0.75"] == pytest.approx(sum(value(k, 2) for k in range(N)) / N)


def judged(winner: list[object]) -> str:
    pairs = [("full", "half"), ("half", "bare"), ("bare", "full")]
    records = (
        {"run_id": "r", "issue_key": f"K-{k}", "left": a, "right": b, "winner": {"l": a, "r": b}.get(str(w), w)}
        for k in range(6)
        for i, (a, b) in enumerate(pairs)
        for w in [winner[(k + i) % len(winner)]]
    )
    return "".join(json.dumps(one) + "\n" for one in records)


def test_left_and_right_name_both_systems() -> None:
    (part,) = scored(judged(["l", "r", "r"]), "j.jsonl").preferences
    assert {*part.first.tolist()} == {"full", "half", "bare"}
    assert part.outcome.tolist().count(1.0) == 6


def test_rows_without_a_winner_are_ties_or_nothing() -> None:
    """They were left out, and the issues were no questions."""
    problem = asked(judged(["l", None, "r"]), "j.jsonl")
    tie, none = (scored(judged(["l", None, "r"]), "j.jsonl", **said(command)) for _, command in problem.ways)
    assert sorted(tie.preferences[0].outcome.tolist()) == [0.0] * 6 + [0.5] * 6 + [1.0] * 6
    assert sorted(none.preferences[0].outcome.tolist()) == [0.0] * 6 + [1.0] * 6
    assert {*tie.preferences[0].question.tolist()} == {f"K-{k}" for k in range(6)}
    assert "6 rows without a judgment left out" in told(none)
    assert "6 rows" not in told(tie)


def test_the_difference_of_two_systems_is_no_third() -> None:
    """delta was a system with the measure of the others, and the best."""
    lines = [f"{k},text {k},{value(k, 0)},{value(k, 1)},{value(k, 2) / 9}" for k in range(N)]
    problem = asked(rows("id,said,raw_cer,reconciled_cer,delta_cer", *lines))
    whole = {one.column: one.role for one in problem.claims}
    assert whole["delta_cer"] != "score"
    for _, command in problem.ways or [("", " ".join(f"{name}={role}" for name, role in problem.plan.items()))]:
        found = scored(rows("id,said,raw_cer,reconciled_cer,delta_cer", *lines), **said(command))
        assert not any("delta" in one.name for one in found.items if one.role == "system")


def test_what_an_answer_cites_is_no_reference() -> None:
    text = rows("id,retrieved_refs,base_response,new_response", *(f"{k},BG {k},it is {k},it was {k}" for k in range(N)))
    assert "reference" not in {
        one.role for one in scored(text, columns="base_response=system\nnew_response=system").items
    }


def test_how_deep_the_needle_lies_is_no_score() -> None:
    text = rows("model,id,depth_percent,score", *(f"{m},{k},{k},{k % 3}" for m in "ab" for k in range(N)))
    assert {one.measure for one in scored(text).items if one.role == "system"} == {"score"}


def test_columns_without_headings_are_named_where_a_reference_is_missing() -> None:
    """Which name a column has was said nowhere."""
    lines = "".join(f"one {k}\tanother {k}\tthe right {k}\n" for k in range(N))
    with pytest.raises(SigError) as caught:
        with_files(r__tsv=lines).sound()
    assert "--columns 'column 3=reference'" in str(caught.value)
    found = scored(lines, "r.tsv", columns="column 3=reference")
    assert [one.role for one in found.items] == ["system", "system", "reference"]
