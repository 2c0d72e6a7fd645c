"""Every reader is a good member: it knows its own example, reads it whole, and breaks on nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sigcore import readers
from sigcore.errors import SigError
from sigcore.readers import KINDS, ROLES, Choice, Intake, Limits, Reader, read
from tests import proofs
from tests.proofs import of_readers

MEMBERS = list(readers.members().values())
SMALL = Limits(total_bytes=1 << 20, members=50)
# pieces that formats are made of, so that damage hits their joints and not only their letters
MARKS = "\t\n\r\0,;\"'<>&|{}[]()-_:0129pS?\u2028\ufeffÉ"
WORDS = "</seg> <seg <doc </doc> ||| nan None 1e999 )) 0-0 -1 {} [] null id system 99999999999999999999"
PIECES = st.sampled_from([*MARKS, *WORDS.split(), "\n\n", "system\t"])
CHANGES = st.lists(st.tuples(st.integers(0, 2_000), st.integers(0, 30), PIECES | st.text(max_size=3)), max_size=5)


def name(reader: Reader) -> str:
    return reader.name


def checked(intake: Intake) -> Intake:
    """The intake, which must be well formed: streams with names, and problems that explain themselves."""
    for item in intake.items:
        assert item.name.strip()
        assert item.segments
        assert item.role in ROLES
        assert item.kind in KINDS
    for problem in intake.problems:
        assert isinstance(problem, SigError)
        assert problem.what.strip()
        assert problem.where or getattr(problem, "file", ""), str(problem)
    return intake


@pytest.mark.parametrize("reader", MEMBERS, ids=name)
def test_a_reader_explains_itself(reader: Reader) -> None:
    """Title, help, kinds and an example are there for the page and the documents; options have a help."""
    assert reader.title
    assert reader.help.endswith(".")
    assert reader.kinds
    assert set(reader.kinds) <= {*KINDS, "judgments", "preferences"}
    assert reader.example[0]
    assert all(option.help for option in reader.options)


@pytest.mark.parametrize("reader", MEMBERS, ids=name)
def test_a_reader_is_the_surest_of_its_own_example(reader: Reader) -> None:
    """The example is recognised and read without a problem, and gives streams of the reader's kinds."""
    file, text = reader.example
    intake = checked(read([(file, text.encode())]))
    assert [file.reader for file in intake.detected] == [reader.name]
    assert intake.problems == ()
    assert bool(intake.judgments) == ("judgments" in reader.kinds)
    assert bool(intake.preferences) == ("preferences" in reader.kinds)
    assert intake.items or intake.judgments or intake.preferences
    assert {item.kind for item in intake.items if item.role in ("system", "reference")} <= set(reader.kinds)
    assert {item.reader for item in intake.items} <= {reader.name}


@pytest.mark.parametrize("reader", MEMBERS, ids=name)
def test_a_reader_finds_what_is_in_its_example(reader: Reader) -> None:
    """The roles, names and segments of the example are those that its author wrote down, not only some."""
    assert not (wrong := [*proofs.unfounded(reader), *of_readers.faults(reader)]), "\n".join(wrong)


@pytest.mark.parametrize("reader", MEMBERS, ids=name)
def test_no_reader_breaks_on_the_example_of_another(reader: Reader) -> None:
    """Whatever a person takes a file for, there is an intake or a problem with what, where and how to fix it."""
    for other in MEMBERS:
        file, text = other.example
        checked(read([(file, text.encode())], chosen={file: Choice(reader.name)}))


@settings(max_examples=60, deadline=None)
@pytest.mark.parametrize("reader", MEMBERS, ids=name)
@given(changes=CHANGES, cut=st.none() | st.integers(0, 2_000), forced=st.booleans())
def test_a_damaged_example_gives_streams_or_a_problem(
    reader: Reader, changes: list[tuple[int, int, str]], cut: int | None, forced: bool
) -> None:
    """Pieces put in, taken out and cut off anywhere: never a crash, never nothing at all."""
    file, text = reader.example
    for at, width, piece in changes:
        at %= len(text) + 1
        text = text[:at] + piece + text[at + width :]
    data = text[:cut].encode("utf-8", "surrogatepass")
    chosen = {file: (reader.name, {})} if forced else None
    intake = checked(read([(file, data)], limits=SMALL, chosen=chosen))
    assert intake.items or intake.judgments or intake.preferences or intake.problems or intake.notices


@settings(max_examples=60, deadline=None)
@pytest.mark.parametrize("reader", MEMBERS, ids=name)
@given(data=st.binary(max_size=200))
def test_any_bytes_give_streams_or_a_problem(reader: Reader, data: bytes) -> None:
    """No bytes break a reader that a person has chosen for them."""
    file = reader.example[0]
    intake = checked(read([(file, data)], limits=SMALL, chosen={file: Choice(reader.name)}))
    assert intake.items or intake.judgments or intake.preferences or intake.problems or intake.notices
