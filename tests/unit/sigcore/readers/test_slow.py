"""Files made to be slow: what would take hours in a careless reader comes back at once. (No clock is read: a reader that
is careless again makes these tests run for minutes, which nobody overlooks.)"""

import pytest

from sigcore.readers import Choice, marked, read


class Passes(list[tuple[str, str]]):
    """A list that counts how often it is gone through."""

    count = 0

    def __iter__(self):
        self.count += 1
        return super().__iter__()


def test_a_stream_is_compared_with_the_source_in_a_few_passes() -> None:
    """The keys of the source are gone through as often for many segments as for few."""
    keys = Passes((f"d{k // 10}", str(k)) for k in range(500))
    assert marked._gap("f", "system", "A", dict.fromkeys(list(keys), ""), keys) is None
    assert keys.count <= 4


@pytest.mark.parametrize(
    "text",
    [
        "<refset>" + "<seg" * 500_000,
        "<refset " + "-" * 300_000 + ">",
        "<refset " + "a='x " * 200_000,
        "<refset " + "a " * 500_000 + ">",
    ],
    ids=["tags without an end", "dashes", "quotes without an end", "names without values"],
)
def test_tags_without_an_end_take_one_pass(text: str) -> None:
    """Millions of characters of broken mark-up are refused, as any file without a segment is."""
    (problem,) = read([("a.sgm", text.encode())], chosen={"a.sgm": Choice("wmt_sgm")}).problems
    assert "no segment" in str(problem)
