"""What several comparisons with other programs need."""

from __future__ import annotations

import pytest

from sigcore.text import wordnet

DEBIAN = "a102a9ad"  # WordNet 3.0 as Debian has it, the contents of METEOR's own data


@pytest.fixture
def real_wordnet(monkeypatch: pytest.MonkeyPatch) -> None:
    """The WordNet 3.0 of Debian; the test is skipped where it is missing."""
    monkeypatch.setenv(wordnet.VARIABLE, str(wordnet.USUAL))
    if not wordnet.available():
        pytest.skip("no WordNet database: apt install wordnet-base")
    if wordnet.find().digest != DEBIAN:
        pytest.skip("another version of WordNet than the program's")


@pytest.fixture(params=("exact", "exact+stem", "exact+stem+synonym"))
def stages(request: pytest.FixtureRequest) -> str:
    """METEOR's stages; those with synonyms only where WordNet is there."""
    if "synonym" in request.param:
        request.getfixturevalue("real_wordnet")
    return str(request.param)
