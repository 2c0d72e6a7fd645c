"""Test sets by name: from a cache made on the spot, and with a clear word where there is neither cache nor network."""

import hashlib
import io
import socket
import tarfile
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from sacrebleu.dataset import DATASETS
from sacrebleu.dataset.base import Dataset

from sigcore.data.assembly import assemble
from sigcore.errors import Cancelled, ReadError, UnknownMember
from sigcore.readers import known, known_sets, load_known

XML = """<dataset id="t">
<doc id="d1" origlang="cs"><src lang="cs"><p><seg id="1">Prší.</seg><seg id="2">Ano.</seg></p></src>
<ref lang="en" translator="B"><p><seg id="1">It rains.</seg><seg id="2">Yes.</seg></p></ref>
<ref lang="en" translator="C"><p><seg id="1">Rain.</seg><seg id="2">Aye.</seg></p></ref>
<hyp system="One" lang="en"><p><seg id="1">It's raining.</seg><seg id="2">Yes.</seg></p></hyp>
<hyp system="Two" lang="en"><p><seg id="1">Rain falls.</seg><seg id="2">No.</seg></p></hyp></doc>
</dataset>
"""


def no_network(*args: object, **kwargs: object) -> Any:
    raise urllib.error.URLError("no network in this test")


def cached(monkeypatch: pytest.MonkeyPatch, name: str, folder: Path) -> Dataset:
    """The data set of that name with its cache in `folder`, and no way to the network."""
    dataset = DATASETS[name]
    monkeypatch.setattr(dataset, "_outdir", str(folder))
    monkeypatch.setattr(dataset, "_rawdir", str(folder / "raw"))
    monkeypatch.setattr(urllib.request, "urlopen", no_network)
    return dataset


def test_an_old_set_is_its_source_and_reference(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Files that lie in the cache are read without any network."""
    dataset = cached(monkeypatch, "wmt14", tmp_path)
    for field in dataset.fieldnames("cs-en"):
        Path(dataset._get_txt_file_path("cs-en", field)).write_text(f"{field} 1\n{field} 2\n")
    intake = load_known("wmt14", "cs-en")
    roles = {item.name: item.role for item in intake.items}
    assert roles["src"] == "source"
    assert roles["ref"] == "reference"
    assert {item.testset for item in intake.items} == {"wmt14 cs-en"}
    assert assemble(intake.items).testset.name == "wmt14 cs-en"


def test_a_new_set_comes_with_its_systems(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The published outputs are systems, the reference that is scored against a reference, the other set aside."""
    dataset = cached(monkeypatch, "wmt22", tmp_path)
    raw = Path(dataset._get_langpair_path("cs-en"))
    raw.parent.mkdir(parents=True)
    raw.write_text(XML, encoding="utf-8")
    for url in dataset.data:
        (tmp_path / "raw" / dataset._get_tarball_filename(url)).write_bytes(b"there")
    intake = load_known("wmt22", "cs-en")
    roles = {item.name: item.role for item in intake.items}
    assert roles == {
        "src": "source", "B": "reference", "C": "ignored", "docid": "documents", "origlang": "ignored",
        "One": "system", "Two": "system",
    }  # fmt: skip
    loaded = assemble(intake.items)
    assert [o.segments for o in loaded.outputs] == [("It's raining.", "Yes."), ("Rain falls.", "No.")]


def test_without_cache_and_network_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The reason and two ways on are told, and nothing else happens."""
    cached(monkeypatch, "wmt20", tmp_path)
    with pytest.raises(ReadError, match="could not be downloaded") as error:
        load_known("wmt20", "cs-en")
    assert "no network in this test" in error.value.what
    assert "load the files themselves" in error.value.fix


def test_unknown_names_get_the_nearest() -> None:
    """A slip in the name or the pair is answered with what is near."""
    assert "cs-en" in known_sets()["wmt22"]
    with pytest.raises(UnknownMember, match="wmt22"):
        load_known("wtm22", "cs-en")
    with pytest.raises(UnknownMember, match="cs-en"):
        load_known("wmt22", "cs-eng")


# ---- the way into the cache


def archive_of(dataset: Dataset, pair: str, text: str = XML) -> bytes:
    """The archive of a new test set with the file of that pair."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as packed:
        member = tarfile.TarInfo(dataset.langpairs[pair]["path"])
        member.size = len(text.encode())
        packed.addfile(member, io.BytesIO(text.encode()))
    return buffer.getvalue()


class Answer(io.BytesIO):
    """What a server sends, with the length it promises."""

    def __init__(self, data: bytes, promised: int | None = None) -> None:
        super().__init__(data)
        self.headers = {"Content-Length": str(len(data) if promised is None else promised)}


def served(
    monkeypatch: pytest.MonkeyPatch, folder: Path, text: str = XML, **how: Any
) -> tuple[Dataset, Path, list[float]]:
    """wmt22 with an empty cache, an archive on the network, where it belongs, and the patience of each request."""
    dataset = cached(monkeypatch, "wmt22", folder)
    data, asked = archive_of(dataset, "cs-en", text), list[float]()
    monkeypatch.setattr(dataset, "md5", [hashlib.md5(data, usedforsecurity=False).hexdigest()])

    def answer(url: str, timeout: float) -> Answer:
        asked.append(timeout)
        return Answer(how.get("data", data), how.get("promised"))

    monkeypatch.setattr(urllib.request, "urlopen", answer)
    return dataset, folder / "raw" / dataset._get_tarball_filename(dataset.data[0]), asked


def test_what_is_not_in_the_cache_is_fetched_once_and_in_bounded_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The archive is loaded with a bound on waiting, unpacked, and found the next time; each piece is told."""
    _, archive, asked = served(monkeypatch, tmp_path)
    told: list[tuple[str, int, int]] = []
    intake = load_known("wmt22", "cs-en", lambda *parts: told.append(parts))
    assert [i.name for i in intake.items if i.role == "system"] == ["One", "Two"]
    assert told[-1][1:] == (archive.stat().st_size,) * 2
    load_known("wmt22", "cs-en")
    assert asked == [known.PATIENCE]
    assert not [path for path in tmp_path.rglob("*") if ".part" in path.name or ".unpacking" in path.name]


def test_an_archive_that_was_cut_off_is_fetched_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A piece of it from an earlier attempt is not taken for the whole; without a network it is told to be damaged."""
    _, archive, asked = served(monkeypatch, tmp_path)
    archive.parent.mkdir(parents=True)
    archive.write_bytes(b"the first half")
    answer = urllib.request.urlopen
    monkeypatch.setattr(urllib.request, "urlopen", no_network)
    with pytest.raises(ReadError, match=r"Its archive .* there is damaged, and could not be downloaded"):
        load_known("wmt22", "cs-en")
    assert archive.read_bytes() == b"the first half"
    monkeypatch.setattr(urllib.request, "urlopen", answer)
    assert load_known("wmt22", "cs-en").items
    assert len(asked) == 1


def test_an_archive_that_was_not_unpacked_is_unpacked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is there as a whole needs no network."""
    dataset, archive, _ = served(monkeypatch, tmp_path)
    archive.parent.mkdir(parents=True)
    archive.write_bytes(archive_of(dataset, "cs-en"))
    monkeypatch.setattr(dataset, "md5", [known.checksum(archive)])
    monkeypatch.setattr(urllib.request, "urlopen", no_network)
    assert load_known("wmt22", "cs-en").items


@pytest.mark.parametrize(
    ("how", "told"),
    [({"promised": 10**6}, "the connection ended after"), ({"data": b"<html>Log in first</html>"}, "has the checksum")],
)
def test_what_comes_damaged_is_not_kept(
    how: dict[str, Any], told: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """An answer that ends too early, or is another file, leaves nothing in the cache."""
    _, archive, _ = served(monkeypatch, tmp_path, **how)
    with pytest.raises(ReadError, match=told):
        load_known("wmt22", "cs-en")
    assert list(archive.parent.iterdir()) == []


def test_who_asked_can_stop_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is told may raise; nothing half stays behind, and the next one is not kept waiting."""
    _, archive, _ = served(monkeypatch, tmp_path)

    def stop(phase: str, done: int, total: int) -> None:
        if done:
            raise Cancelled

    with pytest.raises(Cancelled):
        load_known("wmt22", "cs-en", stop)
    assert list(archive.parent.iterdir()) == []
    assert load_known("wmt22", "cs-en").items


def test_a_server_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A connection that is taken and then says nothing ends with a word on it."""
    monkeypatch.setattr(known, "PATIENCE", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/x.tar.gz"
        with pytest.raises(OSError, match="timed out"):
            known.fetch(address, tmp_path / "x.tar.gz", None, lambda *parts: None)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<src lang="cs">', '<src lang="cs"><p><seg id="9">x</seg></p></src><src lang="de">'),
        ('<seg id="1">Prší.</seg>', '<seg id="1"></seg>'),
        ("</dataset>", ""),
        (' origlang="cs"', ""),
    ],
)
def test_files_that_are_not_what_they_should_be_are_told(
    old: str, new: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whatever the library that reads them raises or asserts, the page gets what, where and how to fix it."""
    assert old in XML
    served(monkeypatch, tmp_path, XML.replace(old, new, 1))
    with pytest.raises(ReadError, match="in the cache cannot be read") as error:
        load_known("wmt22", "cs-en")
    assert "Delete this folder of the cache" in error.value.fix


def test_a_library_that_ends_the_program_ends_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A call for the end of the program is an error like others."""
    dataset, _, _ = served(monkeypatch, tmp_path)

    def end(*parts: object) -> Any:
        raise SystemExit(1)

    monkeypatch.setattr(dataset, "get_files", end)
    with pytest.raises(ReadError, match="SystemExit"):
        load_known("wmt22", "cs-en")


def test_texts_that_were_cut_off_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A text of the cache that is shorter than the others is named, with what to delete."""
    dataset, _, _ = served(monkeypatch, tmp_path)
    load_known("wmt22", "cs-en")
    Path(dataset._get_txt_file_path("cs-en", "One")).write_text("It's raining.\n")
    with pytest.raises(ReadError, match="src has 2 lines, One 1") as error:
        load_known("wmt22", "cs-en")
    assert "Delete these texts" in error.value.fix
