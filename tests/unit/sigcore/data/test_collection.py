"""What one person has loaded: files that come one after the other, fixed ones, groups, and what is looked at."""

from __future__ import annotations

from sigcore import Collection

REFERENCE = "".join(f"the reference says number {i}\n" for i in range(40))
SHORT = "".join(REFERENCE.splitlines(keepends=True)[:35])


def output(word: str, text: str = REFERENCE) -> str:
    return text.replace("says", word)


def dropped(collection: Collection, **files: str) -> Collection:
    """The collection after these files were added at once; two underscores are a dot."""
    collection.add((name.replace("__", "."), text.encode()) for name, text in files.items())
    return collection


def loaded() -> Collection:
    return dropped(Collection(), ref__en=REFERENCE, A__en=output("tells"), B__en=output("shows"))


def systems(collection: Collection) -> list[str]:
    return [outputs.system for outputs in collection.loaded().outputs]


def whats(collection: Collection, severity: str) -> list[str]:
    return [finding.what for finding in collection.loaded().of(severity)]


def test_a_fixed_file_takes_the_place_of_the_bad_one() -> None:
    """A system, a reference, documents or labels of the wrong length go when a file of their name comes again."""
    collection = dropped(loaded(), C__en=output("knows", SHORT), documents__csv="document\n" + "d\n" * 39)
    assert len(whats(collection, "error")) == 2
    dropped(collection, C__en=output("knows"), documents__csv="document\n" + "d\n" * 20 + "e\n" * 20)
    assert whats(collection, "error") == []
    assert systems(collection) == ["A", "B", "C"]
    assert len(set(collection.loaded().testset.documents)) == 2


def test_fixed_labels_take_the_place_of_the_bad_ones() -> None:
    """Numbers with a reference are compared as text; a short file of them is fixed like any other."""
    labels = "".join(f"{i % 3}\n" for i in range(40))
    collection = dropped(Collection(), ref__txt=labels, A__txt=labels[::-1].strip() + "\n", B__txt=labels[:60])
    assert (collection.kind, systems(collection)) == ("text", ["A"])
    assert systems(dropped(collection, B__txt=labels)) == ["A", "B"]
    assert whats(collection, "error") == []


def test_another_file_of_a_known_name_is_a_file_of_its_own() -> None:
    """Two drops of A.en with other outputs are two systems, and each can be read again without the other."""
    collection = dropped(loaded(), A__en=output("sings"))
    assert systems(collection) == ["A", "B", "A (2)"]
    assert [file.file for file in collection.detected] == ["ref.en", "A.en", "B.en", "A (2).en"]
    collection.re_read("A.en", "plain", {"holds": "text"})
    assert sorted(systems(collection)) == ["A", "A (2)", "B"]
    assert len(dropped(collection, A__en=output("tells")).items) == 4


def test_the_same_file_twice_says_everything_once() -> None:
    """A second drop of a file adds neither its streams nor its notices."""
    collection = dropped(Collection(), ref__en=REFERENCE, A__tsv="a\tb\n" * 40)
    before = (collection.items, collection.notices)
    assert before[1]
    dropped(collection, A__tsv="a\tb\n" * 40)
    assert (collection.items, collection.notices) == before


def test_groups_may_come_before_or_after_their_systems() -> None:
    """A table of groups holds for files that were there and for those that follow; only what never comes is missed."""
    collection = dropped(loaded(), groups__tsv="system\tgroup\nA\tbig\nC\tsmall\nGhost\tsmall\n")
    missed = "A group is given for '{}', but no file has that name."
    assert [n.message for n in collection.notices if "given" in n.message] == [
        missed.format("C"),
        missed.format("Ghost"),
    ]
    dropped(collection, C__en=output("knows"))
    assert [outputs.group for outputs in collection.loaded().outputs] == ["big", "", "small"]
    assert [n.message for n in collection.notices if "given" in n.message] == [missed.format("Ghost")]


def test_clearing_forgets_every_choice() -> None:
    """After Clear everything nothing of the earlier collection decides about the next files: no gap is dropped in silence."""
    values = "system,id,COMET\n" + "".join(f"{s},{i},0.{i}\n" for s in "AB" for i in range(40) if (s, i) != ("B", 3))
    collection = dropped(Collection(), s__csv=values)
    collection.select(missing="drop")
    assert systems(collection) == ["A", "B"]
    collection.clear()
    assert (collection.kind, collection.missing, collection.testset, collection.measure) == ("text", "refuse", "", "")
    assert systems(dropped(collection, s__csv=values)) == ["A"]
    assert collection.loaded().gaps


def test_own_files_stay_on_the_screen_when_a_named_test_set_comes() -> None:
    """What a person looks at is not replaced by a set that was added; a choice brings it."""
    collection = loaded()
    files = [("r/references/cs-en.refA.txt", SHORT), ("r/system-outputs/cs-en/S.txt", output("knows", SHORT))]
    collection.add((name, text.encode()) for name, text in files)
    assert collection.choices.testsets == ("", "cs-en")
    assert systems(collection) == ["A", "B"]
    assert whats(collection, "error") == []
    collection.select(testset="cs-en")
    assert systems(collection) == ["S"]
    assert whats(collection, "error") == []


def test_a_test_set_that_was_picked_stays_picked() -> None:
    """Files dropped later do not change what is looked at while it is there."""
    files = {"w__cs-en__ref__txt": SHORT, "A__cs-en__txt": output("a", SHORT), "B__cs-en__txt": output("b", SHORT)}
    other = {name.replace("cs-en", "uk-en"): text.replace("number", "figure") for name, text in files.items()}
    collection = dropped(Collection(), **files, **other)
    collection.select(testset="uk-en")
    dropped(collection, **{"C__cs-en__txt": output("c", SHORT), "D__cs-en__txt": output("d", SHORT)})
    assert collection.testset == "uk-en"
    assert systems(collection) == ["A.uk-en", "B.uk-en"]


def test_a_system_called_like_a_language_pair_is_fixed_too() -> None:
    """my-no.txt belongs to the one test set, with the wrong length and with the right one."""
    collection = dropped(loaded(), **{"so-so__txt": output("so"), "my-no__txt": output("my", SHORT)})
    dropped(collection, **{"my-no__txt": output("my")})
    assert systems(collection) == ["A", "B", "so-so", "my-no"]
