"""Every metric, format, test, correction and method of tuning with its options."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from sigcore import Option, corrections, metrics, readers, significance, tuning


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Declare nothing: the command takes no arguments."""


def run(args: argparse.Namespace) -> None:
    """Every metric, format, test, correction and method of tuning with its options."""
    print("Metrics (--metric), options with --option METRIC.NAME=VALUE")
    for metric in metrics.members().values():
        _member(metric.name, metric.help, f"for {metric.kind}; source: {metric.source}")
        _options(f"--option {metric.name}.", metric.options)
    print("\nFile formats (--format), options with --format-option NAME=VALUE")
    for reader in readers.members().values():
        _member(reader.name, f"{reader.title}: {reader.help}")
        _options("--format-option ", reader.options)
    print("\nTests (--test)")
    for test in significance.members().values():
        _member(test.name, test.help, f"source: {test.source}")
    print("\nCorrections (--correction)")
    for correction in corrections.members().values():
        source = f"; {correction.source}" if correction.source else ""
        _member(correction.name, f"controls {correction.controls}{source}")
    print("\nMethods of tuning (tuning --method), options with --method-option METHOD.NAME=VALUE")
    for method in tuning.members().values():
        _member(method.name, method.help, f"source: {method.source}")
        _options(f"--method-option {method.name}.", method.options)


def _member(name: str, *lines: str) -> None:
    print(f"  {name:26}" + f"\n{'':28}".join(lines))


def _options(flag: str, options: Sequence[Option]) -> None:
    for option in options:
        print(f"    {flag}{option.name}={_values(option)}\n{'':28}{option.help}")


def _values(option: Option) -> str:
    default = "automatic" if option.default is None else str(option.default) or "empty"
    default = default.lower() if option.type is bool else default
    if option.choices:
        return "|".join(str(choice) for choice in option.choices) + f" (default {default})"
    if option.type is bool:
        return f"true|false (default {default})"
    low, high = ("" if end is None else f"{end:g}" for end in (option.low, option.high))
    return f"{option.type.__name__.upper()}{f' in [{low}, {high}]' if low or high else ''} (default {default})"
