"""Labels and marks of several systems beside what is right, and what else a file may hold: each reading is asked about."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from pathlib import Path

import pytest

from sigcore.data import assemble, nature, sentinels
from sigcore.data.paths import read_paths
from sigcore.readers import Choice, Intake, read
from sigcore.readers.contract import Item
from sigcore.readers.tables import documents, labels
from sigcore.readers.tables.table import Table
from tests.made_tables import N, asked, means, roles, rows, scored, told, value

LABELS = ("pos", "neg", "mix")
SYSTEMS = ("base", "large")


def label(k: int, i: int) -> str:
    """The label of item k by system i: the right one but for every (i + 3)rd item."""
    return LABELS[(k + (k % (i + 3) == 0)) % 3]


def led(text: str, way: int = 0, name: str = "t.csv") -> Intake:
    """What is read after one of the commands."""
    command, _, cells = asked(text, name).ways[way][1].partition(" --cells ")
    return scored(text, name, columns="\n".join(shlex.split(command)), cells="\n".join(shlex.split(cells)))


def of_role(found: Intake, role: str) -> list[Item]:
    assert not found.problems, found.problems
    return [item for item in found.items if item.role == role]


def right(found: Intake) -> dict[str, float]:
    """The share of the labels of each system that are right."""
    (gold,) = {item.segments for item in of_role(found, "reference")}
    texts = [item for item in of_role(found, "system") if item.kind == "text"]
    return {item.name: sum(map(str.__eq__, item.segments, gold)) / len(gold) for item in texts}


# A row for each system and question.


@pytest.mark.parametrize("heading", ["answer_key", "gold", "true_label", "expected"])
def test_the_column_that_is_the_same_for_all_systems_is_right(heading: str) -> None:
    own = [f"q{k},{name},{LABELS[k % 3]},{label(k, i)}" for i, name in enumerate(SYSTEMS) for k in range(2 * N)]
    text = rows(f"id,arm,{heading},guess", *own)
    assert roles(asked(text)) == {"id": "question", "arm": "system", heading: "reference", "guess": "text"}
    assert right(led(text)) == {"base": pytest.approx(2 / 3), "large": pytest.approx(3 / 4)}


def test_a_list_of_errors_has_no_right_answers() -> None:
    """Each guess is another label than the right one: nothing is compared."""
    own = [f"q{k},{name},{LABELS[k % 3]},{LABELS[(k + 1 + i) % 3]}" for i, name in enumerate(SYSTEMS) for k in range(N)]
    (problem,) = scored(rows("id,arm,answer_key,guess", *own)).problems
    assert "answer_key=reference" not in str(problem)


def test_a_verdict_needs_a_number_for_each_word() -> None:
    own = [f"q{k},{m},{('safe', 'unsafe')[(k + i) % 3 == 0]}" for i, m in enumerate(SYSTEMS) for k in range(N)]
    text = rows("id,model,verdict", *own)
    (problem,) = scored(text).problems
    assert "--columns verdict=score --cells safe=NUMBER unsafe=NUMBER" in problem.fix
    found = scored(text, columns="verdict=score", cells="safe=1\nunsafe=0")
    assert means(found) == {"base": pytest.approx(8 / 12), "large": pytest.approx(8 / 12)}


# A column for each system.


def test_numbers_beside_gold_ones_are_labels() -> None:
    own = [f"q{k},{k % 3},{(k + (k % 4 == 0)) % 3},{(k + (k % 6 == 0)) % 3},{k % 7}" for k in range(2 * N)]
    found = scored(rows("id,true_label,bert_pred,svm_pred,words", *own))
    assert right(found) == {"bert": pytest.approx(3 / 4), "svm": pytest.approx(5 / 6)}


def test_a_system_that_gives_one_label_alone_is_compared_with_the_others() -> None:
    own = [f"q{k},{k % 3},1,{(k + (k % 6 == 0)) % 3}" for k in range(2 * N)]
    found = scored(rows("id,true_label,bert_pred,svm_pred", *own))
    assert right(found) == {"bert": pytest.approx(1 / 3), "svm": pytest.approx(5 / 6)}


@pytest.mark.parametrize("heading", ["human", "human1", "rater1", "annotator_Anna", "expert_score", "teacher_grade"])
def test_people_do_not_compete_unless_somebody_says_so(heading: str) -> None:
    """They gave what the others predict, or are beside the point, or compete."""
    own = [f"q{k},{1 + k % 5},{1 + (k + (k % 4 == 0)) % 5},{1 + (k + (k % 6 == 0)) % 5}" for k in range(2 * N)]
    text = rows(f"id,{heading},alpha,beta", *own)
    assert roles(asked(text)) == {"id": "question", heading: "reference", "alpha": "system", "beta": "system"}
    assert right(led(text)) == {"alpha": pytest.approx(3 / 4), "beta": pytest.approx(5 / 6)}
    assert set(means(led(text, 1))) == {"alpha", "beta"}
    assert set(means(led(text, 2))) == {heading, "alpha", "beta"}


def test_people_whom_nobody_follows_are_not_offered_as_right() -> None:
    own = [f"q{k},{value(k, 0)},{value(k, 3)},{value(2 * k, 1)}" for k in range(2 * N)]
    ways = asked(rows("id,rater1,alpha,beta", *own)).ways
    assert [why for why, _ in ways] == ["only alpha, beta compete", "rater1 competes, too"]


@pytest.mark.parametrize("heading", ["human", "humaneval", "expertise", "teacher", "rate", "personal"])
def test_other_headings_are_not_of_people(heading: str) -> None:
    """Nor are fractions below human: people who wrote a summary have scores, and compete (Rankel et al.)."""
    assert not labels.is_of_people(heading)
    own = [f"q{k},{value(k, 0)},{value(k, 1)}" for k in range(N)]
    assert set(means(scored(rows(f"id,{heading},beta", *own)))) == {heading, "beta"}


@pytest.mark.parametrize("headings", ["human,expert", "rater1,alpha"])
def test_two_columns_of_which_one_is_of_people_are_asked_about(headings: str) -> None:
    """Nothing is compared without them, so the one reading is that they compete."""
    own = [f"q{k},{1 + k % 5},{1 + k % 4}" for k in range(N)]
    ((why, command),) = asked(rows(f"id,{headings}", *own)).ways
    assert why.removesuffix(", too") in ("human, expert compete", "rater1 competes")
    assert {*command.split()} == {f"{name}=system" for name in headings.split(",")}


def test_people_who_rated_one_system_compare_nothing() -> None:
    own = [f"q{k},{1 + k % 5},{1 + k % 4}" for k in range(N)]
    assert "do not compete" not in str(scored(rows("id,rater1,rater2", *own)).problems)


def test_numbers_that_agree_by_chance_are_no_labels() -> None:
    """14 of 50 are the same, and 10 would be by chance; of the other column 23 are."""
    gold = [1 + k % 5 for k in range(50)]
    near = [1 + (k + (k % 3 > 0) * (1 + k // 5)) % 5 for k in range(50)]
    chance = [1 + (k // 5) % 5 if k % 9 else gold[k] for k in range(50)]
    cells = [[*map(str, row)] for row in zip(gold, near, chance, strict=True)]
    assert labels.same_labels(Table("t.csv", ["gold", "near", "chance"], cells, range(2, 52)), 0) == [1]


# Words and totals.


@pytest.mark.parametrize("total", ["6,8", "50%,66.7%", "6/12,8/12"])
def test_a_total_of_words_is_left_out(total: str) -> None:
    own = [f"q{k},{('fail', 'pass')[k % 2]},{('fail', 'pass')[k % 3 > 0]}" for k in range(N)]
    found = scored(rows("id,alpha,beta", *own, f"Total,{total}"))
    assert means(found) == {"alpha": 1 / 2, "beta": pytest.approx(2 / 3)}
    assert "Its last row, Total, sums up the others: left out." in told(found)


def test_a_row_called_total_that_counts_nothing_is_not_left_out() -> None:
    own = [f"q{k},{('fail', 'pass')[k % 2]},{('fail', 'pass')[k % 3 > 0]}" for k in range(N)]
    assert "left out" not in told(scored(rows("id,alpha,beta", *own, "Total,7,9")))


def test_blank_rows_before_the_heading_are_none() -> None:
    own = [f"q{k},{value(k, 0)},{value(k, 1)}" for k in range(N)]
    text = rows("id,alpha,beta", *own)
    assert means(scored(",,\n,,\n" + text)) == means(scored(text))


@pytest.mark.parametrize("word", ["-", "--"])
def test_a_dash_is_a_word_whose_meaning_is_asked(word: str) -> None:
    own = [f"q{k},base,large,{('a', 'b', word)[k % 3]}" for k in range(N)]
    assert f"--cells {word}=WHO" in asked(rows("id,a,b,winner", *own)).fix


def test_few_names_that_end_as_a_measure_does_are_names_of_systems() -> None:
    """rl is a measure (ROUGE-L), and reinforcement learning; half of the columns or more with a measure are asked about."""
    names = ["bart_out", "bottom_up_out", "lstm_pn_rl", "bert_pn_rl", "t5_out"]
    own = [",".join([str(k), *(str(value(k, i)) for i in range(5))]) for k in range(N)]
    assert list(means(scored(rows(f"doc_id,{','.join(names)}", *own), "scores.rouge_1_f_score.csv"))) == names
    assert "name a measure" in asked(rows("doc_id,a_bleu,b_bleu,other", *(row.rsplit(",", 2)[0] for row in own))).why


# Objects and lists.


def test_objects_in_cells_are_columns() -> None:
    own = [f"q{k}," + '"' + json.dumps({m: value(k, i) for i, m in enumerate(SYSTEMS)}).replace('"', '""') + '"' for k in range(N)]  # fmt: skip
    text = rows("id,preds", *own)
    assert roles(asked(text)) == {"id": "question", "preds.base": "system", "preds.large": "system"}
    expected = [sum(value(k, i) for k in range(N)) / N for i in (0, 1)]
    assert list(means(led(text)).values()) == [pytest.approx(one) for one in expected]


def of_list(key: str, way: str) -> object:
    """The same scores of both systems, in one of the ways in which JSON nests them."""
    own = {m: {f"q{k}": value(k, i) for k in range(N)} for i, m in enumerate(SYSTEMS)}
    if way == "numbers by id in each record":
        return [{"model": m, key: part} for m, part in own.items()]
    if way == "records by id below each name":
        return {m: {i: {"acc": cell} for i, cell in part.items()} for m, part in own.items()}
    return {"ids": [*own["base"]], key: {m: [*part.values()] for m, part in own.items()}}


@pytest.mark.parametrize("way", ["numbers by id in each record", "records by id below each name", "lists beside ids"])
def test_nested_scores_are_those_of_a_flat_table(way: str) -> None:
    found = scored(json.dumps(of_list("scores", way)), "t.json")
    if found.problems:
        found = led(json.dumps(of_list("scores", way)), name="t.json")
    assert means(found) == {m: pytest.approx(sum(value(k, i) for k in range(N)) / N) for i, m in enumerate(SYSTEMS)}


def test_objects_that_are_no_marks_of_several_names_are_not_taken_apart() -> None:
    """Texts by id, other ids, and parts beside the names: nothing is known of these."""
    ids = [f"q{k}" for k in range(N)]
    own = [{"model": m, "s": {i: value(k, n) for k, i in enumerate(ids)}} for n, m in enumerate(SYSTEMS)]
    assert len(documents.by_instance(own)) == 2 * N
    assert documents.by_instance([{**one, "s": dict.fromkeys(ids, "text")} for one in own]) == []
    assert documents.by_instance([own[0], {"model": "x", "s": {"other": 1.0}}]) == []
    inside = {m: {i: {"acc": 1} for i in ids} for m in SYSTEMS}
    assert documents.by_two_names({"test": inside}, "arm")[0] == {"arm": "base", "id": "q0", "acc": 1}
    assert documents.by_two_names({"test": inside, "dev": inside}, "arm")[-1] == {"task": "dev", "arm": "large", "id": ids[-1], "acc": 1}  # fmt: skip
    assert documents.by_two_names({"test": {**inside, "large": {"q1": {"acc": 1}}}}, "arm") == []
    assert documents.by_two_names({"test": {"base": inside["base"]}}, "arm") == []


def test_lines_of_a_list_end_with_commas() -> None:
    own = [json.dumps({"id": k, "a": value(k, 0), "b": value(k, 1)}) for k in range(N)]
    assert means(scored(",\n".join(own), "t.jsonl")) == means(scored("\n".join(own), "t.jsonl"))
    half = [one + "," * (k % 2) for k, one in enumerate(own)]
    assert scored("\n".join(half), "t.jsonl").problems


def test_the_place_of_the_better_text_counts_for_its_policy() -> None:
    records = [
        {"summaries": [{"text": f"a {k}", "policy": "sup"}, {"text": f"b {k}", "policy": "rl"}], "choice": int(k % 3 > 0)}
        for k in range(N)
    ]  # fmt: skip
    found = scored("\n".join(map(json.dumps, records)), "t.jsonl")
    assert not found.problems
    (people,) = found.preferences
    both = zip(people.first.tolist(), people.second.tolist(), people.outcome.tolist(), strict=True)
    better = [first if outcome == 1 else second for first, second, outcome in both]
    assert better == ["rl" if k % 3 else "sup" for k in range(N)]


# Roles by the names of files and folders.


@pytest.mark.parametrize("name", ["gold/test.txt", "gold.txt", "ground_truth/test.txt"])
def test_a_file_called_gold_is_the_reference(name: str) -> None:
    found = read([(name, b"one\ntwo\nthree\n"), ("base.txt", b"one\ntwo\nfour\n")], every=Choice(options={}))
    assert [item.file for item in of_role(found, "reference")] == [name]


def of_texts(*names: str) -> str:
    """What the texts are of that files of these names hold."""
    files = [
        ("ref.txt", b"The cat sat on the mat.\nIt was warm.\n"),
        *((name, b"The cat sat.\nIt was.\n") for name in names),
    ]
    items = read(files, every=Choice(options={})).items
    loaded = assemble(items)
    return nature.texts_of(loaded.testset, loaded.outputs, items).kind


def test_what_recognisers_wrote_is_speech() -> None:
    """All of them: one of two may be a translation."""
    assert of_texts("whisper.txt", "wav2vec2.txt") == "speech"
    assert of_texts("whisper.txt", "moses.txt") != "speech"


@pytest.mark.parametrize(
    ("word", "found"), [("wav2vec2-base", True), ("asr_out", True), ("fastt5", False), ("laser", False)]
)
def test_names_of_recognisers(word: str, found: bool) -> None:
    assert bool(nature.RECOGNISED.search(word)) == found


def test_a_reward_of_minus_one_may_be_a_code() -> None:
    """A reward may be negative, so a warning is all: the table is as it was."""
    scores = {"base": Counter({-1.0: 3, 0.5: 5, 1.0: 4}), "large": Counter({0.25: 6, 1.0: 6})}
    assert sentinels.suspect("reward", scores) is None
    assert sentinels.suspect("acc", scores) is not None
    own = [
        f"q{k},{m},{-1 if m == 'base' and k % 4 == 0 else value(k, i)}" for i, m in enumerate(SYSTEMS) for k in range(N)
    ]
    findings = assemble(scored(rows("id,model,reward", *own)).items).findings
    assert [one.severity for one in findings if "-1" in one.what] == ["warning"]
    assert not [one for one in findings if one.severity == "error"]


def test_hidden_folders_and_the_reference_are_no_systems_of_a_folder(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt", "ref.txt", ".hydra/config.yaml", ".git/HEAD"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("one\ntwo\n")
    files, given = read_paths([tmp_path], {"reference": [tmp_path / "ref.txt"]})
    shown = [name.rpartition("/")[2] for name, _ in files]
    assert sorted(shown) == ["a.txt", "b.txt", "ref.txt"]
    assert [role for _, role in given] == ["reference"]
