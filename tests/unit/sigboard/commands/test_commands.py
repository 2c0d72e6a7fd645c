"""The terminal: what it prints, what it writes, and what it says of wrong questions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sigboard import terminal
from sigboard.terminal import loading

SHAPE = {"systems", "n", "unit", "segments", "resamples", "seed", "alternative", "warnings", "results"}
EACH = {"metric", "test", "signature", "scores", "gains", "p_values", "p_low", "p_high", "adjusted"}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """A reference, two systems, two files of scores and a file that is too short, by name."""
    lines = [f"the {word} boat number {i} sails home" for i, word in enumerate(["red", "blue", "old", "new"] * 10)]
    texts = {
        "ref": lines,
        "one": [line.replace("red", "rouge") for line in lines],
        "two": [line.replace("boat", "ship") for line in lines],
        "short": lines[:-1],
        "low": [str(i % 5) for i in range(40)],
        "high": [str(i % 5 + i % 3) for i in range(40)],
        "docs": [f"doc {i // 4}" for i in range(40)],
        "pairs": [f"doc {i // 2}" for i in range(40)],
        "numbers": [str(i % 8) for i in range(40)],
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(text) + "\n", encoding="utf-8")
    return {name: str(tmp_path / f"{name}.txt") for name in texts}


def ask(*words: str) -> int:
    return terminal.main([*words, "--resamples", "200"])


def written(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("command", ["matrix", "compare"])
def test_the_json_always_has_one_shape(command: str, files: dict[str, str], tmp_path: Path) -> None:
    """Both commands write the same fields, one object per metric and test, whatever the number of workers."""
    found = []
    for workers in ("1", "8"):
        out = tmp_path / f"{workers}.json"
        asked = ["--metric", "bleu", "ter", "--test", "approximate_randomization", "bootstrap_shift"]
        where = ["--reference", files["ref"], "--systems", files["one"], files["two"], "--json", str(out)]
        assert ask(command, *where, *asked, "--workers", workers) == 0
        found.append(written(out))
    assert found[0] == found[1]
    assert set(found[0]) >= SHAPE
    assert [(r["metric"], r["test"]) for r in found[0]["results"]] == [
        (metric, test) for metric in ("bleu", "ter") for test in ("approximate_randomization", "bootstrap_shift")
    ]
    for result in found[0]["results"]:
        assert set(result) >= EACH
        assert result["gains"][0][0] == 0
        assert result["p_values"][1][1] == 1
        assert result["gains"][0][1] == -result["gains"][1][0]


def test_scores_of_ones_own_can_be_better_when_lower(files: dict[str, str], tmp_path: Path) -> None:
    """The declared orientation turns the sign of the gain and nothing else."""
    gains = []
    for better in ("higher", "lower"):
        out = tmp_path / f"{better}.json"
        asked = ["--metric", "own_scores", "--option", f"own_scores.better={better}", "--json", str(out)]
        assert ask("matrix", "--systems", files["low"], files["high"], *asked) == 0
        gains.append(written(out)["results"][0]["gains"][1][0])
    assert gains[0] > 0
    assert gains[0] == -gains[1]


@pytest.mark.parametrize("command", ["matrix", "compare"])
@pytest.mark.parametrize(
    ("words", "n", "unit"),
    [
        (["--unit", "document", "--documents", "docs"], 10, "document"),
        (["--unit", "document", "--documents", "numbers"], 8, "document"),
        (["--unit", "block:16"], 3, "block:16"),
        (["--documents", "pairs"], 20, "document"),
        (["--unit", "segment", "--documents", "pairs"], 40, "segment"),
        (["--documents", "docs"], 10, "document"),
    ],
)
def test_units_are_reported_in_json_and_tables(
    command: str,
    words: list[str],
    n: int,
    unit: str,
    files: dict[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """JSON has the number of units, what they are, and the segments; the table has them in words."""
    where = ["--reference", files["ref"], "--systems", files["one"], files["two"]]
    words = [files.get(word, word) for word in words]
    out = tmp_path / "out.json"
    assert ask(command, *where, *words, "--json", str(out)) == 0
    found = written(out)
    assert (found["n"], found["unit"], found["segments"]) == (n, unit, 40)
    assert (found["results"][0]["design_effect"] is None) == (unit == "segment")
    assert ask(command, *where, *words) == 0
    expected = {"document": f"n = {n} documents (40 segments)", "segment": "n = 40 segments"}
    assert expected.get(unit, "n = 3 blocks of 16 segments (40 segments)") in capsys.readouterr().out


def test_a_table_can_bring_the_documents(files: dict[str, str], tmp_path: Path) -> None:
    """Of a table with a column document only that column is taken; a file without any is refused."""
    where = ["--reference", files["ref"], "--systems", files["one"], files["two"], "--unit", "document"]
    table, out = tmp_path / "documents.tsv", tmp_path / "out.json"
    rows = [f"{i + 1}\tdoc{i // 10}\tnews" for i in range(40)]
    table.write_text("\n".join(["segment\tdocument\tdomain", *rows]) + "\n", encoding="utf-8")
    assert ask("matrix", *where, "--documents", str(table), "--json", str(out)) == 0
    assert written(out)["n"] == 4
    table.write_text("\n".join(["one\ttwo", *("1\t2" for _ in range(40))]) + "\n", encoding="utf-8")
    assert ask("matrix", *where, "--documents", str(table)) == 2


def test_a_note_is_shown_once(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """A note on the numbers is in the table, and not printed a second time."""
    assert ask("matrix", "--reference", files["ref"], "--systems", files["one"], files["one"]) == 0
    printed = capsys.readouterr()
    assert (printed.out + printed.err).count("p = 1 under every test") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--alpha", "7"], "between 0 and 1"),
        (["--workers", "0"], "at least 1"),
        (["--seed", "-1"], "seed = -1"),
        (["--metric", "blue"], "Did you mean bleu?"),
        (["--test", "nothing"], "Known: approximate_randomization"),
        (["--correction", "hulm"], "Did you mean holm or hommel?"),
        (["--option", "bleu.nothing=1"], "bleu has no option"),
        (["--json", "/nowhere/at/all.json"], "cannot be written"),
        (["--unit", "paragraph"], "Write segment, document or block:N"),
        (["--unit", "document"], "does not assign segments to documents"),
        (["--documents", "/nowhere/at/all.txt"], "cannot be read"),
    ],
)
def test_wrong_options_are_explained(
    arguments: list[str], message: str, files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong option ends with code 2 and one message, never with a traceback."""
    assert ask("matrix", "--reference", files["ref"], "--systems", files["one"], files["two"], *arguments) == 2
    assert message in capsys.readouterr().err


def test_bad_files_are_reported(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """A missing file and one of another length are named."""
    assert ask("matrix", "--reference", "missing.txt", "--systems", files["one"]) == 2
    assert "missing.txt cannot be read" in capsys.readouterr().err
    assert ask("matrix", "--reference", files["ref"], "--systems", files["one"], files["short"]) == 2
    assert "short has 39 lines, ref has 40" in capsys.readouterr().err


def test_without_a_metric_the_files_say_which(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """Scores are averaged, text has its BLEU; for a metric that does not fit the files, those that do are listed."""
    assert ask("compare", "--systems", files["low"], files["high"]) == 0
    assert "mean score" in capsys.readouterr().out
    assert ask("compare", "--reference", files["ref"], "--systems", files["one"], files["two"]) == 0
    assert "BLEU" in capsys.readouterr().out
    assert ask("compare", "--systems", files["low"], files["high"], "--metric", "aer") == 2
    shown = capsys.readouterr().err
    assert "aer needs alignments, but the files of the systems contain scores." in shown
    assert "own_scores" in shown


def test_list_names_every_member(capsys: pytest.CaptureFixture[str]) -> None:
    """The list has every metric, test and correction, and each option as it is typed."""
    assert terminal.main(["list"]) == 0
    printed = capsys.readouterr().out
    for word in ("own_scores", "two_delta_bootstrap", "benjamini_hochberg", "--option chrf.word_order="):
        assert word in printed


def loaded(*words: str) -> Any:
    return loading.load(terminal.parser().parse_args(["matrix", *words]))[0]


def test_a_file_given_as_a_system_is_one_regardless_of_its_name(files: dict[str, str], tmp_path: Path) -> None:
    """A file named like a reference, or like a note, is what the command line says; so are all columns of a table."""
    for name in ("ref-net.txt", "reference.txt", "NOTICE.txt"):
        (tmp_path / "own").mkdir(exist_ok=True)
        Path(tmp_path / "own" / name).write_text(Path(files["one"]).read_text(encoding="utf-8"), encoding="utf-8")
        found = loaded("--reference", files["ref"], "--systems", str(tmp_path / "own" / name), files["two"])
        assert len(found.outputs) == 2, name
        assert len(found.testset.references) == 1
    table = tmp_path / "gold.tsv"
    table.write_text("".join(f"gold {i}\tother gold {i}\n" for i in range(40)), encoding="utf-8")
    assert len(loaded("--reference", str(table), "--systems", files["one"], files["two"]).testset.references) == 2


def test_a_file_that_contains_roles_keeps_them_beside_others(files: dict[str, str], tmp_path: Path) -> None:
    """The source in a table of outputs is not an output, and does not change the roles of other files."""
    table = tmp_path / "outs.tsv"
    table.write_text("source\tA\tB\n" + "".join(f"s {i}\ta {i}\tb {i}\n" for i in range(40)), encoding="utf-8")
    again = tmp_path / "ref-net.txt"
    again.write_text(Path(files["one"]).read_text(encoding="utf-8"), encoding="utf-8")
    found = loaded("--reference", files["ref"], "--systems", str(table), str(again))
    assert [o.system for o in found.outputs] == ["A", "B", "ref-net"]
    assert found.testset.sources


def test_a_folder_is_all_its_files(files: dict[str, str], tmp_path: Path) -> None:
    """Folders are read as archives are, hidden files apart; a reference among the outputs stays one."""
    folder = tmp_path / "run"
    (folder / "systems").mkdir(parents=True)
    for name, file in (("systems/One.txt", "one"), ("systems/Two.txt", "two"), ("ref.txt", "ref"), (".cache", "two")):
        (folder / name).write_text(Path(files[file]).read_text(encoding="utf-8"), encoding="utf-8")
    found = loaded("--systems", str(folder))
    assert [o.system for o in found.outputs] == ["One", "Two"]
    assert len(found.testset.references) == 1
    alone = loaded("--reference", str(folder / "ref.txt"), "--systems", str(folder / "systems"))
    assert [o.system for o in alone.outputs] == ["One", "Two"]


@pytest.mark.parametrize("flag", ["--testset", "--measure"])
def test_a_name_that_is_not_there_is_refused(flag: str, files: dict[str, str], capsys: Any) -> None:
    """A slip in the name of a test set or a measure never takes another one instead."""
    assert ask("matrix", "--systems", files["low"], files["high"], "--metric", "own_scores", flag, "COMETT") == 2
    assert "'COMETT'" in capsys.readouterr().err


def test_labels_are_compared_as_text(files: dict[str, str]) -> None:
    """Numbers with a reference of numbers serve accuracy as well as scores of one's own."""
    found = loaded("--reference", files["low"], "--systems", files["low"], files["high"], "--metric", "accuracy")
    assert found.testset.kind == "text"
    assert ask("matrix", "--systems", files["low"], files["high"], "--metric", "own_scores") == 0


def test_a_format_is_that_of_the_files_in_an_archive_too(files: dict[str, str], tmp_path: Path) -> None:
    """--format reaches the members of a zip."""
    import zipfile

    with zipfile.ZipFile(tmp_path / "s.zip", "w") as archive:
        for name in ("one", "two"):
            tabbed = (
                Path(files[name]).read_text(encoding="utf-8").replace(" boat ", "\tboat ").replace(" ship ", "\tship ")
            )
            archive.writestr(f"{name}.txt", tabbed)
    found = loaded("--reference", files["ref"], "--systems", str(tmp_path / "s.zip"), "--format", "plain")
    assert [o.system for o in found.outputs] == ["one", "two"]
    assert "\t" in found.outputs[0].segments[0]


@pytest.mark.parametrize(("systems", "alone"), [((), True), (("ann", "bob"), False)])
def test_several_test_sets_of_one_system_have_nothing_to_compare(
    systems: tuple[str, ...], alone: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each of the test sets that are offered would be one of a single system."""
    table = tmp_path / "wer.csv"
    rows = [
        f"{test},s{k}{system and ','}{system},{k % 3 / 3}" for test in ("clean", "other") for system in systems or ("",) for k in range(20)
    ]  # fmt: skip
    table.write_text("\n".join([f"dataset,id{',system' if systems else ''},wer", *rows]) + "\n", encoding="utf-8")
    assert ask("matrix", str(table)) == 2
    said = capsys.readouterr().err
    assert "Choose one: --testset clean." in said
    assert ("None of them has a second system: load the scores of another one." in said) == alone
