"""Test sets by name: from a cache made on the spot, and with a clear word where there is neither cache nor network."""

import urllib.request
from pathlib import Path
from typing import Any

import pytest
from sacrebleu.dataset import DATASETS
from sacrebleu.dataset.base import Dataset

from sigcore.errors import ReadError, UnknownMember
from sigcore.readers import known_sets, load_known
from sigcore.studies.data import assemble

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
    with pytest.raises(ReadError, match="could not be fetched") as error:
        load_known("wmt20", "cs-en")
    assert "no network in this test" in error.value.what
    assert "load the files themselves" in error.value.mend


def test_unknown_names_get_the_nearest() -> None:
    """A slip in the name or the pair is answered with what is near."""
    assert "cs-en" in known_sets()["wmt22"]
    with pytest.raises(UnknownMember, match="wmt22"):
        load_known("wtm22", "cs-en")
    with pytest.raises(UnknownMember, match="cs-en"):
        load_known("wmt22", "cs-eng")
