"""Logs of Inspect (.eval), archives with a file per sample: each becomes one file with the header and all samples."""

from __future__ import annotations

import json
import re

Files = list[tuple[str, bytes]]
PART = re.compile(r"(?P<log>.*\.eval)/(?P<part>.*)", re.IGNORECASE | re.DOTALL)
HEADERS = ("header.json", "_journal/start.json")  # the second while a log is not complete


def gathered(files: Files) -> Files:
    """The files, with those of each log as one; a log without samples that can be read stays as it is."""
    logs: dict[str, dict[str, bytes]] = {}
    for file, data in files:
        if match := PART.fullmatch(file):
            logs.setdefault(match["log"], {})[match["part"]] = data
    whole = {log: combined for log, parts in logs.items() if (combined := _combined(parts))}
    rest = [(file, data) for file, data in files if not ((match := PART.fullmatch(file)) and match["log"] in whole)]
    return [*rest, *whole.items()]


def _combined(parts: dict[str, bytes]) -> bytes:
    """The header and the samples of a log in one object; b"" if there are none, or one of them is not JSON."""
    samples = [data for part, data in sorted(parts.items()) if part.startswith("samples/") and part.endswith(".json")]
    header = next((parts[name] for name in HEADERS if name in parts), b"")
    if not samples or not header:
        return b""
    try:
        value = json.loads(header)
        log = {"eval": value["eval"], "samples": [json.loads(data) for data in samples]}
    except (ValueError, KeyError, TypeError, RecursionError):
        return b""
    return json.dumps(log).encode()
