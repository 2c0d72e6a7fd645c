"""The lists of packages are exact and complete."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from sigcore import __version__
from tests.architecture.rules import ROOTS, STANDARD

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("sigcore", "sigboard", "pages", "samples", "docs")
DEV_FOLDERS = ("tests", "benchmarks", "demos")
# Asked for only where a person has them: imported inside a function, or under `except ImportError`.
OPTIONAL = ("mkdocs", "dask", "distributed", "cloudpickle", "numba")
NAMED = {"PIL": "pillow"}  # packages that are imported under another name
FILES = ("requirements.txt", "requirements-cluster.txt", "requirements-dev.txt")
DOCS = "requirements-docs.txt"  # beside the others: `make site` installs it on top of the first
PIN = re.compile(r"^[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.]*$")


def pins(name: str) -> list[str]:
    """The requirement lines of a file, without comments and blank lines."""
    lines = (line.split("#")[0].strip() for line in (ROOT / name).read_text(encoding="utf-8").split("\n"))
    return [line for line in lines if line]


def names(file: str) -> set[str]:
    """The packages a file pins, in lower case."""
    return {line.split("==")[0].lower() for line in pins(file)}


def third_party(source: str) -> Iterator[str]:
    """The first names of all imports that are neither ours nor Python's own."""
    for node in ast.walk(ast.parse(source)):
        found = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and not node.level:
            found = [node.module or ""]
        for top in (name.split(".")[0] for name in found):
            if top not in STANDARD and top not in (*ROOTS, *FOLDERS, *DEV_FOLDERS):
                yield top


IMPORTS = re.compile(r"^\s*(?:from\s+(\w+)|import\s+([\w., ]+))", re.MULTILINE)


def mentioned(source: str) -> set[str]:
    """The first names of all imports, and of what looks like one: found in a fraction of the time of a whole parse."""
    found = [name for first, others in IMPORTS.findall(source) for name in (first, *others.split(","))]
    return {name.split(" as ")[0].partition(".")[0].strip() for name in found} - {""}


def unnamed(folders: tuple[str, ...], known: set[str]) -> list[str]:
    """Imports of packages that are in no list."""
    ours = {*STANDARD, *ROOTS, *FOLDERS, *DEV_FOLDERS, *OPTIONAL, *known, *(k for k, v in NAMED.items() if v in known)}
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    files += [ROOT / name for name in ("app.py", "serve.py", "cli.py") if (ROOT / name).exists()]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    return [
        f"{path.relative_to(ROOT)} imports {package}"
        for path, text in texts.items()
        if not mentioned(text) <= ours
        for package in third_party(text)
        # a script may import the files beside it
        if not (path.parent / f"{package}.py").exists()
        and NAMED.get(package, package).lower() not in known
        and package not in OPTIONAL
    ]


@pytest.mark.parametrize("file", [*FILES, DOCS])
def test_every_requirement_is_pinned(file: str) -> None:
    """Every line names one exact version, and no package is named twice."""
    lines = [line for line in pins(file) if not line.startswith("-r ")]
    assert [line for line in lines if not PIN.match(line)] == []
    assert len(names(file)) == len(pins(file))


def test_lists_do_not_overlap() -> None:
    """Each list adds to the one before and repeats nothing of it."""
    packages = [line for file in FILES for line in pins(file) if not line.startswith("-r ")]
    assert len({line.split("==")[0].lower() for line in packages}) == len(packages)
    for file, before in pairwise(reversed(FILES)):
        assert f"-r {before}" in pins(file)


def test_the_site_needs_the_same_versions() -> None:
    """What the site pins and another list pins, too, is the same version."""
    others = {line.split("==")[0].lower(): line for file in FILES for line in pins(file) if "==" in line}
    assert [line for line in pins(DOCS) if "==" in line and others.get(line.split("==")[0].lower(), line) != line] == []
    assert f"-r {FILES[0]}" in pins(DOCS)


def test_every_import_is_named() -> None:
    """What the app imports is in requirements.txt; what tests and benchmarks import is in one of the two."""
    assert unnamed(FOLDERS, names("requirements.txt")) == []
    assert unnamed(DEV_FOLDERS, {name for file in FILES for name in names(file)}) == []


def test_unnamed_import_is_seen() -> None:
    """The check sees imports in functions and `from` imports, and ignores Python's and our own."""
    source = "import json, nowhere.x\nfrom sigcore import y\ndef f():\n    from elsewhere.deep import z"
    assert list(third_party(source)) == ["nowhere", "elsewhere"]


def project() -> dict[str, Any]:
    """pyproject.toml."""
    content: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return content


def asked() -> dict[str, list[Requirement]]:
    """By list of pins, what the installed package requires and what builds it."""
    content = project()
    return {
        "requirements.txt": [Requirement(line) for line in content["project"]["dependencies"]],
        "requirements-cluster.txt": [
            Requirement(line) for line in content["project"]["optional-dependencies"]["cluster"]
        ],
        "requirements-dev.txt": [Requirement(line) for line in content["build-system"]["requires"]],
    }


@pytest.mark.parametrize("file", FILES)
def test_package_allows_what_is_tested(file: str) -> None:
    """Every range of the installed package contains the version that its list pins."""
    pinned = dict(line.lower().split("==") for line in pins(file) if "==" in line)
    assert [str(need) for need in asked()[file] if not need.specifier.contains(pinned[need.name.lower()])] == []


def test_package_asks_for_what_it_imports() -> None:
    """What sigcore, sigboard and the pages import is among the dependencies."""
    needed = {need.name.lower() for need in asked()["requirements.txt"]}
    assert unnamed(("sigcore", "sigboard", "pages"), needed) == []


def test_version_has_one_source() -> None:
    """The package takes its version from the core, and the citation names the same."""
    assert "version" not in project()["project"]
    assert project()["tool"]["hatch"]["version"]["path"] == "sigcore/version.py"
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_the_licence_of_every_package_is_listed() -> None:
    """docs/licences.md has a row for each pinned package with its version and a licence."""
    page = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^\| (\S+) \| (\S+) \| \S.*\|$", page, re.MULTILINE))
    pinned = {
        pair
        for name in ("requirements.txt", "requirements-cluster.txt", "requirements-dev.txt")
        for pair in re.findall(r"^([\w.-]+)==(\S+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert rows - {("package", "version"), ("---", "---")} == pinned


def test_the_lock_has_the_same_versions_with_hashes() -> None:
    """requirements.lock pins what requirements.txt pins, each package with the hashes of its files, and the image
    installs from it."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8").replace(" \\\n", " ")
    locked = dict[str, int]()
    for line in text.split("\n"):
        if line and not line.startswith("#"):
            named, *hashes = line.split(" --hash=")
            locked[named.split(";")[0].strip().lower()] = len(hashes)
            assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", digest.strip()) for digest in hashes), named
    assert {pin.replace("_", "-") for pin in locked} == {
        pin.lower().replace("_", "-") for pin in pins("requirements.txt")
    }
    assert min(locked.values()) >= 1
    assert "--require-hashes -r requirements.lock" in (ROOT / "Dockerfile").read_text(encoding="utf-8")


def test_the_base_image_is_fixed() -> None:
    """The Dockerfile names its only base image by an exact version and a digest, with a Python that the app runs on."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert re.findall(r"^FROM (.*)$", text, re.MULTILINE) == ["${BASE}"]
    (base,) = re.findall(r"^ARG BASE=(.*)$", text, re.MULTILINE)
    found = re.fullmatch(r"python:(\d+\.\d+)\.\d+-slim-[a-z]+@sha256:[0-9a-f]{64}", base)
    assert found, base
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert SpecifierSet(project["requires-python"]).contains(found[1])


def test_the_readme_asks_for_the_same_python() -> None:
    """The README and the guide name the oldest Python of pyproject.toml."""
    oldest = project()["project"]["requires-python"].removeprefix(">=")
    for page in ("README.md", "CONTRIBUTING.md"):
        assert f"Python {oldest} or newer" in (ROOT / page).read_text(encoding="utf-8")


def test_files_that_make_starts_find_the_project() -> None:
    """Python looks in the folder of such a file, not where make runs: each has to add the project before it imports it."""
    files = re.findall(r"^\t@?\$\(PY\) (\w+/\w+\.py)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert {"demos/cluster.py", "samples/make.py", "docs/make.py"} <= set(files)
    code = (
        "import runpy, sys\n"
        "plain = [folder for folder in sys.path if folder]\n"
        f"for file in {sorted(set(files))}:\n"
        "    sys.path[:] = [file.rpartition('/')[0], *plain]\n"
        "    for name in [name for name in sys.modules if name.split('.')[0] in ('sigcore', 'sigboard', 'demos')]:\n"
        "        del sys.modules[name]\n"
        "    runpy.run_path(file)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
