"""Several files that are no rival each: test sets with references of their own, rows in another order, judges, and what is right."""

from __future__ import annotations

import random
import shlex
from collections.abc import Sequence

import pytest

from sigcore import readers
from sigcore.data.collection import Collection
from sigcore.readers import Choice
from sigcore.readers.tables.unclear import Unclear
from sigcore.types import Role
from tests.made_tables import rows

N = 30
WORDS = ("red", "blue", "green", "house", "tree", "river", "stone", "cloud", "bird", "fish", "road", "lamp", "door")
QUESTIONS = [f"what is the height of mountain {k} ?" for k in range(N)]


def sentences(seed: int) -> list[str]:
    drawn = random.Random(seed)
    return [" ".join(drawn.choices(WORDS, k=9)) for _ in range(N)]


def worse(texts: Sequence[str], every: int) -> list[str]:
    """The texts with one word in each of `every` rows replaced by another word."""
    return [f"{text} other" if k % every == 0 else text for k, text in enumerate(texts)]


def loaded(files: dict[str, str], roles: tuple[tuple[str, Role], ...] = (), **options: str) -> Collection:
    collection = Collection()
    every = Choice(options=options) if options else None
    collection.add([(name, text.encode()) for name, text in files.items()], roles=roles, every=every)
    return collection


def said(collection: Collection) -> str:
    return " ".join(map(str, collection.problems))


def hits(collection: Collection, testset: str = "") -> dict[str, int]:
    """How many rows of each system are equal to the one reference."""
    collection.select(testset=testset)
    ready = collection.sound()
    (right,) = ready.testset.references
    return {one.system: sum(map(str.__eq__, one.segments, right)) for one in ready.outputs}


# References of their own.


@pytest.mark.parametrize("name", ["{d}/{s}.txt", "{d}_{s}.txt", "{d}.{s}.txt", "{s}.{d}", "test-{d}/{s}.txt"])
@pytest.mark.parametrize("sets", [("de", "fr"), ("cnn", "xsum"), ("part1", "part2")])
def test_each_reference_belongs_to_the_outputs_of_its_name(name: str, sets: tuple[str, str]) -> None:
    """Two test sets of as many lines: an output is compared with the reference of its own one alone."""
    files, right = dict[str, str](), dict[str, dict[str, int]]()
    for seed, d in enumerate(sets):
        gold = sentences(seed)
        outputs = {"A": worse(gold, 5), "B": worse(gold, 3 + seed)}
        right[d] = {s: sum(map(str.__eq__, texts, gold)) for s, texts in outputs.items()}
        files |= {name.format(d=d, s=s): "\n".join(texts) + "\n" for s, texts in {"ref": gold, **outputs}.items()}
    collection = loaded(files)
    assert not collection.problems
    assert collection.choices.testsets == sets
    assert {d: hits(collection, d) for d in sets} == right


def test_two_references_of_all_outputs_stay_two_references() -> None:
    """Online-A and ref-A share a letter: outputs are as much like each reference, and nothing is read as test sets."""
    first = sentences(1)
    files = {"ref-A.txt": first, "ref-B.txt": worse(first, 2), "gpt.txt": worse(first, 4), "llama.txt": worse(first, 5)}
    texts = {name: "\n".join(own) + "\n" for name, own in files.items()}
    collection = loaded(texts)
    assert not collection.choices.testsets
    assert len(collection.sound().testset.references) == 2
    online = {name.replace("gpt", "online-A").replace("llama", "online-B"): text for name, text in texts.items()}
    assert "may be the references of as many test sets" in said(loaded(online))
    roles: tuple[tuple[str, Role], ...] = (("ref-A.txt", "reference"), ("ref-B.txt", "reference"))
    assert len(loaded(online, roles).sound().testset.references) == 2


def labelled(right: Sequence[str], every: int, heads: str = "id,label,prediction") -> tuple[str, int]:
    """A table of labels of which one in `every` is wrong, and how many are right."""
    made = [{"pos": "neg", "neg": "pos"}[one] if k % every == 0 else one for k, one in enumerate(right)]
    table = rows(heads, *(f"{k},{one},{label}" for k, (one, label) in enumerate(zip(right, made, strict=True))))
    return table, sum(map(str.__eq__, right, made))


@pytest.mark.parametrize("name", ["{s}_{d}.csv", "{s}/{d}.csv"])
def test_right_labels_next_to_outputs_are_of_their_own_test_set(name: str) -> None:
    """bert_news and bert_law have other right labels: none is right because it equals the label of the other set."""
    files, right = dict[str, str](), dict[str, dict[str, int]]()
    for seed, d in enumerate(("law", "news")):
        gold = random.Random(seed).choices(["pos", "neg"], k=N)
        for s, every in (("bert", 6), ("lstm", 4)):
            files[name.format(d=d, s=s)], right.setdefault(d, {})[s] = labelled(gold, every)
    collection = loaded(files)
    assert {d: hits(collection, d) for d in ("law", "news")} == right


def test_references_that_differ_and_names_that_say_nothing_are_refused() -> None:
    """Two of three files have the same right labels: the third one is not scored with them."""
    gold = random.Random(1).choices(["pos", "neg"], k=N)
    files = {"bert.csv": labelled(gold, 6)[0], "lstm.csv": labelled(gold, 4)[0]}
    assert hits(loaded(files)) == {"bert": labelled(gold, 6)[1], "lstm": labelled(gold, 4)[1]}
    files["gru.csv"] = labelled(["pos", *gold[1:-1], "neg"] if gold[0] == "neg" else ["neg", *gold[1:]], 5)[0]
    found = loaded(files).loaded().of("error")
    assert any("these references differ" in one.what for one in found)


def test_right_labels_in_another_order_without_ids_are_refused() -> None:
    """Nothing says which rows belong together, and no row is compared with the label of another one."""
    gold = ["pos"] * 11 + ["neg"] * (N - 11)
    tables = {
        name: rows("label,prediction", *(f"{one},{'pos' if k % 4 else 'neg'}" for k, one in enumerate(own)))
        for name, own in (("bert.csv", gold), ("lstm.csv", gold[::-1]))
    }
    found = loaded(tables).loaded().of("error")
    assert any("the same right answers in another order" in one.what for one in found)


# Rows in another order.


def answered(order: Sequence[int], right: int, heads: str = "question,correct") -> str:
    """A table of the questions in an order, of which the first `right` are answered."""
    own = ((QUESTIONS[k], k < right) for k in order)
    numbered = heads.startswith("id,")
    return rows(heads, *(f"{f'{i},' if numbered else ''}{text},{int(good)}" for i, (text, good) in enumerate(own)))


@pytest.mark.parametrize("heads", ["question,correct", "id,question,correct", "filename,correct", "prompt,correct"])
def test_rows_of_the_same_texts_are_matched_by_these(heads: str) -> None:
    """Whoever answers questions 0 to 19 is better on 10 questions, and worse on none, in whatever order they stand."""
    forth, back = list(range(N)), random.Random(3).sample(range(N), N)
    collection = loaded({"A.csv": answered(forth, 20, heads), "B.csv": answered(back, 10, heads)})
    ready = collection.sound()
    a, b = ([float(cell) for cell in one.segments] for one in ready.outputs)
    assert sum(one > other for one, other in zip(a, b, strict=True)) == 10
    assert not any(one < other for one, other in zip(a, b, strict=True))
    assert any("same texts in another order" in notice.message for notice in collection.notices)


GRID = "+-------------+-----+-----+\n"
FORMS = {
    "md": ("| sample | WER | TER |\n|---|---|---|\n", "| {} | {} | {} |\n"),
    "log": ("", "[sample: {}, WER: {}%, TER: {}%, total WER: 7.5%]\n"),
    "txt": ("sample WER TER\n", "{} {} {}\n"),
    "dat": ("sample,WER,TER\n", "{},{},{}\n"),
    "out": ("sample\tWER\tTER\n", "{}\t{}\t{}\n"),
    "csv": ("sample;WER;TER\n", "{};{};{}\n"),
    "tsv": ("sample\tWER\tTER\n", "{}\t{}\t{}\n"),
    "jsonl": ("", '{{"sample": "{}", "WER": {}, "TER": {}}}\n'),
    "rst": (f"{GRID}| sample      | WER | TER |\n{GRID}", "| {:11} | {} | {} |\n" + GRID),
}


@pytest.mark.parametrize("form", FORMS)
def test_rows_in_another_order_are_matched_however_the_table_is_written(form: str) -> None:
    """In each form B has one error more than A in every sample, in whatever order these stand."""
    head, row = FORMS[form]
    names = [f"{k * 37 % 101}-{k:04}-x" for k in range(N)]
    order = random.Random(3).sample(range(N), N)
    a = head + "".join(row.format(names[k], k + 0.5, k % 7 + 0.25) for k in range(N))
    b = head + "".join(row.format(names[k], k + 1.5, k % 7 + 0.25) for k in order)
    ready = loaded({f"A.{form}": a, f"B.{form}": b}).sound()
    one, other = ([float(cell) for cell in one.segments] for one in ready.outputs)
    assert [y - x for x, y in zip(one, other, strict=True)] == [1.0] * N


def test_rows_in_one_order_or_with_true_ids_stay_as_they_are() -> None:
    """No file is read again where each place, or each id, has the same question."""
    forth, back = list(range(N)), random.Random(3).sample(range(N), N)
    same = loaded({"A.csv": answered(forth, 20), "B.csv": answered(forth, 10)})
    own = [rows("id,question,correct", *(f"{k},{QUESTIONS[k]},{k % 2}" for k in order)) for order in (forth, back)]
    for collection in (same, loaded({"A.csv": own[0], "B.csv": own[1]})):
        assert not any("names its rows" in notice.message for notice in collection.notices)
        assert collection.sound().testset.n == N


@pytest.mark.parametrize("counter", ["slot {}", "log/{:03}.txt", "#{}"])
def test_what_counts_the_rows_names_none(counter: str) -> None:
    """Rows with ids were matched by the number that each file gave them."""
    forth, back = list(range(N)), random.Random(3).sample(range(N), N)
    files = {
        name: rows(
            "id,slot,correct", *(f"x{7 * k % N},{counter.format(i)},{int(k < right)}" for i, k in enumerate(order))
        )
        for name, right, order in (("A.csv", 20, forth), ("B.csv", 10, back))
    }
    ready = loaded(files).sound()
    a, b = ([float(cell) for cell in one.segments] for one in ready.outputs)
    assert [one > other for one, other in zip(a, b, strict=True)].count(True) == 10
    assert not any(one < other for one, other in zip(a, b, strict=True))


@pytest.mark.parametrize(("gone", "left"), [(25, N - 2), (1, N - 2)])
def test_a_question_that_a_file_lacks_moves_no_others(gone: int, left: int) -> None:
    """Each file lacks another question: from there on each place was another question."""
    files = {
        name: rows("question,f1", *(f"{QUESTIONS[k]},0.{(k + i) % 9}" for k in range(N) if k != without))
        for i, (name, without) in enumerate((("A.csv", N - 2), ("B.csv", gone)))
    }
    ready = loaded(files).sound("drop")
    a, b = ([float(cell) for cell in one.segments] for one in ready.outputs)
    assert ready.testset.n == left
    expected = [(k % 9 / 10, (k + 1) % 9 / 10) for k in range(N) if k not in (N - 2, gone)]
    assert sorted(zip(a, b, strict=True)) == sorted(expected)


def test_ids_of_one_text_are_ids_of_the_others() -> None:
    """Only the file of right answers was read without its ids: those of the outputs counted as wrong words."""
    keys = [f"d{k:03}.s{7 * k % 5:03}" for k in range(N)]
    gold = [f"sense%{k % 4}" if k % 6 else f"sense%{k % 4} sense%{(k + 1) % 4}" for k in range(N)]
    texts = {name: [f"sense%{(k + (k % every == 0)) % 4}" for k in range(N)] for name, every in (("A", 5), ("B", 3))}
    named = {"gold.key.txt": gold, "A.key.txt": texts["A"], "B.key.txt": texts["B"]}
    files = {name: rows(*(f"{key} {text}" for key, text in zip(keys, own, strict=True))) for name, own in named.items()}
    collection = loaded(files, (("gold.key.txt", "reference"),))
    ready = collection.sound()
    assert {one.system.partition(".")[0]: list(one.segments) for one in ready.outputs} == texts


def test_a_reference_without_some_segments_is_of_the_same_test_set() -> None:
    """The files were taken for two test sets, and nothing led on."""
    gold = random.Random(5).choices(["pos", "neg"], k=N)
    files = {
        name: rows("id,gold,pred", *(f"q{k},{gold[k]},{'neg' if k % every == 0 else gold[k]}" for k in range(n)))
        for name, every, n in (("A.csv", 5, N), ("B.csv", 3, N - 1))
    }
    collection = loaded(files)
    ready = collection.sound("drop")
    assert ready.testset.n == N - 1


def test_outputs_and_labels_move_with_their_texts() -> None:
    """A table of a text, its right label and a prediction: each prediction is compared with the label of its own text."""
    gold = random.Random(5).choices(["pos", "neg"], k=N)
    files, right = dict[str, str](), dict[str, int]()
    for name, every, order in (("A", 5, list(range(N))), ("B", 3, random.Random(7).sample(range(N), N))):
        made = [{"pos": "neg", "neg": "pos"}[one] if k % every == 0 else one for k, one in enumerate(gold)]
        files[f"{name}.csv"] = rows("text,label,prediction", *(f"{QUESTIONS[k]},{gold[k]},{made[k]}" for k in order))
        right[name] = sum(map(str.__eq__, made, gold))
    assert hits(loaded(files)) == right


def test_files_of_other_questions_are_no_rivals() -> None:
    """Two tasks with ids that count: their questions make them test sets, in whatever part of the name the task stands."""
    for name in ("{s}/{d}.csv", "{s}_{d}.csv"):
        files = {
            name.format(s=s, d=d): rows(
                "id,question,correct", *(f"{k},{d} asks for {k},{int(k % (2 + seed) == 0)}" for k in range(N))
            )
            for s in ("gpt", "llama")
            for seed, d in enumerate(("algebra", "law"))
        }
        collection = loaded(files)
        asked = said(collection) + " ".join(one.what for one in collection.loaded().of("error"))
        assert collection.choices.testsets == ("algebra", "law") or "was asked nothing" in asked
    ids = {f"{s}.csv": rows("id,prompt,correct", *(f"{k},{s} says {k},{k % 2}" for k in range(N))) for s in ("a", "b")}
    assert loaded(ids).sound().testset.n == N  # prompts may be those of each system


# Names that are no systems.


def scored(seed: int, values: Sequence[object] = (1, 2, 3, 4, 5), heads: str = "id,score") -> str:
    drawn = random.Random(seed)
    return rows(heads, *(f"{k},{drawn.choice(values)}" for k in range(N)))


def command(text: str, option: str) -> list[str]:
    """The files that a message names behind an option, or behind these words."""
    return [part.rstrip(".") for part in shlex.split(text.partition(option)[2].split(". ")[0])]


@pytest.mark.parametrize("name", ["{s}/{d}.csv", "{s}_{d}.csv", "{d}/{s}.csv"])
@pytest.mark.parametrize("parts", [("algebra", "law"), ("fluency", "adequacy"), ("dev", "test")])
def test_a_grid_of_names_is_asked(name: str, parts: tuple[str, str]) -> None:
    """Each of two systems has a file for each of two: both commands lead on, and to the right numbers."""
    files = {
        name.format(s=s, d=d): scored(k + 2 * i) for k, s in enumerate(("gpt4", "llama")) for i, d in enumerate(parts)
    }
    found = said(loaded(files))
    assert "Which part of these names is the system?" in found
    alone = command(found, "compare the files of one alone:")
    assert len(alone) == 2
    assert len({part for part in parts if all(part in file for file in alone)}) == 1
    ready = loaded({file: files[file] for file in alone}).sound()
    assert len(ready.outputs) == 2
    every = command(found, "--systems")
    assert {*every} == {*files}
    assert len(loaded(files, tuple((file, "system") for file in every)).sound().outputs) == 4


@pytest.mark.parametrize("parts", [("base", "large"), ("run1", "run2"), ("1", "2")])
def test_variants_and_runs_are_compared_as_before(parts: tuple[str, str]) -> None:
    files = {f"{s}_{d}.csv": scored(k + 2 * i) for k, s in enumerate(("bert", "gpt")) for i, d in enumerate(parts)}
    assert len(loaded(files).sound().outputs) == 4
    del files[f"gpt_{parts[1]}.csv"]
    assert len(loaded(files).sound().outputs) == 3


def test_the_same_ids_are_of_one_test_set() -> None:
    """Ids that do not count, and that all files share, say that these are answers to the same questions."""
    names = [f"{s}_{d}.csv" for s in ("bert", "gpt") for d in ("alpha", "beta")]
    text = {
        name: rows("id,score", *(f"{w}-{k},{(k * i) % 5}" for i, w in enumerate("xyz", 2) for k in range(9, -1, -1)))
        for name in names
    }
    hashed = {name: own.replace("x-", "ab").replace("y-", "cd").replace("z-", "ef") for name, own in text.items()}
    mixed = {
        name: rows(own.splitlines()[0], *sorted(own.splitlines()[1:], key=lambda row: row[::-1]))
        for name, own in hashed.items()
    }
    assert "Which part" not in said(loaded(mixed))


@pytest.mark.parametrize("names", [("alice", "bob"), ("judge_gpt4", "judge_claude"), ("gpt4_judge", "claude_judge")])
def test_judges_are_no_systems(names: tuple[str, str]) -> None:
    files = {f"{name}.csv": scored(k) for k, name in enumerate(names)}
    found = said(loaded(files))
    assert "judges of the same answers" in found
    every = command(found, "--systems")
    assert len(loaded(files, tuple((file, "system") for file in every)).sound().outputs) == 2


@pytest.mark.parametrize("names", [("claude", "bert"), ("alice", "bert"), ("judge_results", "judge_results_new")])
def test_systems_are_no_judges(names: tuple[str, str]) -> None:
    files = {f"{name}.csv": scored(k) for k, name in enumerate(names)}
    assert len(loaded(files).sound().outputs) == 2


@pytest.mark.parametrize("name", ["human", "gold", "ground_truth", "labels", "human_scores"])
def test_what_is_right_is_no_system(name: str) -> None:
    files = {f"{one}.csv": scored(k, (0.25, 0.5, 0.75)) for k, one in enumerate((name, "bert", "lstm"))}
    found = said(loaded(files))
    assert f"Is {name}.csv a system?" in found
    assert command(found, "leave it out:") == ["bert.csv", "lstm.csv"]
    every = command(found, "--systems")
    assert len(loaded(files, tuple((file, "system") for file in every)).sound().outputs) == 3


def test_people_next_to_systems_under_a_known_measure_are_compared() -> None:
    files = {f"{one}.csv": scored(k, (0, 1), "id,accuracy") for k, one in enumerate(("human", "bert"))}
    assert len(loaded(files).sound().outputs) == 2


@pytest.mark.parametrize(
    ("numbers", "role"),
    [
        (range(10), "question"),
        (range(1, 11), "question"),
        (range(9), "score"),  # as few may be ranked
        (range(2, 12), "score"),
        ((*range(9), 10), "score"),
        ((*range(9), 8), "score"),
        ((0, 1, 2, 4, 4, 5, 6, 7, 8, 9), "score"),
    ],
)
def test_numbers_from_0_or_1_on_in_any_order_are_those_of_the_rows(numbers: Sequence[int], role: str) -> None:
    """No command that a question prints takes them for scores, or leaves the rows to their places."""
    shuffled = random.Random(3).sample(list(numbers), len(numbers))
    assert [*shuffled] != [*numbers]
    (problem,) = readers.read([("A.csv", rows("entry,WER", *(f"{k},{k % 7}.5" for k in shuffled)).encode())]).problems
    assert isinstance(problem, Unclear)
    assert {claim.column: claim.role for claim in problem.claims}["entry"] == role


def test_very_long_numbers_number_no_rows() -> None:
    """Python refuses to read a whole number of more than 4,300 digits."""
    texts = rows("entry,WER", *(f"{'9' * 5000}{k},{k}.5" for k in range(12)))
    assert readers.read([("A.csv", texts.encode())]).problems
