"""Which text, or which file of labels, may be the reference of the outputs beside it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from statistics import mean

from sigcore.errors import ReadError, SigError
from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import Claim, Item
from sigcore.readers.tables import choices, crossing, doubts, labels, numbers
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.compared import common
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear, Way, said_as

SENTENCES = frozenset(("sentence", "sent", "utterance", "utt"))  # headings of what was said, rather than asked
TEXTS = frozenset(("text", "transcript", "transcription"))  # beside an output: what was said, or what was read
RIGHT = re.compile(
    r"actual|y[-_]?(?:true|test)|labels?|true|correct|answer|target", re.IGNORECASE
)  # beside outputs like it
PERSON = re.compile(
    r"(?:label|annotation|annotator|rater|vote|anno)[-_ ]?\d{1,2}", re.IGNORECASE
)  # beside one gold_label
SHARED = 0.5  # what a reference has in common with an output


def right_text(table: Table, items: Mapping[int, Item]) -> int | None:
    """The column of a sentence or an utterance that may be the reference of the outputs beside it: it shares most of its
    words with each of them, as what was asked does not. None where a reference is known, or nothing is like it."""
    outputs = list(filter(_may_be_output, items.values()))
    if table.role or table.basis or not outputs or any(item.role == "reference" for item in items.values()):
        return None
    asked = [k for k, item in items.items() if item.kind == "text" and _may_be_said(item, outputs)]
    return next((k for k in asked if _is_like(items[k], outputs)), None)


def _is_like(item: Item, outputs: Sequence[Item]) -> bool:
    """Whether there are other texts of systems, and each shares most of its words with this one."""
    others = [other for other in outputs if other is not item]
    return bool(others) and all(shared(item, other) >= SHARED for other in others)


def _may_be_said(item: Item, outputs: Sequence[Item]) -> bool:
    """Whether a heading names what was said; text does so only beside an output by its heading."""
    known = words.normalised(item.name)
    if RIGHT.fullmatch(item.name.strip()):
        return True
    # transcription beside transcription_whisper: what was said, and what a system heard
    others = [other.name for other in outputs if other is not item]
    begins = re.compile(rf"{re.escape(item.name.strip())}[-_. ]", re.IGNORECASE)
    if known in SENTENCES | TEXTS and others and all(map(begins.match, others)):
        return True
    named = (other for other in outputs if doubts.is_its_output(other.name))
    return known in SENTENCES or (known in TEXTS and any(words.normalised(other.name) not in TEXTS for other in named))


def _may_be_output(item: Item) -> bool:
    """Whether a column holds texts of a system, not a few words or facts about a person."""
    named = words.is_field(item.name) or words.is_personal(item.name)
    return item.kind == "text" and item.role == "system" and not named and not doubts.marks_in([item])


MOST_CHOOSE = 0.8  # of the answers of a system
FEW_WORDS = 5  # of a label, on average
LIKE = 0.3  # the least share of the words of an output that labels, or a short answer, have among the right ones


def related(table: Table, claims: list[Claim]) -> list[Claim]:
    """The claims of a table that is asked about; beside what is right a text that only may be a system is none where it is the
    same, or has no word in common with it, and another text has: a field about the question."""
    right = [k for k, one in enumerate(claims) if one.role == "reference"]
    texts = [k for k, one in enumerate(claims) if one.role == "system" and not one.sure and not table.numeric(k)]
    why = _no_answers(table, texts, right) if right else {}
    if all(why.values()):
        return claims
    return [replace(one, role="ignored", reason=why[k]) if why.get(k) else one for k, one in enumerate(claims)]


def _no_answers(table: Table, texts: Sequence[int], right: Sequence[int]) -> dict[int, str]:
    """Why each of the texts is no answer beside what is right; "" where it may be one."""
    said = {word for k in right for cell in table.column(k).counts for word in cell.split()}
    return {k: _no_answer(table, k, right, said) for k in texts}


def _no_answer(table: Table, k: int, right: Sequence[int], said: Set[str]) -> str:
    """Why a text is no answer beside what is right, whose words were `said`; "" where it may be one."""
    # of a few labels a good system may well predict all
    own = [table.column(one) for one in right if 2 * len(table.column(one).counts) > len(table.rows)]
    if any(numbers.is_copy(table.column(k), one) for one in own):
        return "the same as what is right"
    related_ = any(not said.isdisjoint(cell.split()) for cell in table.column(k).counts)
    return "" if related_ else "in no relation to what is right"


def references(items: Mapping[int, Item]) -> list[Item]:
    """What is known to be right."""
    return [item for item in items.values() if item.role == "reference"]


COMPETE = ("system", "score", "text")


def _like_gold(table: Table, items: Mapping[int, Item]) -> list[int]:
    """The columns of short texts that share a good part of their words with the one reference, as questions do not; [] for
    fewer than two."""
    gold = references(items)
    known = _words(gold[0].segments) if len(gold) == 1 and gold[0].kind == "text" else set[str]()
    texts = (k for k in table.where(None, "text") if known and not table.numeric(k))
    open_ = [k for k in texts if items.get(k) is not gold[0]]
    found = [k for k in open_ if _share(table.column(k), known) >= LIKE or _choose(table.column(k), known)]
    copied = any(numbers.is_copy(table.column(k), gold[0].segments) for k in found)  # which is hardly an output
    return found if len(found) > 1 and not copied else []


def _choose(cells: Sequence[str], known: set[str]) -> bool:
    """Whether most answers choose one of the right letters: The answer is B."""
    right = {word.upper() for word in known}
    if not all(map(choices.LETTER.fullmatch, right)):
        return False
    chosen = [letter for cell in cells if (letter := choices.letter_of(cell)) in right]
    return len({*chosen}) > 1 and len(chosen) > MOST_CHOOSE * len(cells)  # lists of choices all begin with A


def _words(right: Sequence[str]) -> set[str]:
    """The words of right labels or short answers, without numbers; none where they are longer texts."""
    if mean(len(cell.split()) for cell in right) > FEW_WORDS:
        return set()
    return {word for cell in right for word in cell.lower().split() if not word.isdigit()}


def ask_labels(table: Table, items: Mapping[int, Item], claims: Sequence[Claim]) -> None:
    """Raise Unclear if columns share their words with the one reference: nothing else is a system then. `claims` are those of
    a table that is asked about, or []."""
    like = _like_gold(table, items) if claims else []
    people = [k for k in like if PERSON.fullmatch(table.headings[k].strip())]
    like = [k for k in like if k not in people] or like
    if not like:
        return
    shown = [
        replace(one, role="system", reason="its words are like the right ones", basis="guess")
        if k in like
        else replace(one, role="ignored")
        if not one.sure and (one.role in COMPETE or (one.role == "question" and table.repeats(k)))
        else one
        for k, one in enumerate(claims)
    ]
    raise Unclear(table, f"Are {listed(table.named(like))} systems? Their words are like the right ones.", shown)


def _share(cells: Sequence[str], known: set[str]) -> float:
    """The share of the words of a column that are among these."""
    own = [word for cell in cells for word in cell.lower().split()]
    return sum(word in known for word in own) / len(own) if own else 0.0


def about_right(table: Table, k: int | None) -> str:
    """What is asked about a column that may be the reference; "" where there is none."""
    return "" if k is None else f"Is {table.headings[k]} the reference? It shares most of its words with the outputs."


def shared(one: Item, other: Item) -> float:
    """The share of the words of two texts that both have, the mean of the first rows."""
    return common(one.segments, other.segments)


def alike(cells: Sequence[str], others: Sequence[str]) -> bool:
    """Whether two texts have as much in common as a reference and an output."""
    return common(cells, others) >= SHARED


MOST_TEXTS = 8  # columns that are compared with each other


def either_right(table: Table) -> list[Way]:
    """The readings of two columns of texts or labels of which no heading says enough, and that have most in common: one is right, and
    the other is what a system said. A heading of predictions says which; [] where no two columns, or several pairs, are so alike."""
    open_ = [k for k in range(len(table.headings)) if _may_be_compared(table, k)][:MOST_TEXTS]
    tried = (pair for pair in itertools.combinations(open_, 2) if not _are_two_answers(table.named(pair)))
    pairs = [pair for pair in tried if _agree(table, *pair)]
    several = table.where("system", "judge") or table.headed(names.says_system)
    if table.role or several or len(pairs) != 1:
        return []
    both = [(one, two) for one, two in itertools.permutations(pairs[0]) if not words.is_prediction(table.headings[one])]
    return [labels.predicts(table, right, [given]) for right, given in both]


TOLD_APART = re.compile(r"[-_ ]?(?:\d+|[a-d])$", re.IGNORECASE)


def _are_two_answers(headings: Sequence[str]) -> bool:
    """Whether headings differ by a number or a letter alone: of answer1 and answer2 neither is right."""
    return not headings[0].startswith("column ") and len({TOLD_APART.sub("", name) for name in headings}) == 1


def _may_be_compared(table: Table, k: int) -> bool:
    """Whether a column has words, and names neither rows nor what was asked."""
    no_words = table.numeric(k) or numbers.truths(table.column(k), numbers.ALL_OUTCOMES)
    return not (no_words or table.meanings[k] in ("segment", "perhaps segment", "source", "judge", "document"))


def _agree(table: Table, one: int, other: int) -> bool:
    """Whether two columns have the same labels in most rows, or texts with most words in common; the same in all rows are copies."""
    first, second = table.column(one), table.column(other)
    if numbers.is_copy(first, second):
        return False
    of_labels = [bool(numbers.few_words(cells)) for cells in (first, second)]
    if all(of_labels):
        return other in labels.same_labels(table, one) and alike(first, second)
    return not any(of_labels) and alike(first, second)


# Labels that are numbers: a file of right ones, and one of each system.


def of_predictions(
    problems: Sequence[SigError], items: Sequence[Item] = (), claims: Sequence[Claim] = ()
) -> list[SigError]:
    """The problems; one question in place of those of a file of right labels, by its name, and of files of predictions, which may have
    been read as texts."""
    gold = [one for one in problems if isinstance(one, Unclear) and _is_gold(one)]
    roles = _roles_of(gold[0], given := _given(problems, items, claims, gold)) if len(gold) == 1 else {}
    if not roles:
        return list(problems)
    message = f"{listed(given.files)} seem to hold predicted labels, and {gold[0].file} the right ones."
    said = said_as(roles)
    others = [one for one in problems if one not in (*gold, *given.asked)]
    return [ReadError(message, gold[0].file, 1, f"If so: --columns {said}."), *others]


@dataclass(frozen=True)
class _Given:
    """Files of predictions: those that are asked about, and what is known of their columns and their labels."""

    asked: list[Unclear]
    files: list[str]
    known: list[Claim]
    labels: set[str]

    @property
    def columns(self) -> set[str]:
        """The columns that may hold predictions: called so, or read as a text."""
        return {one.column for one in self.known if (_says(one) if self.asked else one.role == "text")}


def _given(
    problems: Sequence[SigError], items: Sequence[Item], claims: Sequence[Claim], gold: Sequence[Unclear]
) -> _Given:
    asked = [one for one in problems if isinstance(one, Unclear) and one not in gold and _predicted(one)]
    files = list(dict.fromkeys([*(one.file for one in asked), *(one.file for one in items if _is_labelled(one))]))
    known = [claim for claim in itertools.chain(claims, *(one.claims for one in asked)) if claim.file in files]
    labels = {cell.strip() for one in items if one.file in files for cell in one.segments}
    return _Given(asked, files, known, labels)


def _roles_of(gold: Unclear, given: _Given) -> dict[str, str]:
    """The roles of all columns of right labels, and of the one of predictions; the first id that both have names the questions. {}
    where it is not known which column is which."""
    right, columns = _right(gold, given.labels), given.columns
    if not right or len(columns) != 1:
        return {}
    rest, others = [one for one in gold.claims if one.column != right], {one.column for one in given.known}
    first = [one.column for one in rest if _may_ask(one) and one.column in others][:1]
    ignored = [one.column for one in rest if one.column not in first]
    return (
        dict.fromkeys(first, "question")
        | {right: "reference"}
        | dict.fromkeys(columns, "text")
        | dict.fromkeys(ignored, "ignored")
    )


def _may_ask(claim: Claim) -> bool:
    return claim.role == "question" or crossing.ID.search(claim.column) is not None


def _is_gold(problem: Unclear) -> bool:
    return names.guess_role(problem.file) == "reference"


def _is_labelled(item: Item) -> bool:
    """Whether an output has a few words again and again."""
    return item.kind == "text" and item.role == "system" and bool(numbers.few_words(item.segments))


def _says(claim: Claim) -> bool:
    return doubts.PREDICTED.fullmatch(claim.column) is not None


def _predicted(problem: Unclear) -> str:
    """The one column of predictions in a file that is asked about, by its heading; "" without it."""
    found = [one.column for one in problem.claims if _says(one)]
    return found[0] if len(found) == 1 else ""


def _right(problem: Unclear, cells: set[str]) -> str:
    """The one column of a file that is asked about, beside ids, or the one whose first cells are such labels; "" where there are
    several."""
    open_ = [one for one in problem.claims if one.role != "question"]
    found = [one.column for one in open_ if len(open_) == 1 or (cells and {*map(str.strip, one.cells)} <= cells)]
    return found[0] if len(found) == 1 else ""
