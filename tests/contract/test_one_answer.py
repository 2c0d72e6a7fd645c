"""Every command has one answer: on a new machine, after other work, without a cache, a compiler or a usual locale.

Numbers and refusals are compared byte by byte, so that nothing shows whether a kernel was compiled or loaded.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from sigcore.text import bounds
from tests import routes, some
from tests.conftest import KEPT

ROOT = Path(__file__).resolve().parents[2]
HARBOUR = ROOT / "samples" / "harbour"
SMALL = ("--resamples", "300", "--seed", "3")

# Runs the commands one after the other in one process, so that later ones meet what earlier ones have loaded.
CODE = """
import contextlib, io, json, sys
from sigboard import terminal
from tests import routes
answers = {}
if sys.argv[1:]:
    for kernels in routes.ALL:
        routes.compiled.load(kernels)
for words in json.load(sys.stdin):
    said, told = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(told):
        code = terminal.main([*words, "--quiet", "--json", "-"])
    answers[" ".join(words)] = code, *(each.buffer.getvalue().decode() for each in (said, told))
json.dump(answers, sys.stdout)
"""


def text(random: Random, n: int, of: int) -> str:
    """So many words out of so many."""
    return " ".join(f"w{k}" for k in random.choices(range(of), k=n))


def written(folder: Path, name: str, lines: Sequence[str]) -> str:
    """The path of a new file with these lines."""
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def made(folder: Path, long: dict[str, tuple[int, int, int]]) -> dict[str, tuple[str, ...]]:
    """By name, where the files are of a test set of 20 usual segments and a long one: of so many words, with so many in
    its reference, of so many to choose from."""
    random, found = Random(5), {}
    for name, (n, gold, of) in long.items():
        paths = [
            written(folder, f"{name}.{each}.txt", [*(text(random, 12, 40) for _ in range(20)), text(random, most, of)])
            for each, most in (("ref", gold), ("one", n), ("two", n))
        ]
        found[name] = ("--reference", paths[0], "--systems", *paths[1:])
    return found


def questions(folder: Path) -> list[list[str]]:
    """One small question for each command that has an answer in JSON, each bounded metric, and refusals of each bound."""
    systems = [str(HARBOUR / "systems" / f"{name}.en") for name in ("Cormorant", "Curlew", "Dunlin")]
    sample = ("--reference", str(HARBOUR / "ref.A.en"), "--systems", *systems)
    pair = (*sample[:-1],)
    documents = (HARBOUR / "documents.tsv").read_text(encoding="utf-8").splitlines()[1:]
    domains = [line.rpartition("\t")[2] for line in documents]
    random = Random(6)
    scores = [f"{name},{k},{random.random():.2f}" for name in "ABC" for k in range(30)]
    matrix = [",A,B,C", *(f"{k},{','.join(f'{random.random():.2f}' for _ in range(3))}" for k in range(30))]
    won = [f"{x},{y},{random.choice(('a', 'b', 'tie'))}" for _ in range(20) for x, y in ("AB", "AC", "BC")]
    asked = [
        ["data", *sample[1:2], *systems],
        ["matrix", *sample, *SMALL, "--metric", "ter"],
        ["rank", *sample, *SMALL, "--metric", "bleu", "chrf"],
        ["compare", *pair, *SMALL, "--metric", "chrf"],
        ["gain", *sample, *SMALL],
        ["size", *sample, *SMALL],
        ["domains", *sample, *SMALL, "--domains", written(folder, "domains.txt", domains), "--draws", "0"],
        ["human", *sample, *SMALL, "--assessments", str(HARBOUR / "assessments.tsv"), "--metric", "bleu"],
        ["report", *sample, *SMALL, "--metric", "meteor"],
        ["tuning", *pair, *SMALL, "--method", "listnet", "--iterations", "1", "--replicates", "2", "--size", "4"],
        ["scores", "--matrix", written(folder, "matrix.csv", matrix), *SMALL],
        ["tasks", written(folder, "scores.csv", ["system,id,score", *scores])],
        ["pairwise", written(folder, "won.csv", ["model_a,model_b,winner", *won]), *SMALL],
    ]
    for name, files in made(folder, LONG).items():
        metric = name.partition("-")[0]
        asked.append(["matrix", *files, "--metric", metric, *SMALL])
    return asked


# The first of each metric is computed, the others are refused. Above bounds.SLOW TER and METEOR look whether to compile.
LONG = {
    "ter-long": (110, 110, 60),
    "ter-refused": (bounds.TER.most // 100 + 1, 100, 300),
    "meteor-long": (150, 150, 20),
    "meteor-refused": (bounds.METEOR.most // 100 + 1, 100, 300),
    "meteor-equal": (1_001, 1_001, 1),  # few words, but all of them match
}


def answers(asked: Sequence[Sequence[str]], *loaded: str, **changed: str) -> dict[str, tuple[int, str, str]]:
    """(exit code, standard output, standard error) of each question, asked in one process with these settings."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NUMBA_CACHE_DIR", "SIGBOARD_CACHE")}
    done = subprocess.run(
        [sys.executable, "-c", CODE, *loaded],
        cwd=ROOT,
        env=kept | changed,
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, tuple[int, str, str]] = json.loads(done.stdout)
    return found


def compared(asked: list[list[str]], machines: Sequence[tuple[str, dict[str, str]]]) -> dict[str, tuple[int, str, str]]:
    """The answers of the first machine, to which all others are equal; every second machine is asked in reverse."""
    first: dict[str, tuple[int, str, str]] = {}
    for k, (name, settings) in enumerate(machines):
        found = answers(asked[:: -1 if k % 2 else 1], *[name] * (name == LOADED), **settings)
        first = first or found
        for question, answer in first.items():
            assert found[question] == answer, f"{name}: {question}"
    return first


LOADED = "all kernels loaded"
OTHER = {
    "SIGBOARD_EXECUTOR": "threads:4",
    "LC_ALL": "C",
    "LANG": "C",
    "TZ": "Pacific/Kiritimati",
    "PYTHONHASHSEED": "77",
}


@pytest.mark.parametrize("many", some.first([False, True]), ids=["two machines", "all machines"])
def test_every_command_has_one_answer(tmp_path: Path, many: bool) -> None:
    """JSON and refusals are byte-equal with an empty cache, a used one, none, no compiler, and another locale."""
    cache, none = {"SIGBOARD_CACHE": str(tmp_path / "cache")}, {"SIGBOARD_CACHE": "off"}
    plain = {"SIGBOARD_CACHE": str(tmp_path / "other"), "NUMBA_DISABLE_JIT": "1"}
    loaded = (LOADED, {"SIGBOARD_CACHE": str(KEPT)}) if "compiled" in routes.ROUTES else ("a new machine", cache)
    machines = [loaded, ("no compiler, another locale, hash seed, time zone and workers", plain | OTHER)]
    if many:
        machines += [("a new machine", cache), ("after this work", cache | OTHER), ("no compiler", plain)]
        machines += [("no cache", none | {"SIGBOARD_EXECUTOR": "serial"})]
    found = compared(questions(tmp_path), machines)
    refused = [question for question, (code, *_) in found.items() if code]
    assert len(refused) == 3
    assert all("refused" in question or "equal" in question for question in refused)
    for question, (code, said, told) in found.items():
        assert bool(said) != bool(code), question
        assert ("too long for" in told) == bool(code), question
        assert not any(word in (said + told).lower() for word in ("numba", "kernel", "compile")), question


@pytest.mark.slow
def test_long_segments_have_one_answer_on_any_machine(tmp_path: Path) -> None:
    """506 words under TER and 1,700 under METEOR are computed everywhere, and the first machine compiles for them."""
    files = made(tmp_path, {"ter": (506, 506, 300), "meteor": (1_700, 1_700, 100)})
    asked = [["matrix", *where, "--metric", name, *SMALL] for name, where in files.items()]
    cache = {"SIGBOARD_CACHE": str(tmp_path / "cache")}
    machines = [
        ("a new machine", cache),
        ("after this work", cache),
        ("no cache", {"SIGBOARD_CACHE": "off"}),
        ("no compiler", {"SIGBOARD_CACHE": str(tmp_path / "other"), "NUMBA_DISABLE_JIT": "1"}),
    ]
    found = compared(asked, machines)
    assert [code for code, *_ in found.values()] == [0, 0]
