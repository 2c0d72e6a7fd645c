"""One line in Python: what is compared, how it is called, and how a result prints."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import sigcore
from sigcore import SigError
from sigcore.studies import compare, matrix
from sigcore.study import Settings, Study
from tests.made import text_set

TESTSET, OUTPUTS = text_set(40, (0.1, 0.2, 0.4))
REFERENCE = list(TESTSET.references[0])
SYSTEMS = {o.system: list(o.segments) for o in OUTPUTS}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """The systems and the reference as files."""
    for name, lines in {**SYSTEMS, "ref": REFERENCE}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def test_a_pair_of_lists_prints_its_verdict() -> None:
    """Two lists against a list: the numbers are the study's, the printed result is the verdict."""
    result = sigcore.compare(SYSTEMS["sys0"], SYSTEMS["sys2"], REFERENCE, "bleu", resamples=500)
    run = compare.run(Study(TESTSET, [OUTPUTS[0], OUTPUTS[2]], tests=["approximate_randomization"], resamples=500))
    assert result.chief.p_value == compare.read(run, "bleu").chief.p_value
    assert str(result).startswith("system beats baseline by ")
    assert (result.system, result.baseline) == ("system", "baseline")


def test_paths_and_lists_give_the_same(files: Path) -> None:
    """A file, its name as a string and the list of its lines are one and the same."""
    by_list = sigcore.compare(SYSTEMS["sys0"], SYSTEMS["sys1"], REFERENCE, "chrf", resamples=300)
    by_path = sigcore.compare(
        files / "sys0.txt", str(files / "sys1.txt"), str(files / "ref.txt"), "chrf", resamples=300
    )
    assert by_path.chief.p_value == by_list.chief.p_value
    assert (by_path.system, by_path.baseline) == ("sys0", "sys1")


def test_a_dict_of_systems_gives_a_grid(files: Path) -> None:
    """All pairs, as a sentence, a data frame and a coloured table; a list of files is called after them."""
    result = sigcore.matrix(SYSTEMS, references=REFERENCE, metric="bleu", resamples=500)
    study = Study(TESTSET, OUTPUTS, resamples=500, settings=Settings(correction="joint"))
    (expected,) = matrix.results(study)
    assert result.systems == ("sys0", "sys1", "sys2")
    assert (result.adjusted == expected.adjusted).all()
    assert "than each of the other 2 systems" in str(result)
    one = sigcore.matrix(SYSTEMS, references=REFERENCE, baseline="sys0", resamples=500)
    assert str(one.family.directed(one.systems).tolist()) == "[[1, 0], [2, 0]]"
    assert "2 systems against sys0" in str(one)
    two = sigcore.matrix(SYSTEMS, references=REFERENCE, pairs=[("sys0", "sys1")], resamples=500)
    assert "1 of 1 pair differs significantly in BLEU (approximate randomization, 1 chosen pair" in str(two)
    frame = result.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.system) == ["sys0", "sys0", "sys1"]
    assert result._repr_html_().count("<tr>") == 4
    again = sigcore.matrix([files / f"{name}.txt" for name in SYSTEMS], files / "ref.txt", resamples=500)
    assert again.systems == result.systems
    assert (again.adjusted == result.adjusted).all()


def test_names_are_shown_literally() -> None:
    """A name cannot become markup in a notebook."""
    result = sigcore.matrix({"<b>": SYSTEMS["sys0"], "b": SYSTEMS["sys1"]}, REFERENCE, resamples=100)
    assert "<b>" not in result._repr_html_()
    assert "&lt;b&gt;" in result._repr_html_()


def test_several_references() -> None:
    """A list of lists is several references."""
    result = sigcore.compare(SYSTEMS["sys0"], SYSTEMS["sys1"], [REFERENCE, SYSTEMS["sys2"]], resamples=100)
    assert "refs:2" in result.chief.setup.signature or "nrefs:2" in result.chief.setup.signature


def test_numbers_are_scores() -> None:
    """Lists of numbers need no reference."""
    result = sigcore.compare(
        [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 2.0, 2.0], metric="own_scores", names=("A", "B"), resamples=100
    )
    assert result.gain == pytest.approx(0.75)
    assert result.system == "A"


def test_documents_are_the_unit() -> None:
    """A name for each segment makes documents the unit."""
    result = sigcore.compare(
        SYSTEMS["sys0"],
        SYSTEMS["sys2"],
        REFERENCE,
        documents=[f"d{i // 4}" for i in range(40)],
        unit="document",
        resamples=100,
    )
    assert result.setup.n == 10
    assert result.setup.segments == 40


def test_names_of_files_in_a_list_are_not_segments(files: Path) -> None:
    """Strings in a list are segments; where they are files, that is said."""
    with pytest.raises(SigError, match=r"pathlib\.Path"):
        sigcore.compare(SYSTEMS["sys0"], SYSTEMS["sys1"], [str(files / "ref.txt")])


def test_what_is_wrong_is_named(files: Path) -> None:
    """Another length, two systems of one name, a missing reference and an unknown metric are refused."""
    with pytest.raises(SigError, match="39"):
        sigcore.compare(SYSTEMS["sys0"][:-1], SYSTEMS["sys1"], REFERENCE)
    with pytest.raises(SigError, match="Both systems are named"):
        sigcore.compare(files / "sys0.txt", files / "sys0.txt", REFERENCE)
    with pytest.raises(SigError, match="reference"):
        sigcore.compare(SYSTEMS["sys0"], SYSTEMS["sys1"])
    with pytest.raises(SigError, match="Did you mean"):
        sigcore.compare(SYSTEMS["sys0"], SYSTEMS["sys1"], REFERENCE, "blue")


def test_results_are_short_in_a_shell() -> None:
    """The repr of a result holds no segment and no null."""
    result = sigcore.matrix(SYSTEMS, REFERENCE, resamples=100)
    assert len(repr(result)) < 1500
    assert len(repr(sigcore.compare(SYSTEMS["sys0"], SYSTEMS["sys1"], REFERENCE, resamples=100))) < 1500


def test_every_public_name_has_one_place() -> None:
    """What is imported at first use is what the list of public names says, and each name leads to something."""
    assert sorted(sigcore.__all__) == sorted([*sigcore.PLACES, *sigcore.MODULES])
    assert all(getattr(sigcore, name) is not None for name in sigcore.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        sigcore.nothing  # noqa: B018
