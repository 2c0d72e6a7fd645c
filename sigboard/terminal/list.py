"""Every metric, format, test, correction and method of tuning with its options."""

from __future__ import annotations

import argparse

from sigcore import Option, corrections, metrics, readers, significance, tuning


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Declare nothing: the command takes no arguments."""


def run(args: argparse.Namespace) -> None:
    """Every metric, format, test, correction and method of tuning with its options."""
    _metrics()
    _formats()
    _tests()
    _corrections()
    _methods()


def _metrics() -> None:
    print("Metrics (--metric), options with --option METRIC.NAME=VALUE")
    for metric in metrics.members().values():
        print(f"  {metric.name:26}{metric.help}\n{'':28}for {metric.kind}; source: {metric.source}")
        for option in metric.options:
            print(f"    --option {metric.name}.{option.name}={_values(option)}\n{'':28}{option.help}")


def _formats() -> None:
    print("\nFile formats (--format), options with --format-option NAME=VALUE")
    for reader in readers.members().values():
        print(f"  {reader.name:26}{reader.title}: {reader.help}")
        for option in reader.options:
            print(f"    --format-option {option.name}={_values(option)}\n{'':28}{option.help}")


def _tests() -> None:
    print("\nTests (--test)")
    for test in significance.members().values():
        print(f"  {test.name:26}{test.help}\n{'':28}source: {test.source}")


def _corrections() -> None:
    print("\nCorrections (--correction)")
    for correction in corrections.members().values():
        source = f"; {correction.source}" if correction.source else ""
        print(f"  {correction.name:26}controls {correction.controls}{source}")


def _methods() -> None:
    print("\nMethods of tuning (tuning --method), options with --method-option METHOD.NAME=VALUE")
    for method in tuning.members().values():
        print(f"  {method.name:26}{method.help}\n{'':28}source: {method.source}")
        for option in method.options:
            print(f"    --method-option {method.name}.{option.name}={_values(option)}\n{'':28}{option.help}")


def _values(option: Option) -> str:
    default = "automatic" if option.default is None else str(option.default) or "empty"
    default = default.lower() if option.type is bool else default
    if option.choices:
        return "|".join(str(choice) for choice in option.choices) + f" (default {default})"
    if option.type is bool:
        return f"true|false (default {default})"
    low, high = ("" if end is None else f"{end:g}" for end in (option.low, option.high))
    return f"{option.type.__name__.upper()}{f' in [{low}, {high}]' if low or high else ''} (default {default})"
