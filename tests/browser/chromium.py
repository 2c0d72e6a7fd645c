"""Finds a Chromium for the browser tests; with --install, or where CI=true, installs one if there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--process-per-site",  # pages of one profile share the scripts that are compiled
)
INSTALL = "--install"
FIX = "Install one with `make chromium`, or set SIGBOARD_CHROMIUM to the path of a Chromium or Chrome you have."
# Seconds, against a hang only: to start and tell the version, and to be installed.
LIMIT, INSTALL_LIMIT = 300, 1800


class ChromiumMissing(RuntimeError):
    """No Chromium starts; the message lists what was tried."""


def find() -> str:
    """The path of a Chromium that starts.

    Raises: ChromiumMissing.
    """
    named = os.environ.get("SIGBOARD_CHROMIUM")
    if named:
        if _starts(named):
            return named
        raise ChromiumMissing(f"SIGBOARD_CHROMIUM = {named} does not start. {FIX}")
    for command in COMMANDS:
        path = shutil.which(command)
        if path and _starts(path):
            return path
    path = _of_playwright()
    if path and _starts(path):
        return path
    raise ChromiumMissing(f"No Chromium: none of {', '.join(COMMANDS)} starts, and playwright has none. {FIX}")


def install() -> None:
    """Installs Chromium: Debian's package for root on Debian, playwright's own build elsewhere.

    Raises: ChromiumMissing where that fails.
    """
    for command in _install_commands():
        print("$", " ".join(command), flush=True)
        try:
            subprocess.run(command, check=True, stdin=subprocess.DEVNULL, timeout=INSTALL_LIMIT)
        except (OSError, subprocess.SubprocessError) as error:
            raise ChromiumMissing(f"Installing Chromium failed: {error}. {FIX}") from error


def main(arguments: Sequence[str] = ()) -> int:
    """0 if there is a Chromium in the end, otherwise 1; each step is printed.

    Packages of the system are installed only where that is requested: by --install (`make chromium`), or by CI=true, which
    says that this machine exists for the tests.
    """
    may_install = INSTALL in arguments or os.environ.get("CI") == "true"
    try:
        try:
            path = find()
        except ChromiumMissing as missing:
            if os.environ.get("SIGBOARD_CHROMIUM"):
                raise
            if not may_install:
                raise ChromiumMissing(f"{missing} It would run: {_shown_commands()}.") from None
            print(missing, "Installing one.", flush=True)
            install()
            path = find()
    except ChromiumMissing as missing:
        print(missing, "The browser tests are skipped, or fail where CI=true.", file=sys.stderr, flush=True)
        return 1
    print(f"Chromium for the browser tests: {path}", flush=True)
    return 0


def _starts(path: str) -> bool:
    # Ubuntu's /usr/bin/chromium-browser may be a stub that only asks for a snap
    try:
        shown = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=LIMIT, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return shown.returncode == 0 and "Chrom" in shown.stdout


def _of_playwright() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def _install_commands() -> list[list[str]]:
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if root and _is_debian() and shutil.which("apt-get"):
        packages = ["chromium", "fonts-dejavu-core"]
        return [
            ["apt-get", "update", "-qq"],
            ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages],
        ]
    with_libraries = ["--with-deps"] if root else []
    return [[sys.executable, "-m", "playwright", "install", *with_libraries, "chromium"]]


def _shown_commands() -> str:
    return " && ".join(" ".join(command) for command in _install_commands())


def _is_debian(release: Path = Path("/etc/os-release")) -> bool:
    return release.exists() and "ID=debian" in release.read_text(encoding="utf-8").split("\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
