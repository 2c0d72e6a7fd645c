"""The command segments: what it prints and writes, which pair it takes, and that no text is ever more than text."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import openpyxl
import pytest

from sigboard import terminal
from sigboard.render import tables

Capture = pytest.CaptureFixture[str]
QUICK = ["--resamples", "200"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a reference and three systems; one text is HTML, one a formula, one moves the cursor."""
    lines = {
        "ref": ["the cat sat", "<b>bold</b> & more", "=1+1 is two", "a red door", "we go home now"],
        "A": ["the cat sat", "<b>bold</b> & <script>alert(1)</script>", "=1+1 is two", "a \x1b[2Jred door", "we go"],
        "B": ["a cat was", "bold & more", "=2+2 is two", "a red window", "we go home now"],
        "C": ["the cat", "bold", "two", "door", "home"],
    }
    for name, texts in lines.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    (tmp_path / "docs.txt").write_text("x\nx\ny\ny\ny\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str, systems: tuple[str, ...] = ("A.txt", "B.txt")) -> int:
    """The exit code of the command on these systems."""
    return terminal.main(["segments", "--reference", "ref.txt", "--systems", *systems, *QUICK, *words])


def test_the_table_has_the_texts(capsys: Capture) -> None:
    """The sentence, a line of numbers for each segment, and the texts with marks; control characters are shown, not obeyed."""
    assert run("--sort", "segment") == 0
    out = capsys.readouterr().out
    assert "for neither." in out
    assert "segment 1: influence" in out
    assert "  A          {=the=} cat {=sat=}\n" in out
    assert "\x1b" not in out


def test_json_has_the_contract(folder: Path) -> None:
    """gain, segments with influence and gain_without, and the fragility, as in the schema."""
    assert run("--metric", "chrf", "--json", "s.json") == 0
    (result,) = json.loads((folder / "s.json").read_text(encoding="utf-8"))["results"]
    assert {one["segment"] for one in result["segments"]} == {1, 2, 3, 4, 5}
    influences = [one["influence"] for one in result["segments"]]
    assert influences == sorted(influences, reverse=True)
    assert sum(influences) == pytest.approx(result["sum_of_influences"])
    assert result["gain"] == pytest.approx(result["scores"][0] - result["scores"][1])
    assert {"segments", "verified", "p_before", "p_after"} <= result["fragility"].keys()


@pytest.mark.parametrize("suffix", ["csv", "json", "html", "latex"])
def test_files_have_all_segments(folder: Path, suffix: str, capsys: Capture) -> None:
    """In a terminal there are ten."""
    for name in ("ref", "A", "B"):
        text = (folder / f"{name}.txt").read_text(encoding="utf-8")
        (folder / f"{name}.txt").write_text(text * 5, encoding="utf-8")
    assert run(f"--{suffix}", f"all.{suffix}") == 0
    written = (folder / f"all.{suffix}").read_text(encoding="utf-8")
    if suffix == "csv":
        assert len(list(csv.DictReader(io.StringIO(written)))) == 25
    elif suffix == "json":
        assert len(json.loads(written)["results"][0]["segments"]) == 25
    assert run("--sort", "segment") == 0
    assert "10 segments of 25 shown" in capsys.readouterr().out


def test_limit_and_filters_leave_few(folder: Path) -> None:
    """--limit bounds what is written, `found` says how many fit."""
    assert run("--documents", "docs.txt", "--document", "y", "--limit", "2", "--json", "s.json") == 0
    (result,) = json.loads((folder / "s.json").read_text(encoding="utf-8"))["results"]
    assert (result["found"], len(result["segments"])) == (3, 2)
    assert {one["document"] for one in result["segments"]} == {"y"}
    assert run("--limit", "0", "--json", "s.json") == 0  # the sums alone
    (result,) = json.loads((folder / "s.json").read_text(encoding="utf-8"))["results"]
    assert (result["found"], result["segments"]) == (5, [])


def test_the_table_says_how_many_of_how_many_are_shown(capsys: Capture) -> None:
    """--limit alone leaves some out as well as a filter does; of all segments nothing needs to be said."""
    for words, said in (
        (["--limit", "2"], "2 segments of 5 shown, of 5 in all\n"),
        (["--documents", "docs.txt", "--document", "y"], "3 segments of 3 shown, of 5 in all\n"),
        (["--documents", "docs.txt", "--document", "y", "--limit", "1"], "1 segment of 3 shown, of 5 in all\n"),
    ):
        assert run(*words) == 0
        assert said in capsys.readouterr().out
    assert run("--limit", "5") == 0
    assert "shown, of" not in capsys.readouterr().out


def test_html_shows_markup_as_text(folder: Path) -> None:
    """What a text has of HTML is escaped, and the file loads and runs nothing."""
    assert run("--html", "s.html") == 0
    page = (folder / "s.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "<b>bold" not in page
    assert "&lt;b&gt;" in page
    assert "default-src 'none'" in page
    assert page.count('class="segment"') == 5
    assert 'dir="auto"' in page


def test_texts_stay_whole_in_every_file(folder: Path, capsys: Capture) -> None:
    """Blanks that do not break, joiners and tabs stay in HTML, XLSX and a terminal; what could turn or move a line is replaced."""
    text = "\u00ab\u00a0oui\u00a0\u00bb \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \U0001f469\u200d\U0001f4bb"
    odd = "a\tb \u202ered\x07 door"
    for name in ("ref", "A", "B"):
        (folder / f"{name}.txt").write_text(f"{text} {name}\n{odd}\nx y\n", encoding="utf-8")
    assert run("--html", "s.html", "--sort", "segment") == 0
    page, printed = (folder / "s.html").read_text(encoding="utf-8"), capsys.readouterr().out
    assert page.count(text) == printed.count(text) == 3
    assert page.count("a\tb \ufffdred\ufffd door") == 3
    book = openpyxl.load_workbook(io.BytesIO(tables.workbook({"texts": [{"a": text, "b": odd}]})))
    assert [cell.value for cell in book["texts"][2]] == [text, "a\tb \ufffdred\ufffd door"]


def test_csv_starts_no_formula(folder: Path) -> None:
    """A text that a spreadsheet would compute has an apostrophe; each segment is one row."""
    assert run("--csv", "s.csv", "--sort", "segment") == 0
    rows = list(csv.DictReader(io.StringIO((folder / "s.csv").read_text(encoding="utf-8"))))
    assert len(rows) == 5
    assert rows[2]["output"] == rows[2]["reference"] == "'=1+1 is two"
    assert rows[2]["marked"].startswith(("'", "{"))


def test_a_pair_among_several_is_named(capsys: Capture) -> None:
    """Three systems need --pair, with names that are there."""
    three = ("A.txt", "B.txt", "C.txt")
    assert run(systems=three) == 2
    assert "--pair SYSTEM BASELINE" in capsys.readouterr().err
    assert run("--pair", "A", "X", systems=three) == 2
    assert "no system 'X'" in capsys.readouterr().err
    assert run("--pair", "C", "A", systems=three) == 0
    assert "ahead of C" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words", [["--where-length", "x"], ["--regex", "("], ["--document", "q"], ["--limit", "-1"], ["--test", "a", "b"]]
)
def test_what_cannot_be_used_is_refused(words: list[str], capsys: Capture) -> None:
    """A wrong value ends with 2 and a sentence."""
    assert run(*words) == 2
    assert capsys.readouterr().err.startswith("error:")


def test_slices_by_files_have_their_names(folder: Path, capsys: Capture) -> None:
    """--by reads a name for every segment; a file of another length and one that is not there are refused."""
    for name in ("ref", "A", "B"):
        file = folder / f"{name}.txt"
        file.write_text(file.read_text(encoding="utf-8") * 10, encoding="utf-8")
    (folder / "topic.txt").write_text("news\n" * 30 + "talks\n" * 20, encoding="utf-8")
    assert run("--by", "topic.txt", "--json", "out.json") == 0
    parts = json.loads((folder / "out.json").read_text(encoding="utf-8"))["results"][0]["slices"]
    assert {one["slice"]: one["segments"] for one in parts if one["kind"] == "topic"} == {"news": 30, "talks": 20}
    repeats = json.loads((folder / "out.json").read_text(encoding="utf-8"))["results"][0]["repeats"]
    assert (len(repeats["segments"]), repeats["groups"]) == (45, 5)
    table = "level,topic\n" + "easy,news\n" * 20 + "hard,talks\n" * 30
    (folder / "own.csv").write_text(table, encoding="utf-8")
    assert run("--by", "own.csv", "--json", "out.json") == 0
    parts = json.loads((folder / "out.json").read_text(encoding="utf-8"))["results"][0]["slices"]
    own = {(one["kind"], one["slice"]): one["segments"] for one in parts if one["kind"] in ("topic", "level")}
    assert own == {("level", "easy"): 20, ("level", "hard"): 30, ("topic", "news"): 20, ("topic", "talks"): 30}
    (folder / "topic.txt").write_text("news\n", encoding="utf-8")
    assert run("--by", "topic.txt") != 0
    assert run("--by", "nowhere.txt") != 0
    assert "nowhere.txt cannot be read" in capsys.readouterr().err


def test_trees_are_drawn_and_their_words_are_literal(folder: Path, capsys: Capture) -> None:
    """Wrong arcs are marked in the terminal; the HTML file has a drawing, in which a word is never markup."""
    rows = ["1\t<b>\t_\tX\t_\t_\t2\tdet\t_\t_", "2\tb\t_\tX\t_\t_\t0\troot\t_\t_"]
    for name, head in (("gold", 2), ("P", 2), ("Q", 0)):
        text = "\n".join([rows[0].replace("\t2\tdet", f"\t{head}\tdet"), rows[1]]) + "\n\n"
        (folder / f"{name}.conllu").write_text(text * 3, encoding="utf-8")
    words = ["--reference", "gold.conllu", "--systems", "P.conllu", "Q.conllu", "--metric", "uas", *QUICK]
    assert terminal.main(["segments", *words, "--html", "out.html"]) == 0
    assert "{=<b>(det: b)=} b(root: root)" in capsys.readouterr().out
    content = (folder / "out.html").read_text(encoding="utf-8")
    assert content.count("<svg") == 6
    assert '<path class="insertion"' in content
    assert "<b>(" not in content
    assert ">&lt;b&gt;</text>" in content
