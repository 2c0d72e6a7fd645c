"""Project files: what is saved is loaded, and damaged or hostile files are refused with a message."""

from __future__ import annotations

import io
import json
import tracemalloc
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigcore import project
from sigcore.data import Collection
from sigcore.errors import SigError
from sigcore.project import Project
from sigcore.studies import matrix
from sigcore.study import Study

REF = "".join(f"the {word} boat number {k} sails\n" for k, word in enumerate(["red", "blue", "old"] * 4))
FILES = {
    "ref.txt": REF,
    "one.txt": REF.replace("red", "rouge"),
    "sys_a%&<b>.txt": REF.replace("boat", "ship"),
}


def collection(files: dict[str, str] | None = None) -> Collection:
    """A collection of three files."""
    out = Collection(name="a 'test' set")
    out.add([(name, text.encode("utf-8", "surrogatepass")) for name, text in (files or FILES).items()])
    return out


def kept() -> bytes:
    return project.save(Project(collection(), {"metric": "chrf"}, b"grid"))


def same(one: Collection, other: Collection) -> bool:
    """Whether all that was loaded, edited and selected is equal; arrays and errors are compared by their contents."""

    def contents(of: Collection) -> list[Any]:
        problems = [(type(p), *p.args, getattr(p, "line", 0)) for p in of.problems]
        detected = [(d.file, d.reader, d.options, d.packed, d.why) for d in of.detected]
        ratings = [(r.name, r.digest, r.file) for r in of.ratings]
        names = ("name", "sample", "testset", "kind", "measure", "missing", "renamed", "groups", "kinds")
        plain = [getattr(of, name) for name in names]
        return [*plain, of.items, of.notices, of.edits, problems, detected, ratings]

    return contents(one) == contents(other)


TEXTS = st.text(st.characters(exclude_categories=()), max_size=8)


@given(
    st.lists(TEXTS, min_size=2, max_size=5), TEXTS, st.dictionaries(TEXTS, TEXTS, max_size=3), st.binary(max_size=20)
)
def test_load_of_save_is_the_same(lines: list[str], name: str, settings: dict[str, str], grid: bytes) -> None:
    """Any texts, names, settings and runs come back as they were, and are saved as the same bytes again."""
    text = "\n".join(line.replace("\n", " ") for line in lines) + "\n"
    before = collection({"ref.txt": text, "a.txt": text + "x", "b.txt": text[::-1]})
    before.name = name
    if before.items:
        before.edit({0: {"name": name, "group": "g"}})
    content = project.save(Project(before, settings, grid))
    after = project.load(content)
    assert same(before, after.collection)
    assert (dict(after.settings), after.grid) == (settings, grid)
    assert project.save(after) == content


@pytest.mark.parametrize("name", ["harbour", "kitchen-radio"])
def test_samples_with_ratings_groups_and_documents(name: str) -> None:
    """A sample with its ratings, groups and documents comes back, and assembles to the same test set and outputs."""
    before = Collection()
    before.add_sample(name)
    after = project.load(project.save(Project(before))).collection
    assert same(before, after)
    first, second = before.loaded(), after.loaded()
    assert first.testset is not None
    assert second.testset is not None
    assert first.testset.digest == second.testset.digest
    assert [(o.system, o.group, o.digest) for o in first.outputs] == [
        (o.system, o.group, o.digest) for o in second.outputs
    ]


def test_kinds_come_back_and_may_be_missing() -> None:
    """What a table says of the kinds of systems is saved; a document of an earlier version, without kinds, has none."""
    before = collection(FILES | {"groups.tsv": "system\tgroup\tkind\none\tx\tcombination\nsys_b\ty\t\n"})
    assert before.kinds["one"] == "combination"
    assert same(before, project.load(project.save(Project(before))).collection)
    document, arrays = project.to_parts(before)
    del document["kinds"]
    assert project.from_parts(document, arrays).kinds == {}


def test_codes_of_missing_scores_come_back_and_may_be_missing() -> None:
    """What a number means is saved; a document of an earlier version says nothing about it."""
    before = collection(FILES)
    before.select(codes=["-1", "-999"])
    assert project.load(project.save(Project(before))).collection.codes == ("-1", "-999")
    document, arrays = project.to_parts(before)
    del document["codes"]
    assert project.from_parts(document, arrays).codes == ()
    for bad in ("-1", ["x"], [1], ["none", "-1"]):
        with pytest.raises((ValueError, SigError)):
            project.from_parts({**document, "codes": bad}, arrays)


def test_pairwise_judgments_come_back_and_may_be_missing() -> None:
    """Both systems, outcomes, questions and judges; a document of an earlier version has none."""
    rows = "".join(f"{k},A,B,{('A', 'B', 'tie')[k % 3]},j{k % 2}\n" for k in range(9))
    before = collection(FILES | {"p.csv": f"question_id,model_a,model_b,winner,judge\n{rows}"})
    after = project.load(project.save(Project(before))).collection
    assert [part.digest for part in after.preferences] == [part.digest for part in before.preferences]
    assert len(after.preferences) == 1
    document, arrays = project.to_parts(before)
    del document["preferences"]
    assert project.from_parts(document, arrays).preferences == ()


def test_finished_runs_come_back_as_the_same_numbers() -> None:
    """The runs of a project give the same p-values, and none for another seed."""
    before = collection()
    loaded = before.loaded()
    assert loaded.testset is not None
    asked, tests = [("bleu", {})], ["approximate_randomization"]
    run = matrix.run(Study(loaded.testset, loaded.outputs, asked, tests, resamples=500))
    opened = project.load(project.save(Project(before, {}, matrix.save([run]))))
    again = opened.collection.loaded()
    assert again.testset is not None
    kept = matrix.load(opened.grid, Study(again.testset, again.outputs, asked, tests))[500]
    one, other = (matrix.read(each, "bleu", tests[0]) for each in (run, kept))
    assert np.array_equal(one.p_values, other.p_values)
    assert one.setup == other.setup
    assert not matrix.load(opened.grid, Study(again.testset, again.outputs, asked, tests, seed=1))


def test_problems_and_bad_files_come_back() -> None:
    """A file that could not be read is reported again after loading, with its place."""
    before = collection({**FILES, "bad.jsonl": '{"a": 1}\n{"a": \n'})
    before.add([("odd.txt", b"\xff\xfe\x00")])
    after = project.load(project.save(Project(before))).collection
    assert same(before, after)
    assert before.problems


def changed(change: Callable[[dict[str, bytes]], None], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """The project file after a change of its members."""
    with zipfile.ZipFile(io.BytesIO(kept())) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def document(change: Callable[[dict[str, Any]], None]) -> bytes:
    """The project file after a change of its JSON document."""

    def edit(members: dict[str, bytes]) -> None:
        top = json.loads(members["project.json"])
        change(top)
        members["project.json"] = json.dumps(top).encode()

    return changed(edit)


def npy(values: np.ndarray, pickled: bool = False) -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array(file, values, (1, 0), allow_pickle=pickled)
    return file.getvalue()


def huge() -> bytes:
    """An npy file that declares 10^12 numbers and holds none."""
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": "<i8", "fortran_order": False, "shape": (10**12,)})
    return file.getvalue()


def lies() -> bytes:
    """A project whose document says in its header that it is one byte long, and is much longer."""
    content = bytearray(changed(lambda m: m.update({"project.json": bytes(2**24)})))
    size = (2**24).to_bytes(4, "little")
    while size in content:
        place = content.index(size)
        content[place : place + 4] = (1).to_bytes(4, "little")
    return bytes(content)


LENGTHS = "items.0.segments.lengths.npy"
HOSTILE: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "text": lambda: b"the red boat\n",
    "truncated": lambda: kept()[: len(kept()) // 2],
    "a byte is flipped": lambda: kept()[:200] + bytes([kept()[200] ^ 255]) + kept()[201:],
    "no document": lambda: changed(lambda m: m.pop("project.json")),  # type: ignore[arg-type, return-value]
    "not JSON": lambda: changed(lambda m: m.update({"project.json": b"{"})),
    "deep JSON": lambda: changed(lambda m: m.update({"project.json": b"[" * 100_000})),
    "wide JSON": lambda: changed(lambda m: m.update({"project.json": b"[" + b"0," * 500_000 + b"0]"})),
    "longer than its header says": lies,
    "another compression": lambda: changed(lambda m: None, zipfile.ZIP_LZMA),
    "many members": lambda: changed(lambda m: m.update({f"items.{k}.npy": b"" for k in range(20_001)})),
    "a number without end": lambda: changed(
        lambda m: m.update({"project.json": m["project.json"].replace(b'"version": 1', b'"version": 1, "a": 1e400')})
    ),
    "no number": lambda: document(lambda top: top["content"].update(a=float("nan"))),
    "another format": lambda: document(lambda top: top.update(format="other")),
    "newer version": lambda: document(lambda top: top.update(version=2)),
    "version is a text": lambda: document(lambda top: top.update(version="1")),
    "version zero": lambda: document(lambda top: top.update(version=0)),
    "a path with ..": lambda: changed(lambda m: m.update({"../../evil.npy": npy(np.zeros(1))})),
    "an absolute path": lambda: changed(lambda m: m.update({"/etc/evil.npy": npy(np.zeros(1))})),
    "a script": lambda: changed(lambda m: m.update({"run.py": b"print()"})),
    "objects": lambda: changed(lambda m: m.update({LENGTHS: npy(np.array([{}], dtype=object), pickled=True)})),
    "huge declared array": lambda: changed(lambda m: m.update({LENGTHS: huge()})),
    "negative lengths": lambda: changed(lambda m: m.update({LENGTHS: npy(np.full(12, -1))})),
    "lengths of another sum": lambda: changed(lambda m: m.update({LENGTHS: npy(np.full(12, 1))})),
    "missing array": lambda: changed(lambda m: m.pop(LENGTHS)),  # type: ignore[arg-type, return-value]
    "unknown role": lambda: document(lambda top: top["content"]["collection"]["items"][0].update(role="boss")),
    "items are no list": lambda: document(lambda top: top["content"]["collection"].update(items=5)),
    "an edit of no item": lambda: document(lambda top: top["content"]["collection"].update(edits=[[9, {}]])),
    "settings are numbers": lambda: document(lambda top: top["content"].update(settings={"alpha": 1})),
    "no settings": lambda: document(lambda top: top["content"].pop("settings")),
    "text is not UTF-8": lambda: changed(
        lambda m: m.update(
            {"items.0.segments.bytes.npy": npy(np.array([255], dtype=np.uint8)), LENGTHS: npy(np.array([1]))}
        )
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_damaged_and_hostile_files_are_refused(name: str) -> None:
    """Each is refused with what is wrong and what to do, no other error, and little memory, whatever it declares."""
    content = HOSTILE[name]()
    tracemalloc.start()
    with pytest.raises(SigError) as refused:
        project.load(content)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 32 * 2**20
    assert refused.value.what.startswith("The project file")
    assert refused.value.fix


def test_newer_version_says_what_to_do() -> None:
    """A project of a newer Sigboard is refused with both versions."""
    with pytest.raises(SigError, match="version 2; this Sigboard reads versions up to 1"):
        project.load(HOSTILE["newer version"]())


def test_zip_bomb_is_refused_before_it_is_unpacked() -> None:
    """A small file that declares more than the bound is refused, and takes no memory of that size."""
    bomb = changed(lambda m: m.update({"bomb.npy": bytes(64 * 2**20)}))
    assert len(bomb) < 2**20
    tracemalloc.start()
    with pytest.raises(SigError, match="unpacks to more than"):
        project.load(bomb, most=2**20)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 16 * 2**20
