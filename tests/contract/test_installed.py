"""The wheel in an environment of its own, away from the checkout: the command, the app, and members of other packages."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from sigboard import catalogue
from sigboard.questions.learn import lessons
from sigcore import __version__, readers
from tests.browser import server
from tests.waiting import LIMIT

ROOT = Path(__file__).resolve().parents[2]
ACCENT = "#0072B2"  # the main colour of .streamlit/config.toml, which Streamlit itself does not have
LINES = [f"the {word} boat number {i} sails home" for i, word in enumerate(["red", "blue", "old", "new"] * 10)]

MEMBER = """
import numpy as np
from sigcore.metrics.contract import Metric
from sigcore.proof import Proof, Scored


def statistics(segments, prepared, options, done):
    return np.array([[len(segment.split()), 1] for segment in segments], dtype=float)


METRIC = Metric(
    name="words_per_segment", title="Words per segment", kind="text", better="higher", columns=("words", "segments"),
    statistics=statistics, score=lambda sums, options: sums[..., 0] / sums[..., 1],
    source="made for this test", help="How long the segments are.",
    proof=Proof((Scored((("a b c", "a"), ("d", "d")), "4 / 2", "four words in two segments"),)),
)
"""
PACKAGE = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "word-counts"
version = "1.0"

[project.entry-points."sigboard.metrics"]
words_per_segment = "word_counts:METRIC"

[tool.hatch.build.targets.wheel]
packages = ["word_counts"]
"""


@dataclass(frozen=True)
class Installed:
    """An environment that holds the wheel: its folder, and an empty one to work in."""

    folder: Path
    work: Path

    @property
    def python(self) -> Path:
        """The environment's Python."""
        return self.folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"

    def run(self, *words: str) -> str:
        """What a command of the environment prints."""
        done = subprocess.run(
            [self.python.parent / words[0], *words[1:]],
            cwd=self.work,
            env=without_checkout(self.work),
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def install(self, wheel: Path) -> None:
        """Put the wheel into the environment, and nothing else."""
        pip("--python", str(self.python), "install", "--no-deps", "--no-index", str(wheel))


def without_checkout(home: Path) -> dict[str, str]:
    """An environment in which Python finds only what is installed."""
    return {name: value for name, value in server.environment(home).items() if name != "PYTHONPATH"}


def pip(*words: str) -> None:
    """Run pip; what it printed is in the error."""
    done = subprocess.run([sys.executable, "-m", "pip", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def wheel_of(project: Path, folder: Path) -> Path:
    """The wheel of the project, built with what this environment has."""
    quiet = ("--no-deps", "--no-build-isolation", "--no-cache-dir", "--disable-pip-version-check")
    pip("wheel", *quiet, "--wheel-dir", str(folder), str(project))
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    return wheel_of(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """A bare environment with the wheel, which borrows other people's packages from this one."""
    there = Installed(tmp_path_factory.mktemp("environment"), tmp_path_factory.mktemp("work"))
    venv.create(there.folder, symlinks=sys.platform != "win32")
    packages = there.run("python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    borrowed = Path(np.__file__).parents[1]
    (Path(packages) / "borrowed.pth").write_text(f"{borrowed}\n", encoding="utf-8")
    there.install(wheel)
    return there


def test_only_two_packages_are_installed(wheel: Path) -> None:
    """Nothing but sigcore and sigboard arrives at the top of site-packages, each marked as typed, with all pages,
    lessons and samples."""
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {"sigcore", "sigboard", f"sigboard-{__version__}.dist-info"}
    wanted = {
        "sigcore/py.typed",
        "sigboard/py.typed",
        "sigboard/app/app.py",
        "sigboard/app/serve.py",
        "sigboard/app/.streamlit/config.toml",
    }
    wanted |= {f"sigboard/app/{question.page}" for question in catalogue.QUESTIONS}
    wanted |= {f"sigboard/app/lessons/{one.number}-{one.word}.md" for one in lessons.lessons()}
    wanted |= {f"sigcore/samples/{name}/groups.tsv" for name in readers.sample_names()}
    assert wanted <= set(names)
    assert not [name for name in names if "__pycache__" in name or "secrets" in name]


def test_core_is_found_outside_the_checkout(installed: Installed) -> None:
    """`import sigcore` gives the installed core, with its version and its samples."""
    code = "import sigcore; print(sigcore.__file__, sigcore.__version__, *sigcore.readers.sample_names())"
    file, version, *samples = installed.run("python", "-c", code).split()
    assert Path(file).is_relative_to(installed.folder)
    assert (version, tuple(samples)) == (__version__, readers.sample_names())


def test_command_compares_files_of_ones_own(installed: Installed) -> None:
    """`sigboard matrix` on files of another folder writes the grid."""
    texts = {"ref": LINES, "A": [line.replace("red", "rouge") for line in LINES], "B": [*LINES[:9], *LINES[:31]]}
    for name, lines in texts.items():
        (installed.work / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    files = ("--reference", "ref.txt", "--systems", "A.txt", "B.txt")
    grid = json.loads(installed.run("sigboard", "matrix", *files, "--resamples", "200", "--json", "-"))
    assert grid["systems"] == ["A", "B"]
    assert grid["results"][0]["p_values"][0][1] < 0.05


def test_command_names_its_version(installed: Installed) -> None:
    """`sigboard --version` gives the one version there is."""
    assert installed.run("sigboard", "--version").strip() == f"sigboard {__version__}"


def test_member_of_another_package_is_listed(installed: Installed, tmp_path: Path) -> None:
    """A metric that another package names in an entry point is in `sigboard list`."""
    (tmp_path / "word_counts").mkdir()
    (tmp_path / "word_counts" / "__init__.py").write_text(MEMBER, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(PACKAGE, encoding="utf-8")
    assert "words_per_segment" not in installed.run("sigboard", "list")
    installed.install(wheel_of(tmp_path, tmp_path / "wheel"))
    assert "words_per_segment" in installed.run("sigboard", "list")


def test_app_serves_its_pages(installed: Installed) -> None:
    """`sigboard app` starts from any folder with the project's settings, answers, and shows a page of the package."""
    command = [str(installed.python.parent / "sigboard"), "app", "--port", "0", "--", *server.flags()]
    settings = {"PYTHONPATH": "", "STREAMLIT_SERVER_HEADLESS": "true"}
    with server.running(command, installed.work, installed.work / "home", installed.python, **settings) as app:
        with urllib.request.urlopen(f"{app.url}/_stcore/health", timeout=LIMIT) as answer:
            assert answer.read() == b"ok"
        messages = visit(app.url, "gain")
        assert any(catalogue.get("gain").question in str(message.delta) for message in messages)
        assert ACCENT in str(messages[0].new_session)
        assert app.tracebacks() == []


def visit(url: str, page: str) -> list[ForwardMsg]:
    """What the server sends to a browser that opens the page, until the page is complete."""
    asked = BackMsg()
    asked.rerun_script.page_name = page
    messages: list[ForwardMsg] = []
    with connect(f"{url.replace('http', 'ws', 1)}/_stcore/stream", max_size=None, open_timeout=LIMIT) as socket:
        socket.send(asked.SerializeToString())
        # the first visitor of a server is sent from the page to app.py and back: that ends a run early
        while not messages or not complete(messages[-1]):
            data = socket.recv(timeout=LIMIT)
            assert isinstance(data, bytes)
            messages.append(ForwardMsg.FromString(data))
    return messages


def complete(message: ForwardMsg) -> bool:
    """Whether the message says that a page has been sent as a whole."""
    return message.HasField("script_finished") and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
