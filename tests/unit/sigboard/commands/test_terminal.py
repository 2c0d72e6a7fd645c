"""The terminal's bad days: full disks, closed pipes, ASCII, Ctrl+C, a home that cannot be written; one line for each."""

from __future__ import annotations

import errno
import gzip
import json
import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from sigboard import terminal as commands
from sigboard.terminal import output as terminal
from sigboard.terminal import start
from sigcore.storage import atomic

ROOT = Path(__file__).resolve().parents[4]
SYSTEMS = ROOT / "samples" / "harbour" / "systems"
FILES = ["--reference", str(ROOT / "samples/harbour/ref.A.en"), "--systems", *map(str, sorted(SYSTEMS.glob("D*")))]
FILES += [str(SYSTEMS / "Grebe.en")]
DATA = ["data", *FILES[3:]]
FULL = Path("/dev/full")


def run(code: str, stdout=subprocess.PIPE, **env: str) -> subprocess.CompletedProcess[bytes]:
    """A new process that runs this code with the function `run` of the command."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    # no memory of what was printed where: the test must see what a person would
    return subprocess.run(
        [sys.executable, "-c", f"import sys; from sigboard.terminal.start import run\n{code}"],
        stdout=stdout,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=clean | env,
        timeout=600,
        check=False,
    )


def command(*words: str) -> str:
    """Code that runs the command with these words."""
    return f"sys.argv = ['sigboard', *{list(words)!a}]; run()"


def test_a_name_that_ends_in_gz_is_compressed(tmp_path) -> None:
    """The same content as without, and the same bytes at any time."""
    files = [tmp_path / name for name in ("plain.json", "one.json.gz", "two.json.gz")]
    for path in files:
        assert start.main([*DATA, "--json", str(path)]) == 0
    plain, one, two = (path.read_bytes() for path in files)
    assert gzip.decompress(one) == plain
    assert one == two
    assert len(one) < len(plain)


@pytest.mark.parametrize("fault", ["full", "interrupted"])
def test_an_old_file_survives_a_failed_write(tmp_path, monkeypatch, capsys, fault) -> None:
    """--json over a good file: where the disk is full, or Ctrl+C comes, the good file is still there; one line says why."""
    path = tmp_path / "good.json"
    path.write_text('{"good": 1}', encoding="utf-8")

    def fail(handle: int, content: bytes) -> int:
        raise KeyboardInterrupt if fault == "interrupted" else OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(atomic.os, "write", fail)
    code = start.main([*DATA, "--json", str(path)])
    monkeypatch.undo()
    assert path.read_text(encoding="utf-8") == '{"good": 1}'
    assert list(tmp_path.iterdir()) == [path]
    said = capsys.readouterr().err.strip().splitlines()
    if fault == "full":
        assert code == 2
        assert said[-1].startswith(f"error: {path} cannot be written: {os.strerror(errno.ENOSPC)}.")
    else:
        assert (code, said[-1]) == (130, "interrupted")


def test_control_c_is_one_line_and_130() -> None:
    """The signal itself, in the middle of a command, while a thread is busy: 130 at once, without a traceback."""
    code = """
import os, signal, threading
from sigboard.terminal import list as listing
signal.signal(signal.SIGINT, signal.default_int_handler)
def busy(args):
    threading.Thread(target=threading.Event().wait).start()
    os.kill(os.getpid(), signal.SIGINT)
    threading.Event().wait()
listing.run = busy
""" + command("list")
    done = run(code)
    assert done.returncode == 130
    assert done.stderr.decode().strip() == "interrupted"


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_control_c_while_it_is_imported() -> None:
    """The signal before the command exists: the same."""
    code = """
import builtins, os, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
real = builtins.__import__
def importing(name, *rest):
    if name == 'sigcore':
        os.kill(os.getpid(), signal.SIGINT)
    return real(name, *rest)
builtins.__import__ = importing
""" + command("list")
    done = run(code)
    assert (done.returncode, done.stderr.decode().strip()) == (130, "interrupted")


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("words", [("list",), DATA, (*DATA, "--json", "-")])
def test_a_full_standard_output_is_one_line(words) -> None:
    """What cannot be printed is an error with one line, with a short output and with a long one."""
    with FULL.open("wb") as full:
        done = run(command(*words), stdout=full)
    lines = [line for line in done.stderr.decode().splitlines() if not line.startswith("note:")]
    assert (done.returncode, lines) == (2, ["error: standard output cannot be used: No space left on device."])


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
def test_a_full_file_is_one_line() -> None:
    """The same for a file."""
    done = run(command(*DATA, "--json", "/dev/full"))
    said = done.stderr.decode().strip().splitlines()[-1]
    assert (done.returncode, said) == (
        2,
        "error: /dev/full cannot be written: No space left on device. Choose another path.",
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--json", "nowhere/x.json"], "nowhere/x.json cannot be written: there is no folder nowhere."),
        (["--csv", "folder"], "folder cannot be written: it is not a file."),
        (["--json", ""], "A file without a name cannot be written: it is not a file."),
        (["--csv", "A.en"], "A.en is an input of this command, and would be lost."),
        (["--latex", "./B.en"], "./B.en is an input of this command, and would be lost."),
        (["--json", "x", "--csv", "./x"], "./x is named for two outputs, and one would be lost."),
    ],
)
def test_results_have_a_place_to_go_before_they_are_computed(tmp_path, monkeypatch, capsys, words, said) -> None:
    """A place that cannot be written, an input and a second output of the same name are refused; nothing is changed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sigboard.questions.matrix.command.load", lambda *given: pytest.fail("the files were read"))
    (tmp_path / "folder").mkdir()
    for name in ("ref.en", "A.en", "B.en"):
        (tmp_path / name).write_text("text\n", encoding="utf-8")
    assert start.main(["matrix", "--reference", "ref.en", "--systems", "A.en", "B.en", *words]) == 2
    assert capsys.readouterr().err.startswith(f"error: {said}")
    assert {(tmp_path / name).read_text(encoding="utf-8") for name in ("ref.en", "A.en", "B.en")} == {"text\n"}


def test_an_output_may_have_the_name_of_a_metric(tmp_path, monkeypatch, capsys) -> None:
    """Only files are inputs: not the other words of the command."""
    monkeypatch.chdir(tmp_path)
    assert start.main(["matrix", *FILES, "--metric", "bleu", "--resamples", "100", "--json", "bleu"]) == 0
    assert start.main(["matrix", *FILES, "--metric", "bleu", "--resamples", "100", "--json", "matrix"]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {"bleu", "matrix"}


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/null")
def test_devices_take_every_output(capsys) -> None:
    """/dev/null may be named twice, and so may standard output beside a file."""
    names = ["--json", "/dev/null", "--csv", "/dev/null"]
    assert start.main(["matrix", *FILES, "--resamples", "100", *names]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "words",
    [
        ["data", *FILES[1:2]],
        ["matrix", *FILES, "--resamples", "100"],
        ["scores", "--matrix", "matrix.csv", "--resamples", "100"],
    ],
    ids=lambda words: words[0],
)
def test_a_command_says_which_file_it_wrote(words: list[str], tmp_path, capsys, monkeypatch) -> None:
    """With --json FILE no table is printed, but one line names the files."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "matrix.csv").write_text("document,a,b\n" + "".join(f"d{k},{k % 7},{k % 5}\n" for k in range(30)))
    out, rows = tmp_path / "out.json", tmp_path / "rows.csv"
    assert start.main([*words, "--json", str(out), "--csv", str(rows)]) == 0
    assert capsys.readouterr().out == f"Wrote {out}, {rows}.\n"
    assert start.main([*words, "--json", str(out), "--csv", "-"]) == 0
    printed = capsys.readouterr()
    assert printed.out == rows.read_bytes().decode()
    assert f"Wrote {out}." in printed.err


def test_a_closed_pipe_is_silent() -> None:
    """The reader has what it wanted: no traceback, and no message."""
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as pipe:
        done = run(command("list"), stdout=pipe)
    assert (done.returncode, done.stderr) == (0, b"")


def test_files_do_not_control_the_terminal(tmp_path, capsys) -> None:
    """Control characters in a file are printed as their numbers, in errors and in notes; lines stay lines."""
    judged = tmp_path / "judged.csv"
    judged.write_text("question_id,model_a,model_b,winner\n1,x,y,z\x1b[2J\n", encoding="utf-8")
    assert start.main(["pairwise", str(judged)]) == 2
    said = capsys.readouterr().err
    assert "z\\x1b[2J" in said
    assert "\x1b" not in said
    assert terminal.visible("a\x9b\u202e\u0301é\nb") == "a\\x9b\\u202e\u0301é\nb"
    terminal.note("x\x07y")
    assert capsys.readouterr().err == "note: x\\x07y\n"


def closed(streams: str, *words: str) -> subprocess.CompletedProcess[bytes]:
    """A run of the command without these streams."""
    code = f"import sys; from sigboard.terminal.start import run\n{command(*words)}"
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {streams}', "sh", sys.executable, "-c", code],
        capture_output=True,
        cwd=ROOT,
        timeout=600,
        check=False,
    )


@pytest.mark.parametrize("words", [DATA, (*DATA, "--json", "-"), ("list",)])
def test_a_closed_standard_output_is_an_error(words) -> None:
    """What cannot be printed is not lost with exit code 0."""
    done = closed(">&-", *words)
    lines = [line for line in done.stderr.decode().splitlines() if not line.startswith("note:")]
    assert (done.returncode, lines) == (2, ["error: standard output cannot be used: Bad file descriptor."])


def test_closed_streams_are_not_needed(tmp_path) -> None:
    """Notes are lost without standard error, and nothing where the results go to a file; an error keeps its exit code."""
    matrix, out = ("matrix", *FILES, "--resamples", "100"), tmp_path / "o.json"
    done = closed("2>&-", *matrix)
    assert done.returncode == 0
    assert done.stdout.decode().startswith("Approximate randomization")
    done = closed("<&- >&- 2>&-", *matrix, "--json", str(out))
    assert done.returncode == 0
    assert out.read_text(encoding="utf-8").startswith("{")
    done = closed("2>&-", "matrix", "--systems", "nowhere")
    assert (done.returncode, done.stdout) == (2, b"")


def test_a_folder_that_is_gone_is_named(tmp_path, monkeypatch, capsys) -> None:
    """Results cannot be written into a current folder that was deleted."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert start.main(["matrix", *FILES, "--json", "x.json"]) == 2
    assert capsys.readouterr().err.startswith("error: x.json cannot be written: the current folder is gone.")


def test_an_ascii_terminal_prints_everything() -> None:
    """Characters that the terminal does not have are printed as numbers; JSON stays UTF-8."""
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii:strict"}
    done = run(command("list"), **ascii_only)
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"Popovi\u0107 2015" in done.stdout
    assert done.stdout.isascii()
    code = "from sigboard.terminal import output; output.write('-', output.as_text({'name': chr(0x107)}))"
    done = run(code, **ascii_only)
    assert (done.returncode, json.loads(done.stdout.decode("utf-8"))) == (0, {"name": "ć"})


def test_a_name_that_is_no_text_is_printed_and_written(capsysbinary) -> None:
    """The bytes of a file name need not be UTF-8; the message has them as numbers, and JSON stays JSON."""
    assert commands.main(["data", os.fsdecode(b"/nowhere/\xff")]) == 2
    assert rb"/nowhere/%FF cannot be read" in capsysbinary.readouterr().err
    terminal.write("-", terminal.as_text({"name": os.fsdecode(b"\xff"), "other": "ć"}))
    assert json.loads(capsysbinary.readouterr().out) == {"name": "\udcff", "other": "ć"}


def test_a_home_that_cannot_be_written_costs_time_only(tmp_path: Path) -> None:
    """Without a cache everything is computed; notices say where it could not be written, and nothing else."""
    home = tmp_path / "home"
    home.write_text("a file, not a folder", encoding="utf-8")
    plain = run(command("matrix", *FILES, "--resamples", "100", "--metric", "wer"), SIGBOARD_CACHE="off")
    homes = dict.fromkeys(("HOME", "USERPROFILE", "LOCALAPPDATA", "XDG_CACHE_HOME"), str(home)) | {"SIGBOARD_CACHE": ""}
    done = run(command("matrix", *FILES, "--resamples", "100", "--metric", "wer"), **homes)
    assert done.returncode == plain.returncode == 0
    assert done.stdout == plain.stdout
    said = [line for line in done.stderr.decode().splitlines() if not line.startswith("note:")]
    assert said
    assert all(line.startswith("Nothing new is cached on disk: ") for line in said)


@pytest.mark.parametrize(
    ("seed", "why"),
    [
        ("1e400", "not a whole number"),
        ("inf", "not a whole number"),
        ("nan", "not a whole number"),
        ("0.5", "not a whole number"),
        ("-1", "out of range"),
        (str(2**53), "out of range"),
        ("x", "not a whole number"),
    ],
)
@pytest.mark.parametrize("word", ["matrix", "compare", "scores"])
def test_seeds_that_are_none(capsys, word, seed, why) -> None:
    """Every command refuses them with the same message."""
    where = ["--systems", *FILES[3:]] if word == "scores" else FILES
    assert commands.main([word, *where, "--seed", seed]) == 2
    assert f"is {why}" in capsys.readouterr().err


def test_no_memory_is_one_line(monkeypatch, capsys) -> None:
    """Python's error for that becomes a message."""

    def none(args):
        raise MemoryError

    monkeypatch.setattr("sigboard.terminal.list.run", none)
    assert commands.main(["list"]) == 2
    assert capsys.readouterr().err.startswith("error: There is not enough memory.")


def test_the_signal_is_not_caught_by_the_command(monkeypatch) -> None:
    """commands.main, which Python code may call, leaves Ctrl+C to its caller."""
    assert signal.getsignal(signal.SIGINT) is not None

    def interrupted(args):
        raise KeyboardInterrupt

    monkeypatch.setattr("sigboard.terminal.list.run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        commands.main(["list"])


def test_a_python_without_the_packages_is_named() -> None:
    """The Python of the system instead of the project's: one line names it, what it lacks, and the way out."""
    done = run(f"sys.modules['numpy'] = None\n{command('list', 'metrics')}")
    assert done.returncode == 2
    said = done.stderr.decode()
    assert f"The package numpy is not installed. This is Python {sys.version.split()[0]} at {sys.executable}." in said
    assert "make run" in said
    assert "Traceback" not in said


def test_an_old_python_is_named(monkeypatch, capsys) -> None:
    """Before anything is imported that an old Python cannot read."""
    monkeypatch.setattr(start, "OLDEST", (3, 99))
    assert start.main(["list", "metrics"]) == 2
    assert "Sigboard needs Python 3.99 or later" in capsys.readouterr().err


def test_a_module_of_our_own_that_is_missing_is_a_fault_of_ours() -> None:
    """That is shown as it is, not as a package to install."""
    done = run(f"sys.modules['sigcore.errors'] = None\n{command('list', 'metrics')}")
    assert done.returncode == 1
    assert "Traceback" in done.stderr.decode()


def test_the_oldest_python_is_that_of_the_package() -> None:
    """Two places name it."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
    assert wanted.startswith(f">={'.'.join(map(str, start.OLDEST))}")
