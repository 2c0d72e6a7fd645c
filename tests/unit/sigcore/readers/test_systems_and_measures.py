"""Headings of a system and a measure, what sorts the rows beside predictions, and what is asked with a command for each answer."""

from __future__ import annotations

import random
import shlex
from collections.abc import Callable

import pytest

from sigcore.readers import Choice, Intake, Unclear, read

N = 24
Columns = dict[str, list[object]]


def intake(files: dict[str, str], **options: object) -> Intake:
    return read(
        [(name, text.encode()) for name, text in files.items()], every=Choice(options=options) if options else None
    )


def csv(columns: Columns) -> str:
    rows = zip(*columns.values(), strict=True)
    return "\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]) + "\n"


def shares(seed: int) -> list[object]:
    draw = random.Random(seed)
    return [round(draw.uniform(0.01, 0.99), 3) for _ in range(N)]


def points(seed: int, most: int = 5) -> list[object]:
    draw = random.Random(seed)
    return [draw.randint(1, most) for _ in range(N)]


def ids() -> list[object]:
    return [f"q{k}" for k in range(N)]


def scored(found: Intake) -> set[tuple[str, str]]:
    """The system and the measure of all scores."""
    return {(item.name, item.measure) for item in found.items if item.kind == "scores" and item.role == "system"}


def asked(found: Intake) -> Unclear:
    problem = found.problems[0]
    assert isinstance(problem, Unclear)
    assert found.items == ()
    return problem


def said(command: str) -> dict[str, object]:
    """The options that a printed command gives."""
    words = shlex.split(command)
    at = words.index("--cells") if "--cells" in words else len(words)
    cells = "\n".join(words[at + 1 :])
    return {"columns": "\n".join(words[:at])} | ({"cells": cells} if cells else {})


# What sorts the rows, beside predicted and right labels.


def labelled(heading: str, numbers: list[object], seed: int, **more: list[object]) -> str:
    draw = random.Random(seed)
    gold = [("pos", "neg", "neu")[k % 3] for k in range(N)]
    predicted = [one if draw.random() < 0.7 else "neu" for one in gold]
    texts = [f"What people said about place number {k} of all" for k in range(N)]
    return csv({"id": ids(), heading: numbers, "text": texts, "gold_label": gold, "pred_label": predicted, **more})


@pytest.mark.parametrize("heading", ["distance_level", "loss_type", "error_class", "difficulty", "distance"])
def test_predictions_are_compared_with_gold_labels(heading: str) -> None:
    """Whatever word of a measure is in the heading of a column that says how difficult a text is."""
    same = points(1)
    found = intake({"a.csv": labelled(heading, same, 2), "b.csv": labelled(heading, same, 3)})
    assert found.problems == ()
    assert scored(found) == set()
    outputs = {item.name for item in found.items if item.role == "system"}
    assert outputs == {"a", "b"}
    assert {item.name.partition(" ")[0] for item in found.items if item.role == "reference"} == {"gold_label"}
    assert any("Not used" in notice.message and heading in notice.message for notice in found.notices)


def test_a_measure_beside_labels_stays() -> None:
    """The loss of each system is its own: a second measure beside the labels."""
    found = intake({"a.csv": labelled("loss", shares(1), 2), "b.csv": labelled("loss", shares(4), 3)})
    assert scored(found) == {("a", "loss"), ("b", "loss")}


def test_known_measures_may_be_the_same_in_all_files() -> None:
    """Two systems with equal precision and other recall: both are results."""
    same = shares(1)
    files = {
        f"{name}.csv": csv({"id": ids(), "precision": same, "recall": shares(k)}) for k, name in ((2, "a"), (3, "b"))
    }
    assert scored(intake(files)) == {(name, measure) for name in "ab" for measure in ("precision", "recall")}


def test_what_was_labelled_is_no_output() -> None:
    """premise and hypothesis beside a label and a prediction; nor is it a file of MetricX, whose predictions are numbers."""
    labels: list[object] = [("yes", "no")[k % 2] for k in range(N)]
    predicted: list[object] = [("yes", "no")[k % 3 % 2] for k in range(N)]
    texts: Columns = {"premise": [f"Person {k} sleeps here" for k in range(N)], "hypothesis": ["A person rests"] * N}
    found = intake({"a.csv": csv({"id": ids(), **texts, "label": labels, "prediction": predicted})})
    assert [item.name for item in found.items if item.role == "system"] == ["a"]
    assert [item.segments for item in found.items if item.role == "reference"] == [tuple(map(str, labels))]


def test_another_column_of_labels_stays() -> None:
    """What holds the same labels is a rival, whatever its heading says."""
    labels: list[object] = [("yes", "no")[k % 2] for k in range(N)]
    columns: Columns = {"label": labels, "pred_large": labels[::-1], "most_common": ["yes"] * (N - 1) + ["no"]}
    found = intake({"a.csv": csv({"id": ids(), **columns})})
    assert "most_common" in {item.name for item in found.items if item.role == "system"} | {
        claim.column for problem in found.problems if isinstance(problem, Unclear) for claim in problem.claims
    }


# Two parts of headings that cross.


def crossed(systems: tuple[str, ...], measures: tuple[str, ...], **more: list[object]) -> str:
    names = [f"{one}_{other}" for one in systems for other in measures]
    return csv({"id": ids(), **{name: shares(k) for k, name in enumerate(names)}, **more})


def test_a_system_and_an_unknown_measure_are_asked_about() -> None:
    """Each answer is a command, and each command reads the table."""
    problem = asked(intake({"t.csv": crossed(("E0", "E1", "E2"), ("UFR", "KCR"))}))
    assert "Each of E0, E1, E2 comes with each of UFR, KCR" in problem.why
    measures, systems, rivals = (
        intake({"t.csv": crossed(("E0", "E1", "E2"), ("UFR", "KCR"))}, **said(command)) for _, command in problem.ways
    )
    assert scored(measures) == {(one, other) for one in ("E0", "E1", "E2") for other in ("UFR", "KCR")}
    assert scored(systems) == {(other, one) for one in ("E0", "E1", "E2") for other in ("UFR", "KCR")}
    assert len(scored(rivals)) == 6
    assert {measure for _, measure in scored(rivals)} == {"t"}


def test_the_command_names_the_questions() -> None:
    """Ids below a heading that no vocabulary has are found, and have to be said beside the measures."""
    text = crossed(("E0", "E1"), ("UFR", "KCR")).replace("id,", "eval_id,", 1)
    ways = asked(intake({"t.csv": text})).ways
    assert ways[0][1] == "UFR=measure KCR=measure eval_id=question"
    assert {item.keys[:2] for item in intake({"t.csv": text}, **said(ways[0][1])).items} == {("q0", "q1")}


def test_the_numbered_part_is_likelier_the_system() -> None:
    problem = asked(intake({"t.csv": crossed(("UFR", "KCR"), ("model-1", "model-2"))}))
    assert problem.ways[0][1] == "UFR=measure KCR=measure"


def test_fields_of_a_log_are_no_part_of_a_grid() -> None:
    """Numbers of words and claims stand beside the measures of each system."""
    more = {"source_words": points(7, 400), "E0_n_claims": points(8, 40), "E1_n_claims": points(9, 40)}
    text = crossed(("E0", "E1"), ("UFR", "KCR"), **more)
    problem = asked(intake({"t.csv": text}))
    assert problem.ways[0][1] == "UFR=measure KCR=measure"
    assert scored(intake({"t.csv": text}, columns="UFR=measure")) == {("E0", "UFR"), ("E1", "UFR")}


@pytest.mark.parametrize(
    ("systems", "measures"),
    [
        (("gpt", "llama"), ("small", "large")),
        (("gpt", "llama"), ("zero-shot", "5-shot")),
        (("ours", "base"), ("v1", "v2")),
    ],
)
def test_variants_of_systems_are_systems(systems: tuple[str, ...], measures: tuple[str, ...]) -> None:
    """Sizes and versions behind a name are no measures."""
    assert {name for name, _ in scored(intake({"t.csv": crossed(systems, measures)}))} == {
        f"{one}_{other}" for one in systems for other in measures
    }


def test_one_end_of_all_headings_is_not_asked_about() -> None:
    """A_foo, B_foo, C_foo and D_foo are systems as before."""
    assert len(scored(intake({"t.csv": crossed(("A", "B", "C", "D"), ("foo",))}))) == 4


def test_a_part_that_may_be_a_variant_is_first_asked_as_one() -> None:
    problem = asked(intake({"t.csv": crossed(("gpt", "llama"), ("cot", "direct"))}))
    assert problem.ways[0][0] == "all 4 are systems"


def test_levels_of_criteria_are_no_systems() -> None:
    """toxicity and fluency are no systems, with the measure level."""
    problem = asked(intake({"t.csv": csv({"id": ids(), "toxicity_level": points(1), "fluency_level": points(2)})}))
    assert not any("=system" in roles for _, roles in problem.ways)


def test_known_measures_are_not_asked_about() -> None:
    assert scored(intake({"t.csv": crossed(("E0", "E1"), ("bleu", "comet"))})) == {
        (one, other) for one in ("E0", "E1") for other in ("bleu", "comet")
    }


def test_a_measure_that_no_heading_has_is_refused() -> None:
    (problem,) = intake({"t.csv": crossed(("E0", "E1"), ("UFR", "KCR"))}, columns="XYZ=measure").problems
    assert "no heading of a system and 'XYZ'" in problem.what


def test_a_column_may_be_said_to_name_the_measures() -> None:
    """Of the role measure: names of which no one is known."""
    rows = [(q, s, m) for q in ids() for s in "AB" for m in ("frob", "nitz")]
    values = [k % 7 for k in range(len(rows))]
    text = csv(
        {"id": [r[0] for r in rows], "system": [r[1] for r in rows], "what": [r[2] for r in rows], "points": [*values]}
    )
    found = intake({"t.csv": text}, columns="what=measure\npoints=score\nsystem=system\nid=question")
    assert {measure.partition(" ")[0] for _, measure in scored(found)} == {"frob", "nitz"}


# Criteria that say score.


@pytest.mark.parametrize("heading", ["id", "test_id", "qid"])
def test_scores_of_criteria_are_measures_of_each_file(heading: str) -> None:
    """The commonest files of a judge: one for each system."""
    files = {
        f"{name}.csv": csv({heading: ids(), "correctness_score": points(k), "relevance_score": points(k + 1)})
        for k, name in ((1, "a"), (5, "b"))
    }
    found = intake(files)
    assert found.problems == ()
    assert scored(found) == {(name, m) for name in "ab" for m in ("correctness_score", "relevance_score")}
    assert all(item.keys[0] == "q0" for item in found.items)


def test_scores_of_systems_are_systems() -> None:
    """A_score and B_score are no criteria."""
    assert {
        name for name, _ in scored(intake({"t.csv": csv({"id": ids(), "A_score": points(1), "B_score": points(2)})}))
    } == {
        "A_score",
        "B_score",
    }


def long(**columns: list[object]) -> str:
    systems = [name for name in "AB" for _ in range(N)]
    return csv({"id": ids() * 2, "system": [*systems], **{name: own * 2 for name, own in columns.items()}})


def test_headings_that_say_score_are_scores_in_long_form() -> None:
    """Beside a column of systems, grounding_score is no system; how sure it was is no score."""
    found = intake({"t.csv": long(grounding_score=points(1), correctness_score=points(2), confidence_score=shares(3))})
    assert {measure for _, measure in scored(found)} == {"grounding_score", "correctness_score"}


# Source.


def test_a_few_words_below_source_are_no_source_text() -> None:
    """docker and local say where a row comes from, another one for each system."""
    rows = {"id": ids() * 2, "system": [name for name in "AB" for _ in range(N)]}
    where: list[object] = [("docker", "local")[k % 3 == 0] for k in range(2 * N)]
    found = intake({"t.csv": csv({**rows, "source": where, "comet": shares(1) + shares(2)})})
    assert found.problems == ()
    assert scored(found) == {("A", "comet"), ("B", "comet")}
    assert any("no text: source" in notice.message for notice in found.notices)
    outcomes: list[object] = [("True", "False")[k % 2] for k in range(2 * N)]
    program = {"task_id": rows["id"], "model": rows["system"], "source": where, "passed": outcomes}  # of HumanEval
    assert scored(intake({"t.csv": csv(program)})) == {("A", "passed"), ("B", "passed")}


def test_words_that_are_translated_are_source_texts() -> None:
    """Each question has its own word, which several systems translate."""
    rows = {"id": ids() * 4, "system": [name for name in "ABCD" for _ in range(N)]}
    words: list[object] = [f"word{k % 20}" for k in range(N)] * 4
    found = intake({"t.csv": csv({**rows, "source": words, "comet": shares(1) + shares(2) + shares(3) + shares(4)})})
    assert [item.segments for item in found.items if item.role == "source"] == [tuple(map(str, words[:N]))]


def test_source_texts_are_still_compared() -> None:
    rows = {"id": ids() * 2, "system": [name for name in "AB" for _ in range(N)]}
    texts: list[object] = [f"Sentence {k} of the whole text" for k in range(2 * N)]
    (problem,) = intake({"t.csv": csv({**rows, "source": texts, "comet": shares(1) + shares(2)})}).problems
    assert "another source" in problem.what


# A header that begins with numbers, and files of the same names.


def counted(name: str, seed: int) -> str:
    draw = random.Random(seed)
    right: list[object] = [draw.choice(("True", "False")) for _ in range(N)]
    asked = [f"Question {k} of all?" for k in range(N)]
    return csv({"0": asked, "1": points(4, 99), "2": [("A", "B")[k % 2] for k in range(N)], f"{name}_correct": right,
                f"{name}_choiceA_probs": shares(seed)})  # fmt: skip


def test_headings_that_count_belong_to_a_header() -> None:
    """pandas writes 0, 1, 2 above columns without names, and the words for those that were added."""
    found = intake({"t.csv": counted("llama", 1)})
    assert [item.name for item in found.items] == ["llama_correct"]
    assert any("its first line counts: 0, 1, 2" in notice.message for notice in found.notices)


@pytest.mark.parametrize(
    "row",
    [
        lambda k: f"{k % 2},{(k + 1) % 2},{('cat', 'dog')[k % 2]}",  # words come again
        lambda k: f"{k},{k % 3 + 1},word{k}",  # the first column counts the rows
        lambda k: f"{k % 3},{k % 2 + 1},word{k}",  # labels come again
        lambda k: f"{k * 7},{k * 5 + 1},What is said in line {k}",  # a text is no heading
        lambda k: f"{k * 7},{k * 5 + 1},word{k},What is said in line {k}",  # nor is it beside a word
    ],
)
def test_rows_that_begin_with_0_and_1_are_no_header(row: Callable[[int], str]) -> None:
    text = "".join(row(k) + "\n" for k in range(N))
    assert not any("line counts" in notice.message for notice in intake({"t.csv": text}).notices)


def test_names_above_the_same_headings_are_joined_with_them() -> None:
    """As in a sheet whose cells above are merged, below a title."""
    rows = [f"doc{k},{k % 7 / 10},{k % 5 / 10},{k % 3 / 10},{k % 4 / 10}" for k in range(N)]
    head = ["Our evaluation,,,,", ",,,,", "Doc,One,,Two,", ",ROUGE-L,Coverage,ROUGE-L,Coverage"]
    found = intake({"t.csv": "\n".join([*head, *rows]) + "\n"})
    assert scored(found) == {(name, measure) for name in ("One", "Two") for measure in ("ROUGE-L", "Coverage")}
    assert len(found.items[-1].segments) == N


def test_other_headings_below_each_name_are_not_joined() -> None:
    rows = [f"doc{k},{k % 7 / 10},{k % 5 / 10},{k % 3 / 10},{k % 4 / 10}" for k in range(N)]
    head = ["Doc,One,,Two,", ",ROUGE-L,Coverage,ROUGE-L,BLEU"]
    assert intake({"t.csv": "\n".join([*head, *rows]) + "\n"}).items == ()


def test_files_of_the_same_names_are_test_sets() -> None:
    """A folder for each system, with a file for each subject."""
    files = {
        f"{name}/{subject}.csv": counted(name, seed)
        for name in ("llama", "mistral") for seed, subject in enumerate(("anatomy", "law"))
    }  # fmt: skip
    found = intake(files)
    assert {(item.testset, item.name, item.measure) for item in found.items} == {
        (subject, name, "correct") for name in ("llama", "mistral") for subject in ("anatomy", "law")
    }


def test_files_of_runs_are_no_test_sets() -> None:
    files = {f"{name}/seed{seed}.csv": counted(name, seed) for name in ("llama", "mistral") for seed in (1, 2)}
    assert {item.testset for item in intake(files).items} == {""}


def test_right_answers_and_fractions_are_asked_about() -> None:
    """Of 0 and 1, and of fractions alone, below headings that begin alike: one is a result, the other a probability."""
    right: list[object] = [k % 3 % 2 for k in range(N)]
    text = csv({"id": ids(), "one_right": right, "one_first": shares(1)})
    assert "fractions: are they rivals" in asked(intake({"t.csv": text})).why
    assert len(scored(intake({"t.csv": csv({"id": ids(), "one": right, "two": shares(1)})}))) == 2


# Marks and words.


def marked(*headings: str) -> str:
    cells = [
        ["○" if (k * (j + 2)) % 5 else f"×{('none', 'late')[k % 2]}" for k in range(N)] for j in range(len(headings))
    ]
    return csv({"qid": ids(), **{name: [*own] for name, own in zip(headings, cells, strict=True)}})


def test_columns_of_marks_are_alike_whatever_their_headings_say() -> None:
    """raw, comments and context are ways to prompt; what stands behind a mark is its reason."""
    text = marked("raw", "comments", "context")
    problem = asked(intake({"t.csv": text}))
    assert problem.plan == {"raw": "system", "comments": "system", "context": "system"}
    found = intake(
        {"t.csv": text}, columns="raw=system\ncomments=system\ncontext=system", cells="\n".join(problem.cells)
    )
    assert {name for name, _ in scored(found)} == {"raw", "comments", "context"}
    assert {cell for item in found.items for cell in item.segments} == {"0", "1"}
    assert "NUMBER" not in problem.fix


def worded(one: str, other: str) -> str:
    return csv(
        {"id": ids(), **{name: [(one, other)[(k * j) % 3 == 0] for k in range(N)] for name, j in (("A", 1), ("B", 2))}}
    )


def test_two_unknown_words_have_a_command_for_each_meaning() -> None:
    text = worded("Klar", "Offen")
    problem = asked(intake({"t.csv": text}))
    assert [what for what, _ in problem.ways] == ["Klar is better than Offen", "Offen is better than Klar"]
    first, second = (intake({"t.csv": text}, **said(command)) for _, command in problem.ways)
    assert scored(first) == scored(second) != set()
    values = {found.items[0].segments for found in (first, second)}
    assert len(values) == 2


def test_three_words_need_numbers() -> None:
    rows: list[object] = [("low", "mid", "top")[k % 3] for k in range(N)]
    problem = asked(intake({"t.csv": csv({"id": ids(), "A": rows, "B": rows[::-1]})}))
    assert "Write a number for each NUMBER." in problem.fix


def test_a_plan_of_guesses_says_what_was_seen() -> None:
    """Three columns of fractions and one of whole numbers, below headings that say nothing; not where a heading says it."""
    columns: Columns = {"foo": shares(1), "bar": shares(2), "qux": shares(5), "baz": points(3, 900)}
    fix = asked(intake({"t.csv": csv({"id": ids(), **columns})})).fix
    assert fix.startswith("More is guessed than known. Seen: numbers (0.")
    assert "in foo, bar, qux. It would compare foo, bar, qux on 24 segments. If that is right" in fix
    one = csv({"id": ids(), "foo": shares(1), "bar": shares(2), "latency_ms": points(3, 900)})
    assert asked(intake({"t.csv": one})).fix.startswith("It would compare foo, bar on 24 segments. If that is right")


# What is printed for judged answers, and for boards of means.


def test_names_behind_a_task_are_measures_beside_measures() -> None:
    """task_success and policy_compliance stand beside hallucination: scores, with the ids of the rows."""
    columns: Columns = {"hallucination": points(1, 2), "policy_compliance": points(2, 2), "task_success": points(3, 2)}
    text = csv({"test_id": ids(), "llm_output": [f"What was said {k} times" for k in range(N)], **columns})
    problem = asked(intake({"a.csv": text}))
    assert problem.plan == {"test_id": "question", "llm_output": "ignored", **dict.fromkeys(columns, "score")}


def test_ends_that_come_again_are_no_measures_of_one_system() -> None:
    """one_success and two_success beside hallucination: it is asked, and neither is called a score."""
    columns: Columns = {
        "hallucination": points(1, 2),
        "one_success": points(2, 2),
        "two_success": points(3, 2),
        "foo": points(4, 2),
    }
    found = intake({"a.csv": csv({"id": ids(), **columns})})
    roles = {claim.column: claim.role for claim in (found.problems[0].claims if found.problems else found.claims)}  # type: ignore[attr-defined]
    assert "score" not in {roles["one_success"], roles["two_success"]}


@pytest.mark.parametrize(("rows", "told"), [(4, False), (5, True)])
def test_a_board_of_a_few_rows_has_no_command(rows: int, told: bool) -> None:
    """With four segments no p can be small: these are rather means of systems."""
    names = [f"condition {k}" for k in range(rows)]
    text = csv({"": names, **{f"set_{name}": shares(k)[:rows] for k, name in enumerate("ABC")}})
    (problem,) = intake({"t.csv": text}).problems
    assert ("--columns 'column 1=question'" in problem.fix) is told
    assert ("There would be only 4 segments" in problem.fix) is not told


@pytest.mark.parametrize("scale", ["(1-5)", "[0-100]", "(1 - 7)", "(0/1)"])
def test_a_scale_in_brackets_is_no_part_of_a_name(scale: str) -> None:
    """Score A (1-5) is not the measure 5) of Score A (1; the same files without the scale are asked about in the same words."""
    rows = {"id": ids(), "text A": [f"one {k}" for k in range(N)], "text B": [f"two {k}" for k in range(N)]}
    with_scale = rows | {f"Score A {scale}": points(1), f"Score B {scale}": points(2)}
    problem = asked(intake({"sheet.csv": csv(with_scale)}))
    assert f"{scale[-2]})" not in problem.why.replace(f"{scale}", "")
    assert "measure of" not in problem.why
    grid = rows | {f"E{k}_{m} {scale}": points(k + len(m)) for k in (0, 1) for m in ("UFR", "KCR")}
    (way, *_) = asked(intake({"sheet.csv": csv(grid)})).ways
    assert way[0] == "UFR, KCR are measures of E0, E1"
    found = intake({"sheet.csv": csv(grid)}, **said(way[1]))
    assert scored(found) == {(f"E{k}", m) for k in (0, 1) for m in ("UFR", "KCR")}
