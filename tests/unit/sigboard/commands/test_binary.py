"""The pairs of `matrix` as Parquet and as arrays of NumPy: opened again by others, with the numbers of the JSON."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pyarrow import parquet

from sigboard import terminal
from sigboard.questions.matrix.page import columns_as
from sigboard.render.json import too_large
from sigboard.render.tables import BINARY, pair_columns, to_csv
from sigcore.results import matrix_rows
from tests.unit.factories import HOSTILE, matrix

NUMBERS = {"gain": "gains", "p_value": "p_values", "adjusted": "adjusted", "p_high": "p_high", "resamples": "resamples"}


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    """The options of a command on three systems with scores of their own."""
    drawn = np.random.default_rng(1).normal((0.0, 0.1, 0.9), size=(60, 3))
    paths = [tmp_path / f"{name}.txt" for name in ("one", "two", "three")]
    for path, values in zip(paths, drawn.T, strict=True):
        path.write_text("\n".join(f"{value:.3f}" for value in values) + "\n", encoding="utf-8")
    return ["matrix", "--systems", *map(str, paths), "--resamples", "300", "--seed", "5"]


def opened(path: Path) -> dict[str, np.ndarray]:
    """The columns of either file."""
    if path.suffix == ".parquet":
        frame = pd.read_parquet(path)
        return {str(name): frame[name].to_numpy() for name in frame}
    with np.load(path, allow_pickle=False) as held:
        return {name: held[name] for name in held.files}


@pytest.mark.parametrize("side", ["two-sided", "greater"])
def test_both_files_have_the_numbers_of_the_json(side: str, words: list[str], tmp_path: Path) -> None:
    """Every pair once, for one side in both orders; the same columns as the CSV, and no number is rounded."""
    out = {suffix: tmp_path / f"pairs.{suffix}" for suffix in ("json", "csv", "parquet", "npz")}
    tests = ["--test", "approximate_randomization", "paired_bootstrap", "--alternative", side]
    files = [word for suffix, path in out.items() for word in (f"--{suffix}", str(path))]
    assert terminal.main([*words, *tests, *files]) == 0
    made = json.loads(out["json"].read_text(encoding="utf-8"))
    for suffix in ("parquet", "npz"):
        held = opened(out[suffix])
        assert set(held) == set(out["csv"].read_text(encoding="utf-8").split("\n")[0].strip().split(","))
        assert len(held["system"]) == 2 * (3 if side == "two-sided" else 6)
        for k, (test, *names) in enumerate(zip(held["test"], held["system"], held["baseline"], strict=True)):
            (result,) = (one for one in made["results"] if one["test"] == test)
            row, column = (made["systems"].index(name) for name in names)
            for name, table in NUMBERS.items():
                assert held[name][k] == result[table][row][column], (name, names)


def test_undefined_numbers_are_null_and_names_stay_as_they_are() -> None:
    """A name like a formula is a text; a p that was refused is null in Parquet and nan in NumPy."""
    p = np.full((5, 5), 0.02)
    p[1, 2] = p[2, 1] = np.nan
    result = matrix([5, 4, 3, 2, 1], p=p, systems=(*HOSTILE[:4], 'say "a,b"\nc'), groups=("",) * 5)
    rows = matrix_rows(result, 0.05)
    frame = pd.read_parquet(io.BytesIO(columns_as("parquet", result, 0.05)))
    table = parquet.read_table(io.BytesIO(columns_as("parquet", result, 0.05)))
    assert table["p_value"].null_count == 1
    held = np.load(io.BytesIO(columns_as("npz", result, 0.05)), allow_pickle=False)
    assert frame["system"].tolist() == held["system"].tolist() == [row["system"] for row in rows]
    assert frame["verdict"].tolist() == held["verdict"].tolist() == [row["verdict"] for row in rows]
    np.testing.assert_array_equal(frame["p_value"].to_numpy(), held["p_value"])
    assert frame["p_value"].isna().sum() == np.isnan(held["p_value"]).sum() == 1
    assert held["resamples"].dtype.kind == "i"
    assert columns_as("npz", result, 0.05) == columns_as("npz", result, 0.05)


def test_a_single_system_has_columns_and_no_rows() -> None:
    """The file opens, and is empty."""
    columns = pair_columns([matrix([1.0])], 0.05)
    assert {len(values) for values in columns.values()} == {0}
    assert pd.read_parquet(io.BytesIO(columns_as("parquet", matrix([1.0]), 0.05))).empty
    assert to_csv(matrix_rows(matrix([1.0]), 0.05)) == ""


def test_without_pyarrow_nothing_is_computed(words, tmp_path, monkeypatch, capsys) -> None:
    """One line says what is missing, before the files are read; NumPy's file needs nothing else."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setattr("sigboard.questions.matrix.command.load", lambda args: pytest.fail("it went on"))
    path = tmp_path / "pairs.parquet"
    assert terminal.main([*words, "--parquet", str(path)]) == 2
    assert capsys.readouterr().err.startswith("error: Parquet needs pyarrow, which is not installed.")
    assert not path.exists()


def test_standard_output_holds_one_file_and_no_table(words, tmp_path: Path, capfdbinary) -> None:
    """A file for the next program is alone on standard output."""
    path = tmp_path / "pairs.npz"
    assert terminal.main([*words, "--npz", str(path), "--quiet"]) == 0
    capfdbinary.readouterr()
    assert terminal.main([*words, "--npz", "-", "--quiet"]) == 0
    assert capfdbinary.readouterr().out == path.read_bytes()
    assert len(opened(path)["gain"]) == 3


def test_very_many_systems_are_written_as_columns_alone(words, tmp_path: Path, monkeypatch, capsys) -> None:
    """The same file, with its name in place of a table, and without JSON that nobody asked for; the warnings stay."""
    path, other = tmp_path / "pairs.npz", tmp_path / "many.npz"
    assert terminal.main([*words, "--npz", str(path)]) == 0
    said = capsys.readouterr()
    monkeypatch.setattr("sigboard.questions.matrix.command.DRAWN_LIMIT", 2)
    monkeypatch.setattr("sigboard.questions.matrix.command.matrix_json", lambda *_: pytest.fail("it was made"))
    assert terminal.main([*words, "--npz", str(other)]) == 0
    found = capsys.readouterr()
    assert found.out == f"Wrote {other}.\n"
    assert "Wrote" not in said.out
    assert [line for line in said.err.splitlines() if "warning" in line] == [
        line for line in found.err.splitlines() if "warning" in line
    ]
    assert other.read_bytes() == path.read_bytes()


def test_runs_have_pairs_too(words, tmp_path: Path) -> None:
    """The grid of systems with several runs is written with its own columns."""
    paths = [Path(word) for word in words if word.endswith(".txt")]
    runs = [f"A={paths[0]},{paths[1]}", f"B={paths[2]}"]
    out = {suffix: tmp_path / f"pairs.{suffix}" for suffix in ("csv", "parquet")}
    files = [word for suffix, path in out.items() for word in (f"--{suffix}", str(path))]
    assert terminal.main(["matrix", "--runs", *runs, "--resamples", "300", "--seed", "5", *files]) == 0
    plain, held = pd.read_csv(out["csv"]), pd.read_parquet(out["parquet"])
    assert list(plain) == list(held)
    assert held["gain"].tolist() == pytest.approx(plain["gain"].tolist())


@pytest.mark.parametrize("most", [1, 4, 10, 10_000])
def test_pairs_are_made_a_portion_at_a_time(most: int) -> None:
    """The same files of however few pairs at once: a text of one portion may be longer than all of another."""
    p = np.full((5, 5), 0.2)
    p[0, 1] = p[1, 0] = 1e-5
    results = [
        matrix([5, 4, 3, 2, 1], p=p, systems=("a", "b", "a long name", "d", "e"), metric=m) for m in ("m", "longer")
    ]
    columns, whole = pair_columns(results, 0.05, most=most), pair_columns(results, 0.05)
    assert {len(column) for column in columns.values()} == {20}
    assert max(len(part) for column in columns.values() for part in column) == min(most, 10)
    assert BINARY["npz"](columns) == BINARY["npz"](whole)
    made, expected = (pd.read_parquet(io.BytesIO(BINARY["parquet"](one))) for one in (columns, whole))
    pd.testing.assert_frame_equal(made, expected)
    rows = [{"metric": r.setup.metric, "test": r.setup.test, **row} for r in results for row in matrix_rows(r, 0.05)]
    pd.testing.assert_frame_equal(made, pd.DataFrame(rows), check_dtype=False)


@pytest.mark.parametrize("suffix", ["json", "csv", "latex"])
def test_text_of_very_many_pairs_is_refused_before_anything_is_computed(
    suffix: str, tmp_path, monkeypatch, capsys
) -> None:
    """The line names the bytes, the bound, and what to write instead."""
    path = tmp_path / "many.csv"
    names = ",".join(f"s{k}" for k in range(1_415))
    path.write_text("\n".join([f"question,{names}", *(f"q{i},{','.join('10' * 707)},{i % 2}" for i in range(2))]))
    monkeypatch.setattr("sigboard.questions.matrix.command.matrix.results", lambda *_: pytest.fail("it went on"))
    assert terminal.main(["matrix", "--systems", str(path), f"--{suffix}", str(tmp_path / "out"), "--quiet"]) == 2
    said = capsys.readouterr().err
    assert "1,415 systems are about 300 MB of text, and at most 300 MB are written." in said
    assert "--npz FILE or --parquet FILE" in said


def test_the_bound_on_text_is_in_bytes() -> None:
    """Ten numbers of each cell, of each grid."""
    assert too_large(1_000) is None
    assert too_large(100, most=1_500_000) is None
    assert "1 MB of text, and at most 1 MB" in str(too_large(100, most=1_499_999))
    assert too_large(100, grids=2, most=1_500_000)
