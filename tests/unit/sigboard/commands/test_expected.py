"""What people expect of a command: examples that run, completion, --quiet, --csv and --latex everywhere, 1e5, exit codes."""

from __future__ import annotations

import csv
import io
import json
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from sigboard import terminal
from sigboard.terminal.words import EXAMPLES, EXIT_CODES

Capture = pytest.CaptureFixture[str]
N = 24
NAMES = {"A": "red", "B": "blue", "C": "old"}
SERVERS = ("app",)  # they run until they are stopped


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files of the examples."""
    words = ["red", "blue", "old", "new"]
    lines = [f"the {words[i % 4]} boat number {i} sails home" for i in range(N)]
    files = {"ref.txt": lines, "domains.txt": [("sea", "land")[i % 2] for i in range(N)]}
    for name, word in NAMES.items():
        files[f"{name}.txt"] = [line.replace(word, "a") for line in lines]
        files[f"right_{name}.txt"] = [str(int((i * i + ord(name)) % 5 < 2)) for i in range(N)]
    scores = [f"{i},{s},{(i * 7 + ord(s)) % 11 / 10}" for s in NAMES for i in range(N)]
    files["scores.csv"] = ["id,system,comet", *scores]
    files["matrix.csv"] = ["document,A,B,C", *(f"d{i},{i % 7},{i % 5},{i * 3 % 11}" for i in range(N))]
    rated = [
        f"{j},{s},{i + 1},{50 + 9 * (i % 3) + 2 * len(j) + 5 * (s == 'A')}"
        for j in ("x", "yy")
        for s in "AB"
        for i in range(N)
    ]
    files["ratings.csv"] = ["judge,system,segment,score", *rated]
    judged = [f"{i},{'AB'[i % 2]},{'BC'[i % 2]},{('model_a', 'model_b', 'tie')[i // 2 % 3]}" for i in range(N)]
    files["judgments.csv"] = ["question_id,model_a,model_b,winner", *judged]
    for name, rows in files.items():
        (tmp_path / name).write_text("\n".join(rows) + "\n", encoding="utf-8")
    for system in "AB":
        for task in ("one", "two"):
            log = tmp_path / "logs" / system / f"samples_{task}_2026-01-01T00-00-00.1.jsonl"
            log.parent.mkdir(parents=True, exist_ok=True)
            rows = [
                {"doc_id": k, "doc": {"q": f"q{k}"}, "target": "x", "resps": [["y"]], "filtered_resps": ["y"],
                 "metrics": ["acc"], "acc": float((k * k + len(task) + 3 * ord(system)) % 7 < 4)} for k in range(N)
            ]  # fmt: skip
            log.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("command", "words"), [(command, words) for command, all_of in EXAMPLES.items() for words in all_of]
)
def test_every_example_runs(command: str, words: str, folder: Path, capsys: Capture) -> None:
    """The examples of --help end with exit code 0, with something on standard output or in a file."""
    if command in SERVERS:
        terminal.parser().parse_args([command, *shlex.split(words)])
        return
    before = set(folder.iterdir())
    assert terminal.main([command, *shlex.split(words)]) == 0
    out = capsys.readouterr()
    assert out.out or set(folder.iterdir()) - before
    if "--quiet" in words:
        assert out.err == ""


def test_every_help_has_examples(capsys: Capture) -> None:
    """No command is forgotten, and the help of all names the exit codes."""
    parsers = terminal.parsers(terminal.parser())
    assert set(parsers) == set(EXAMPLES)
    for command, parser in parsers.items():
        assert f"sigboard {command} {EXAMPLES[command][0]}".rstrip() in parser.format_help()
    help_of_all = terminal.parser().format_help()
    assert all(f"{code} " in help_of_all and meaning in help_of_all for code, meaning in EXIT_CODES)


def test_exit_codes(folder: Path, capsys: Capture) -> None:
    """0 for done, 1 for a red check, 2 for what cannot be used."""
    assert terminal.main(["data", "ref.txt"]) == 0
    with pytest.raises(SystemExit) as ended:
        terminal.main(
            ["report", "--reference", "ref.txt", "--systems", "A.txt", "B.txt", "--resamples", "10", "--check"]
        )
    assert ended.value.code == 1
    assert terminal.main(["data", "nothing.txt"]) == 2
    with pytest.raises(SystemExit) as wrong:
        terminal.main(["compare", "--alternative", "sideways"])
    assert wrong.value.code == 2
    assert capsys.readouterr().err


TABLES = {
    "matrix": "--reference ref.txt --systems A.txt B.txt C.txt --resamples 200",
    "compare": "--reference ref.txt --systems A.txt B.txt --resamples 200",
    "segments": "--reference ref.txt --systems A.txt B.txt --resamples 200 --limit 3",
    "gain": "--reference ref.txt --systems A.txt B.txt C.txt --resamples 200",
    "size": "--reference ref.txt --systems A.txt B.txt --sizes 10 --resamples 200",
    "domains": "--reference ref.txt --systems A.txt B.txt --domains domains.txt --draws 0 --resamples 200",
    "scores": "--matrix matrix.csv --resamples 200",
    "human": "--reference ref.txt --systems A.txt B.txt --assessments ratings.csv --metric bleu --resamples 200",
    "pairwise": "judgments.csv --resamples 200",
    "tasks": "logs/ --measure acc --resamples 200",
    "tuning": "--reference ref.txt --systems A.txt B.txt --method listnet --iterations 1 --replicates 1 --size 3 --resamples 200",
    "report": "--reference ref.txt --systems A.txt B.txt --resamples 200",
    "data": "ref.txt A.txt",
}


@pytest.mark.parametrize("command", TABLES)
def test_every_table_is_csv_and_latex_too(command: str, folder: Path, capsys: Capture) -> None:
    """On standard output the CSV is all there is, with equal rows; LaTeX goes to a file, and is a table."""
    assert terminal.main([command, *shlex.split(TABLES[command]), "--csv", "-", "--quiet"]) == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) > 1
    assert {len(row) for row in rows} == {len(rows[0])}
    assert terminal.main([command, *shlex.split(TABLES[command]), "--latex", "t.tex"]) == 0
    written = (folder / "t.tex").read_text(encoding="utf-8")
    assert r"\begin{tabular}" in written
    assert r"\bottomrule" in written
    assert capsys.readouterr().out  # the table is still printed


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_has_every_command_and_option(shell: str, capsys: Capture) -> None:
    """The script is made from the parsers; a shell that is installed accepts it."""
    assert terminal.main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for command, parser in terminal.parsers(terminal.parser()).items():
        assert command in script
        for action in parser._actions:
            assert not action.option_strings or action.option_strings[-1].lstrip("-") in script
    if shutil.which(shell):
        done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


def test_bash_completes(capsys: Capture) -> None:
    """A command, an option and a value are completed."""
    if not shutil.which("bash"):
        pytest.skip("no bash")
    assert terminal.main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    for typed, expected in (
        ("pai", "pairwise"),
        ("compare --alternative l", "less"),
        ("matrix --corr", "--correction"),
    ):
        words = f"sigboard {typed}"
        asked = f'{script}\nCOMP_WORDS=({words}); COMP_CWORD={words.count(" ")}; _sigboard; echo "${{COMPREPLY[@]}}"'
        done = subprocess.run(["bash"], input=asked, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == expected


@pytest.mark.parametrize(("text", "means"), [("1e3", 1000), ("200", 200), ("2.5", None), ("many", None)])
def test_whole_numbers_may_have_an_exponent(text: str, means: int | None, folder: Path, capsys: Capture) -> None:
    """1e3 is a number of resamples; 2.5 is none."""
    asked = ["scores", "--matrix", "matrix.csv", "--resamples", text, "--json", "-"]
    if means is None:
        with pytest.raises(SystemExit):
            terminal.main(asked)
        return
    assert terminal.main(asked) == 0
    assert json.loads(capsys.readouterr().out)["resamples"] == means


def test_standard_input(folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file named - is standard input, for every command with files."""
    content = (folder / "judgments.csv").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert terminal.main(["pairwise", "-", "--resamples", "100"]) == 0
    assert "sign test" in capsys.readouterr().out
