"""Real test sets: what is read from them, and which of their known oddities are found."""

from pathlib import Path

import pytest

from sigcore.data.assembly import assemble
from sigcore.readers import Intake, read

MT = Path(__file__).resolve().parents[5] / "shared" / "data" / "mt"

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(not MT.is_dir(), reason="../shared/data/mt is not there: no real test sets to read"),
]


def files(name: str, *suffixes: str) -> list[tuple[str, bytes]]:
    folder = MT / name
    found = sorted(p for p in folder.rglob("*") if p.suffix in suffixes)
    return [(p.relative_to(folder).as_posix(), p.read_bytes()) for p in found]


def roles(intake: Intake) -> list[int]:
    return [sum(item.role == role for item in intake.items) for role in ("reference", "source", "system")]


def test_czech_english_is_read_without_a_word() -> None:
    """2 references, 1 source and 11 systems of 1448 segments each, with nothing to complain of."""
    intake = read(files("wmt22.cs-en", ".en", ".cs"))
    assert roles(intake) == [2, 1, 11]
    assert {len(item.segments) for item in intake.items} == {1448}
    assert "Online-W" in [item.name for item in intake.items]
    assert (intake.notices, intake.problems) == ((), ())
    loaded = assemble(intake.items, "wmt22.cs-en")
    assert loaded.ready
    assert loaded.findings == ()


def test_segments_are_the_lines_of_the_file() -> None:
    """Joining the segments gives the bytes back."""
    for name, data in files("wmt22.en-zh", ".en", ".zh"):
        (item,) = read([(name, data)]).items
        assert ("\n".join(item.segments) + "\n").encode() == data


def test_ukrainian_english_has_its_mark_noted_and_its_tab_kept() -> None:
    """PROMT's byte order mark is reported, and the TAB in line 898 of the reference makes no table."""
    intake = read(files("wmt22.uk-en", ".en", ".uk"))
    assert roles(intake) == [1, 1, 10]
    assert {len(item.segments) for item in intake.items} == {2018}
    assert [notice.file for notice in intake.notices] == ["systems/PROMT.en"]
    reference = next(item for item in intake.items if item.role == "reference")
    assert "\t" in reference.segments[897]
    promt = next(item for item in intake.items if item.name == "PROMT")
    kept = read(files("wmt22.uk-en", ".en"), keep_bom=True)
    whole = next(item for item in kept.items if item.name == "PROMT")
    assert whole.segments == ("\ufeff" + promt.segments[0], *promt.segments[1:])
    assert assemble(intake.items).findings == ()


def test_english_chinese_is_sound() -> None:
    """Two references and six systems of 2037 segments; the one warning is that BLEU needs another tokeniser."""
    intake = read(files("wmt22.en-zh", ".en", ".zh"))
    assert roles(intake) == [2, 1, 6]
    assert [finding.what[:27] for finding in assemble(intake.items).findings] == ["The references look Chinese"]


def test_identical_runs_are_found() -> None:
    """In the multi-run set sys2 is the baseline run by run, and all files are tokenised."""
    intake = read(files("multirun", ".en"))
    assert roles(intake) == [1, 0, 9]
    loaded = assemble(intake.items)
    twins = [f.what.split(" are ")[0] for f in loaded.of("warning")]
    assert twins == [f"baseline.opt{k}, sys2.opt{k}" for k in range(3)]
    assert [f.what for f in loaded.of("note")] == ["All files look tokenised (spaces before full stops or commas)."]


def test_a_whole_folder_keeps_its_systems_and_reports_the_rest() -> None:
    """Dropping the folder as it is gives the same systems; its other tables are set aside or reported, none silently."""
    intake = read(files("wmt22.cs-en", ".en", ".cs", ".csv", ".tsv", ".md"))
    loaded = assemble(intake.items)
    assert len(loaded.outputs) == 11
    assert len(loaded.testset.references) == 2
    reported = " ".join(
        [f"{f.what} {f.where}" for f in loaded.findings] + [str(problem) for problem in intake.problems]
    )
    names = {file.file for file in intake.detected if file.file.endswith((".csv", ".tsv"))}
    items = {item.file for item in intake.items if item.kind == "scores"} | {part.file for part in intake.judgments}
    published = {file.file for file in intake.detected if file.reader == "published"}
    assert published == {item.file for item in intake.items if item.reader == "published" and item.role == "ignored"}
    assert all(name in reported or name in items or name in published for name in names)
    assert [part.file.rpartition("/")[2] for part in intake.judgments] == ["assessments.csv", "segment_scores.csv"]


def test_documents_and_domains_come_from_a_table() -> None:
    """The table of documents gives the units of resampling; its empty column is reported, not used."""
    table = [(name, data) for name, data in files("wmt22.uk-en", ".csv") if name == "documents.csv"]
    intake = read([*files("wmt22.uk-en", ".en"), *table])
    loaded = assemble(intake.items)
    assert len(set(loaded.testset.documents)) == 886
    assert loaded.testset.domains == ()
