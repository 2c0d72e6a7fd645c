"""Files beside the results of segments in the folder of an evaluation: results of whole runs, and settings; not used."""

from __future__ import annotations

import json
from collections.abc import Callable

from sigcore.proof import parsed
from sigcore.readers import names
from sigcore.readers.contract import CERTAIN, NO, OF_TASKS, Content, Found, Item, Notice, Options, Reader, described
from sigcore.readers.tables.objects import of_tasks


def _has(*names: str) -> Callable[[object], bool]:
    """Whether a value is an object with these names."""
    return lambda value: isinstance(value, dict) and all(name in value for name in names)


def _is_stats(value: object) -> bool:
    """Whether a value is the list of HELM's statistics over a whole run."""
    if not isinstance(value, list) or not value:
        return False
    return all(isinstance(one, dict) and isinstance(one.get("name"), dict) and "count" in one for one in value)


def _is_of_tasks(value: object) -> bool:
    """Whether an object has the means of whole tasks: {"results": {TASK: {"acc,none": MEAN, "acc_stderr,none": ERROR}}}."""
    results = value.get("results") if isinstance(value, dict) else None
    if (
        not isinstance(results, dict)
        or not results
        or not all(isinstance(one, dict) and one for one in results.values())
    ):
        return False
    return all(any("," in name or name.endswith("_stderr") for name in one) for one in results.values()) and not any(
        isinstance(cell, (dict, list)) for one in results.values() for cell in one.values()
    )


# What a file is: (a text that it contains, what its value looks like, what it is called in the notice).
KNOWN: tuple[tuple[str, Callable[[object], bool], str], ...] = (
    ('"results"', _has("results", "configs", "versions"), OF_TASKS),
    ('"results"', _is_of_tasks, OF_TASKS),
    ('"scenario_spec"', _has("scenario_spec", "adapter_spec"), "settings of a run (HELM)"),
    ('"adapter_spec"', _has("name", "adapter_spec"), "settings of a run (HELM)"),
    ('"request_states"', _has("request_states", "adapter_spec"), "requests and answers of a run (HELM)"),
    ('"definition_path"', _has("definition_path", "name", "description"), "the description of a scenario (HELM)"),
    ('"count"', _is_stats, "statistics of a whole run (HELM)"),
)


def _what(content: Content) -> str:
    """What the file is; "" for another one."""
    if content.suffix != "json":
        return ""
    text = content.text
    named = [(looks, title) for mark, looks, title in KNOWN if mark in text]
    if not named:
        return ""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    if isinstance(value, dict) and of_tasks(value):
        return ""  # the samples are there, too
    return next((title for looks, title in named if looks(value)), "")


def _looks(content: Content) -> int:
    # the reader of records is certain of every .json, too; of equally sure ones the first by name reads
    return CERTAIN if _what(content) else NO


def _read(content: Content, options: Options) -> Found:
    title = _what(content) or "results of a whole run"
    name, lines = names.display_name(content.file), content.lines or ("",)
    item = Item(name, "ignored", "text", lines, content.file, f"{title}; set aside")
    message = f"It has {title}, not scores of segments; it was not used."
    return Found(items=[item], notices=[Notice(content.file, message)])


READER = Reader(
    **described("harness_summary"),
    kinds=("text",),
    looks=_looks,
    read=_read,
    proof=parsed(
        (
            "ignored",
            "results_2026-01-01",
            (
                '{"results": {"sums": {"acc,none": 0.5}}, "configs": {"sums": {"task": "sums"}}, "versions": {"sums": 1}}',
            ),
        )
    ),
)
