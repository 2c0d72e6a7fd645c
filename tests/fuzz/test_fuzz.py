"""The small form of `make fuzz`: damaged files of every format, and all that ever failed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sigcore import readers
from sigcore.readers import Intake
from tests.fuzz import check
from tests.fuzz.__main__ import SEEDS, load, main, save
from tests.fuzz.inputs import Input, drawn

FEW = 400
TABLE = b"segment\treference\tOne\n1\tIt rains.\tIt is raining.\n2\tIt snows.\tSnow falls.\n3\tIt thaws.\tIce melts.\n"


def test_damaged_files_neither_crash_nor_vanish(capsys: pytest.CaptureFixture[str]) -> None:
    """Hundreds of inputs: sound items or problems, every file accounted for, no line without a trace."""
    assert main(["--inputs", str(FEW)]) == 0, capsys.readouterr().out


@pytest.mark.parametrize("path", sorted(SEEDS.glob("*.zip")), ids=lambda path: path.stem)
def test_what_failed_once_stays_fixed(path) -> None:
    """Every kept input is read without a fault."""
    assert check.faults(load(path)) == []


def test_every_reader_is_tried() -> None:
    """Among a few thousand inputs each reader is forced on some, and is the surest of some."""
    inputs = [drawn(number) for number in range(2_100)]
    assert {given.reader for given in inputs} == {"", *readers.members()}
    detected = {one.reader for given in inputs for one in readers.read(given.files, limits=check.LIMITS).detected}
    assert detected >= {*readers.members()}


def test_an_input_depends_on_its_number_alone(tmp_path) -> None:
    """The same number gives the same files; a kept input comes back as it was."""
    assert [drawn(7), drawn(8)] == [drawn(7), drawn(8)]
    given = Input((("a/b.tsv", TABLE), ("b.en", b"x")), "tsv")
    assert load(save(given, tmp_path)) == given


def dropping(intake: Intake) -> Intake:
    """The intake without the last segment of each stream."""
    short = [replace(item, segments=item.segments[:-1], keys=item.keys[:-1]) for item in intake.items]
    return replace(intake, items=tuple(short))


@pytest.mark.parametrize(
    ("file", "data", "fault"),
    [
        ("a.en", b"one line\nanother one\n", "has 2 lines, and [1] segments"),
        ("t.tsv", TABLE, "its column 'One' has 2 segments"),
    ],
)
def test_a_lost_line_is_noticed(monkeypatch, file, data, fault) -> None:
    """A reader that drops a line without a word fails."""
    given, read = Input(((file, data),), ""), check.read
    assert check.faults(given) == []
    monkeypatch.setattr(check, "read", lambda *given, **options: dropping(read(*given, **options)))
    assert any(fault in one for one in check.faults(given)), check.faults(given)


def test_a_crash_is_noticed(monkeypatch) -> None:
    """An exception of a reader is a fault, with its type."""

    def broken(*given: object, **options: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(check, "read", broken)
    assert check.faults(drawn(0)) == ["KeyError: 'x'"]


def test_a_word_that_vanishes_is_noticed(monkeypatch) -> None:
    """A word that is nowhere else must come back, also where the rest of its line does."""
    given, read = Input((("a.en", b"two words q123z here\n"),), ""), check.read

    def without(*given: object, **options: object) -> Intake:
        intake = read(*given, **options)
        items = [replace(item, segments=("two words here",)) for item in intake.items]
        return replace(intake, items=tuple(items))

    assert check.faults(given) == []
    monkeypatch.setattr(check, "read", without)
    assert any("lost ['q123z']" in one for one in check.faults(given))
