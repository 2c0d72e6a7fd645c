"""The settings of which a plan has several values: n of top-n ListMLE (Chen et al. 2017, Fig. 2), the size of the lists (Table 4)."""

from __future__ import annotations

from collections.abc import Sequence

from sigcore.registry import Value
from sigcore.studies.tuning.compute import LIST_SIZE, Task
from sigcore.studies.tuning.result import Sweep

Settings = dict[str, Value]


def sweeps(todo: Sequence[Task]) -> tuple[Sweep, ...]:
    """Every number that differs between runs of one method whose other settings are equal."""
    labels = {task.label: task for task in todo}
    by_method: dict[str, dict[str, Settings]] = {}
    for label, task in labels.items():
        settings = {**task.options, LIST_SIZE: task.size, "policy": task.policy}
        by_method.setdefault(task.method.name, {})[label] = settings
    return tuple(
        sweep for runs in by_method.values() for setting in _numbers(runs) for sweep in _along(setting, runs, labels)
    )


def _numbers(runs: dict[str, Settings]) -> list[str]:
    """The settings that are numbers with several values."""
    return [
        name
        for name in next(iter(runs.values()))
        if len({values[name] for values in runs.values()}) > 1
        and all(isinstance(values[name], int | float) for values in runs.values())
    ]


def _along(setting: str, runs: dict[str, Settings], labels: dict[str, Task]) -> list[Sweep]:
    """The runs in groups that differ in this setting alone."""
    groups: dict[str, list[tuple[float, str]]] = {}
    for label, values in runs.items():
        number = values[setting]
        assert isinstance(number, int | float)
        rest = {name: value for name, value in values.items() if name != setting}
        groups.setdefault(repr(sorted(rest.items(), key=lambda item: item[0])), []).append((float(number), label))
    several = [sorted(group) for group in groups.values() if len(group) > 1]
    return [Sweep(_title(setting, group, labels, len(several) > 1), setting, tuple(group)) for group in several]


def _title(setting: str, group: Sequence[tuple[float, str]], labels: dict[str, Task], several: bool) -> str:
    """The printed name of the method, and of several groups the other marks of the label ("top-n ListMLE k:20")."""
    label = group[0][1]
    title = labels[label].method.title
    marks = [part for mark in label.split()[1:] for part in mark.split("|") if not part.startswith(f"{setting}:")]
    return " ".join([title, *marks]) if several else title
