"""The same files give the same test set on the page, in the terminal and in Python, for every kind of file."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest

from sigboard import terminal as commands
from sigboard.terminal import loading
from sigcore import Collection, SigError, readers
from sigcore.readers.known import load_files
from sigcore.types import KINDS
from tests import some
from tests.browser import test_pages
from tests.browser.test_pages import page, sound, start
from tests.made import sample_of
from tests.unit.sigcore.readers import test_same

a_server_that_knows_its_pages = test_pages.a_server_that_knows_its_pages

Files = list[tuple[str, bytes]]
SUFFIX = {"statistics": "stats", "trees": "conllu", "spans": "bio"}
RATED = "judge,system,segment,score\n" + "".join(f"P{j},{s},{i},{i}\n" for j in "12" for s in "AB" for i in range(9))


def of_kind(kind: str) -> Files:
    """A made test set of that kind, as files."""
    testset, outputs = sample_of(kind, n=40)
    streams = {"ref": testset.references[0]} if testset.references else {}
    streams |= {item.system: item.segments for item in outputs}
    suffix = SUFFIX.get(kind, "txt")
    return [(f"{name}.{suffix}", lines(kind, segments)) for name, segments in streams.items()]


def lines(kind: str, segments: tuple[str, ...]) -> bytes:
    """The segments as a person's file has them."""
    if kind == "rankings":
        return "".join(ranked(f"q{k}", segment) for k, segment in enumerate(segments)).encode()
    as_line = {"trees": conllu, "spans": tagged}.get(kind, str)
    return "".join(f"{as_line(segment)}\n" for segment in segments).encode()


def ranked(question: str, segment: str) -> str:
    """Lines of judgments, whose documents have numbers behind them, or of a run."""
    rows = [line.split("\t") for line in segment.split("\n")]
    judged = (f"{question} 0 {' '.join(row)}\n" for row in rows)
    run = (f"{question} Q0 {row[0]} {k} {-k} made\n" for k, row in enumerate(rows, 1))
    return "".join(judged if len(rows[0]) > 1 else run)


def tagged(segment: str) -> str:
    """Words with tags, of entities that do not overlap (of those that do, the first)."""
    words, *found = segment.split("\n")
    tags = ["O"] * len(words.split("\t"))
    for line in sorted(found):
        place, kind = line.split("\t")
        start, end = map(int, place.split("-"))
        if set(tags[start:end]) == {"O"}:
            tags[start:end] = [f"B-{kind}", *[f"I-{kind}"] * (end - start - 1)]
    return "".join(f"{word} {tag}\n" for word, tag in zip(words.split("\t"), tags, strict=True))


def conllu(segment: str) -> str:
    rows = [line.split("\t") for line in segment.split("\n")]
    return "".join(
        f"{k}\t{form}\t_\t{tag}\t_\t_\t{head}\t{label}\t_\t_\n" for k, (form, tag, head, label) in numbered(rows)
    )


def numbered(rows: list[list[str]]) -> Iterator[tuple[int, list[str]]]:
    return enumerate(rows, 1)


def with_ratings() -> Files:
    return [*of_kind("text"), ("assessments.csv", RATED.encode())]


def example_of(reader: readers.Reader) -> Callable[[], Files]:
    return lambda: [(reader.example[0], reader.example[1].encode())]


# results of whole test sets and settings of runs are set aside, unless the command line names them as a system
ASIDE = ("published", "harness_summary")
CASES: dict[str, Callable[[], Files]] = {
    **{f"sample-{name}": lambda name=name: load_files(name) for name in readers.sample_names()},
    **{f"example-{r.name}": example_of(r) for r in readers.members().values() if r.name not in ASIDE},
    **{f"kind-{kind}": lambda kind=kind: of_kind(kind) for kind in KINDS},
    **{f"format-{made.__name__}": made for made in test_same.FORMATS},
    "ratings": with_ratings,
}
# files that are given one by one: those whose roles the command line can name
FLAT = [name for name in CASES if name.startswith(("sample-", "kind-")) or name == "ratings"]


def zipped(files: Files) -> bytes:
    if len(files) == 1 and files[0][0].endswith(".zip"):
        return files[0][1]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files:
            archive.writestr(name, content)
    return buffer.getvalue()


def looks(collection: Collection) -> dict[str, Any]:
    """Everything a person would compare."""
    loaded = collection.loaded()
    return {
        "test set": loaded.testset and (loaded.testset.digest, loaded.testset.kind, loaded.testset.documents_digest),
        "outputs": [(item.system, item.group, item.digest) for item in loaded.outputs],
        "measure": loaded.measure,
        "selection": (collection.testset, collection.kind, collection.measure),
        "choices": collection.choices,
        "findings": sorted(map(repr, loaded.findings)),
        "notices": sorted(map(repr, collection.notices)),
        "problems": sorted(map(str, collection.problems)),
        "detected": sorted((one.file, one.reader) for one in collection.detected),
        "ratings": [part.digest for part in collection.ratings],
    }


@pytest.fixture(scope="module")
def app() -> Any:
    """The page Files, opened once for all drops."""
    with pytest.MonkeyPatch.context() as patch:
        test_pages.a_server_that_knows_its_pages.__wrapped__(patch)
        yield page(start(), "data")


def on_the_page(app: Any, files: Files) -> Collection:
    """What is loaded after everything was cleared and these files were dropped."""
    clear = [button for button in app.button if button.label == "Clear everything"]
    if clear:
        clear[0].click().run()
    content = [(name.rpartition("/")[2], data, "application/octet-stream") for name, data in files]
    app.get("file_uploader")[0].set_value(content).run()
    sound(app)
    return app.session_state["sigboard"].collection


def in_the_terminal(folder: Path, *words: str) -> Collection:
    """What a command loads that is given these words in this folder."""
    args = commands.parser().parse_args(["matrix", *words])
    with chdir(folder):
        collection = loading.collect(args)
        loaded = collection.loaded()
        if collection.ratings and not (collection.items or collection.problems):  # a command tests their means
            assert loading.load(args)[0].testset.kind == "scores"
            assert not collection.items
        elif collection.problems or loaded.of("error"):
            with pytest.raises(SigError):
                loading.load(args)
        elif len(collection.choices.testsets) > 1:  # a command of one test set asks for its name
            with pytest.raises(SigError, match=r"The files have \d+ test sets"):
                loading.load(args)
        elif {part.file for part in collection.ratings} & set(words):  # named as a system, which they are not
            with pytest.raises(SigError, match="ratings by people"):
                loading.load(args)
        else:
            again = loading.load(args)[0]
            assert again.testset.digest == loaded.testset.digest
            assert [item.digest for item in again.outputs] == [item.digest for item in loaded.outputs]
    return collection


@pytest.mark.parametrize("case", some.first(CASES, 20))
def test_one_archive_by_three_ways(case: str, app: Any, tmp_path: Path) -> None:
    """A zip dropped on the page, named on the command line and read in Python is one collection."""
    drop = zipped(CASES[case]())
    (tmp_path / "drop.zip").write_bytes(drop)
    with chdir(tmp_path):
        python = looks(Collection.of("drop.zip"))
    assert python["detected"]
    assert looks(on_the_page(app, [("drop.zip", drop)])) == python
    assert looks(in_the_terminal(tmp_path, "--systems", "drop.zip")) == python


@pytest.mark.parametrize("case", some.first(FLAT, 6))
def test_single_files_by_three_ways(case: str, app: Any, tmp_path: Path) -> None:
    """Files dropped one by one are what they are when the command line names their roles."""
    files = [(name.rpartition("/")[2], data) for name, data in CASES[case]()]
    for name, content in files:
        (tmp_path / name).write_bytes(content)
    names = [name for name, _ in files]
    with chdir(tmp_path):
        collection = Collection.of(*names)
    python = looks(collection)
    assert looks(on_the_page(app, files)) == python
    references = [item.file for item in collection.items if item.role == "reference"]
    others = [name for name in names if name not in references]
    flag = ["--reference", *references] if references else []
    terminal = looks(in_the_terminal(tmp_path, *flag, "--systems", *others))
    assert {**terminal, "notices": None} == {**python, "notices": None}
    assert set(terminal["notices"]) == set(python["notices"])
