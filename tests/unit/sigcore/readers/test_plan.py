"""What a column is taken for rests on more than a guess, or the table is refused with the plan that confirms it."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigcore.data import Collection, claims
from sigcore.errors import SigError
from sigcore.readers import Choice, Intake, Unclear, read, recipe
from tests.made import matrix_of

N = 12


def one(file: str, text: str, **options: object) -> Intake:
    return read([(file, text.encode())], every=Choice(options=options) if options else None)


def scores(seed: int, n: int = N) -> list[float]:
    draw = random.Random(seed)
    return [round(draw.random(), 3) for _ in range(n)]


def wide(columns: dict[str, list[object]]) -> str:
    rows = zip(*columns.values(), strict=True)
    return "\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]) + "\n"


def usual(**more: list[object]) -> dict[str, list[object]]:
    return {"id": [*range(5, N + 5)], "A": [*scores(1)], "B": [*scores(2)]} | more


def systems(intake: Intake) -> list[tuple[str, str]]:
    return [(item.name, item.kind) for item in intake.items if item.role == "system"]


def refused(intake: Intake) -> Unclear:
    """The one problem of an intake without items, with its plan."""
    (problem,) = intake.problems
    assert intake.items == ()
    assert isinstance(problem, Unclear)
    return problem


def test_columns_that_are_alike_are_systems_in_one_step() -> None:
    """The commonest good file needs no confirmation, and each claim says why."""
    intake = one("t.csv", wide(usual()))
    assert systems(intake) == [("A", "scores"), ("B", "scores")]
    assert [(claim.column, claim.role, claim.basis) for claim in intake.claims] == [
        ("id", "question", "heading"), ("A", "system", "layout"), ("B", "system", "layout"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "heading",
    ["weight", "fold", "threshold", "average", "mean", "diff", "tstamp", "created_at", "rank", "split", "macro avg", "lr",
     "latency_ms", "p_value", "total", "date"],
)  # fmt: skip
def test_a_heading_with_another_meaning_is_no_rival(heading: str) -> None:
    """The table is refused, the plan takes the column for something else, and what it prints is right as it stands."""
    text = wide(usual(**{heading: [*scores(3)]}))
    problem = refused(one("t.csv", text))
    roles = {claim.column: claim.role for claim in problem.claims}
    assert roles == {"id": "question", "A": "system", "B": "system", heading: "ignored"}
    assert "--columns" in problem.fix
    said = "\n".join(f"{column}={role}" for column, role in roles.items())
    assert one("t.csv", text, columns=said).items == one("t.csv", wide(usual())).items


@pytest.mark.parametrize(
    "headings", [("depth", "creativity", "tone"), ("precision", "recall", "F"), ("rouge-1", "rouge-L")]
)
def test_measures_of_one_system_are_no_rivals(headings: tuple[str, ...]) -> None:
    """Criteria of a judge, or precision beside recall, belong to the one system of the file."""
    columns: dict[str, list[object]] = {name: [*scores(k)] for k, name in enumerate(headings)}
    intake = one("One.csv", wide({"id": [*range(5, N + 5)]} | columns))
    assert {(item.name, item.measure) for item in intake.items} == {("One", name) for name in headings}


def test_the_log_of_a_training_is_no_table_of_systems() -> None:
    """val_loss beside lr and epoch."""
    columns: dict[str, list[object]] = {
        "epoch": [*range(1, N + 1)],
        "train_loss": [*scores(1)],
        "val_loss": [*scores(2)],
    }
    assert "fields of a log" in refused(one("log.csv", wide(columns))).what


def test_times_of_answers_are_no_quality() -> None:
    """Answers of a judged benchmark have no score but a timestamp."""
    rows = [
        {"question_id": q, "answer_id": f"a{q}{m}", "model_id": m, "choices": [{"turns": ["a", "b"]}], "tstamp": 1.7e9 + q}
        for q in range(N) for m in "AB"
    ]  # fmt: skip
    intake = one("answers.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert systems(intake) == []
    assert len(intake.problems) == 1


def test_numbers_in_long_form_need_a_known_heading_or_to_be_alone() -> None:
    """Beside a known score others are not used; several unknown ones are asked for; one alone is the score."""

    def long(**columns: list[float]) -> str:
        rows = [(q, m) for q in range(N) for m in "AB"]
        cells = {name: [*values, *values] for name, values in columns.items()}
        return wide({"question": [q for q, _ in rows], "model": [m for _, m in rows], **cells})

    known = one("t.csv", long(COMET=scores(1), blurb=scores(2)))
    assert {item.measure for item in known.items} == {"COMET"}
    assert any("not used: blurb" in notice.message for notice in known.notices)
    problem = refused(one("t.csv", long(hum=scores(1), blurb=scores(2))))
    assert "Which of these are scores: hum, blurb?" in problem.what
    assert {item.measure for item in one("t.csv", long(hum=scores(1))).items} == {"hum"}


def test_values_below_a_name_that_says_nothing_are_no_systems() -> None:
    """Each term of a glossary in nested JSON is no rival; systems below scores are."""
    rows = [{"id": i, "terms": {"a": scores(i)[0], "b": scores(i)[1]}} for i in range(N)]
    assert "below terms" in refused(one("t.jsonl", "".join(json.dumps(row) + "\n" for row in rows))).what
    good = "".join(json.dumps({"id": row["id"], "scores": row["terms"]}) + "\n" for row in rows)
    assert systems(one("t.jsonl", good)) == [("scores.a", "scores"), ("scores.b", "scores")]


@pytest.mark.parametrize(
    ("column", "why"),
    [
        ([f"x{i % 2}" for i in range(N)], "columns of text"),
        ([100 + i * i for i in range(N)], "very different scales"),
        ([3 + i % 5 for i in range(N)], "whole numbers"),
        ([0.25] * N, "the same number in every row"),
    ],
)
def test_columns_that_are_not_alike_are_asked_for(column: list[object], why: str) -> None:
    """Another type, another scale, a constant."""
    assert why in refused(one("t.csv", wide(usual(C=column)))).what


def test_a_system_that_is_always_right_is_one() -> None:
    """A constant 1 beside outcomes of 0 and 1 is no reason to refuse the file."""
    text = wide({"id": [*range(5, N + 5)], "A": [i % 2 for i in range(N)], "B": [1] * N})
    assert systems(one("t.csv", text)) == [("A", "scores"), ("B", "scores")]


def test_short_labels_are_no_outputs() -> None:
    """A column of categories beside a reference and outputs is not scored as text."""
    long = {
        name: [f"{name} and a sentence of some length number {i}" for i in range(N)] for name in ("reference", "A", "B")
    }
    text = wide({"id": [*range(5, N + 5)], **long, "flavour": [("x", "y")[i % 2] for i in range(N)]})
    assert "flavour" in refused(one("t.csv", text)).why


def test_whole_numbers_below_question_name_the_questions() -> None:
    """They are ids, whatever they count, and not a column of scores."""
    intake = one("t.csv", wide({"question": [*range(N)], "A": [*scores(1)], "B": [*scores(2)]}))
    assert systems(intake) == [("A", "scores"), ("B", "scores")]
    assert intake.items[0].keys == tuple(map(str, range(N)))


def test_fields_and_texts_beside_known_measures_are_not_used() -> None:
    """The results of one system: its measures are read, and a time, an answer and a file name are reported."""
    rows = [f"q{i},{i % 2},{i / N},0.{i + 11},answer {i},f{i}.wav" for i in range(N)]
    intake = one("One.csv", "\n".join(["qid,em,f1,latency,answer,file", *rows]) + "\n")
    assert [(item.name, item.measure) for item in intake.items if item.role == "system"] == [
        ("One", "em"),
        ("One", "f1"),
    ]
    assert any("Not used beside em, f1: latency, answer." in notice.message for notice in intake.notices)


def test_outputs_of_promptfoo_are_outcomes() -> None:
    """[PASS] and [FAIL] before the texts of all cells are the scores."""
    rows = [f"q{i},[{'PASS' if i % 2 else 'FAIL'}] yes {i},[{'PASS' if i % 3 else 'ERROR'}] no {i}" for i in range(N)]
    intake = one("eval.csv", "\n".join(["question_id,gpt,llama", *rows]) + "\n")
    assert systems(intake) == [("gpt", "scores"), ("llama", "scores")]
    assert intake.items[0].segments[:2] == ("0", "1")


# Roles that are said.


@pytest.mark.parametrize("run", ["epoch", "run", "seed", "sample", "trial", "attempt"])
def test_runs_of_a_question_are_drawn_together(run: str) -> None:
    """Several rows of one question and system: each is a segment, and the question is its document."""
    rows = [(f"q{q}", r, m, scores(7 * q + r)[0]) for q in range(N) for r in (1, 2, 3) for m in "AB"]
    intake = one("s.csv", "\n".join([f"question,{run},model,score", *(",".join(map(str, row)) for row in rows)]) + "\n")
    documents, first, _ = intake.items
    assert (documents.role, len(set(documents.segments))) == ("documents", N)
    assert first.keys[:2] == (f"{run} 1 of q0", f"{run} 2 of q0")
    assert [float(cell) for cell in first.segments] == [row[3] for row in rows if row[2] == "A"]


def test_the_five_fields_are_said() -> None:
    """Run, task, category, cluster and label of columns whose headings say nothing."""
    rows = [
        (t, c, f"k{q // 3}", f"q{q}", r, m, scores(q)[r], q % 2)
        for t in ("one", "two") for q, c in enumerate("xyxyxyxyxyxy") for r in (1, 2) for m in "AB"
    ]  # fmt: skip
    text = "\n".join(["t,c,k,q,r,m,s,h", *(",".join(map(str, row)) for row in rows)]) + "\n"
    fields = {"id_field": "q", "system_field": "m", "score_field": "s", "run_field": "r", "task_field": "t"}
    fields |= {"category_field": "c", "cluster_field": "k", "label_field": "h"}
    intake = one("s.csv", text, **fields)
    assert intake.problems == ()
    assert {item.testset for item in intake.items} == {"one", "two"}
    by_role = {item.role: item for item in intake.items}
    assert set(by_role["domains"].segments) == {"x", "y"}
    assert set(by_role["documents"].segments) == {"k0", "k1", "k2", "k3"}
    assert [(rated.name, len(rated.score)) for rated in intake.judgments] == [("one", 48), ("two", 48)]
    assert {claim.column: claim.role for claim in intake.claims} == {
        "t": "task", "c": "category", "k": "cluster", "q": "question", "r": "run", "m": "system", "s": "score", "h": "label",
    }  # fmt: skip


def test_a_role_that_does_not_exist_is_refused() -> None:
    """The message names the roles."""
    (problem,) = one("t.csv", wide(usual()), columns="A=rival").problems
    assert "NAME=ROLE" in problem.fix
    assert "system, question" in problem.fix


def test_columns_without_a_header_can_be_named() -> None:
    """A table without a header numbers its columns; an id in the first is no output."""
    ids = one("t.txt", "".join(f"{3 * i}\ta sentence number {i}\n" for i in range(N)))
    assert systems(ids) == [("t", "text")]
    assert ids.items[0].keys[:2] == ("0", "3")
    text = "".join(f"{i * i}\t0.{i + 11}\n" for i in range(N))
    problem = refused(one("t.tsv", text))
    assert [claim.column for claim in problem.claims] == ["column 1", "column 2"]
    said = one("t.tsv", text, columns="t column 1=question\nt column 2=score")
    assert [(item.keys[2], item.segments[2]) for item in said.items] == [("4", "0.13")]


def test_numbers_are_read_as_people_write_them() -> None:
    """Percent signs, commas between thousands, pass and fail; yes and no may be answers, and are asked for."""
    for cells, wanted in ((("85.3%", "7%"), "85.3"), (("1,234.5", "2,000"), "1234.5"), (("pass", "fail"), "1")):
        text = "id\tA\tB\n" + "".join(f"{i + 5}\t{cells[i % 2]}\t{cells[i % 3 == 0]}\n" for i in range(N))
        intake = one("t.tsv", text)
        assert systems(intake) == [("A", "scores"), ("B", "scores")]
        assert intake.items[0].segments[0] == wanted
    text = wide({"id": [*range(5, N + 5)], "A": ["yes", "no"] * 6, "B": ["no", "no", "yes"] * 4})
    assert "scores (1 and 0), or answers" in refused(one("t.csv", text)).why
    assert one("t.csv", text, columns="A=system\nB=system").items[0].segments[:2] == ("1", "0")


# Matrices, recipes, claims.


def test_a_matrix_of_scores_passes_the_same_gate() -> None:
    """A leaderboard has models in its rows; measures are no systems; what is said is used."""
    board = wide({"Team": [f"m{i}" for i in range(N)], "MMLU": [*scores(1)], "GSM8K": [*scores(2)]}).encode()
    with pytest.raises(Unclear, match="scores of whole systems"):
        matrix_of("b.csv", board)
    assert matrix_of("b.csv", board, columns="Team=document").systems == ("MMLU", "GSM8K")
    rouge = wide({"doc": [f"d{i}" for i in range(N)], "rouge-1": [*scores(1)], "rouge-2": [*scores(2)]}).encode()
    assert matrix_of("r.csv", rouge).systems == ("r",)  # two measures of one system: no rivals
    with_weight = wide(
        {"doc": [f"d{i}" for i in range(N)], "A": [*scores(1)], "B": [*scores(2)], "weight": [*scores(3)]}
    )
    with pytest.raises(Unclear):
        matrix_of("w.csv", with_weight.encode())
    assert matrix_of("w.csv", with_weight.encode(), columns="weight=ignored").systems == ("A", "B")


def shares(n: int, whole: float = 1) -> dict[str, list[object]]:
    draw = random.Random(7)
    first = [round(whole * draw.uniform(0, 0.5), 3) for _ in range(n)]
    second = [round(whole * draw.uniform(0, 0.5), 3) for _ in range(n)]
    last = [round(whole - a - b, 3) for a, b in zip(first, second, strict=True)]
    return {"id": [*range(5, n + 5)], "agree": [*first], "disagree": [*second], "neutral": [*last]}


@pytest.mark.parametrize("whole", [1, 100])
def test_columns_that_add_up_to_a_whole_are_no_rivals_unless_somebody_says_so(whole: float) -> None:
    """Probabilities of labels fit each other as scores of rivals do: only their sum gives them away."""
    plan = refused(one("t.csv", wide(shares(N, whole))))
    assert "add up to a whole" in plan.why
    said = one("t.csv", wide(shares(N, whole)), columns="agree=system\ndisagree=system\nneutral=system")
    assert systems(said) == [("agree", "scores"), ("disagree", "scores"), ("neutral", "scores")]
    with pytest.raises(Unclear, match="add up to a whole"):
        matrix_of("t.csv", wide(shares(N, whole)).encode())


def test_scores_that_add_up_by_chance_stay_one_step() -> None:
    """Two systems always near one half, few rows, or one row that does not add up."""
    even = {"id": [*range(5, N + 5)], "A": [0.5, 0.504] * (N // 2), "B": [0.5, 0.498] * (N // 2)}
    assert systems(one("t.csv", wide(even))) == [("A", "scores"), ("B", "scores")]
    other = shares(N)
    other["neutral"][3] = 0.95
    assert len(systems(one("t.csv", wide(other)))) == 3
    assert len(systems(one("t.csv", wide(shares(6))))) == 3


@pytest.mark.parametrize(
    "headings", [("TP", "FP", "FN"), ("Sub", "Del", "Ins"), ("prob", "confidence"), ("Prec", "Rec"), ("wpm", "A")]
)
def test_counts_of_errors_and_confidences_never_compete(headings: tuple[str, ...]) -> None:
    """They are alike in type and range, but no system is called so."""
    table = wide({"id": [*range(5, N + 5)]} | {name: [*scores(k)] for k, name in enumerate(headings)})
    intake = one("t.csv", table)
    assert not {name for name, _ in systems(intake)} & set(headings)


@pytest.mark.parametrize(
    "headings",
    [
        ("bleu_A", "bleu_B", "chrf_A"), ("A bleu", "B bleu", "A chrf", "B ter"), ("train_acc", "test_acc"),
        ("en", "de", "fr"), ("cs-en", "uk-en"), ("pt-BR", "zh"), ("joy", "anger"), ("Positive", "Negative", "Neutral"), ("valence", "arousal", "dominance"),
        ("annotator_1", "annotator_2"), ("rater1", "rater2"), ("human 1", "human 2"), ("judge_gpt", "judge_claude"),
        ("seed_1", "seed_2"), ("fold1", "fold2"), ("logit_0", "logit_1"), ("class_0", "class_1"),
        ("label", "guess"), ("overall", "A", "B"),
    ],
)  # fmt: skip
def test_people_runs_labels_and_several_measures_are_asked(headings: tuple[str, ...]) -> None:
    """They are alike in type and range; who says that they are systems, gets them."""
    table = wide({"id": [*range(5, N + 5)]} | {name: [*scores(k)] for k, name in enumerate(headings)})
    refused(one("t.csv", table))
    said = one("t.csv", table, columns="\n".join(f"{name}=system" for name in headings))
    assert [name for name, _ in systems(said)] == [*headings]


@pytest.mark.parametrize(
    "headings",
    [
        ("bleu_A", "bleu_B"),
        ("A_bleu", "B_bleu"),
        ("gpt-4", "gpt-5"),
        ("test_A", "test_B"),
        ("en", "B"),
    ],
)
def test_systems_with_one_measure_or_a_number_stay_one_step(headings: tuple[str, ...]) -> None:
    """One measure for all, versions, and one odd name are usual names of systems."""
    table = wide({"id": [*range(5, N + 5)]} | {name: [*scores(k)] for k, name in enumerate(headings)})
    assert [name for name, _ in systems(one("t.csv", table))] == [*headings]


def test_a_recipe_is_written_and_read() -> None:
    """What it says is what was confirmed; other lines are refused with their place."""
    intake = one("t.csv", wide(usual(weight=[*scores(3)])), columns="A=system\nB=system", better="lower")
    text = recipe.written(intake.claims, intake.detected[0].options)
    assert "weight = ignored\n" in text
    assert "better: lower" in text
    again = one("t.csv", wide(usual(weight=[*scores(4)])), **recipe.parse(text))
    assert systems(again) == [("A", "scores"), ("B", "scores")]
    assert {item.better for item in again.items} == {"lower"}
    with pytest.raises(SigError, match="no line of a recipe"):
        recipe.parse("A = system\nwhat is this\n", "r.txt")


def test_every_file_has_claims_also_a_refused_one() -> None:
    """Streams of plain files too, with the role that somebody gave them."""
    collection = Collection()
    files = [("ref.txt", b"a b c\nd e f\n"), ("t.csv", wide(usual(weight=[*scores(3)])).encode())]
    collection.add(files, [("ref.txt", "reference")])
    found = {(claim.file, claim.column): claim for claim in claims(collection)}
    assert (found["ref.txt", ""].role, found["ref.txt", ""].basis) == ("reference", "said")
    assert not found["t.csv", "A"].sure


@given(st.text(st.characters(categories=["L"]), min_size=3, max_size=12), st.integers(0, 2**32))
def test_a_column_without_a_role_never_changes_a_result(heading: str, seed: int) -> None:
    """In long form it is left out; in wide form the table has one system more, or is refused: no number of others moves."""
    rows = [(f"q{q}", m, scores(q)[0]) for q in range(N) for m in "AB"]
    draw = random.Random(seed)
    plain = "\n".join(["question_id,model,score", *(f"{q},{m},{x}" for q, m, x in rows)]) + "\n"
    more = (
        "\n".join([f"question_id,model,score,{heading}", *(f"{q},{m},{x},{draw.random()}" for q, m, x in rows)]) + "\n"
    )
    usual_items = {(item.name, item.measure): item.segments for item in one("t.csv", plain).items}
    changed = {(item.name, item.measure): item.segments for item in one("t.csv", more).items}
    assert not changed or usual_items.items() <= changed.items()


@pytest.mark.parametrize("heading", ["prediction", "predictions", "pred_label", "target", "label"])
def test_numbers_headed_predictions_are_no_scores(heading: str) -> None:
    """Labels that need gold ones are asked about, and the printed roles make them scores for who says so."""
    text = wide({"index": [*range(N)], heading: [k % 2 for k in range(N)]})
    assert "gold labels" in refused(one("A.tsv", text.replace(",", "\t"))).why
    said = one("A.tsv", text.replace(",", "\t"), columns=f"{heading}=score")
    assert systems(said) == [("A", "scores")]


@pytest.mark.parametrize("heading", ["name", "method", "team", ""])
def test_a_measure_beside_names_of_systems_is_no_test_set(heading: str) -> None:
    """A board of means is asked about, with one row too, whatever stands beside its measure."""
    board = {heading: ["alpha", "beta", "gamma"], "win_rate": [60.5, 50.25, 31.5], "n_total": [805, 805, 804]}
    assert "whole systems" in refused(one("board.csv", wide(board))).why
    first = {name: cells[:1] for name, cells in board.items()}
    assert "whole systems" in refused(one("board.csv", wide(first))).why


def test_a_board_in_percent_has_a_row_per_system() -> None:
    """Percent signs made the columns of a board, such as lengths of inputs, systems that were tested."""
    (problem,) = one(
        "board.csv", "Model,40 words (error rate),80 words (error rate)\na,33.3%,58.3%\nb,25%,41.7%\n"
    ).problems
    assert "one row per system" in str(problem)


@pytest.mark.parametrize(
    "heading", ["standard_error", "acc_stderr", "F1_std", "ci_low", "n_total", "num_samples", "delta_r@5"]
)
def test_rows_with_the_error_of_a_mean_are_no_segments(heading: str) -> None:
    """A leaderboard was read as one system with a segment per row; the way out said so, too."""
    board = {"run": ["alpha", "beta", "gamma"], "hit@1": [0.5, 0.25, 0.75], heading: [3, 2, 3]}
    problem = refused(one("board.csv", wide(board)))
    assert "sums up others" in problem.why
    assert "confirm it" not in str(problem)
    # beside what was asked they are of several answers to it
    asked = {"question": ["q1", "q2", "q3"], "accuracy": [0.5, 0.25, 0.75], heading: [3, 2, 3]}
    assert "sums up" not in str(one("board.csv", wide(asked)).problems)


@pytest.mark.parametrize("name", ["V", "col_", "Column ", "Unnamed: "])
def test_columns_without_names_are_asked_about(name: str) -> None:
    """A program that writes a table without headings numbers its columns: they may be people, or times."""
    assert "systems, or people" in refused(one("t.csv", wide({f"{name}{k}": [*scores(k)] for k in (1, 2, 3)}))).why
    named = one("t.csv", wide({f"v{k}": [*scores(k)] for k in (1, 2, 3)}))
    assert len(systems(named)) == 3  # versions of a system


def test_a_measure_beside_ids_of_segments_is_one_system() -> None:
    """A column called name does not make segments with ids a board."""
    table = {"id": [*range(5, N + 5)], "name": [f"n{k}" for k in range(N)], "win_rate": scores(1)}
    assert [kind for _, kind in systems(one("A.csv", wide(table)))] == ["scores"]


def test_ratings_of_judges_without_a_system_are_refused() -> None:
    """Rows of several judges that name no system are no segments of one; one judge is a program."""
    table = {
        "original": ["a text here"] * N,
        "worker_id": [k % 3 for k in range(N)],
        "rating": [k % 5 for k in range(N)],
    }
    assert "names judges" in refused(one("human.csv", wide(table))).why
    assert [kind for _, kind in systems(one("A.csv", wide(table | {"worker_id": ["gpt"] * N})))] == ["scores"]


@pytest.mark.parametrize(
    "heading", ["standard_error", "Price [$/1000 examples]", "Time (s)", "# parsed", "Shots", "n_shots"]
)
def test_fields_with_units_and_counts_are_no_rivals(heading: str) -> None:
    """A unit in brackets or a number sign does not make a field of a log a system, nor is it confirmed as one."""
    plan = refused(one("t.csv", wide(usual(**{heading: [k + 0.5 for k in range(N)]}))))
    assert {claim.column: claim.role for claim in plan.claims}[heading] == "ignored"
    assert "fields of a log" in plan.why


def test_a_data_frame_with_row_names_has_a_header() -> None:
    """The empty heading of row names does not make the other headings cells."""
    text = wide({"": [f"r{k}" for k in range(N)], "Alpha score of all": scores(1), "Beta of all": scores(2)})
    assert [claim.column for claim in refused(one("t.csv", text)).claims] == [
        "column 1",
        "Alpha score of all",
        "Beta of all",
    ]
