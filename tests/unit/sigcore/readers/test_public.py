"""read(): many files at once, all problems at once; and the samples."""

from pathlib import Path

import pytest

from sigcore.data import Collection
from sigcore.errors import ReadError, UnknownMember
from sigcore.readers import Choice, known, load_sample, read, sample_names
from tests.effort import at_most


def test_a_bad_file_does_not_keep_the_others() -> None:
    """All problems of all files come back together with everything that could be read."""
    files = [("a.en", b"ok\n"), ("b.en", b"\xff\n"), ("c.en", b""), ("ref.en", b"fine\n"), ("d.json", b"{}")]
    intake = read(files)
    assert [i.name for i in intake.items] == ["a", "ref"]
    assert [p.file for p in intake.problems if isinstance(p, ReadError)] == ["b.en", "c.en", "d.json"]
    assert all(p.fix for p in intake.problems)


def test_nothing_gives_an_empty_intake() -> None:
    """No files, no items, no complaint: that is the data checks's question."""
    intake = read([])
    assert (intake.items, intake.notices, intake.problems) == ((), (), ())


def test_repeated_names_are_told_apart_within_a_kind() -> None:
    """Two files of one name get different names with a notice; text and scores of a system share theirs."""
    intake = read([("x/A.en", b"a\n"), ("y/A.en", b"b\n"), ("A.scores", b"0.5\n")])
    assert [(i.name, i.kind) for i in intake.items] == [("A", "text"), ("A (2)", "text"), ("A", "scores")]
    assert [n.file for n in intake.notices] == ["y/A.en"]


def test_a_readme_is_set_aside_but_not_lost() -> None:
    """Files that are no data by their name keep their segments under the role ignored."""
    (item,) = read([("README.md", b"# Title\n\ntext\n")]).items
    assert (item.role, item.segments) == ("ignored", ("# Title", "", "text"))


def test_keep_bom_reaches_the_segments() -> None:
    """The option goes through to every text file."""
    data = "\ufeffHello\n".encode()
    assert read([("a.en", data)]).items[0].segments == ("Hello",)
    assert read([("a.en", data)], keep_bom=True).items[0].segments == ("\ufeffHello",)


def test_empty_segments_are_noticed() -> None:
    """Empty lines are kept and counted."""
    intake = read([("a.en", b"a\n\nb\n\n")])
    assert intake.items[0].segments == ("a", "", "b", "")
    assert [(n.message, n.line) for n in intake.notices] == [("2 of 4 segments are empty.", 2)]


def test_twelve_files_are_read_in_a_blink() -> None:
    """12 files of 1500 segments take no more than twenty short steps for each segment."""
    data = ("The quick brown fox jumps over the lazy dog, 3.5 times a day; žluťoučký kůň.\n" * 1500).encode()
    read([("first.en", b"what is imported or kept on the first call\n")])
    with at_most(lines=20 * 12 * 1500):
        intake = read([(f"sys{i}.en", data) for i in range(12)])
    assert [len(item.segments) for item in intake.items] == [1500] * 12


def make_samples(root: Path) -> None:
    folder = root / "tiny"
    (folder / "systems").mkdir(parents=True)
    (folder / "README.md").write_text("about")
    (folder / "ref.A.en").write_text("a b\nc d\n")
    (folder / "ref.B.en").write_text("a c\nc e\n")
    (folder / "systems" / "One.en").write_text("a b\nc\n")
    (folder / "systems" / "Two.en").write_text("a\nc d\n")
    (folder / "groups.tsv").write_text("system\tgroup\nOne\trules\nTwo\tneural\n")
    (folder / "documents.tsv").write_text("segment\tdocument\tdomain\n1\td1\tnews\n2\td2\tnews\n")
    (root / "README.md").write_text("about all")
    (root / ".hidden").mkdir()


def test_a_sample_is_read_like_any_other_files(tmp_path: Path) -> None:
    """The layout of the samples gives references, systems with groups, documents and domains, without problems."""
    make_samples(tmp_path)
    assert sample_names(tmp_path) == ("tiny",)
    intake, collection = load_sample("tiny", tmp_path), Collection()
    collection.add_intake(intake)
    assert [(i.name, i.role, i.group) for i in collection.items] == [
        ("document", "documents", ""),
        ("domain", "domains", ""),
        ("ref.A", "reference", ""),
        ("ref.B", "reference", ""),
        ("One", "system", "rules"),
        ("Two", "system", "neural"),
    ]
    assert not intake.problems


@pytest.mark.parametrize("name", ["tyni", "../tiny", "", "README.md"])
def test_an_unknown_sample_is_refused(tmp_path: Path, name: str) -> None:
    """Only the listed names are read: no path leads out of the folder."""
    make_samples(tmp_path)
    with pytest.raises(UnknownMember):
        load_sample(name, tmp_path)


def test_no_folder_of_samples_means_no_samples(tmp_path: Path) -> None:
    """A missing folder is an empty list."""
    assert sample_names(tmp_path / "none") == ()


def test_samples_are_found_in_a_package_and_in_a_checkout(tmp_path: Path) -> None:
    """Installed samples are inside the package; in a checkout they are beside it."""
    package = tmp_path / "sigcore"
    package.mkdir()
    assert known.find_root(package) == tmp_path / "samples"
    (package / "samples").mkdir()
    assert known.find_root(package) == package / "samples"


def test_two_files_of_one_name_are_two_files() -> None:
    """A browser gives no folders: both outputs are read, under names of their own, and can be read again one by one."""
    intake = read([("A.en", b"a\n"), ("A.en", b"b\n"), ("A.en", b"b\n")])
    assert [i.name for i in intake.items] == ["A", "A (2)", "A (3)"]
    assert [file.file for file in intake.detected] == ["A.en", "A (2).en", "A (3).en"]
    assert [i.segments for i in intake.items] == [("a",), ("b",), ("b",)]


def test_a_choice_without_a_name_is_for_all_files() -> None:
    """Also for those inside an archive, whose names nobody types."""
    intake = read([("a.txt", b"a\tb\n"), ("b.txt", b"1\n")], every=Choice("plain", {"holds": "text"}))
    assert [(i.kind, i.segments) for i in intake.items] == [("text", ("a\tb",)), ("text", ("1",))]
