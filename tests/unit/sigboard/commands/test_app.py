"""`sigboard app`: where the app is found. That it starts is in tests/contract/test_installed.py."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sigboard import terminal
from sigboard.terminal import app

ROOT = Path(__file__).resolve().parents[4]


def test_app_of_a_checkout_is_at_its_top() -> None:
    """In a checkout the app is the one that `streamlit run app.py` starts."""
    assert app.folder() == ROOT
    assert (app.folder() / ".streamlit" / "config.toml").is_file()


def test_app_of_a_package_is_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In an installed package the app is part of it."""
    (tmp_path / "app").mkdir()
    monkeypatch.setattr(app, "PACKAGE", tmp_path)
    assert app.folder() == tmp_path / "app"


@pytest.mark.parametrize("port", ["-1", "70000", "x"])
def test_port_out_of_range_is_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A port that no machine has is an error of the command line, not of the server."""
    with pytest.raises(SystemExit, match="2"):
        terminal.main(["app", "--port", port])
    assert "port" in capsys.readouterr().err


def test_nothing_of_a_first_visit_is_imported_only_then() -> None:
    """What the first visitor would wait for is loaded before the server answers: in a new process, every module of the
    families and of the pages."""
    code = (
        "import pkgutil, sys, sigcore.readers.formats, sigcore.metrics; from sigboard.terminal import app; app.prepare(); "
        "own = [module.name for folder in (sigcore.readers.formats, sigcore.metrics) "
        "for module in pkgutil.iter_modules(folder.__path__, folder.__name__ + '.')]; "
        "print([name for name in own if name not in sys.modules], 'sigboard.render.grid' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[0] == "[] True"
