"""Files as people lay them out: folders of runs, comments above a header, decimal percents, results beside samples."""

from __future__ import annotations

import json

from sigcore import readers


def test_folders_of_seeds_are_named_after_the_model_above_them() -> None:
    record = b'{"id": 1, "label": "yes", "prediction": "no"}\n{"id": 2, "label": "no", "prediction": "no"}\n'
    files = [(f"{model}/seed{k}/predictions.jsonl", record) for model in ("small", "large") for k in (1, 2)]
    intake = readers.read(files)
    systems = [item.name for item in intake.items if item.role == "system"]
    assert systems == ["small.seed1", "small.seed2", "large.seed1", "large.seed2"]
    assert not [notice for notice in intake.notices if "Another system" in notice.message]


def test_seeds_that_all_differ_still_have_their_models_name() -> None:
    files = [(f"{path}/out.txt", b"a\nb\n") for path in ("runs/a/seed1", "runs/b/seed2", "runs/b/seed3")]
    assert [item.name for item in readers.read(files).items] == ["a.seed1", "b.seed2", "b.seed3"]
    assert [item.name for item in readers.read(files[1:]).items] == ["seed2", "seed3"]
    assert [item.name for item in readers.read(files[:2]).items] == ["a", "b"]


def test_several_systems_of_each_folder_keep_their_own_names() -> None:
    table = b"id,reference,One,Two\n1,It rains.,It is raining.,Rain falls.\n2,It snows.,Snow.,Snow falls.\n"
    items = readers.read([("x/out.csv", table), ("y/out.csv", table)]).items
    assert [item.name for item in items if item.role == "system"] == ["x.One", "x.Two", "y.One", "y.Two"]
