"""Systems whose names look the same on the screen are a warning that shows how they differ."""

from __future__ import annotations

import unicodedata

import pytest

from sigcore.data import assemble
from sigcore.readers import Item, read
from sigcore.studies import human

N = 40
COMPOSED, DECOMPOSED = (unicodedata.normalize(form, "Ångström-2") for form in ("NFC", "NFD"))


def warned(*names: str) -> list[str]:
    """The warnings about names of systems with these names."""
    text = tuple(f"a line with number {k}" for k in range(N))
    items = [Item("ref", "reference", "text", text, "ref.txt", "")]
    for place, name in enumerate(names):
        own = tuple(line.replace("a", "the") if k % (place + 2) else line for k, line in enumerate(text))
        items.append(Item(name, "system", "text", own, f"{place}.txt", ""))
    return [str(finding) for finding in assemble(items).of("warning") if "look the same" in finding.what]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("caf\u00e9", "cafe\u0301"), "U+00E9 and U+0065 U+0301"),
        (("A\u00a0B", "A B"), "U+00A0 and U+0020"),
        (("\uff21x", "Ax"), "U+FF21 and U+0041"),
        (("A B", "A  B"), "nothing and U+0020"),
        (("caf\u00e9", "other", "cafe\u0301", "cafe\u0301 "), "3 systems"),
    ],
)
def test_code_points_are_shown(names, said):
    """Composed and decomposed letters, another space, wide letters, two spaces; the files are named."""
    (message,) = warned(*names)
    assert said in message
    assert "0.txt" in message


def test_composed_and_decomposed_letters_are_one_name() -> None:
    """In names of files and in columns of tables: what macOS and Linux write of one name is one system."""
    files = read([(f"{DECOMPOSED}.txt", b"a line\n" * 40), (f"{COMPOSED}.out", b"a line\n" * 40)]).items
    assert {item.name for item in files} == {COMPOSED, f"{COMPOSED} (2)"}  # as of any two files of one name
    rows = "".join(f"{name},{k},0.{k}\n" for k in range(9) for name in (COMPOSED, "other"))
    more = "".join(f"{DECOMPOSED},{k},0.{k}\n" for k in range(9, 12)) + "".join(
        f"other,{k},0.5\n" for k in range(9, 12)
    )
    items = read([("t.csv", f"system,id,score\n{rows}{more}".encode())]).items
    assert [(item.name, len(item.segments)) for item in items] == [(COMPOSED, 12), ("other", 12)]
    twice = read([("t.csv", f"system,id,score\n{rows}{DECOMPOSED},3,0.9\nother,9,0.1\n".encode())])
    assert "has segment 3 a second time" in twice.problems[0].what


def test_names_that_look_different_are_no_warning():
    """Case, accents and the same name under another measure."""
    assert warned("cafe", "café", "Cafe", "cafe-2") == []


def test_a_judged_system_is_found_in_either_form():
    """Ratings from one machine, files from another; with both forms among the outputs, nothing is guessed."""
    matched = human.match([DECOMPOSED], [COMPOSED, "other"])
    assert matched.names == {DECOMPOSED: COMPOSED}
    assert matched.loosely == ((DECOMPOSED, COMPOSED),)
    wide = COMPOSED.replace("-", "\uff0d")
    assert human.match([wide], [COMPOSED, DECOMPOSED]).names == {}
