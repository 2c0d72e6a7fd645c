"""Test sets that are known by name (WMT and others), with the system outputs that came with them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sigcore.errors import ReadError, UnknownMember
from sigcore.readers import lines
from sigcore.readers.contract import Intake, Item, Notice

READER = "known"
FIELDS = {"src": "source", "docid": "documents", "domain": "domains", "genre": "domains", "origlang": "ignored"}


def _datasets() -> dict[str, Any]:
    from sacrebleu.dataset import DATASETS

    return dict(DATASETS)


def known_sets() -> dict[str, tuple[str, ...]]:
    """The names of the test sets, the newest first as they are listed, each with its language pairs."""
    return {name: tuple(sorted(dataset.langpairs)) for name, dataset in _datasets().items()}


def load_known(name: str, pair: str) -> Intake:
    """The source, the references and the published outputs of a test set, from the local cache or fetched into it.

    The cache is sacrebleu's own (its folder is set by the environment variable SACREBLEU). References that the set
    does not score against by default come under the role ignored.

    Raises: UnknownMember for a name or a pair that is not known; ReadError where it can neither be found nor fetched.
    """
    datasets = _datasets()
    if name not in datasets:
        raise UnknownMember("test set", name, datasets)
    dataset = datasets[name]
    if pair not in dataset.langpairs:
        raise UnknownMember(f"language pair of {name}", pair, dataset.langpairs)
    fields, paths, scored = _paths(dataset, name, pair)
    testset = f"{name} {pair}"
    items, notices = [], list[Notice]()
    for field, path in zip(fields, paths, strict=True):
        segments, told = _segments(path)
        notices += told
        role = _role(field, path in scored)
        title = field.replace("ref:", "").replace(":", " ")
        note = f"{role} of {testset}, {len(segments)} segments"
        if any(segment.strip() for segment in segments):
            items.append(Item(title, role, "text", segments, Path(path).name, note, testset=testset, reader=READER))
    return Intake(tuple(items), tuple(notices))


def _paths(dataset: Any, name: str, pair: str) -> tuple[Sequence[str], Sequence[str], set[str]]:
    """The fields of a test set, the files they are in, and those of the references it scores against."""
    try:
        # fetched and unpacked here where it is not there yet
        return dataset.fieldnames(pair), dataset.get_files(pair), set(dataset.get_reference_files(pair))
    except (OSError, SystemExit) as error:
        where = Path(dataset._outdir).name
        reason = getattr(error, "reason", None) or error
        what = f"{name} is not in the local cache, and could not be fetched ({reason})."
        mend = (
            "Is there a network? Without one, fetch it elsewhere (sacrebleu -t NAME -l PAIR --echo src) and copy the "
        )
        mend += "folder, or load the files themselves."
        raise ReadError(what, where, mend=mend) from error


def _segments(path: str) -> tuple[tuple[str, ...], list[Notice]]:
    file = Path(path).name
    text, told = lines.decode(file, Path(path).read_bytes())
    segments, more = lines.split(file, text)
    return segments, told + more


def _role(field: str, scored: bool) -> str:
    if field.startswith("ref"):
        return "reference" if scored else "ignored"
    return FIELDS.get(field, "system")
