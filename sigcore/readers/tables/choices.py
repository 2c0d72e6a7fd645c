"""The options of multiple choice: columns A, B, C, D, or option 1 to 4, beside a key that names one of them in each row.

They are what a question offers, and no system wrote them. The key is the positive reason: its letters are their headings, or its
answer is one of their texts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers.contract import Found, Notice
from sigcore.readers.tables import evident, labels, numbers
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.table import Table

# A, (B), option_c, choice 1, choices.2: the word for an option, or none, and its letter or number.
OPTION = re.compile(
    r"(?P<word>(?:(?:answer[-_ ]?)?(?:options?|choices?|alternatives?|opt)|ending)?)[-_. ]{0,2}\(?(?P<which>[A-J]|\d{1,2})\)?",
    re.IGNORECASE,
)
FEWEST, FEWEST_BARE = 2, 3  # options: two bare letters may as well be outputs that somebody compared
KEY = re.compile(
    r"(?:answers?|labels?|correct|gold)(?:[-_ ]?(?:key|id|idx|index|letter|option|choice))?|key|solution", re.IGNORECASE
)
LETTERS = "ABCDEFGHIJ"


def without(table: Table, result: Found) -> Table:
    """The table without the options of multiple choice, which is noted; as it is where no key names them."""
    if table.role or table.basis:
        return table
    for word, found in _groups(table).items():
        if _are_options(table, word, found):
            return evident.left_out(table, [*found.values()], "the options of each question", result)
    return table


def _groups(table: Table) -> dict[str, dict[str, int]]:
    """The columns by the word for an option, and by their letter or number."""
    groups: dict[str, dict[str, int]] = {}
    for k, heading in enumerate(table.headings):
        if match := OPTION.fullmatch(heading.strip()):
            groups.setdefault(match["word"].lower(), {})[match["which"].upper()] = k
    return groups


def _are_options(table: Table, word: str, found: Mapping[str, int]) -> bool:
    """Whether columns are numbered from the first on, hold texts, and a key names one of them in each row."""
    n = len(found)
    orders = (list(LETTERS[:n]), [str(k) for k in range(n)], [str(k + 1) for k in range(n)])
    if n < (FEWEST if word else FEWEST_BARE) or list(found) not in orders[: 3 if word else 1]:
        return False
    if any(_holds_answers(table, k) for k in found.values()):
        return False
    keys = [k for k in table.headed(_says_key) if k not in found.values()]
    return any(_names_one(table, k, orders) or _is_one(table, k, [*found.values()]) for k in keys)


def _holds_answers(table: Table, k: int) -> bool:
    """Whether a column has letters, or right and wrong answers, or fractions: a system may be called A."""
    own = {cell.strip() for cell in table.column(k).counts}
    marks = (
        own <= {*LETTERS, ""} or bool(numbers.truths(table.column(k), numbers.ALL_OUTCOMES)) or own <= {"0", "1", ""}
    )
    return marks or (table.numeric(k) and bool(numbers.scale(table.column(k)).fractions))


def _says_key(heading: str) -> bool:
    return KEY.fullmatch(heading) is not None or labels.says_right(heading) or words.role(heading) == "reference"


def _names_one(table: Table, k: int, orders: Sequence[Sequence[str]]) -> bool:
    """Whether all cells of a column are letters or numbers of options, and several of them."""
    cells = {cell.strip(" .()").upper() for cell in table.column(k).counts}
    return len(cells) > 1 and any(cells <= {*order} for order in orders)


def _is_one(table: Table, k: int, options: Sequence[int]) -> bool:
    """Whether each cell of a column is the text of one of the options in its row."""
    own = zip(table.column(k), zip(*map(table.column, options), strict=True), strict=True)
    return all(cell in row for cell, row in own)


# The letter that an answer chooses.

LETTER = re.compile(r"[A-J]")
# A, (B), C. Snowfield, "D": the letter alone, also in the first line of more, or with a mark behind it; A man walks is a sentence.
# Before it may stand that it is the answer: The answer is (C).
SAID = r"(?:(?:the|my)\s+)?(?:(?:correct|right|best|final)\s+)?(?:answer|option|choice)(?:\s+(?:is|would be))?\s*(?::|=)?\s*(?:option\s+)?"
CHOSEN = re.compile(
    rf"[\W_]*(?:(?i:{SAID})[\W_]*)?([A-Ja-j])(?:\s*[.):,\]}}\"'*]\s*.*|\s+[-:\u2013]\s.*|[ \t]*\n.*|\W*)", re.DOTALL
)
# ... the term is (A) Resolution. Therefore, the answer is (B).
BRACKETED, CALLED = re.compile(r"\(([A-J])\)"), re.compile(rf"(?i:{SAID})[\W_]*([A-J])\b")


def letter_of(text: str) -> str:
    """The letter with which an output begins, else the only one in brackets in it, or the last one that it calls the answer; ""
    where there is none."""
    if match := CHOSEN.fullmatch(text.strip()):
        return match[1].upper()
    inside = {*BRACKETED.findall(text)}
    found = [*inside] if len(inside) == 1 else CALLED.findall(text)
    return found[-1].upper() if found else ""


def says_letter(text: str) -> bool:
    """Whether an output begins with a letter, or calls one the answer."""
    return CHOSEN.fullmatch(text.strip()) is not None or CALLED.search(text) is not None


RIGHT = re.compile(r"(?:best|correct|right|gold)[-_ ]answers?(?:[-_ ]\d+)?", re.IGNORECASE)
WRONG = re.compile(r"(?:best[-_ ])?(?:incorrect|wrong|false)[-_ ]answers?(?:[-_ ]\d+)?", re.IGNORECASE)


def refuse_questions(table: Table) -> None:
    """Raise ReadError for a data set: questions with right and wrong answers, and no other text or number that a system may have given."""
    right, wrong = table.headed(RIGHT.fullmatch), table.headed(WRONG.fullmatch)
    others = [k for k in table.where("text", None) if k not in (*right, *wrong)]
    if right and wrong and not (table.role or table.basis or others or table.where("system", "score", "judge")):
        message = f"It has questions with right and wrong answers ({listed(table.named((*right, *wrong)))}), and none of a system."
        raise ReadError(
            message, table.file, table.places[0], "Load what systems answered, or the scores of their answers."
        )


STEPS = re.compile(r"(?s).*#### *[-+]?[$\u20ac\u00a3]?[\d.,]+\s*")  # what is right in GSM8K: steps, and then the number


def after_steps(table: Table, result: Found) -> Table:
    """The table with the one column whose cells all end with #### and a number as the reference, where another has text."""
    found = [k for k in range(len(table.headings)) if all(map(STEPS.fullmatch, table.column(k).counts))]
    if len(found) != 1 or words.role(table.headings[found[0]]) == "reference":
        return table
    if all(k in found or table.numeric(k) for k in range(len(table.headings))):
        return table
    why = "each cell ends with #### and a number"
    result.notices.append(Notice(table.file, f"{table.headings[found[0]]} was read as the reference: {why}."))
    result.claims.append(evident.claim(table, found[0], "reference", why))
    return table.renamed({found[0]: evident.GOLD})
