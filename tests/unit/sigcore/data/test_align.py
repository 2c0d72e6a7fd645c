"""Segments matched by what the files call them: order, gaps, and names that cannot be compared."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from sigcore.data.assembly import Loaded, assemble
from sigcore.data.checks import Finding
from sigcore.data.matching import matched
from sigcore.readers import Item, read

DOCUMENTS = {"a": ("one ferry", "two ferries"), "b": ("three boats",), "c": ("four oars", "five oars", "six oars")}


def sgm(side: str, name: str, order: str = "abc", left_out: tuple[str, int] = ("", 0)) -> bytes:
    """A set of the documents in that order; `left_out` is the document and the place of a segment that is not there."""
    parts = [f'<{side} setid="x" srclang="cs" trglang="en" sysid="{name}">']
    for document in order:
        parts.append(f'<doc docid="{document}" sysid="{name}">')
        segments = enumerate(DOCUMENTS[document], 1)
        parts += [f'<seg id="{i}">{s} by {name}</seg>' for i, s in segments if (document, i) != left_out]
        parts.append("</doc>")
    return "\n".join([*parts, f"</{side}>"]).encode()


def loaded(*files: tuple[str, bytes]) -> Loaded:
    intake = read(files)
    assert intake.problems == ()
    return assemble(intake.items)


@given(st.permutations("abc"), st.permutations("abc"))
def test_documents_in_another_order_are_put_into_that_of_the_reference(one: list[str], two: list[str]) -> None:
    """Whatever the order of the documents in each file, every segment meets its own reference, and it is told."""
    found = loaded(("r.sgm", sgm("refset", "R")), ("1.sgm", sgm("tstset", "A", "".join(one))), ("2.sgm", sgm("tstset", "B", "".join(two))))  # fmt: skip
    assert found.testset.documents == ("a", "a", "b", "c", "c", "c")
    for outputs in found.outputs:
        own = [segment.removesuffix(f" by {outputs.system}") for segment in outputs.segments]
        assert own == [segment.removesuffix(" by R") for segment in found.testset.references[0]]
    told = [f.where for f in found.of("note") if "another order" in f.what]
    files = [file for file, order in (("1.sgm", one), ("2.sgm", two)) if order != list("abc")]
    assert told == ([", ".join(files)] if files else [])


def test_a_file_that_lacks_a_segment_is_left_out_with_its_name() -> None:
    """The gap is named by document and segment, not by a line that says nothing; the file speaks once."""
    found = loaded(("r.sgm", sgm("refset", "R")), ("1.sgm", sgm("tstset", "A")), ("2.sgm", sgm("tstset", "B", left_out=("c", 2))))  # fmt: skip
    assert [o.system for o in found.outputs] == ["A"]
    assert [f.what for f in found.of("error")] == ["B lacks 1 of 6 segments of R; the first is segment 2 of c."]


def test_segments_that_the_reference_does_not_have_are_an_error() -> None:
    """A system with more than the reference is left out as well."""
    found = loaded(("r.sgm", sgm("refset", "R", "ab")), ("1.sgm", sgm("tstset", "A", "abc")))
    assert (
        next(f.what for f in found.of("error")) == "A has 3 segments that R does not have; the first is segment 1 of c."
    )


def item(name: str, keys: tuple[str, ...], role: str = "system", kind: str = "text") -> Item:
    return Item(name, role, kind, tuple(f"{name} {key}" for key in keys), f"{name}.x", "", keys=keys)


def put(*items: Item, kind: str = "text") -> tuple[list[tuple[str, ...]], list[Finding]]:
    findings: list[Finding] = []
    return [i.segments for i in matched(items, kind, findings)], findings


def test_names_of_other_kinds_and_other_counting_go_by_place() -> None:
    """Documents against plain numbers, and numbers from 0 against numbers from 1, speak of the same places."""
    first = item("A", ("1", "2", "3"))
    other = item("B", ("1 of a", "2 of a", "1 of b"))
    assert put(first, other) == ([first.segments, other.segments], [])
    shifted = item("B", ("0", "1", "2"))
    segments, findings = put(first, shifted)
    assert segments == [first.segments, shifted.segments]
    assert [(one.severity, "0 to 2" in one.what and "1 to 3" in one.what) for one in findings] == [("warning", True)]


def test_numbers_with_other_gaps_are_an_error() -> None:
    """Two tables of the same length that skip different segments do not agree."""
    segments, findings = put(item("A", ("1", "2", "4")), item("B", ("1", "3", "4")))
    assert segments == [("A 1", "A 2", "A 4")]
    assert [f.severity for f in findings] == ["error"]


def test_a_file_that_begins_one_segment_later_is_an_error() -> None:
    """Segments 2 to 4 are not segments 1 to 3: only a count from 0 is one from 1 in another form."""
    segments, findings = put(item("A", ("1", "2", "3")), item("B", ("2", "3", "4")))
    assert segments == [("A 1", "A 2", "A 3")]
    assert [f.severity for f in findings] == ["error"]
    assert "the first is segment 4" in findings[0].what


def test_missing_scores_stay_empty_in_their_place() -> None:
    """Scores for some of the segments are kept with gaps; the person chooses what becomes of them."""
    segments, findings = put(item("A", ("1", "2", "3"), kind="scores"), item("B", ("3", "1"), kind="scores"), kind="scores")  # fmt: skip
    assert segments[1] == ("B 1", "", "B 3")
    assert findings == []


def test_the_order_of_the_reference_counts() -> None:
    """Where most systems have another order than the reference, they follow it."""
    found, _ = put(item("A", ("2", "1")), item("B", ("2", "1")), item("R", ("1", "2"), "reference"))
    assert found == [("A 1", "A 2"), ("B 1", "B 2"), ("R 1", "R 2")]


def test_files_without_names_are_left_alone() -> None:
    """Plain text has no names; it is matched by line."""
    plain = replace(item("A", ("1", "2")), keys=())
    assert put(plain, item("B", ("2", "1")))[0] == [plain.segments, ("B 2", "B 1")]


def test_ids_without_anything_in_common_are_a_warning() -> None:
    """Segments go by place, which is wrong if one file has another order; it is said, once for all such files."""
    first, others = item("A", ("1", "2", "3"), role="reference"), [item(name, ("s3", "s1", "s2")) for name in "BC"]
    kept, (finding,) = put(first, *others)
    assert kept == [first.segments, *(other.segments for other in others)]
    assert finding.severity == "warning"
    assert finding.what == (
        "The ids in B.x (s3) have nothing in common with those in A.x (1): segments were matched by place."
    )
    assert finding.where == "B.x, C.x"
