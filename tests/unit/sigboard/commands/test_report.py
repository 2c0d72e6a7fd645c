"""The command `report`: what it writes, its exit code, and the command line that it prints."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from sigboard import terminal
from sigboard.render import bibtex
from sigboard.terminal.output import progress
from tests.made import text_set


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """The arguments of a reference and three systems, one of which has a hostile name."""
    lines = [f"the {word} boat number {i} sails home" for i, word in enumerate(["red", "blue", "old", "new"] * 10)]
    texts = {
        "ref": lines,
        "one": [line.replace("red", "rouge") for line in lines],
        "sys_a%&": [line.replace("boat", "ship") for line in lines],
        "two": [line.replace("home", "away").replace("old", "aged") for line in lines],
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(text) + "\n", encoding="utf-8")
    paths = [str(tmp_path / f"{name}.txt") for name in texts]
    return ["--reference", paths[0], "--systems", *paths[1:], "--resamples", "200"]


def test_printed_command_gives_the_same_json(files: list[str], tmp_path: Path) -> None:
    """The command line in the JSON writes the same JSON and the same page, to the bit."""
    out, page = tmp_path / "out.json", tmp_path / "out.html"
    asked = ["--metric", "BLEU", "chrf", "--option", "chrf.word_order=2", "--alternative", "greater", "--alpha", "0.01"]
    names = ["--name", "test's set", "--unseen", "--baseline", "one"]
    assert terminal.main(["report", *files, *asked, *names, "--json", str(out), "--out", str(page)]) == 0
    first = out.read_bytes(), page.read_bytes()
    words = shlex.split(json.loads(first[0])["command"])
    assert words[:2] == ["sigboard", "report"]
    assert terminal.main(words[1:]) == 0
    assert (out.read_bytes(), page.read_bytes()) == first


def test_automatic_resamples_are_written_as_a_number(files: list[str], tmp_path: Path) -> None:
    """Where the number is automatic, the command has the one that was drawn."""
    out = tmp_path / "out.json"
    assert terminal.main(["report", *files[:-2], "--json", str(out)]) == 0
    content = json.loads(out.read_text(encoding="utf-8"))
    words = shlex.split(content["command"])
    assert words[words.index("--resamples") + 1] == str(content["resamples"])


def test_check_ends_with_1_only_where_a_check_is_red(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a correction a check is red: exit code 1 with --check, 0 without; the JSON is written in both cases."""
    out = tmp_path / "out.json"
    asked = ["report", *files, "--resamples", "2000", "--json", str(out)]
    assert terminal.main([*asked, "--check"]) == 0
    assert terminal.main([*asked, "--correction", "none"]) == 0
    out.unlink()
    with pytest.raises(SystemExit) as ended:
        terminal.main([*asked, "--correction", "none", "--check"])
    assert ended.value.code == 1
    assert "corrected" in capsys.readouterr().err
    states = {check["name"]: check["state"] for check in json.loads(out.read_text(encoding="utf-8"))["checks"]}
    assert states["correction"] == "red"


def test_without_files_to_write_it_prints(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The terminal shows the checks, the sentences and the command."""
    assert terminal.main(["report", *files]) == 0
    printed = capsys.readouterr().out
    assert "UNKNOWN" in printed
    assert "pairs differ" in printed
    assert "sigboard report --reference" in printed


def test_it_says_what_it_wrote_and_the_verdict(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line names all written files and has the verdict; it is not between the lines of a result, and --quiet has none."""
    page, out, figures = tmp_path / "r.html", tmp_path / "r.json", tmp_path / "figures"
    asked = ["report", *files, "--out", str(page)]
    assert terminal.main([*asked, "--json", str(out), "--figures", str(figures)]) == 0
    verdict = json.loads(out.read_text(encoding="utf-8"))["sentences"]["verdict"]
    assert capsys.readouterr().out == f"Wrote {out}, {page}, {figures}. {verdict}\n"
    assert terminal.main([*asked, "--json", "-"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["sentences"]["verdict"] == verdict
    assert f"Wrote {page}. {verdict}\n" in printed.err
    assert terminal.main([*asked, "--quiet"]) == 0
    assert tuple(capsys.readouterr()) == ("", "")


def test_each_test_set_has_its_report(tmp_path: Path) -> None:
    """Two language pairs in the files give two reports, each with the command that writes it alone."""
    paths: dict[str, list[str]] = {"ref": [], "sys": []}
    for pair in ("cs-en", "uk-en"):
        for name, word in (("ref", "red"), ("sysA", "blue"), ("sysB", "old")):
            file = tmp_path / f"wmt22.{pair}.{name}.en"
            file.write_text("".join(f"the {word} boat {pair} {k % 7} sails\n" for k in range(40)), encoding="utf-8")
            paths[name[:3]].append(str(file))
    out = tmp_path / "all.json"
    asked = ["--reference", *paths["ref"], "--systems", *paths["sys"], "--resamples", "200", "--json", str(out)]
    assert terminal.main(["report", *asked, "--each-testset"]) == 0
    assert sorted(file.name for file in tmp_path.glob("*.json")) == ["all.cs-en.json", "all.uk-en.json"]
    one = tmp_path / "all.cs-en.json"
    first = one.read_bytes()
    assert terminal.main(shlex.split(json.loads(first)["command"])[1:]) == 0
    assert one.read_bytes() == first


def test_files_without_test_sets_are_refused(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Where no file names a test set, --each-testset says so; nothing ends silently."""
    assert terminal.main(["report", *files, "--each-testset"]) == 2
    assert "which test sets" in capsys.readouterr().err


def test_unknown_baseline_is_refused(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A baseline that is not a system ends with exit code 2 and the names."""
    assert terminal.main(["report", *files, "--baseline", "none"]) == 2
    assert "one" in capsys.readouterr().err


def test_the_suffix_says_what_is_written(files: list[str], tmp_path: Path) -> None:
    """One command writes every kind of file and the figures; its printed command line writes the same bytes again."""
    out = [str(tmp_path / f"out.{suffix}") for suffix in ("html", "xlsx", "tex", "md", "csv", "bib")]
    figures, page = tmp_path / "figures", tmp_path / "out.json"
    asked = ["--metric", "bleu", "chrf", "--out", *out, "--figures", str(figures), "--json", str(page)]
    assert terminal.main(["report", *files, *asked]) == 0
    first = {file: file.read_bytes() for file in (*tmp_path.glob("out.*"), *figures.iterdir())}
    assert len(first) == 7 + 2 * 2 * (1 + 3)
    assert first[tmp_path / "out.xlsx"].startswith(b"PK")
    assert first[tmp_path / "out.tex"].startswith(b"% needs")
    for file in first:
        file.unlink()
    assert terminal.main(shlex.split(json.loads(first[page])["command"])[1:]) == 0
    assert {file: file.read_bytes() for file in first} == first


def test_an_unknown_suffix_is_refused_first(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A file that nothing writes ends with exit code 2 and the suffixes, before anything is computed."""
    assert terminal.main(["report", *files, "--out", "report.pdf"]) == 2
    assert ".xlsx" in capsys.readouterr().err


def pairs_of_folders(folder: Path) -> list[str]:
    """The arguments of two language pairs in folders that name them; the files themselves do not."""
    for pair in ("wmt22.cs-en", "wmt22.uk-en"):
        for name, word in (("ref.en", "red"), ("systems/one.en", "blue"), ("systems/two.en", "old")):
            file = folder / pair / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("".join(f"the {word} boat {pair} {k % 7} sails\n" for k in range(40)), encoding="utf-8")
    references, systems = ([str(one) for one in sorted(folder.glob(f"*/{name}"))] for name in ("ref.en", "systems"))
    return ["--reference", *references, "--systems", *systems, "--resamples", "200"]


def test_folders_name_the_test_sets(tmp_path: Path) -> None:
    """Where only folders name the pairs, each has its report, and the command in it writes it alone."""
    asked = [*pairs_of_folders(tmp_path), "--json", str(tmp_path / "all.json"), "--out", str(tmp_path / "all.csv")]
    assert terminal.main(["report", *asked, "--each-testset"]) == 0
    assert sorted(file.name for file in tmp_path.glob("all.*.json")) == ["all.cs-en.json", "all.uk-en.json"]
    one, table = tmp_path / "all.uk-en.json", tmp_path / "all.uk-en.csv"
    first = one.read_bytes(), table.read_bytes()
    assert json.loads(first[0])["systems"] == ["one", "two"]
    assert terminal.main(shlex.split(json.loads(first[0])["command"])[1:]) == 0
    assert (one.read_bytes(), table.read_bytes()) == first


def test_a_folder_without_systems_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A pair with a reference alone, and one file of documents for several pairs, are errors."""
    asked = pairs_of_folders(tmp_path)
    assert terminal.main(["report", *asked[:4], *asked[5:], "--each-testset"]) == 2
    assert "There are no systems in wmt22.cs-en" in capsys.readouterr().err
    assert terminal.main(["report", *asked, "--each-testset", "--documents", asked[1]]) == 2
    assert "One file of documents" in capsys.readouterr().err


def test_runs_are_reported_as_runs(tmp_path: Path) -> None:
    """With --runs the JSON is that of matrix with runs, the check is green, and the command gives the same bytes."""
    testset, outputs = text_set(80, (0.15, 0.17, 0.16, 0.25, 0.27, 0.26))
    (tmp_path / "ref.en").write_text("\n".join(testset.references[0]) + "\n", encoding="utf-8")
    for k, item in enumerate(outputs):
        (tmp_path / f"{'ab'[k // 3]}{k % 3}.txt").write_text("\n".join(item.segments) + "\n", encoding="utf-8")
    given = [f"{name.upper()}=" + ",".join(str(tmp_path / f"{name}{k}.txt") for k in range(3)) for name in "ab"]
    common = ["--reference", str(tmp_path / "ref.en"), "--runs", *given, "--metric", "bleu", "--resamples", "300"]
    page, out = tmp_path / "out.json", [str(tmp_path / f"out.{suffix}") for suffix in ("html", "tex", "md", "xlsx")]
    assert terminal.main(["report", *common, "--json", str(page), "--out", *out]) == 0
    content = json.loads(page.read_text(encoding="utf-8"))
    states = {check["name"]: check["state"] for check in content["checks"]}
    assert states["runs"] in ("green", "amber")
    assert "3 runs" in next(check["answer"] for check in content["checks"] if check["name"] == "runs")
    assert "Every system has several runs (A: 3, B: 3)" in content["sentences"]["methods"]
    plain = tmp_path / "matrix.json"
    assert terminal.main(["matrix", *common, "--json", str(plain)]) == 0
    of_matrix = json.loads(plain.read_text(encoding="utf-8"))
    assert content["results"] == of_matrix["results"]
    assert content["average"] == of_matrix["average"]
    files = [page, *map(Path, out)]
    first = [file.read_bytes() for file in files]
    assert b"mixed model" in first[1]
    assert b"tab:runs" in first[2]
    assert terminal.main(shlex.split(content["command"])[1:]) == 0
    assert [file.read_bytes() for file in files] == first


def test_one_run_of_a_system_is_said(tmp_path: Path) -> None:
    """A system with a single run makes the check amber, with its name."""
    testset, outputs = text_set(60, (0.15, 0.17, 0.25))
    (tmp_path / "ref.en").write_text("\n".join(testset.references[0]) + "\n", encoding="utf-8")
    for k, item in enumerate(outputs):
        (tmp_path / f"{k}.txt").write_text("\n".join(item.segments) + "\n", encoding="utf-8")
    given = [f"A={tmp_path / '0.txt'},{tmp_path / '1.txt'}", f"B={tmp_path / '2.txt'}"]
    page = tmp_path / "out.json"
    asked = ["--reference", str(tmp_path / "ref.en"), "--runs", *given, "--resamples", "300", "--json", str(page)]
    assert terminal.main(["report", *asked]) == 0
    runs = next(c for c in json.loads(page.read_text(encoding="utf-8"))["checks"] if c["name"] == "runs")
    assert (runs["state"], "only one run of B" in runs["answer"]) == ("amber", True)


def test_progress_is_a_bar(capsys: pytest.CaptureFixture[str]) -> None:
    """Half of the work is half of the bar; without a total there is only the phase."""
    show = progress("cs-en (1 of 3): ")
    show("resampling", 5, 10)
    show("reading", 0, 0)
    printed = capsys.readouterr().err
    assert f"cs-en (1 of 3): resampling [{'#' * 12}{'.' * 12}] 5 of 10" in printed
    assert printed.endswith("reading\r")


def test_what_was_said_about_columns_is_in_the_report(tmp_path: Path) -> None:
    """The recipe of a table stands in the page and in the JSON, and reads the table as the command did; without any, none."""
    rows = ["q,one,two,fold", *(f"q{k},{k % 7},{k * k % 7},{k % 4}" for k in range(40))]
    file, out, page = tmp_path / "table.csv", tmp_path / "out.json", tmp_path / "out.html"
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    words = ["--resamples", "200", "--better", "higher", "--json", str(out), "--out", str(page)]
    asked = ["report", "--systems", str(file), *words]
    roles = ["q=question", "one=system", "two=system", "fold=ignored"]
    assert terminal.main([*asked, "--columns", *roles]) == 0
    first = json.loads(out.read_text(encoding="utf-8"))
    ((name, text),) = first["recipes"].items()
    assert name.endswith("table.csv")
    assert [line for line in text.split("\n") if "=" in line and line[0] != "#"] == [
        r.replace("=", " = ") for r in roles
    ]
    assert "fold = ignored" in page.read_text(encoding="utf-8")
    recipe = tmp_path / "recipe.txt"
    recipe.write_text(text, encoding="utf-8")
    assert terminal.main([*asked, "--recipe", str(recipe)]) == 0
    again = json.loads(out.read_text(encoding="utf-8"))
    assert again["results"] == first["results"]
    assert again["recipes"] == first["recipes"]


def test_the_printed_command_reads_every_argument_as_it_was_given() -> None:
    """Each argument of the report alone, given once and given twice."""
    command = terminal.parsers(terminal.parser("report"))["report"]
    read = 0
    for action in command._actions:
        if action.dest in ("help", *bibtex.LEFT_OUT):
            continue
        values = [str(value) for value in action.choices or (("7", "9") if action.type else ("k=v, w", "it's"))]
        each = action.nargs if isinstance(action.nargs, int) else 1
        option = action.option_strings[-1:]  # files have none
        once, twice = ([*option, *[value] * each] for value in (values[0], values[-1]))
        for words in (once, [*once, *twice]):
            given = vars(command.parse_args([*words, "--metric", "ter"] if action.dest != "metric" else words))
            line = bibtex.command_line({"command": "report", **given})
            assert vars(command.parse_args(shlex.split(line)[2:])) == given, line
            read += 1
    assert read > 80
    for word in ("--missing-code=-1,-999", "--name=-x", "--baseline=--name"):
        given = vars(command.parse_args([word, "--metric", "ter"]))
        line = bibtex.command_line({"command": "report", **given})
        assert vars(command.parse_args(shlex.split(line)[2:])) == given, line


@pytest.mark.parametrize("option", ["--csv", "--latex"])
def test_a_table_on_standard_output_is_alone_there(
    files: list[str], option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is piped into a file is that table: no check and no sentence comes behind it."""
    assert terminal.main(["report", *files]) == 0
    checks = capsys.readouterr().out
    assert "checks" in checks.lower()
    assert terminal.main(["report", *files, option, "-"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("% needs" if option == "--latex" else "metric,test,")
    said = {line for line in checks.splitlines() if line.strip()}
    assert not said & set(out.splitlines())
