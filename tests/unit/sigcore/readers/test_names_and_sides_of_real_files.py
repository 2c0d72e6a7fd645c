"""Settings that only some systems have, rows without a winner, differences beside measures, cited passages, columns by number."""

from __future__ import annotations

import json

import pytest

from sigcore.errors import SigError
from sigcore.readers.tables import choices
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


def test_the_scores_of_both_sides_are_no_preference() -> None:
    """5 below scores.clarity.A was read as a win of A over B."""
    records = [
        {"prompt_id": f"c{k // 2}", "level": f"l{k % 2}", "A": a, "B": b, "scores": {"clarity": {"A": (k + 1) % 5 + 1, "B": (k + i) % 5 + 1}}}
        for k in range(10)
        for i, (a, b) in enumerate([("one", "two"), ("two", "three"), ("three", "one")])
    ]  # fmt: skip
    text = "".join(json.dumps(one) + "\n" for one in records)
    ((what, command),) = asked(text, "j.jsonl").ways
    assert what == "scores.clarity.A, scores.clarity.B are the scores of both"
    (part,) = scored(text, "j.jsonl", **said(command)).preferences
    assert len({*part.question.tolist()}) == 10
    first = {
        (a, b): x for a, b, x in zip(part.first.tolist(), part.second.tolist(), part.outcome.tolist(), strict=True)
    }
    assert {*first} == {("one", "two"), ("two", "three"), ("three", "one")}
    wins = sum(a == "one" and x == 1.0 for a, x in zip(part.first.tolist(), part.outcome.tolist(), strict=True))
    assert wins == sum((k + 1) % 5 > k % 5 for k in range(10))


def test_ids_with_0_and_1_may_be_labels() -> None:
    """Predictions without what is right were compared by how often 1 was predicted."""
    text = "".join(f"utt_{k}_x {k * 3 % 2}\n" for k in range(40))
    (problem,) = scored(text, "434773.txt").problems
    assert "right and wrong answers, or predicted labels?" in problem.what
    (item,) = scored(text, "434773.txt", better="higher").items
    assert item.segments.count("1") == 20
    assert scored(text.replace(" 1\n", " 0.5\n"), "434773.txt").problems == ()


def test_texts_beside_a_measure_of_each_system_are_no_systems() -> None:
    """The error rate was counted again from texts, and columns of one system competed."""
    lines = (f"{m},{k},it is {k},it was {k},{value(k, i)}" for i, m in enumerate("ab") for k in range(N))
    text = rows("model,sentence_idx,reference,transcript,wer_raw", *lines)
    found = scored(text)
    commands = [command for one in found.problems for _, command in getattr(one, "ways", ())]
    assert not any("transcript=system" in command for command in commands)
    assert {*means(scored(text, columns="model=system\nsentence_idx=question\nwer_raw=score"))} == {"a", "b"}


def test_entries_that_have_names_are_no_runs() -> None:
    """The results of each model on twelve data sets were twelve runs."""
    records = [
        {"model": {"name": m}, "results": [{"dataset": {"name": f"d{k}"}, "score": value(k, i)} for k in range(N)]}
        for i, m in enumerate("ab")
    ]
    text = "".join(json.dumps(one) + "\n" for one in records)
    problem = asked(text, "r.jsonl", explode="results")
    assert problem.plan == {"dataset.name": "question"}
    found = scored(text, "r.jsonl", explode="results", columns="dataset.name=question")
    assert means(found) == {
        m: pytest.approx(sum(value(k, i) for k in range(N)) / N) for i, m in enumerate("ab")
    }  # fmt: skip


def test_lists_of_systems_beside_a_summary_are_read() -> None:
    def records(i: int) -> list[dict[str, object]]:
        return [{"empathy": (k + i) % 5, "prompt_id": f"p_{k}"} for k in range(N)]

    whole = {"judge": "x", "summary": {"base": {"empathy": 1}}, "scores": {"base": records(0), "dpo": records(2)[::-1]}}
    assert {*means(scored(json.dumps(whole), "j.json"))} == {"base", "dpo"}
    tasks = {
        "results": {"arc": {"acc": 1}},
        "samples": {m: [{"doc_id": k, "acc": k % 2} for k in range(N)] for m in ("arc", "wino")},
    }
    assert not any(one.name in ("arc", "wino") for one in scored(json.dumps(tasks), "j.json").items)


def test_an_overall_score_is_offered_beside_its_parts() -> None:
    lines = (f"{m},{k},{value(k, i)},{value(k, i + 2)},{value(k, i + 3)}" for i, m in enumerate("ab") for k in range(N))
    problem = asked(rows("strategy,id,fact_coverage,fluency_score,overall", *lines))
    assert {one.column: one.role for one in problem.claims}["overall"] == "score"


@pytest.mark.parametrize(
    ("output", "letter"),
    [
        ("The term, for this, is (A) Resolution.", "A"),
        ("I think so. Therefore, the answer is (B).", "B"),
        ("either (C) or (D), who knows", ""),
        ("nobody knows", ""),
        ("C. Snowfield", "C"),
    ],
)
def test_the_letter_of_an_output_may_stand_in_it(output: str, letter: str) -> None:
    assert choices.letter_of(output) == letter
