"""`sigboard app`: where the app is found. That it starts is in tests/contract/test_installed.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from sigboard import commands
from sigboard.commands import app

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
        commands.main(["app", "--port", port])
    assert "port" in capsys.readouterr().err
