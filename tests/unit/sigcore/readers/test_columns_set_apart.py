"""Columns next to systems that something sets apart: the key, facts about questions, what comes from others, parts of one row."""

from __future__ import annotations

import itertools
import random
import shlex
from collections.abc import Callable, Mapping, Sequence

import pytest

from sigcore.readers import Intake, read
from sigcore.readers.tables.unclear import Unclear
from tests.made_tables import means, rows, scored

N = 40


def unsure(text: str, name: str = "t.csv") -> Unclear:
    """The question about a file."""
    (problem,) = scored(text, name).problems
    assert isinstance(problem, Unclear), problem
    return problem


def commands(problem: Unclear) -> list[dict[str, str]]:
    """The roles of the columns in each of the printed commands."""
    return [
        {name: role for name, _, role in (one.rpartition("=") for one in shlex.split(said))} for _, said in problem.ways
    ]


def said(roles: dict[str, str]) -> str:
    return "\n".join(f"{name}={role}" for name, role in roles.items())


def drawn(seed: int, values: Sequence[object], n: int = N) -> list[object]:
    own = random.Random(seed)
    return [own.choice(values) for _ in range(n)]


def table(columns: Mapping[str, Sequence[object]]) -> str:
    """A table with an id and these columns."""
    body = [f"q{k},{','.join(map(str, cells))}" for k, cells in enumerate(zip(*columns.values(), strict=True))]
    return rows(f"id,{','.join(columns)}", *body)


def mean(values: Sequence[object]) -> float:
    return sum(float(str(one)) for one in values) / len(values)


FRACTIONS = [f"{k / 100:.2f}" for k in range(5, 96)]
GRADES = [1, 2, 3, 4]


@pytest.mark.parametrize("heading", ["key", "correct_option", "gt", "stars", "majority", "spam"])
@pytest.mark.parametrize("values", [GRADES, [0, 1]])
def test_what_is_right_does_not_compete(heading: str, values: list[object]) -> None:
    """The key was ranked among the systems by the mean of its labels."""
    own = {name: drawn(k, values) for k, name in enumerate((heading, "gpt4", "llama"))}
    problem = unsure(table(own))
    assert f"Does {heading} hold what is right for gpt4, llama?" in problem.why
    right, none, every = commands(problem)
    assert right == {heading: "reference", "gpt4": "system", "llama": "system"}
    assert none == {heading: "ignored", "gpt4": "system", "llama": "system"}
    assert set(every.values()) == {"system"}
    found = scored(table(own), columns=said(right))
    (gold,) = (item for item in found.items if item.role == "reference")
    assert list(gold.segments) == [str(one) for one in own[heading]]
    for item in (item for item in found.items if item.role == "system"):
        same = sum(one == other for one, other in zip(item.segments, gold.segments, strict=True))
        assert same == sum(one == other for one, other in zip(own[item.name], own[heading], strict=True))
    alone = means(scored(table(own), columns=said(none)))
    assert alone == pytest.approx({name: mean(own[name]) for name in ("gpt4", "llama")})


@pytest.mark.parametrize(
    "heading",
    [
        "difficulty",
        "popularity",
        "human_acc",
        "solve_rate",
        "length_ratio",
        "tie",
        "valid",
        "max_points",
        "page",
        "level",
    ],
)
@pytest.mark.parametrize("values", [FRACTIONS, GRADES])
def test_a_fact_about_the_question_does_not_compete(heading: str, values: list[object]) -> None:
    own = {name: drawn(k + 5, values) for k, name in enumerate(("bert", "lstm", heading))}
    problem = unsure(table(own))
    assert f"Is {heading} a system?" in problem.why
    none, every = commands(problem)
    assert none == {"bert": "system", "lstm": "system", heading: "ignored"}
    assert every == dict.fromkeys(own, "system")
    for roles in (none, every):
        expected = {name: mean(own[name]) for name, role in roles.items() if role == "system"}
        assert means(scored(table(own), columns=said(roles))) == pytest.approx(expected)


@pytest.mark.parametrize(
    "third", ["ensemble", "baseline", "random", "oracle", "gpt-4o", "ours", "svm", "human_baseline"]
)
@pytest.mark.parametrize("values", [FRACTIONS, GRADES, [0, 1]])
def test_systems_side_by_side_are_read_at_once(third: str, values: list[object]) -> None:
    own = {name: drawn(k + 9, values) for k, name in enumerate(("bert", "lstm", third))}
    assert means(scored(table(own))) == pytest.approx({name: mean(cells) for name, cells in own.items()})


def decimals(seed: int) -> list[float]:
    return [float(str(one)) for one in drawn(seed, FRACTIONS)]


FIRST, SECOND, THIRD = decimals(1), decimals(2), decimals(3)
PAIRS = [*zip(FIRST, SECOND, strict=True)]
DERIVED: dict[str, Sequence[object]] = {
    "A-B": [f"{a - b:.2f}" for a, b in PAIRS],
    "x": [f"{a + b:.2f}" for a, b in PAIRS],
    "w": [f"{b - a:.2f}" for a, b in PAIRS],
    "both": [f"{(a + b) / 2:.3f}" for a, b in PAIRS],
    "A_wins": [int(a > b) for a, b in PAIRS],
}


@pytest.mark.parametrize("heading", DERIVED)
@pytest.mark.parametrize("more", [False, True])
def test_what_comes_from_others_in_each_row_does_not_compete(heading: str, more: bool) -> None:
    own: dict[str, Sequence[object]] = {"A": FIRST, "B": SECOND, heading: DERIVED[heading]}
    own |= {"C": THIRD} if more else {}
    problem = unsure(table(own))
    assert problem.why.startswith(f"Is {heading} a system? ")
    none, every = commands(problem)
    assert none == {name: "ignored" if name == heading else "system" for name in own}
    expected = {name: mean(cells) for name, cells in own.items() if name != heading}
    assert means(scored(table(own), columns=said(none))) == pytest.approx(expected)
    assert every == dict.fromkeys(own, "system")


@pytest.mark.parametrize("heading", ["x", "w"])
def test_one_row_that_does_not_add_up_is_enough_to_compete(heading: str) -> None:
    cells = [*DERIVED[heading]]
    cells[7] = f"{float(str(cells[7])) + 0.2:.2f}"
    own: dict[str, Sequence[object]] = {"A": FIRST, "B": SECOND, heading: cells}
    assert means(scored(table(own))) == pytest.approx({name: mean(one) for name, one in own.items()})


def test_right_answers_of_three_systems_may_add_up_by_chance() -> None:
    """Of three systems with two right answers at most, one has those of the two others."""
    own = {name: [int(k in right) for k in range(N)] for name, right in (("A", {3}), ("B", {9}), ("C", {3, 9}))}
    assert means(scored(table(own))) == pytest.approx({"A": 1 / N, "B": 1 / N, "C": 2 / N})


def test_bounds_of_a_system_are_no_systems() -> None:
    own: dict[str, Sequence[object]] = {}
    for name, cells in (("A", FIRST), ("B", SECOND)):
        own |= {name: cells, f"{name}_lower": [f"{one - 0.1:.2f}" for one in cells]}
        own |= {f"{name}_upper": [f"{one + 0.1:.2f}" for one in cells]}
    none, every = commands(unsure(table(own)))
    assert none == {name: "system" if len(name) == 1 else "ignored" for name in own}
    assert means(scored(table(own), columns=said(none))) == pytest.approx({"A": mean(FIRST), "B": mean(SECOND)})
    assert set(every.values()) == {"system"}
    # A_low is the name of a system where it is not always below A
    own = {"A": FIRST, "A_low": SECOND, "B": THIRD}
    assert means(scored(table(own))) == pytest.approx({name: mean(cells) for name, cells in own.items()})


def test_the_spread_of_a_mean_is_no_measure() -> None:
    own = {"A mean": FIRST, "A sd": decimals(11), "B mean": SECOND, "B sd": decimals(12)}
    (first, *_) = commands(unsure(table(own)))
    assert first == {"A mean": "system", "A sd": "ignored", "B mean": "system", "B sd": "ignored"}
    found = means(scored(table(own), columns=said(first)))
    assert found == pytest.approx({"A mean": mean(FIRST), "B mean": mean(SECOND)})


@pytest.mark.parametrize("odd", [0, 1])
def test_one_column_with_another_kind_of_numbers_is_asked_about(odd: int) -> None:
    kinds: tuple[list[object], list[object]] = ([0, 1], [*FRACTIONS])
    own = {"A": drawn(1, kinds[1 - odd]), "B": drawn(2, kinds[1 - odd]), "C": drawn(3, kinds[odd])}
    none, every = commands(unsure(table(own)))
    assert none == {"A": "system", "B": "system", "C": "ignored"}
    assert every == dict.fromkeys("ABC", "system")
    two = {name: own[name] for name in "BC"}  # of two, neither is the odd one
    assert means(scored(table(two))) == pytest.approx({name: mean(cells) for name, cells in two.items()})


@pytest.mark.parametrize(
    "headings",
    [
        ("toxicity_prompt", "toxicity_response"), ("accuracy_train", "accuracy_test"), ("acc_easy", "acc_hard"),
        ("acc_easy", "acc_medium", "acc_hard"), ("train", "val"), ("wer_clean", "wer_noisy"), ("upvotes", "downvotes"),
    ],
)  # fmt: skip
def test_parts_of_one_system_are_no_rivals(headings: tuple[str, ...]) -> None:
    own = {name: decimals(k) for k, name in enumerate(headings)}
    problem = unsure(table(own))
    one, every = commands(problem)
    assert (one, every) == (dict.fromkeys(headings, "score"), dict.fromkeys(headings, "system"))
    assert len({item.name for item in scored(table(own), columns=said(one)).items}) == 1
    assert means(scored(table(own), columns=said(every))) == pytest.approx({name: mean(own[name]) for name in headings})


def test_a_part_next_to_a_system_is_read_at_once() -> None:
    own = {"acc_bert": FIRST, "acc_hard": SECOND}
    assert means(scored(table(own))) == pytest.approx({"acc_bert": mean(FIRST), "acc_hard": mean(SECOND)})


# Predictions next to what is right.

LABELS = ["pos", "neg", "neu"]


def check_cells(found: Intake, own: Mapping[str, Sequence[object]]) -> None:
    """The outputs of all systems are those of their columns."""
    for item in found.items:
        if item.role == "system":
            assert list(item.segments) == [str(one) for one in own[item.name]]


@pytest.mark.parametrize("heading", ["svm", "gpt-4o", "noisy_label", "original_label"])
def test_a_column_with_the_right_labels_is_never_left_out(heading: str) -> None:
    """svm next to bert_pred and lstm_pred was not used, although it was the best."""
    own = {name: drawn(k, LABELS) for k, name in enumerate(("label", "bert_pred", "lstm_pred", heading))}
    problem = unsure(table(own))
    assert f"Does {heading} predict label, too?" in problem.why
    too, none = commands(problem)
    assert too == {"label": "reference", "bert_pred": "system", "lstm_pred": "system", heading: "system"}
    assert none == {**too, heading: "ignored"}
    for roles in (too, none):
        found = scored(table(own), columns=said(roles))
        assert not found.problems
        systems = {item.name for item in found.items if item.role == "system"}
        assert systems == {name for name, role in roles.items() if role == "system"}
        check_cells(found, own)


@pytest.mark.parametrize("more", ["domain_name", "annotator1"])
def test_other_words_next_to_labels_are_left_out(more: str) -> None:
    cells = drawn(7, ["news", "law"] if more == "domain_name" else LABELS)
    own = {name: drawn(k, LABELS) for k, name in enumerate(("label", "bert_pred", "lstm_pred"))} | {more: cells}
    found = scored(table(own))
    assert {item.name for item in found.items if item.role == "system"} == {"bert", "lstm"}


def test_a_score_next_to_predicted_scores_is_never_left_out() -> None:
    names = ("bert_score", "lstm_score", "ensemble_score", "gold_score")
    own = {name: decimals(k) for k, name in enumerate(names)}
    too, none = commands(unsure(table(own)))
    errors = {name: [abs(a - b) for a, b in zip(own[name], own["gold_score"], strict=True)] for name in names[:3]}
    found = means(scored(table(own), columns=said(too)))
    assert found == pytest.approx({name: mean(cells) for name, cells in errors.items()})
    found = means(scored(table(own), columns=said(none)))
    assert found == pytest.approx({name: mean(errors[name]) for name in names[1:3]})


@pytest.mark.parametrize("heading", ["gold", "target"])
def test_numbers_that_are_mostly_the_largest_may_compete(heading: str) -> None:
    """gold were scores of answers with the right passages, and the errors from them were tested."""
    best = [f"{min(1.0, max(a, b) + 0.05 * (k % 5 > 0) - 0.3 * (k % 5 == 0)):.2f}" for k, (a, b) in enumerate(PAIRS)]
    own: dict[str, Sequence[object]] = {heading: best, "bm25": FIRST, "dense": SECOND}
    competes, right = commands(unsure(table(own)))
    assert competes == dict.fromkeys(own, "system")
    found = means(scored(table(own), columns=said(competes)))
    assert found == pytest.approx({name: mean(cells) for name, cells in own.items()})
    errors = {
        name: [abs(float(str(a)) - float(str(b))) for a, b in zip(own[name], best, strict=True)]
        for name in ("bm25", "dense")
    }
    assert right == {heading: "reference", "bm25": "system", "dense": "system"}
    found = means(scored(table(own), columns=said(right)))
    assert found == pytest.approx({name: mean(cells) for name, cells in errors.items()})
    own[heading] = THIRD  # as often smaller as larger
    errors = {
        name: [abs(float(str(a)) - b) for a, b in zip(own[name], THIRD, strict=True)] for name in ("bm25", "dense")
    }
    assert means(scored(table(own))) == pytest.approx({name: mean(cells) for name, cells in errors.items()})


# Texts next to a reference.

GOLD = [f"the cat with number {k} sat down on the mat" for k in range(N)]
GOOD = [one.replace("the mat", "a mat") for one in GOLD]
FAIR = [one.replace("sat down", "was sitting") for one in GOLD]
FAR = [f"we asked {k} people about that" for k in range(N)]


@pytest.mark.parametrize(
    "heading", ["headline", "hint", "distractor", "prompt_used", "previous_sentence", "back_translation"]
)
def test_what_was_given_is_no_output(heading: str) -> None:
    own = {"reference": GOLD, "t5": GOOD, "gec": FAIR, heading: [one.replace("cat", "dog") for one in GOLD]}
    problem = unsure(table(own))
    assert f"Is {heading} an output?" in problem.why
    none, every = commands(problem)
    assert none == {"t5": "system", "gec": "system", heading: "ignored"}
    assert every == dict.fromkeys(("t5", "gec", heading), "system")
    for roles in (none, every):
        found = scored(table(own), columns=said(roles))
        texts = {item.name: list(item.segments) for item in found.items if item.role in ("system", "reference")}
        assert texts == {"reference": GOLD} | {name: own[name] for name, role in roles.items() if role == "system"}


def test_a_text_that_is_far_less_like_the_reference_is_asked_about() -> None:
    none, _ = commands(unsure(table({"reference": GOLD, "t5": GOOD, "gec": FAIR, "other": FAR})))
    assert none == {"t5": "system", "gec": "system", "other": "ignored"}
    # of two, a weak one is a system; and so is the lead of a text
    found = scored(table({"reference": GOLD, "t5": GOOD, "lead": FAR}))
    assert {item.name for item in found.items if item.role == "system"} == {"t5", "lead"}


def test_a_text_that_holds_the_source_is_asked_about() -> None:
    source = [f"le chat numéro {k} est là" for k in range(N)]
    prompt = [f"Translate: {one}" for one in source]
    own = {"source": source, "reference": GOLD, "t5": GOOD, "gec": FAIR, "x": prompt}
    none, _ = commands(unsure(table(own)))
    assert none["x"] == "ignored"
    own["x"] = [*GOOD[:30], *prompt[30:]]
    found = scored(table(own))
    assert {item.name for item in found.items if item.role == "system"} == {"t5", "gec", "x"}


# Labels of words, and a row for each system and question.


@pytest.mark.parametrize("right", [("intent",), ("ann1", "ann2")])
def test_the_first_command_compares_labels_with_what_is_right(right: tuple[str, ...]) -> None:
    """The first command made systems of the intent, and judges of the annotators."""
    names = (*right, "bert", "lstm")
    own = {name: drawn(k, ["book", "cancel"]) for k, name in enumerate(names)}
    first, *others = commands(unsure(table(own)))
    assert first == {**dict.fromkeys(right, "ignored"), right[0]: "reference", "bert": "system", "lstm": "system"}
    assert len(others) >= len(right) - 1
    found = scored(table(own), columns=said(first))
    (gold,) = (item for item in found.items if item.role == "reference")
    assert list(gold.segments) == own[right[0]]
    assert {item.name for item in found.items if item.role == "system"} == {"bert", "lstm"}


def long(columns: Mapping[str, Sequence[object]]) -> str:
    """A table with a row for each of three systems and question; a column of N cells is the same for all systems."""
    pairs = itertools.product(range(3), range(N))
    body = [
        f"s{i},q{k},{','.join(str(own[k if len(own) == N else i * N + k]) for own in columns.values())}"
        for i, k in pairs
    ]
    return rows(f"model,question_id,{','.join(columns)}", *body)


@pytest.mark.parametrize(
    ("right", "given"), [("key", "choice"), ("gt", "answer"), ("stars", "predicted_stars"), ("gold", "answer")]
)
def test_the_key_is_no_judge_of_the_systems(right: str, given: str) -> None:
    """The first command averaged the key with the answers."""
    own: dict[str, list[object]] = {right: drawn(1, [*GRADES, 5]), given: drawn(2, [*GRADES, 5], 3 * N)}
    first, second = commands(unsure(long(own)))
    assert first == {right: "reference", given: "text"}
    assert second == {right: "ignored", given: "score"}
    found = scored(long(own), columns=said(first))
    gold = {item.segments for item in found.items if item.role == "reference"}
    assert gold == {tuple(map(str, own[right]))}
    for i, item in enumerate(item for item in found.items if item.role == "system"):
        same = sum(one == other for one, other in zip(item.segments, map(str, own[right]), strict=True))
        assert same == sum(own[given][i * N + k] == own[right][k] for k in range(N))


def test_numbers_of_chosen_answers_are_no_scores() -> None:
    problem = unsure(long({"choice": drawn(2, GRADES, 3 * N)}))
    assert "Are the numbers in choice scores, or predictions that need gold labels" in problem.why
    for heading, values in (("points", GRADES), ("choice", [0, 1])):
        own = drawn(2, values, 3 * N)
        found = means(scored(long({heading: own})))
        assert found == pytest.approx({f"s{i}": mean(own[i * N : (i + 1) * N]) for i in range(3)})


def test_what_is_said_of_short_answers_is_not_asked_about_again() -> None:
    """Outputs that are much longer than what is right are doubtful, but nobody has to say twice what is compared."""
    answers = ["yes", "no", "few"]
    own: dict[str, Sequence[object]] = {"gold_answer": drawn(1, answers)}
    own |= {name: [" ".join([str(one)] * 7) for one in drawn(k, answers)] for k, name in enumerate(("x1b", "x2b"))}
    roles = {"gold_answer": "reference", "x1b": "system", "x2b": "system"}
    assert "x1b" in unsure(table(own)).why
    found = scored(table(own), columns=said(roles))
    assert not found.problems
    check_cells(found, own)
    assert {item.name for item in found.items if item.role == "system"} == {"x1b", "x2b"}


@pytest.mark.parametrize(("name", "of"), [("larger", max), ("smaller", min), ("difference", lambda a, b: abs(a - b))])
def test_the_larger_of_two_is_no_third_system(name: str, of: Callable[[float, float], float]) -> None:
    """The best of both was the best of three systems."""
    own = [((7 * k % 23) / 100, (11 * k % 29) / 100) for k in range(30)]
    text = "id,A,B,AB\n" + "".join(f"q{k},{a},{b},{of(a, b):.2f}\n" for k, (a, b) in enumerate(own))
    (problem,) = read([("t.csv", text.encode())]).problems
    assert f"AB is the {name} of A, B." in str(problem)


def test_documents_name_no_systems_next_to_their_segments() -> None:
    """doc and seg, with a column for each system: each document was offered as a system, or each segment as a document."""
    own = [(d, s, [(3 * d + 5 * s + 2 * i) % 11 / 10 for i in range(3)]) for d in range(6) for s in range(4)]
    text = rows("doc,seg,base,rerank,final", *(f"doc{d},{s},{','.join(map(str, cells))}" for d, s, cells in own))
    found = scored(text)
    right = {name: sum(cells[i] for *_, cells in own) / len(own) for i, name in enumerate(("base", "rerank", "final"))}
    assert means(found) == pytest.approx(right)
    (documents,) = [item for item in found.items if item.role == "documents"]
    assert list(documents.segments) == [f"doc{d}" for d, _, _ in own]


def test_predictions_and_gold_labels_are_no_counts() -> None:
    """pred and gold of 0 and 1 were read as counts of a formula that lacks the third one."""
    own = {
        name: rows("id,pred,gold", *(f"{k},{(k + (k % every == 0)) % 2},{k % 2}" for k in range(30)))
        for name, every in (("A", 5), ("B", 3))
    }
    found = read([(f"{name}.csv", text.encode()) for name, text in own.items()])
    assert not found.problems
    assert {item.kind for item in found.items if item.role != "ignored"} == {"text"}
    gold = next(item.segments for item in found.items if item.role == "reference")
    hits = {item.name: sum(map(str.__eq__, item.segments, gold)) for item in found.items if item.role == "system"}
    assert hits == {"A": 24, "B": 20}
