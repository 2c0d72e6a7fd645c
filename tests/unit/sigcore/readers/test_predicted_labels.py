"""Predicted labels and numbers, and the column that says what is right: each command leads to what its text promises."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from sigcore.data.assembly import Loaded, assemble
from sigcore.readers import Unclear
from tests.made_tables import asked, means, roles, rows, scored, told
from tests.unit.sigcore.readers.test_votes_and_rows import said

N = 48
Label = Callable[[int], str]


def loaded(text: str, name: str = "t.csv", **options: str) -> Loaded:
    """The test set and the outputs of a table, as it is read with these options."""
    found = scored(text, name, **options)
    assert not found.problems, found.problems
    return assemble(found.items)


def shares(text: str, name: str = "t.csv", **options: str) -> dict[str, float]:
    """How many outputs of each system are right."""
    made = loaded(text, name, **options)
    assert made.testset is not None
    (right,) = made.testset.references
    return {one.system: sum(map(str.__eq__, one.segments, right)) for one in made.outputs}


def texts(made: Loaded) -> str:
    return " ".join(map(str, made.findings))


def gold(k: int) -> int:
    """A right number, in no order."""
    return 100 + 37 * k % 997


def wrong(k: int, every: int) -> int:
    """The right number, or another one in each row of so many."""
    return gold(k) + (k % every == 0)


# Numbers in another form.


@pytest.mark.parametrize(
    ("form", "plain"),
    [("{0}.0", "{0}"), ("{0:,}", "{0}"), ("${0}", "{0}"), ("$ {0:,}.00", "{0}"), ("{0}.", "{0}"), ("\u2212{0}", "-{0}"), ("{0}", "{0}.0")],
)  # fmt: skip
def test_a_number_in_another_form_is_the_same_number(form: str, plain: str) -> None:
    """A system that wrote 884.0 was wrong everywhere."""
    lines = [f'q{k},{plain.format(10 * gold(k))},"{form.format(10 * wrong(k, 6))}",{plain.format(10 * wrong(k, 3))}' for k in range(N)]  # fmt: skip
    text = rows("id,gold,llama,gpt", *lines)
    made = loaded(text, columns="gold=reference\nllama=system\ngpt=system")
    assert shares(text, columns="gold=reference\nllama=system\ngpt=system") == {"llama": N - 8, "gpt": N - 16}
    said_ = "Numbers are right, so their value counts" in texts(made)
    assert said_ or "1,234 was read as 1234" in told(scored(text, columns="gold=reference\nllama=system\ngpt=system"))


def test_floats_in_rows_of_systems_are_whole_numbers() -> None:
    own = {"gpt": ("{}", 3), "llama": ("{}.0", 6)}
    lines = [f'{{"id": {k}, "model": "{name}", "gold": {gold(k)}, "prediction": {form.format(wrong(k, every))}}}' for k in range(N) for name, (form, every) in own.items()]  # fmt: skip
    assert shares("\n".join(lines), "t.jsonl") == {"gpt": N - 16, "llama": N - 8}


def test_other_numbers_stay_other() -> None:
    """007 is a code, and 7 kg no number."""
    lines = [f"q{k},{k % 5 + 7},00{k % 5 + 7},{k % 5 + 7} kg,{k % 5 + 7}" for k in range(N)]
    text = rows("id,gold,a,b,c", *lines)
    columns = "gold=reference\n" + "\n".join(f"{name}=system" for name in "abc")
    found = [item for item in scored(text, columns=columns).items if item.role != "ignored"]
    own = {item.name: item for item in found}
    made = assemble([own.pop("reference"), *(own[name] for name in "abc")])
    assert {one.system: one.segments[0] for one in made.outputs} == {"a": "007", "b": "7 kg", "c": "7"}


def test_an_answer_that_is_never_right_as_it_is_written_is_said() -> None:
    """5 kg holds 5: all answers of a system were wrong, and nothing said why."""
    lines = [f"q{k},{gold(k)},{wrong(k, 4)} kg,{wrong(k, 3)}" for k in range(N)]
    made = loaded(rows("id,gold,llama,gpt", *lines), columns="gold=reference\nllama=system\ngpt=system")
    assert f"No answer of llama is right as it is written, but {N - 12} hold the right one" in texts(made)
    assert "No answer of gpt" not in texts(made)
    none = loaded(rows("id,gold,llama,gpt", *(f"q{k},{gold(k)},{gold(k) + 1} kg,{wrong(k, 3)}" for k in range(N))), columns="gold=reference\nllama=system\ngpt=system")  # fmt: skip
    assert "No answer of" not in texts(none)


def test_marks_around_a_label_do_not_count() -> None:
    words = ("neg", "pos", "neu")
    lines = [
        f'q{k},{words[k % 3]},{words[(k + (k % 4 == 0)) % 3]}.,"""{words[(k + (k % 6 == 0)) % 3]}"""' for k in range(N)
    ]
    text = rows("id,gold,a,b", *lines)
    assert shares(text) == {"a": N - 12, "b": N - 8}
    assert "marks around them do not count" in texts(loaded(text))


def test_an_index_among_many_others_is_a_number_too() -> None:
    """Columns of many whole numbers, some of them right, are answers, whatever share of them occurs among the right ones."""
    lines = [f"{k},{gold(k)},{gold(k) + 7 * (k % 3 > 0)},{gold(k) + 3 * (k % 4 > 1)}.0" for k in range(N)]
    assert shares(rows("id,gold,gpt-4,llama", *lines)) == {"gpt-4": 16, "llama": 24}


# Labels that are numbers.


def label(k: int, n: int) -> int:
    """A label of n, in no order."""
    return (k * k + 3 * k // 7 + k // 5) % n


def given(k: int, n: int, every: int) -> int:
    """The label, or another one in each row of so many."""
    return (label(k, n) + (k % every == 0) * (1 + k % (n - 1))) % n


def labelled(head: str, n: int = 5) -> str:
    return rows(head, *(f"q{k},{label(k, n)},{given(k, n, 4)},{given(k, n, 3)}" for k in range(N)))


KINDS = ("intent", "emotion", "relation", "tag", "stance", "dialog_act", "cefr", "paraphrase", "urgent", "category", "topic", "answerable")  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [2, 5])
def test_labels_below_any_heading_do_not_compete(kind: str, n: int) -> None:
    """intent had the best mean, and class numbers below category were averaged."""
    text = labelled(f"id,{kind},bert,roberta", n)
    problem = asked(text)
    assert roles(problem)[kind] == "reference"
    what, command = problem.ways[0]
    assert what == f"{kind} is right, and bert, roberta predict it"
    assert shares(text, **said(command)) == {"bert": N - 12, "roberta": N - 16}


def test_what_the_cells_say_needs_no_known_names() -> None:
    """Two columns that agree through a third one alone predict it."""
    text = labelled("id,mood,fox,owl")
    assert asked(text).ways[0][0] == "mood is right, and fox, owl predict it"
    assert shares(text, **said(asked(text).ways[0][1])) == {"fox": N - 12, "owl": N - 16}
    assert means(scored(labelled("id,mood,fox,owl", 2))).keys() == {"mood", "fox", "owl"}


@pytest.mark.parametrize(
    "head", ["id,ours,bert,roberta", "id,baseline,bert,roberta", "id,gpt-4,bert,roberta", "id,bert,roberta,t5"]
)
def test_systems_that_agree_are_systems(head: str) -> None:
    """Right and wrong answers agree, since some questions are hard for all."""
    text = labelled(head, 2)
    assert means(scored(text)).keys() == {*head.split(",")[1:]}


def test_marks_that_agree_alike_are_marks() -> None:
    """All three agree with each other: none of them explains it."""
    lines = [f"q{k},{1 + (label(k, 5) + (k % 5 == 0)) % 5},{1 + (label(k, 5) + (k % 5 == 1)) % 5},{1 + (label(k, 5) + (k % 5 == 2)) % 5}" for k in range(N)]  # fmt: skip
    assert means(scored(rows("id,fox,owl,elk", *lines))).keys() == {"fox", "owl", "elk"}


def test_a_category_with_other_numbers_stays_one() -> None:
    lines = [f"q{k},{k % 4},{k % 3 % 2},{k % 5 % 2}" for k in range(N)]
    found = scored(rows("id,category,bert,roberta", *lines))
    assert means(found).keys() == {"bert", "roberta"}
    assert "domains" in {item.role for item in found.items}


def test_a_category_that_nobody_predicts_stays_one() -> None:
    """It has the numbers of the scores, and agrees with none."""
    lines = [f"q{k},{k % 3},{(k * k + k // 3) % 3},{(k // 3 + k // 9) % 3}" for k in range(N)]
    found = scored(rows("id,category,bert,roberta", *lines))
    assert means(found).keys() == {"bert", "roberta"}


# What is right by its heading, beside numbers.


def errors(one: Mapping[str, Label]) -> dict[str, float]:
    """The mean distance of each column from the first."""
    first, *others = one
    return {name: sum(abs(float(one[name](k)) - float(one[first](k))) for k in range(N)) / N for name in others}


BINARY: dict[str, Label] = {
    "label": lambda k: str(label(k, 2)),
    "gpt": lambda k: str(k % 7 % 2),
    "llama": lambda k: str(k % 5 % 2),
}
PROBABLE: dict[str, Label] = {
    "label": lambda k: str(label(k, 2)),
    "bert_prob": lambda k: f"{k % 11 / 11:.3f}",
    "roberta_prob": lambda k: f"{k % 13 / 13:.3f}",
}


def of(columns: Mapping[str, Label], right: str) -> str:
    head = ["id", right, *list(columns)[1:]]
    return rows(",".join(head), *(",".join([f"q{k}", *(cell(k) for cell in columns.values())]) for k in range(N)))


@pytest.mark.parametrize("right", ["label", "is_toxic", "polarity", "gold_label"])
def test_binary_labels_are_right_in_the_first_command(right: str) -> None:
    """The first command ignored what is right, and averaged predictions."""
    text = of(BINARY, right)
    found = scored(text)
    if found.problems:
        (problem,) = found.problems
        assert isinstance(problem, Unclear)
        what, command = problem.ways[0]
        assert what == f"{right} is right, and gpt, llama predict it"
        assert not any(f"{right}=system" in way for _, way in problem.ways)
        found = scored(text, **said(command))
    made = assemble(found.items)
    assert made.testset is not None
    wanted = {name: sum(BINARY["label"](k) == BINARY[name](k) for k in range(N)) for name in ("gpt", "llama")}
    own = {one.system: sum(map(str.__eq__, one.segments, made.testset.references[0])) for one in made.outputs}
    assert own == wanted


@pytest.mark.parametrize("right", ["label", "is_toxic"])
def test_how_likely_a_label_is_has_an_error(right: str) -> None:
    problem = asked(text := of(PROBABLE, right))
    (what, command), (other, scores), *_ = problem.ways
    assert what == f"{right} is right, and bert_prob, roberta_prob predict it"
    assert means(scored(text, **said(command))) == pytest.approx(errors(PROBABLE))
    assert other == f"bert_prob, roberta_prob are scores, and {right} is not used"
    plain = {name: sum(float(PROBABLE[name](k)) for k in range(N)) / N for name in ("bert_prob", "roberta_prob")}
    assert means(scored(text, **said(scores))) == pytest.approx(plain)


def test_yes_and_no_are_what_0_and_1_predict() -> None:
    """Its command averaged the predictions."""
    lines = [f"q{k},{('no', 'yes')[label(k, 2)]},{given(k, 2, 4)},{given(k, 2, 3)}" for k in range(N)]
    text = rows("id,label,bert,roberta", *lines)
    command = asked(text).ways[0][1]
    assert shares(text, **said(command)) == {"bert": N - 12, "roberta": N - 16}
    assert "no is 0, yes is 1" in told(scored(text, **said(command)))


# Multiple choice.

LETTERS = "ABCD"


def picked(k: int, every: int) -> str:
    return LETTERS[(label(k, 4) + (k % every == 0)) % 4]


OPTIONS = [
    ("A,B,C,D", "{0}"), ("option_a,option_b,option_c,option_d", "{0}"), ("choice1,choice2,choice3,choice4", "({0})"),
    ("(A),(B),(C),(D)", "{0}."),
]  # fmt: skip


@pytest.mark.parametrize(("heads", "form"), OPTIONS)
@pytest.mark.parametrize("key", ["gold", "answer_key", "correct_answer"])
def test_the_options_of_a_question_are_no_systems(heads: str, form: str, key: str) -> None:
    """A, B, C and D were four more systems with a token F1 of 0."""
    body = ",".join(f"{{k}} thing {one}" for one in LETTERS)
    form = form if key == "gold" else "{0}"
    lines = [
        f"q{k},{body.format(k=k)},{form.format(LETTERS[label(k, 4)])},{picked(k, 4)},{picked(k, 3)}" for k in range(N)
    ]
    found = scored(text := rows(f"id,{heads},{key},gpt4,llama", *lines))
    if found.problems:
        found = scored(text, **said(asked(text).ways[0][1]))
    assert {one.name for one in found.items if one.role == "system"} == {"gpt4", "llama"}


def test_systems_that_are_called_by_letters_stay_systems() -> None:
    """Their answers are letters, or say which were right; and without a key nothing names options."""
    for cell in ("{0}", "{1}"):
        lines = [",".join([f"q{k}", *(cell.format(picked(k, i + 2), (k + i) % 3 % 2) for i in range(4)), LETTERS[label(k, 4)]]) for k in range(N)]  # fmt: skip
        found = scored(text := rows("id,A,B,C,D,gold", *lines))
        if not found.problems:
            assert {one.name for one in found.items if one.role == "system"} == {*LETTERS}
        else:
            assert "A=system" in str(asked(text))
    plain = rows("id,A,B,C,D,ref", *(f"q{k},a cat {k},the cat {k},one cat {k},cat {k},a cat sat {k}" for k in range(N)))
    assert {one.name for one in scored(plain).items if one.role == "system"} == {*LETTERS}


def test_each_system_predicts_in_rows_of_its_own() -> None:
    """Its command took 80 rows of two systems for one."""
    lines = [
        f'{{"id": {k}, "model": "{name}", "question": "What {k}?", "choices": ["a{k}", "b{k}", "c{k}", "d{k}"], "answer": "{LETTERS[label(k, 4)]}", "prediction": "{picked(k, every)}"}}'
        for k in range(N)
        for name, every in (("gpt", 4), ("llama", 3))
    ]
    text = "\n".join(lines)
    (what, command), *_ = asked(text, "t.jsonl").ways
    assert what == "answer is right, and each system predicts it in prediction"
    assert shares(text, "t.jsonl", **said(command)) == {"gpt": N - 12, "llama": N - 16}
    assert "prediction has its words" in str(asked(text, "t.jsonl"))


def test_yes_below_a_question_says_which_answers_are_right() -> None:
    """Only the cost was left to compare."""
    lines = [f"{k},{name},{('No', 'Yes')[(k + i) % 3 > 0]},{k / 100}" for k in range(N) for i, name in enumerate("ab")]
    found = scored(rows("Prompt ID,Model Name,Correct?,Cost ($)", *lines))
    assert means(found) == {name: sum((k + i) % 3 > 0 for k in range(N)) / N for i, name in enumerate("ab")}
    assert "were read as 1 and 0: no, yes" in told(found)


# People beside systems, two kinds of labels, and parts of the data.


def people(cells: Callable[[int], str], head: str = "id,human1,human2,gpt,llama") -> str:
    return rows(head, *(f"q{k},{cells(k)}" for k in range(N)))


def test_people_that_are_numbered_do_not_compete() -> None:
    """Their mean was a third system, called rating."""
    text = people(lambda k: f"{1 + k % 6},{1 + k % 5},{1 + k % 4},{1 + k * k % 6}")
    only, also = asked(text).ways
    assert only[0] == "only gpt, llama compete"
    own = {"gpt": sum(1 + k % 4 for k in range(N)) / N, "llama": sum(1 + k * k % 6 for k in range(N)) / N}
    assert means(scored(text, **said(only[1]))) == pytest.approx(own)
    assert means(scored(text, **said(also[1]))).keys() == {"human1", "human2", "gpt", "llama"}
    assert roles(asked(text)) == {"id": "question", "human1": "ignored", "human2": "ignored", "gpt": "system", "llama": "system"}  # fmt: skip


def test_systems_may_predict_what_people_said() -> None:
    text = people(lambda k: f"{1 + label(k, 5)},{1 + given(k, 5, 5)},{1 + given(k, 5, 4)},{1 + given(k, 5, 3)}")
    what, command = asked(text).ways[0]
    assert what == "human1 is right, and gpt, llama predict it"
    assert shares(text, **said(command)) == {"gpt": N - 12, "llama": N - 16}


def test_a_person_beside_a_text_that_was_rated_competes_only_if_somebody_says_so() -> None:
    """The command made human, gpt and llama scores of one system."""
    text = people(lambda k: f"essay {k},{1 + k % 6},{1 + k % 4},{1 + k * k % 6}", "id,text,human,gpt,llama")
    only, also = asked(text).ways
    assert means(scored(text, **said(only[1]))).keys() == {"gpt", "llama"}
    assert means(scored(text, **said(also[1]))).keys() == {"human", "gpt", "llama"}


def test_what_most_people_said_is_right() -> None:
    """majority was a system, and the annotators were averaged."""
    words = ("neg", "pos")
    lines = [f"q{k},{words[given(k, 2, 5)]},{words[given(k, 2, 7)]},{words[label(k, 2)]},{words[given(k, 2, 4)]},{words[given(k, 2, 3)]}" for k in range(N)]  # fmt: skip
    text = rows("id,annotator1,annotator2,majority,gpt,llama", *lines)
    ((what, command),) = asked(text).ways
    assert what == "majority is right, and gpt, llama predict it"
    assert shares(text, **said(command)) == {"gpt": N - 12, "llama": N - 16}


def test_each_kind_of_labels_has_its_own_predictions() -> None:
    """All four predicted both, and the command ended in an error."""
    words, moods = ("neg", "pos"), ("sad", "joy", "fear")
    lines = [f"q{k},{words[label(k, 2)]},{moods[label(k, 3)]},{words[given(k, 2, 4)]},{moods[given(k, 3, 4)]},{words[given(k, 2, 3)]},{moods[given(k, 3, 3)]}" for k in range(N)]  # fmt: skip
    text = rows("id,gold_sent,gold_emo,gpt_sent,gpt_emo,llama_sent,llama_emo", *lines)
    ways = asked(text).ways
    assert [what for what, _ in ways[:2]] == [f"gold_{kind} is right, and gpt_{kind}, llama_{kind} predict it" for kind in ("sent", "emo")]  # fmt: skip
    for kind, (_, command) in zip(("sent", "emo"), ways, strict=False):
        assert shares(text, **said(command)) == {f"gpt_{kind}": N - 12, f"llama_{kind}": N - 16}


@pytest.mark.parametrize("long", [False, True])
def test_parts_of_the_data_are_test_sets(long: bool) -> None:
    """train counted with test, and parts were systems."""
    parts = ("train", "dev", "test")
    if long:
        text = rows("id,model,split,accuracy", *(f"{k},{name},{part},{(k + i) % 2}" for k in range(N) for i, name in enumerate("ab") for part in parts))  # fmt: skip
        (problem,) = scored(text).problems
        assert "--columns split=task" in str(problem).partition("split=system")[0]
        command = "split=task"
    else:
        text = rows("id,split,fox,owl", *(f"{k},{parts[k % 3]},{k % 7 / 7:.3f},{k % 5 / 5:.3f}" for k in range(N)))
        (_, command), (_, whole) = asked(text).ways
        assert {len(one.segments) for one in scored(text, **said(whole)).items} == {N}
    found = scored(text, **said(command))
    assert {one.testset for one in found.items if one.role == "system"} == {*parts}


# Right labels in other words.

SENSES = ("contradiction", "entailment", "neutral")


def inferred(form: Callable[[str], str], other: Callable[[str], str], right: Callable[[int], str]) -> str:
    lines = [
        f"q{k},{right(label(k, 3))},{form(SENSES[given(k, 3, 4)])},{other(SENSES[given(k, 3, 3)])}" for k in range(N)
    ]
    return rows("id,label,gpt,llama", *lines)


def test_short_forms_of_labels_have_their_numbers() -> None:
    """N and neutral had no command at all."""
    text = inferred(lambda word: word[0].upper(), str, SENSES.__getitem__)
    ((what, command),) = asked(text).ways
    assert what == "label is right, and gpt, llama predict it"
    assert shares(text, **said(command)) == {"gpt": N - 12, "llama": N - 16}


def test_short_forms_of_several_labels_are_not_guessed() -> None:
    text = inferred(lambda word: word[0].upper(), str, lambda k: ("never", "entailment", "neutral")[k])
    assert not any("--cells" in command and "NUMBER" not in command for _, command in asked(text).ways)


def test_somebody_says_which_number_a_label_is() -> None:
    """The command ignored what is right."""
    text = inferred(str, str, str)
    ((what, command),) = asked(text).ways
    assert what == "label is right, and gpt, llama predict it"
    assert command.endswith("--cells contradiction=NUMBER entailment=NUMBER neutral=NUMBER")
    for word, number in zip(SENSES, "012", strict=True):
        command = command.replace(f"{word}=NUMBER", f"{word}={number}")
    assert shares(text, **said(command)) == {"gpt": N - 12, "llama": N - 16}


def test_labels_in_sentences_lead_to_a_table() -> None:
    """Its command ended in an error: Negative. is no label."""
    text = inferred("I would say {} here.".format, lambda word: f"{word.capitalize()}.", SENSES.__getitem__)
    command = "label=reference gpt=system llama=system"
    assert all(f"--columns {command}" in str(one) for one in scored(text).problems)
    assert shares(text, **said(command)) == {"gpt": 0, "llama": N - 16}
    assert f"No answer of gpt is right as it is written, but {N - 12} hold the right one" in texts(
        loaded(text, **said(command))
    )


def test_letters_in_sentences_count() -> None:
    forms = ("{0}) because", "The answer is {0}")
    lines = [
        f"q{k},{LETTERS[label(k, 4)]},{forms[0].format(picked(k, 4))},{forms[1].format(picked(k, 3))}" for k in range(N)
    ]
    text = rows("id,gold,gpt,llama", *lines)
    ((_, command),) = asked(text).ways
    assert shares(text, **said(command)) == {"gpt": N - 12, "llama": N - 16}


@pytest.mark.parametrize("form", ["Answer: {0}", "the correct answer is ({0}).", "My answer: **{0}**", "Option {0}"])
def test_the_letter_of_an_answer_in_words(form: str) -> None:
    lines = [f"q{k},{LETTERS[label(k, 4)]},{form.format(picked(k, 4))},{picked(k, 3)}" for k in range(N)]
    columns = "gold=reference\ngpt=system\nllama=system"
    assert shares(rows("id,gold,gpt,llama", *lines), columns=columns) == {"gpt": N - 12, "llama": N - 16}
