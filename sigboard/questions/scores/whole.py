"""Several matrices in one table: metrics are rows, test sets columns, in the form of Rankel et al.'s Tables 1 and 2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sigboard.questions.scores.report import FAMILIES, pair_rows, scores_json
from sigboard.render.tables import latex_table, spanning, workbook
from sigboard.render.text import align
from sigcore import SigError, corrections
from sigcore.formatting import count
from sigcore.studies import scores
from sigcore.types import Row

SHORT = ("Unpair-T", "Pair-T", "Wilc.")


@dataclass(frozen=True, eq=False)
class Part:
    """One metric on one test set."""

    testset: str
    title: str
    result: scores.ScoresResult


@dataclass(frozen=True, eq=False)
class Whole:
    """All metrics on all test sets at one alpha.

    Raises: SigError where a metric stands twice for one test set: the table has one place for it.
    """

    parts: tuple[Part, ...]
    alpha: float

    def __post_init__(self) -> None:
        places = [(part.testset, part.title) for part in self.parts]
        twice = next((place for place in places if places.count(place) > 1), None)
        if twice is not None:
            what = f"There are two matrices of {twice[1]} for {twice[0] or 'one test set'}."
            raise SigError(what, "--matrix", "Give files of different names, or folders named as the test sets.")

    @property
    def testsets(self) -> tuple[str, ...]:
        """The columns."""
        return tuple(dict.fromkeys(part.testset for part in self.parts))

    @property
    def titles(self) -> tuple[str, ...]:
        """The rows."""
        return tuple(dict.fromkeys(part.title for part in self.parts))

    @property
    def families(self) -> tuple[str, ...]:
        """All pairs; and pairs of a person and a machine, where there are people."""
        return tuple(f for f in FAMILIES if f == "all" or any(part.result.mixed.any() for part in self.parts))

    def counts(self, family: str, title: str, testset: str) -> tuple[scores.Count, ...]:
        """The counts of theory of one cell, one for each statistic; () where there is none."""
        own = [part for part in self.parts if (part.testset, part.title) == (testset, title)]
        return tuple(
            item
            for part in own
            for item in part.result.counts(self.alpha)
            if (item.family, item.method) == (family, "theory")
        )

    def rows(self) -> list[Row]:
        """A row for each family, metric and test set, with the pairs that differ before and after the correction."""
        out = list[Row]()
        for family in self.families:
            for title in self.titles:
                for testset in self.testsets:
                    if own := self.counts(family, title, testset):
                        row: Row = {"family": family, "metric": title, "test_set": testset, "pairs": own[0].pairs}
                        for item in own:
                            row |= {item.statistic: item.raw, f"{item.statistic}_corrected": item.corrected}
                        out.append(row)
        return out

    def cells(self, family: str) -> tuple[list[tuple[str, int]], list[list[str]]]:
        """The heads of the test sets with their pairs, and a line of raw counts for each metric; "" where there is none."""
        heads = [("", 1)]
        for testset in self.testsets:
            own = next((found for title in self.titles if (found := self.counts(family, title, testset))), ())
            pairs = count(own[0].pairs, "pair") if own else "no pairs"
            heads.append((f"{testset}: {pairs}" if testset else pairs, len(SHORT)))
        lines = []
        for title in self.titles:
            line = [title]
            for testset in self.testsets:
                line += [str(item.raw) for item in self.counts(family, title, testset)] or [""] * len(SHORT)
            lines.append(line)
        return heads, lines

    def text(self) -> str:
        """A table for each family."""
        blocks = []
        for family in self.families:
            heads, lines = self.cells(family)
            header = ["", *(f"{name} {short}".strip() for name in self.testsets for short in SHORT)]
            pairs = "; ".join(words for words, _ in heads[1:])
            blocks.append(
                f"{FAMILIES[family]} ({pairs}): those with p <= {self.alpha:g}, uncorrected\n{align(header, lines, left=(0,))}"
            )
        return "\n\n".join(blocks)

    def latex(self) -> str:
        """A table for each family, as in the paper."""
        tables = []
        for family in self.families:
            heads, lines = self.cells(family)
            words = "all pairs of systems" if family == "all" else "pairs of a person and a machine"
            caption = f"Significant differences at alpha {self.alpha:g} (two-sided, uncorrected): {words}."
            header = ["", *(SHORT * len(self.testsets))]
            tables.append(
                latex_table(header, lines, caption, f"tab:scores-{family.replace('_', '-')}", spanning(heads))
            )
        return "\n".join(tables)

    def xlsx(self) -> bytes:
        """A sheet of counts, and one with every pair."""
        pairs: list[Row] = [
            {"metric": part.title, "test_set": part.testset, **row}
            for part in self.parts
            for row in pair_rows(part.result, self.alpha)
        ]
        return workbook({"counts": self.rows(), "pairs": pairs})

    def json(self, warnings: Sequence[str]) -> Row:
        """The table, and the whole result of every part."""
        found = [
            {"test_set": part.testset, "metric": part.title, **scores_json(part.result, self.alpha)}
            for part in self.parts
        ]
        correction = corrections.printed(self.parts[0].result.correction)
        return {
            "alpha": self.alpha,
            "correction": correction,
            "table": self.rows(),
            "results": found,
            "warnings": list(warnings),
        }
