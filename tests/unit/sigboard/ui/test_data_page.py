"""What the page Files says of what it does not use."""

import pytest

from sigboard.questions.data.page import set_aside
from sigcore.readers import Item


@pytest.mark.parametrize(
    ("roles", "said"),
    [
        ({"a.txt": ("system",), "notes.txt": ("ignored",)}, "1 file is"),
        ({"a.csv": ("documents", "ignored")}, "1 column is"),
        ({"a.csv": ("documents", "ignored", "ignored")}, "2 columns are"),
        ({"a.csv": ("ignored", "ignored")}, "1 file is"),
        ({"a.csv": ("system", "ignored"), "b.txt": ("ignored",), "c.txt": ("ignored",)}, "2 files and 1 column are"),
    ],
)
def test_a_column_is_no_file(roles: dict[str, tuple[str, ...]], said: str) -> None:
    """A file of which anything is used is not called set aside; its other columns are."""
    items = [
        Item(f"{name}-{k}", role, "text", ("x",), name, "") for name, of in roles.items() for k, role in enumerate(of)
    ]  # type: ignore[arg-type]
    assert set_aside(items) == said
