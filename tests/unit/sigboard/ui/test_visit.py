"""What one person has loaded: files that come one after the other, fixed ones, groups, and what is looked at."""

from __future__ import annotations

from sigboard.ui.session import Visit
from sigcore import readers

REFERENCE = "".join(f"the reference says number {i}\n" for i in range(40))
SHORT = "".join(REFERENCE.splitlines(keepends=True)[:35])


def output(word: str, text: str = REFERENCE) -> str:
    return text.replace("says", word)


def dropped(visit: Visit, **files: str) -> Visit:
    """The visit after these files were dropped at once; two underscores stand for a dot."""
    visit.take(readers.read([(name.replace("__", "."), text.encode()) for name, text in files.items()]), visit.name)
    return visit


def loaded() -> Visit:
    return dropped(Visit(), ref__en=REFERENCE, A__en=output("tells"), B__en=output("shows"))


def systems(visit: Visit) -> list[str]:
    return [outputs.system for outputs in visit.loaded().outputs]


def whats(visit: Visit, severity: str) -> list[str]:
    return [finding.what for finding in visit.loaded().of(severity)]


def test_a_mended_file_takes_the_place_of_the_bad_one() -> None:
    """A system, a reference, documents or labels of the wrong length go when a file of their name comes again."""
    visit = dropped(loaded(), C__en=output("knows", SHORT), documents__csv="document\n" + "d\n" * 39)
    assert len(whats(visit, "error")) == 2
    dropped(visit, C__en=output("knows"), documents__csv="document\n" + "d\n" * 20 + "e\n" * 20)
    assert whats(visit, "error") == []
    assert systems(visit) == ["A", "B", "C"]
    assert len(set(visit.loaded().testset.documents)) == 2


def test_mended_labels_take_the_place_of_the_bad_ones() -> None:
    """Numbers with a reference are compared as text; a short file of them is fixed like any other."""
    labels = "".join(f"{i % 3}\n" for i in range(40))
    visit = dropped(Visit(), ref__txt=labels, A__txt=labels[::-1].strip() + "\n", B__txt=labels[:60])
    assert (visit.kind, systems(visit)) == ("text", ["A"])
    assert systems(dropped(visit, B__txt=labels)) == ["A", "B"]
    assert whats(visit, "error") == []


def test_another_file_of_a_known_name_is_a_file_of_its_own() -> None:
    """Two drops of A.en with other outputs are two systems, and each can be read again without the other."""
    visit = dropped(loaded(), A__en=output("sings"))
    assert systems(visit) == ["A", "B", "A (2)"]
    assert [file.file for file in visit.detected] == ["ref.en", "A.en", "B.en", "A (2).en"]
    visit.read_again("A.en", "plain", {"holds": "text"})
    assert sorted(systems(visit)) == ["A", "A (2)", "B"]
    assert len(dropped(visit, A__en=output("tells")).items) == 4


def test_the_same_file_twice_says_everything_once() -> None:
    """A second drop of a file adds neither its streams nor its notices."""
    visit = dropped(Visit(), ref__en=REFERENCE, A__tsv="a\tb\n" * 40)
    before = (visit.items, visit.notices)
    assert before[1]
    dropped(visit, A__tsv="a\tb\n" * 40)
    assert (visit.items, visit.notices) == before


def test_groups_may_come_before_or_after_their_systems() -> None:
    """A table of groups holds for files that were there and for those that follow; only what never comes is missed."""
    visit = dropped(loaded(), groups__tsv="system\tgroup\nA\tbig\nC\tsmall\nGhost\tsmall\n")
    missed = "A group is given for '{}', but no file has that name."
    assert [n.message for n in visit.notices if "given" in n.message] == [missed.format("C"), missed.format("Ghost")]
    dropped(visit, C__en=output("knows"))
    assert [outputs.group for outputs in visit.loaded().outputs] == ["big", "", "small"]
    assert [n.message for n in visit.notices if "given" in n.message] == [missed.format("Ghost")]


def test_clearing_forgets_every_choice() -> None:
    """After Clear everything nothing of the earlier visit decides about the next files: no gap is dropped in silence."""
    values = "system,id,COMET\n" + "".join(f"{s},{i},0.{i}\n" for s in "AB" for i in range(40) if (s, i) != ("B", 3))
    visit = dropped(Visit(), s__csv=values)
    visit.missing = "drop"
    assert systems(visit) == ["A", "B"]
    visit.clear()
    assert (visit.kind, visit.missing, visit.testset, visit.measure) == ("text", "refuse", "", "")
    assert systems(dropped(visit, s__csv=values)) == ["A"]
    assert visit.loaded().gaps


def test_own_files_stay_on_the_screen_when_a_named_test_set_comes() -> None:
    """What a person looks at is not replaced by a set that was added; a choice brings it."""
    visit = loaded()
    files = [("r/references/cs-en.refA.txt", SHORT), ("r/system-outputs/cs-en/S.txt", output("knows", SHORT))]
    visit.take(readers.read([(name, text.encode()) for name, text in files]), "")
    assert visit.choices.testsets == ("", "cs-en")
    assert systems(visit) == ["A", "B"]
    assert whats(visit, "error") == []
    visit.testset = "cs-en"
    assert systems(visit) == ["S"]
    assert whats(visit, "error") == []


def test_a_test_set_that_was_picked_stays_picked() -> None:
    """Files dropped later do not change what is looked at while it is there."""
    files = {"w__cs-en__ref__txt": SHORT, "A__cs-en__txt": output("a", SHORT), "B__cs-en__txt": output("b", SHORT)}
    other = {name.replace("cs-en", "uk-en"): text.replace("number", "figure") for name, text in files.items()}
    visit = dropped(Visit(), **files, **other)
    visit.testset = "uk-en"
    dropped(visit, **{"C__cs-en__txt": output("c", SHORT), "D__cs-en__txt": output("d", SHORT)})
    assert visit.testset == "uk-en"
    assert systems(visit) == ["A.uk-en", "B.uk-en"]


def test_a_system_called_like_a_language_pair_is_mended_too() -> None:
    """my-no.txt belongs to the one test set, with the wrong length and with the right one."""
    visit = dropped(loaded(), **{"so-so__txt": output("so"), "my-no__txt": output("my", SHORT)})
    dropped(visit, **{"my-no__txt": output("my")})
    assert systems(visit) == ["A", "B", "so-so", "my-no"]
