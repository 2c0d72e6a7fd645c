"""Entities from files to a test set: one gold answer, the same words, and what looks odd."""

from __future__ import annotations

import json

import pytest

from sigcore.data import Collection, word_rows
from sigcore.data.assembly import Loaded
from sigcore.errors import SigError
from sigcore.readers import Choice

SENTENCES = [
    ("Anna lives in Oslo", "B-PER O O B-LOC"),
    ("It rains", "O O"),
    ("Peter Bell sleeps", "B-PER I-PER O"),
] * 12


def tagged(*columns: list[str], sentences: list[tuple[str, str]] = SENTENCES) -> str:
    """Lines of words with columns of tags, each a list of sentences."""
    out = []
    for k, (words, _) in enumerate(sentences):
        cells = zip(words.split(), *(column[k].split() for column in columns), strict=True)
        out.append("\n".join(map(" ".join, cells)))
    return "\n\n".join(out) + "\n"


GOLD = [tags for _, tags in SENTENCES]
A = ["B-PER O O O", *GOLD[1:]]
B = ["B-ORG O O B-LOC", "B-LOC O", *GOLD[2:]]


def loaded(*files: tuple[str, str]) -> Loaded:
    """What the files make."""
    collection = Collection()
    collection.add([(name, text.encode()) for name, text in files])
    assert collection.problems == ()
    return collection.loaded()


def errors(found: Loaded) -> list[str]:
    return [finding.what for finding in found.of("error")]


def test_files_with_gold_beside_them_share_one_gold_answer() -> None:
    """One file per system, each with the same gold tags; or a gold file and a file per system; or both."""
    both = loaded(("A.conll", tagged(GOLD, A)), ("B.conll", tagged(GOLD, B)))
    apart = loaded(("gold.bio", tagged(GOLD)), ("A.bio", tagged(A)), ("B.bio", tagged(B)))
    mixed = loaded(("gold.bio", tagged(GOLD)), ("A.conll", tagged(GOLD, A)), ("B.bio", tagged(B)))
    for found in (both, apart, mixed):
        assert errors(found) == []
        assert found.testset is not None
        assert found.testset.kind == "spans"
        assert len(found.testset.references) == 1
        assert [item.system for item in found.outputs] == ["A", "B"]
    assert both.testset.references == apart.testset.references == mixed.testset.references  # type: ignore[union-attr]


def test_another_gold_answer_is_refused_with_its_place() -> None:
    """Gold in each file must agree: the odd file is left out, and its first difference is named."""
    other = ["B-PER O O O", *GOLD[1:]]
    found = loaded(("A.conll", tagged(GOLD, A)), ("B.conll", tagged(other, B)), ("C.conll", tagged(GOLD, B)))
    (what,) = errors(found)
    assert what == "The gold entities of B.gold and A.gold differ in sentence 1: only A.gold has 'Oslo' (LOC)."
    assert [item.system for item in found.outputs] == ["A", "C"]
    with pytest.raises(SigError, match="differ in sentence 1"):
        found.sound()
    words = [("Anna lives in Rome", SENTENCES[0][1]), *SENTENCES[1:]]
    (what,) = errors(loaded(("A.conll", tagged(GOLD, A)), ("B.conll", tagged(GOLD, B, sentences=words))))
    assert what == "The gold sides of two files have other words: sentence 1, token 4: B.gold 'Rome', A.gold 'Oslo'."
    (what,) = errors(
        loaded(("A.conll", tagged(GOLD, A)), ("B.conll", tagged(GOLD[:9], B[:9], sentences=SENTENCES[:9])))
    )
    assert what == "The gold sides of B.gold and A.gold have 9 sentences and 36."


def test_other_words_are_refused_with_their_place() -> None:
    """A system that tagged other words, or cut a sentence, is left out; the first word is named."""
    words = [*SENTENCES[:2], ("Peter Ball sleeps", SENTENCES[2][1]), *SENTENCES[3:]]
    (what,) = errors(loaded(("gold.bio", tagged(GOLD)), ("A.bio", tagged(A)), ("B.bio", tagged(B, sentences=words))))
    assert what == "B, sentence 3, token 2: system 'Ball', gold 'Bell'."
    cut = [("Anna lives", "O O"), *SENTENCES[1:]]
    own = ["B-PER O", *B[1:]]
    (what,) = errors(loaded(("gold.bio", tagged(GOLD)), ("A.bio", tagged(A)), ("B.bio", tagged(own, sentences=cut))))
    assert what == "B, sentence 1, token 3: system no more words, gold 'in'."
    short = tagged(B[:30], sentences=SENTENCES[:30])
    (what,) = errors(loaded(("gold.bio", tagged(GOLD)), ("A.bio", tagged(A)), ("B.bio", short)))
    assert what == "B ends too early or too late. It has 30 sentences, gold has 36."


def test_texts_in_another_order_are_matched_by_their_ids() -> None:
    """JSON with ids; without ids, another order is another text, and refused."""
    texts = [f"Anna {k} lives in Oslo" for k in range(40)]
    records = [{"id": f"q{k}", "text": text, "spans": [[0, 4, "PER"]]} for k, text in enumerate(texts)]
    gold, turned = (json.dumps(one) for one in (records, records[::-1]))
    found = loaded(("gold.json", gold), ("A.json", turned), ("B.json", gold.replace("PER", "LOC", 3)))
    assert errors(found) == []
    bare = [
        json.dumps([{"text": one["text"], "spans": one["spans"]} for one in own]) for own in (records, records[::-1])
    ]
    (what,) = errors(loaded(("gold.json", bare[0]), ("A.json", bare[1]), ("B.json", bare[0].replace("PER", "LOC", 3))))
    assert what.startswith("A, segment 1, letter 6: system ")


def test_words_and_letters_do_not_mix() -> None:
    """Gold by words and an output by letters have other texts."""
    record = json.dumps([{"text": words, "spans": []} for words, _ in SENTENCES])
    assert errors(loaded(("gold.bio", tagged(GOLD)), ("A.json", record), ("B.bio", tagged(B)))) != []


def test_types_that_gold_does_not_have_are_said() -> None:
    """Some are a warning. No gold type at all is an error: the F1 would be 0 for a name."""
    person = [tags.replace("PER", "PERSON") for tags in GOLD]
    found = loaded(("gold.bio", tagged(GOLD)), ("A.bio", tagged(A)), ("B.bio", tagged(person)))
    assert errors(found) == []
    assert any(f.what == "B has types that gold does not have: PERSON. Gold has LOC, PER." for f in found.of("warning"))
    none = [tags.replace("LOC", "PLACE") for tags in person]
    found = loaded(("gold.bio", tagged(GOLD)), ("A.bio", tagged(A)), ("B.bio", tagged(none)))
    assert errors(found) == ["No type of B is a gold type: it has PERSON, PLACE, gold has LOC, PER."]


def test_ends_that_are_counted_otherwise_are_said() -> None:
    """Places whose end is the last letter, not the one after it, would give an F1 of 0."""
    texts = [f"Anna {k} lives in Oslo" for k in range(40)]
    gold = json.dumps([{"text": text, "spans": [[0, 4, "PER"]]} for text in texts])
    own = json.dumps([{"text": text, "spans": [[0, 3, "PER"]]} for text in texts])
    found = loaded(("gold.json", gold), ("A.json", own), ("B.json", gold.replace("PER", "LOC", 3)))
    assert any(
        f.what.startswith("A has 0 gold entities, but 40 if its ends are one further") for f in found.of("warning")
    )


def test_a_copy_of_gold_is_said() -> None:
    """A perfect output is likelier a copy."""
    found = loaded(("gold.bio", tagged(GOLD)), ("A.bio", tagged(GOLD)), ("B.bio", tagged(B)))
    assert any(f.what == "A has every gold entity and no other: its F1 is 100." for f in found.of("warning"))


def test_without_gold_nothing_is_scored() -> None:
    """The error says what is missing."""
    found = loaded(("A.bio", tagged(A)), ("B.bio", tagged(B)))
    assert errors(found) == ["There is no reference to score the entities against."]


def test_one_row_for_each_place() -> None:
    """Entities side by side: their types, and a mark where they are not gold's."""
    rows = word_rows(
        "spans", "a\tb\tc\n0-1\tPER\n1-3\tLOC", {"A": "a\tb\tc\n0-1\tORG", "B": "a\tb\tc\n0-1\tPER\n2-3\tLOC"}
    )
    assert rows == [
        {"word": "0-1 a", "reference": "PER", "A": "≠ ORG", "B": "PER"},
        {"word": "1-3 b c", "reference": "LOC", "A": "≠", "B": "≠"},
        {"word": "2-3 c", "reference": "", "A": "", "B": "≠ LOC"},
    ]


def test_tags_in_a_table_are_labels_and_said() -> None:
    """Accuracy of tags is no F1 of entities: the warning says how to get that."""
    rows = "".join(
        f"{k},B-PER,{'B-PER' if k % 3 else 'O'},O\n{k},O,{'O' if k % 2 else 'B-PER'},B-PER\n" for k in range(20)
    )
    collection = Collection()
    columns = {"columns": "k=ignored\ngold=reference\nA=system\nB=system"}
    collection.add([("t.csv", f"k,gold,A,B\n{rows}".encode())], every=Choice(options=columns))
    assert collection.problems == ()
    found = collection.loaded()
    assert any("has tags of entities" in finding.what for finding in found.of("warning"))
