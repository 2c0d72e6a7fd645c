"""What one person has loaded: files that come one after the other, fixed ones, groups, and what is looked at."""

from __future__ import annotations

from pathlib import Path

import pytest

from sigcore import Collection, SigError, UnknownMember, readers
from sigcore.data import assembly, read_paths, together
from sigcore.data.assembly import Loaded, assemble
from sigcore.readers import Notice

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
    pairs = "".join(f"a {i}\tb {i}\n" for i in range(40))
    collection = dropped(Collection(), ref__en=REFERENCE, A__tsv=pairs)
    before = (collection.items, collection.notices)
    assert before[1]
    dropped(collection, A__tsv=pairs)
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


def test_what_a_collection_says_of_itself_has_no_segments() -> None:
    """Items, outputs, test sets and intakes are printed without what is in them."""
    collection = loaded()
    result = collection.loaded()
    intake = readers.read([("ref.en", REFERENCE.encode())])
    for thing in (collection, *collection.items, result, result.testset, *result.outputs, intake):
        assert "says" not in repr(thing)
        assert "number 3" not in repr(thing)
    assert repr(collection.items[1]).startswith("Item(name='A', role='system', kind='text', file='A.en'")


def test_a_fixed_file_replaces_all_that_its_name_gave() -> None:
    """fix() takes a corrected file in the place of one that could be used too."""
    collection = loaded()
    collection.fix([("A.en", output("sings").encode())])
    assert systems(collection) == ["B", "A"]
    assert collection.loaded().outputs[1].segments[0] == "the reference sings number 0"
    assert [one.file for one in collection.detected].count("A.en") == 1


def test_a_file_that_is_not_loaded_cannot_be_read_again() -> None:
    """The message names the files that are near."""
    with pytest.raises(UnknownMember, match=r"A\.en"):
        loaded().re_read("A.enn", "plain")


def test_edits_are_looked_at_before_they_are_settled() -> None:
    """A name, a role or a group counts at once; an emptied name stays, and a new edit takes the first one back."""
    collection = loaded()
    collection.edit({1: {"name": "Ann", "group": "big"}, 2: {"role": "ignored"}})
    assert [(one.system, one.group) for one in collection.loaded().outputs] == [("Ann", "big")]
    assert [item.name for item in collection.items] == ["ref", "A", "B"]
    collection.edit({1: {"name": ""}, 2: {"role": None}})
    assert systems(collection) == ["A", "B"]
    version = collection.version
    collection.edit({1: {"name": "Ann"}})
    collection.settle()
    assert [item.name for item in collection.items] == ["ref", "Ann", "B"]
    assert collection.version == version + 1


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({1: {"role": "sistem"}}, "Did you mean system"),
        ({1: {"nmae": "A"}}, "Did you mean name"),
        ({7: {"name": "A"}}, "There is no item 7"),
    ],
)
def test_an_edit_that_cannot_be_is_refused(changes: dict[int, dict[str, object]], words: str) -> None:
    """A role, a field or an item that does not exist changes nothing."""
    collection = loaded()
    with pytest.raises(SigError, match=words):
        collection.edit(changes)
    assert collection.edits == {}


def test_only_what_is_loaded_can_be_selected() -> None:
    """A slip in a name is refused, and the selection stays what it was."""
    values = "system,id,COMET,TER\n" + "".join(f"{s},{i},0.{i},{i}\n" for s in "AB" for i in range(40))
    collection = dropped(Collection(), s__csv=values)
    assert (collection.kind, collection.measure) == ("scores", "COMET")
    for wrong in ({"measure": "COMETT"}, {"testset": "cs-en"}, {"kind": "trees"}):
        with pytest.raises(UnknownMember):
            collection.select(**wrong)
    assert (collection.kind, collection.measure) == ("scores", "COMET")
    collection.select(measure="TER")
    assert collection.loaded().measure == "TER"


def test_what_is_loaded_is_assembled_once() -> None:
    """The result is cached until something changes, for each treatment of missing scores."""
    collection = loaded()
    first, kept = collection.loaded(), collection.loaded("keep")
    assert collection.loaded() is first
    assert collection.loaded("keep") is kept
    collection.edit({1: {"group": "big"}})
    assert collection.loaded() is not first
    collection.edit({})
    assert [one.group for one in collection.loaded().outputs] == ["", ""]


def test_a_copy_goes_its_own_way() -> None:
    """What is renamed, grouped, edited or cleared in a copy leaves the first as it was."""
    collection = loaded()
    state, copy = collection.state, collection.copy()
    assert copy.state == state
    copy.edit({1: {"name": "Ann"}})
    copy.rename_judged("x", "A")
    assert copy.state != state
    copy.clear()
    assert collection.state == state
    assert systems(collection) == ["A", "B"]


def test_a_judged_system_is_one_output_only() -> None:
    """An output that is one judged system already is not given to another; "" takes the first back."""
    collection = loaded()
    collection.rename_judged("one", "A")
    collection.rename_judged("two", "A")
    assert collection.renamed == {"one": "A"}
    collection.rename_judged("one", "")
    assert collection.renamed == {}


def test_own_files_replace_a_sample() -> None:
    """A sample goes with the first own file, with its name; a sample replaces everything."""
    collection = Collection()
    collection.add_sample("harbour")
    assert (collection.name, collection.sample, len(collection.loaded().outputs)) == ("harbour", True, 8)
    dropped(collection, ref__en=REFERENCE, A__en=output("tells"))
    assert (collection.name, collection.sample, systems(collection)) == ("", False, ["A"])
    with pytest.raises(UnknownMember):
        collection.add_sample("harbor")
    assert systems(collection) == ["A"]


def on_disk(folder: Path, **texts: str) -> dict[str, Path]:
    for name, text in texts.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return {name: folder / name.replace("__", "/").replace("_", ".") for name in texts}


def test_a_collection_of_paths(tmp_path: Path) -> None:
    """Files and folders are what they are given as; a reference and a system may share a name."""
    paths = on_disk(tmp_path, gold__news_en=REFERENCE, sysA__news_en=output("tells"), docs_txt="d\n" * 20 + "e\n" * 20)
    collection = Collection.of(
        references=[paths["gold__news_en"]], systems=[tmp_path / "sysA"], documents=[paths["docs_txt"]], name="mine"
    )
    result = collection.sound()
    assert (result.testset.name, len(set(result.testset.documents))) == ("mine", 2)
    assert [one.system for one in result.outputs] == ["news"]
    assert [item.role for item in collection.items] == ["documents", "reference", "system"]


def test_a_path_in_two_roles_is_two_items(tmp_path: Path) -> None:
    """The reference may be compared as a system too, under its own name and in the order that was given."""
    paths = on_disk(tmp_path, ref_en=REFERENCE, A_en=output("tells"))
    collection = Collection.of(references=[paths["ref_en"]], systems=[paths["A_en"], paths["ref_en"]])
    assert systems(collection) == ["A", "ref"]
    assert len(collection.loaded().testset.references) == 1


def test_a_path_that_is_given_twice_is_two_files(tmp_path: Path) -> None:
    """Both have their own name, before the suffix."""
    path = on_disk(tmp_path, A_en=REFERENCE)["A_en"]
    files, roles = read_paths((), {"system": [path, path]})
    assert [Path(name).name for name, _ in files] == ["A.en", "A (2).en"]
    assert [role for _, role in roles] == ["system", "system"]


def test_what_cannot_be_used_is_refused(tmp_path: Path) -> None:
    """sound() raises every problem of a file, or every error of the checks; a missing path is refused at once."""
    paths = on_disk(tmp_path, ref_en=REFERENCE, A_en=SHORT, bad_en="", docs_tsv="one\ttwo\n1\t2\n")
    with pytest.raises(SigError, match="A has 35 lines, ref has 40"):
        Collection.of(paths["ref_en"], paths["A_en"]).sound()
    with pytest.raises(SigError, match="is empty"):
        Collection.of(paths["ref_en"], paths["bad_en"]).sound()
    with pytest.raises(SigError, match="names no documents"):
        Collection.of(paths["ref_en"], documents=[paths["docs_tsv"]]).sound()
    with pytest.raises(SigError, match="cannot be read"):
        Collection.of(tmp_path / "nothing.en")


def test_notices_of_one_message_are_one_line() -> None:
    """The files are listed, with their lines; from the seventh on only their number."""
    notices = [Notice(f"{k}.txt", "odd", 3) for k in range(8)] + [Notice("", "all")]
    assert together(notices) == [
        ("odd", "; ".join(f"{k}.txt, line 3" for k in range(6)) + " and 2 more"),
        ("all", ""),
    ]


def test_a_sample_is_put_together_once_for_all_visitors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every visitor begins with it; what one of them changes is their own, and so is what is found in it."""
    made: list[object] = []

    def counted(*content: object) -> Loaded:
        made.append(content)
        return assemble(*content)  # type: ignore[arg-type]

    monkeypatch.setattr(assembly, "assemble", counted)
    monkeypatch.setattr(assembly, "_SAMPLES", {})
    visitors = [Collection() for _ in range(3)]
    for one in visitors:
        one.add_sample("harbour")
    first, second, third = visitors
    assert first.loaded() is second.loaded()
    assert len(made) == 1
    second.edit({0: {"name": "mine"}})
    assert "mine" in {item.name for item in second.edited()}
    assert second.loaded() is not first.loaded()
    assert third.loaded() is first.loaded()
    assert len(made) == 1
