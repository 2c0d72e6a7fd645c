"""What completes roles that somebody named, or a table about which a rule has no command: tried before it is printed."""

from __future__ import annotations

import itertools
import shlex

import pytest

from tests.made_tables import N, asked, means, rows, scored, value

SYSTEMS = ("base", "large")


def crossed(heading: str, *factors: tuple[str, ...], more: str = "") -> str:
    """A row for each system and combination of factors, whose score is 1 for every second one of `large`."""
    own = [
        f"{name},{','.join(both)}{more},{i % 2 if name == 'large' else 0}"
        for name in SYSTEMS
        for i, both in enumerate(itertools.product(*factors))
    ]
    return rows(heading, *own)


NOISE, SPLIT = ("clean", "typo", "upper"), ("test", "val")


@pytest.mark.parametrize("name", ["acc", "language"])
def test_columns_that_only_together_name_the_questions_are_found(name: str) -> None:
    """Where somebody says what names the systems; a heading with the word of a measure (noise_type) above words is no score."""
    text = crossed("model,noise_type,split,language,acc", NOISE, SPLIT, ("de", "en"))
    (why, command), *rest = asked(text, columns="model=system").ways
    assert (why, rest) == ("noise_type, split and language name the questions", []) or "noise_type" in why
    found = scored(text, columns="\n".join(shlex.split(command)))
    assert means(found) == {"base": 0, "large": 0.5} and {len(i.segments) for i in found.items} == {12}


def test_what_was_said_is_in_the_command_once() -> None:
    text = crossed("model,noise_type,split,acc", NOISE, ("a", "b", "c"))
    (_, command), *_ = asked(text, columns="model=system\nsplit=question").ways
    assert command.split() == ["model=system", "split=question", "rows=run"] or "acc=score" in command
    assert command.count("model=system") == 1 and command.count("split=question") == 1
