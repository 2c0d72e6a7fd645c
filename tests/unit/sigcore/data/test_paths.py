"""Files named by a person: pipes and devices without an end, names in any locale, standard input."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from sigcore.data import Collection, paths
from sigcore.errors import SigError
from sigcore.readers import Limits


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no /dev/zero")
def test_a_device_without_an_end_is_refused(monkeypatch) -> None:
    """Not more is read than the bound, and the message names the file."""
    monkeypatch.setattr(paths, "MOST_WITHOUT_SIZE", 3_000_000)
    with pytest.raises(SigError, match=r"/dev/zero has more than 3,000,000 bytes\."):
        paths.read_bytes("/dev/zero")


def test_a_file_over_the_bound_is_refused_before_it_is_read(tmp_path, monkeypatch) -> None:
    """A file with a hole has a size but no content on the disk; one of the bound itself is read."""
    for name, size in (("fits", 5_000), ("large", 5_001)):
        with (tmp_path / name).open("wb") as file:
            file.truncate(size)
    monkeypatch.setattr(paths, "MOST", 5_000)
    assert paths.read_bytes(tmp_path / "fits") == bytes(5_000)
    with pytest.raises(SigError, match=r"large has more than 5,000 bytes"):
        paths.read_bytes(tmp_path / "large")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_is_read_to_its_end() -> None:
    """What a pipe holds comes back whole, in parts of any size."""
    read, write = os.pipe()
    os.write(write, b"one\ntwo\n")
    os.close(write)
    assert paths.read_bytes(f"/dev/fd/{read}") == b"one\ntwo\n"
    os.close(read)


def test_a_closed_standard_input_is_an_error(monkeypatch) -> None:
    """Python has no standard input then; a message says so."""
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SigError, match=r"Standard input is closed\."):
        paths.read_bytes("-")


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("d/система.en", "d/система.en"),
        # the same name as Python reads it in an ASCII locale; and one in Latin-1, which nobody can know
        ("d/система.en".encode().decode("ascii", "surrogateescape"), "d/система.en"),
        (b"caf\xe9.en".decode("ascii", "surrogateescape"), "caf%E9.en"),
        ("a\nb\u202e.en", "ab.en"),
    ],
)
def test_a_name_is_the_same_in_every_locale(given, shown, monkeypatch) -> None:
    """No letter of a file's name is lost, so two systems keep two names."""
    # os.fsencode takes the encoding of the locale; this is what it gives where that is UTF-8 or ASCII
    encode = SimpleNamespace(**vars(os) | {"fsencode": lambda path: path.encode("utf-8", "surrogateescape")})
    monkeypatch.setattr(paths, "os", encode)
    assert paths._shown(given) == shown


def test_the_documented_bounds_are_those_of_the_code() -> None:
    """What docs/formats.md says about the size of a file is what is enforced."""
    said = " ".join((Path(__file__).resolve().parents[4] / "docs" / "loading.md").read_text(encoding="utf-8").split())
    assert f"In the terminal a file may have {paths.MOST:,} bytes, and a pipe or a device as many as archives" in said
    assert Limits.total_bytes == paths.MOST_WITHOUT_SIZE


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_name_in_another_encoding_is_whole(tmp_path: Path) -> None:
    """A file name in Latin-1 gives the whole name of the system, its bytes as numbers; a hidden file is none."""
    for name in (b"Syst\xe8me-A.txt", b"Syst\xe8me-B.txt", b".notes.txt"):
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_text("a line\n", encoding="utf-8")
    assert [item.name for item in Collection.of(tmp_path).items] == ["Syst%E8me-A", "Syst%E8me-B"]


def test_the_last_run_of_deepeval_is_read_in_its_hidden_folder(tmp_path):
    """Other hidden files of the folder are left out."""
    own = tmp_path / "hybrid" / ".deepeval"
    own.mkdir(parents=True)
    (own / ".latest_test_run.json").write_text("{}")
    (own / ".deepeval_telemetry.txt").write_text("x")
    assert [name for name, _ in paths.files_at(str(tmp_path), "runs")] == [
        "runs/hybrid/.deepeval/.latest_test_run.json"
    ]
