"""Proofs of readers: the streams that a person finds in the example file."""

from __future__ import annotations

from collections.abc import Iterator

from sigcore.proof import Parsed
from sigcore.readers import Intake, Reader, read

Streams = tuple[tuple[str, str, tuple[str, ...]], ...]


def streams(intake: Intake) -> Streams:
    """What was read, by role and name; judgments as one stream of system, segment and score, preferences of both systems, outcome and
    question."""
    rated = [
        (
            "judgments",
            one.name,
            tuple(f"{s} {k} {x:g}" for s, k, x in zip(one.system, one.segment, one.score, strict=True)),
        )
        for one in intake.judgments
    ]
    voted = [
        (
            "preferences",
            one.name,
            tuple(
                f"{a} {b} {x:g} {q}"
                for a, b, x, q in zip(one.first, one.second, one.outcome, one.question, strict=True)
            ),
        )
        for one in intake.preferences
    ]
    return (*((item.role, item.name, tuple(item.segments)) for item in intake.items), *rated, *voted)


def faults(reader: Reader) -> Iterator[str]:
    """One sentence where the example contains something else than its proof says.

    All streams, roles, names and segments are compared, so there is no break to try: whatever is lost or confused shows.
    """
    file, text = reader.example
    given = streams(read([(file, text.encode())], chosen={file: (reader.name, {})}))
    for example in reader.proof.examples:
        assert isinstance(example, Parsed), f"A reader's example is Parsed(...): {example}"
        if given != example.streams:
            yield f"{reader.name} reads {given}, not {example.streams}."
