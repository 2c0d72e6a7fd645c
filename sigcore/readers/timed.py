"""Words with times (ctm) sorted into the times of a reference (stm), so that both have the same segments."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from sigcore.readers.formats.utterances import CTM, REMARK, STM, UNSCORED

Files = list[tuple[str, bytes]]
Times = Mapping[str, Sequence[tuple[float, float]]]  # the start and the end of each segment of a recording, in order


def sorted_in(files: Files) -> Files:
    """The files; beside one stm with several times of a recording, each ctm of its recordings has a record for each time.

    A word belongs where its middle is; between two times, to the nearer one, so no word is lost.
    """
    times = [found for file, data in files if file.lower().endswith(".stm") and (found := _times(data))]
    if len(times) != 1 or max(map(len, times[0].values())) < 2:
        return files
    return [
        (file, (_records(data, times[0]) or data) if file.lower().endswith(".ctm") else data) for file, data in files
    ]


def _lines(data: bytes) -> list[str]:
    lines = data.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    return [line.strip() for line in lines if line.strip() and not line.startswith(REMARK)]


def _times(data: bytes) -> Times:
    """The times of each recording and channel that are scored."""
    found: dict[str, list[tuple[float, float]]] = {}
    for line in _lines(data):
        match = STM.fullmatch(line)
        if match and (match[4] or "").strip().lower() != UNSCORED:
            found.setdefault(f"{match[1]} {match[2]}", []).append((float(match[3]), float(line.split()[4])))
    return {name: sorted(own) for name, own in found.items()}


def _records(data: bytes, times: Times) -> bytes:
    """A record for each time, with the words in it; b"" for words of other recordings, and for lines of another form."""
    words: dict[tuple[str, float], list[tuple[float, str]]] = {
        (name, a): [] for name, own in times.items() for a, _ in own
    }
    for line in _lines(data):
        match = CTM.fullmatch(line)
        name = f"{match[1]} {match[2]}" if match else ""
        if match is None or name not in times:
            return b""
        start = float(match[3])
        middle = start + float(line.split()[3]) / 2
        place = min(times[name], key=lambda time: max(time[0] - middle, middle - time[1], 0.0))
        words[name, place[0]].append((start, match[4]))
    rows = ((f"{name} {a:g}", " ".join(word for _, word in sorted(own))) for (name, a), own in words.items())
    return "".join(json.dumps({"id": key, "text": text}) + "\n" for key, text in rows).encode()
