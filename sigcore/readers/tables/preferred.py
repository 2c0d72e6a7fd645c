"""Tables of preferences: two systems in each row, and which of them a judge found better."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from sigcore.errors import ReadError
from sigcore.formatting import count, listed
from sigcore.preferences import preferences
from sigcore.readers import names
from sigcore.readers.contract import Claim, Found, Notice, Part
from sigcore.readers.tables import crossing, facing, numbers, ties
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import WHO, Unclear, Way, first_cells, said_as

# Normalised headings: the columns that say which of two systems is better.
P_VALUE = re.compile(r"(?:adj(?:usted)?[-_ ])?p(?:[-_. ]?val(?:ue)?s?)?(?:[-_ ]adj(?:usted)?)?", re.IGNORECASE)
PUBLISHED = re.compile(
    rf"{P_VALUE.pattern}|(?:\w+[-_ ])?ci(?:[-_ ]?95)?[-_ ]?(?:low(?:er)?|high|upper)|(?:mcnemar|wilcoxon)(?:[-_ ]\w+)?",
    re.IGNORECASE,
)
WINNERS = ("winner", "preference", "preferred", "choice", "vote", "verdict", "outcome", "better", "best", "label")
VOTER = re.compile(r"(?:annotator|rater|judge|expert|evaluator|worker|participant|assessor)\d{1,2}")  # normalised
BOTH_ORDERS = ("g1winner", "g2winner")  # MT-bench: the same question with the answers in both orders
WORSE = names.pattern("preferred.worse")
EACH = ("winnermodela", "winnermodelb", "winnertie")  # 0 and 1 for each outcome
# A > B: the first is better; with brackets as judges of arenas write it.
MORE = (">", "a>b", "a>>b", "[[a>b]]", "[[a>>b]]")
LESS = ("<", "a<b", "a<<b", "b>a", "b>>a", "[[b>a]]", "[[b>>a]]")
SHOWN = ("sentence", "text", "output", "response", "option", "answer", "translation", "summary", "version")
FIRST = {
    *(f"{word}{end}" for word in (*facing.BEFORE, *SHOWN, "") for end in ("a", "1")),
    "first", "left", "[[a]]", *MORE,
}  # fmt: skip
SECOND = {
    *(f"{word}{end}" for word in (*facing.BEFORE, *SHOWN, "") for end in ("b", "2")),
    "second", "right", "[[b]]", *LESS,
}  # fmt: skip
TIES = {
    "=", "a=b", "[[a=b]]", "tie", "tie(bothbad)", "bothbad", "both", "draw", "equal", "neither", "c", "[[c]]",
    "aboutequal", "aboutthesame", "roughlyequal", "nopreference", "same", "nodifference", "tied", "similar", "equallygood", "equallybad", "bothgood", "even",
}  # fmt: skip
MOST_ASPECTS, FEW = 20, 8  # and words whose meaning is asked
MIXED = "inconsistent"  # FastChat: another winner when the order was turned, which it counts as a tie
NONE = {"", "error", "invalid", "none", "nan", "na", "n/a", "null", "skip", "skipped"}

QUESTIONS: tuple[words.Meaning, ...] = ("segment", "perhaps segment")
Outcome = float | None  # 1 = the first system, 0 = the second, 0.5 = a tie, None = no judgment
NamedPair = tuple[str, str]
SAME = 10  # in fewer rows than one of so many a system is compared with itself
UNKNOWN = -1.0  # a cell that is not understood


@dataclass(frozen=True)
class PreferenceColumns:
    """The columns of a table of preferences: those of the two systems, and those of the outcome."""

    first: int
    second: int
    outcome: tuple[int, ...]


def of_crowd(table: Table, result: Found) -> Table:
    """The table of a batch of Amazon Mechanical Turk that compares two systems, with the headings of a table of preferences:
    Input.system1, Input.system2 and the one column Answer.* that says which is better."""
    asked = [k for k, name in enumerate(table.headings) if words.normalised(name) == "hitid"]
    inside = [name.partition(".")[2] if name.startswith("Input.") else "" for name in table.headings]
    known, pair = facing.pair_of(inside)
    if table.role or len(asked) != 1 or pair is None:
        return table
    first, second = known[pair[0]], known[pair[1]]
    answers = [k for k, name in enumerate(table.headings) if name.startswith("Answer.")]
    chosen = [k for k in answers if _chooses(table, k, first, second)]
    return _judged(table, (asked[0], first, second, chosen[0]), result) if len(chosen) == 1 else table


KEY, OUTPUTS = "cmp_key", ("response1", "response2")  # of PandaLM: llama-7b_opt-7b
VOTES = {"0": "tie", "1": "first", "2": "second"}


def of_key(table: Table, result: Found) -> Table:
    """The table of PandaLM with a column for each of the two systems that its key joins, and with words for its votes."""
    if table.role or not {KEY, *OUTPUTS} <= {*table.headings}:
        return table
    pairs = [cell.strip().split("_") for cell in table.column(table.headings.index(KEY))]
    people = table.headed(lambda name: VOTER.fullmatch(words.normalised(name)))
    if any(len(pair) != 2 for pair in pairs) or any({*table.column(k)} - {*VOTES, ""} for k in people):
        return table
    message = f"It was recognised as a file of PandaLM: {KEY} joins the systems of response1 and response2; a vote of 0 is a tie."
    result.notices.append(Notice(table.file, message))
    voted = [[VOTES.get(cell, cell) if k in people else cell for k, cell in enumerate(row)] for row in table.rows]
    return replace(table, rows=voted).beside(["system_1", "system_2"], ([pair] for pair in pairs))


CHOICE = re.compile(r"(?:.+/)?pairwise_choice")  # of the evaluation service of Vertex AI: CANDIDATE, BASELINE or TIE
SIDES = ("response", "baseline_model_response")


def of_service(table: Table, result: Found) -> Table:
    """The table of a pairwise metric of Vertex AI with the names of both sides, which the winner is one of."""
    chosen = table.headed(CHOICE.fullmatch)
    if table.role or len(chosen) != 1 or not {*SIDES} <= {*table.headings}:
        return table
    message = f"It was recognised as a file of Vertex AI: CANDIDATE wrote {SIDES[0]}, BASELINE {SIDES[1]}."
    result.notices.append(Notice(table.file, message))
    sides = ([["CANDIDATE", "BASELINE"]] for _ in table.rows)
    return table.renamed({chosen[0]: "winner"}).beside(["system_1", "system_2"], sides)


ROW = "row of the file"  # of several votes
HIT = "question_id"  # also where all rows are of one: a constant prompt may be no question, but its id is one


def _judged(table: Table, places: tuple[int, int, int, int], result: Found) -> Table:
    """The columns of questions, both systems and the answer in a batch, and those of people, with the usual headings."""
    people = [k for k, name in enumerate(table.headings) if words.normalised(name) == "workerid"][:1]
    kept, headings = [*places, *people], [HIT, "system_1", "system_2", "winner", "judge"][: 4 + len(people)]
    _, first, second, chosen = table.named(places)
    message = f"A batch of Mechanical Turk: {chosen} says which of {first} and {second} is better, and each HIT is a question."
    result.notices.append(Notice(table.file, message))
    return replace(table, headings=headings, rows=[[row[k] for k in kept] for row in table.rows])


def _chooses(table: Table, k: int, first: int, second: int) -> bool:
    """Whether all answers below a heading that does not ask for the worse one name one of both systems, a place or a tie."""
    if WORSE.search(table.headings[k]) or table.numeric(k):
        return False
    own = table.column(k)
    given = [(cell.strip(), (a, b)) for cell, a, b in zip(own, table.column(first), table.column(second), strict=True)]
    read = [(by_name(cell, pair), by_place(cell, pair)) for cell, pair in given]
    understood = any(UNKNOWN not in way for way in zip(*read, strict=True))
    return understood and any(cell.lower() not in NONE for cell, _ in given)


def columns(headings: Sequence[str]) -> PreferenceColumns | None:
    """The columns of preferences in a table with these headings; None for another table."""
    known, pair = facing.pair_of(headings)
    if pair is None:
        return None
    for group in (BOTH_ORDERS, EACH, *((word,) for word in WINNERS)):
        if all(word in known for word in group):
            return PreferenceColumns(known[pair[0]], known[pair[1]], tuple(known[word] for word in group))
    return None


def of(table: Table) -> PreferenceColumns | None:
    """The columns of preferences of a table; None where two models gave the same label in many rows: they label, and do not
    compete."""
    found = columns(table.headings)
    if found is None or not words.is_label(table.headings[found.outcome[0]]):
        return found
    same = sum(map(str.__eq__, table.column(found.first), table.column(found.second)))
    return None if SAME * same > len(table.rows) else found


VERSUS = re.compile(r"\S\s+(?:vs?\.?|versus)\s+\S", re.IGNORECASE)
COUNTED = re.compile(r"(?:.+[-_. ])?(?:wins?|losses|ties|draws)", re.IGNORECASE)


def _versus(table: Table) -> tuple[int] | None:
    """The first column whose cells all name a pair (VADER vs TextBlob); None without one."""
    pairs = (k for k in range(len(table.headings)) if all(VERSUS.search(cell) for cell in table.column(k).counts))
    return next(((k,) for k in pairs), None)


def refuse_published(table: Table) -> None:
    """Raise ReadError for a table with a p-value, or the numbers of wins, for each pair of systems: results of many comparisons."""
    published, counts = any(map(PUBLISHED.fullmatch, table.headings)), _counts(table)
    if not published and len(counts) < 2:
        return
    found = facing.sides_of(table.headings) or _by_names(table) or _versus(table)
    if found is None:
        return
    if not published:
        message = f"Each row counts many comparisons of a pair of systems ({listed(table.named(counts))})."
        raise ReadError(message, table.file, 1, "Write a row for each comparison, with both systems and who won.")
    settings = [k for k in range(len(table.headings)) if k not in found and not table.numeric(k)]
    if table.differ([*found, *settings]):
        message = "Each row is a published result: a pair of whole systems with its p-value."
        raise ReadError(message, table.file, 1, "Load the outputs, or the scores of every segment: tests need them.")


def _counts(table: Table) -> list[int]:
    """The columns of whole numbers below the headings of wins, losses and ties."""
    numeric = [k for k in table.headed(COUNTED.fullmatch) if table.numeric(k)]
    return [k for k in numeric if not numbers.scale(table.column(k)).fractions]


def _by_names(table: Table) -> tuple[int, int] | None:
    """The first two columns that hold the same names, and whose headings differ in a place alone: strategy_a, strategy_b."""
    cut = {k: tuple(facing.PARTS.findall(heading.lower())) for k, heading in enumerate(table.headings)}
    for (one, first), (other, second) in itertools.combinations(cut.items(), 2):
        apart = [pair for pair in zip(first, second, strict=False) if pair[0] != pair[1]]
        placed = len(first) == len(second) and len(apart) == 1 and apart[0] in facing.PLACES
        if placed and not table.numeric(one) and {*table.column(one).counts} & {*table.column(other).counts}:
            return one, other
    return None


def read_said(table: Table, what: PreferenceColumns, result: Found, ids: Sequence[int] = ()) -> None:
    """The same as `read` where somebody said already what the columns are: of codes only these are left to say."""
    try:
        read(table, what, result, ids)
    except Unclear as problem:
        ways = [f"If {meaning}: --cells {said.partition(' --cells ')[2]}." for meaning, said in problem.ways]
        raise ReadError(problem.why, problem.file, 1, " ".join(ways)) if ways else problem from None


def read(table: Table, what: PreferenceColumns, result: Found, ids: Sequence[int] = ()) -> None:
    """Add the preferences of a table to `result`; `ids` are the columns that name the question, where the user says it.

    Raises: ReadError for outcomes that are not understood.
    """
    table = _without_others(table, what, result)
    pairs = [(names.clean(row[what.first]), names.clean(row[what.second])) for row in table.rows]
    pairs = _without_runs(table, pairs, result)
    ids = list(ids) or crossing.with_image(table, question(table), True) or _asked_again(table, what)
    ids = ids or table.headed(ROW.__eq__)
    _refuse_nameless(table, pairs, ids)
    outcomes = _outcomes(table, what, pairs)
    rows = [
        (*pair, outcome, _name(row, ids, i), judge)
        for i, (pair, outcome, row, judge) in enumerate(zip(pairs, outcomes, table.rows, _judges(table), strict=True))
    ]
    kept = [row for row in rows if row[2] is not None and row[0] != row[1]]
    if not kept:
        raise ReadError("No row has a winner or a tie.", table.file, 1, "Load the judgments, not only the pairs.")
    result.preferences.append(preferences(names.display_name(table.file), kept, table.file))
    used = [table.headings[k] for k in (what.first, what.second, *what.outcome)]
    by = listed(table.headings[k] for k in ids) if ids else "each row is one"
    message = f"It has pairwise judgments: {used[0]} against {used[1]}, decided by {listed(used[2:])}; questions: {by}."
    result.notices.append(Notice(table.file, message + _codes(table, what, used)))
    _note_aspects(table, ids, result)
    _note_rows(table, what, pairs, outcomes, result)


def _without_others(table: Table, what: PreferenceColumns, result: Found) -> Table:
    """The table without rows that name no system and no winner: only a question, or a remark."""
    said = (what.first, what.second, *what.outcome)
    kept = [i for i, row in enumerate(table.rows) if any(row[k].strip() for k in said)]
    gone = len(table.rows) - len(kept)
    if not gone or not kept:
        return table
    result.notices.append(Notice(table.file, f"{count(gone, 'row')} without systems left out."))
    return table.kept(kept)


def _codes(table: Table, what: PreferenceColumns, used: Sequence[str]) -> str:
    """What is said of numbers that say who won; "" for words."""
    cells = {cell.strip() for k in what.outcome for cell in table.column(k).counts}
    if not {"0", "2"} & cells or not cells <= {*VOTES}:
        return ""
    return f" 1 was read as {used[0]}, 2 as {used[1]} and 0 as a tie: otherwise write the names of the winners."


def _without_runs(table: Table, pairs: list[NamedPair], result: Found) -> list[NamedPair]:
    """The pairs without the run behind the names of both systems (gpt-r1, gpt-r2), where a column names it in each row."""
    for k in table.where("run")[:1]:
        runs = [cell.strip() for cell in table.column(k)]
        ends = {
            run: re.compile(rf"(.+?)[-_. ]+(?:r|run|rep|seed|s|v|t)?[-_. ]?{re.escape(run)}", re.IGNORECASE)
            for run in {*runs}
        }
        cut = [tuple(ends[run].fullmatch(name) for name in pair) for run, pair in zip(runs, pairs, strict=True)]
        bare = [(first[1], second[1]) for first, second in cut if first and second]
        if len(bare) == len(pairs) and all(first != second for first, second in bare):
            message = f"The runs of {table.headings[k]} behind the names of the systems are no systems of their own."
            result.notices.append(Notice(table.file, message))
            return bare
    return pairs


def _note_aspects(table: Table, ids: Sequence[int], result: Found) -> None:
    """Add a notice where rows of one question judge several aspects of it."""
    for k in table.where("dimension")[:1] if any(map(table.repeats, ids)) else ():
        named = table.column(k).counts
        if 1 < len(named) <= MOST_ASPECTS:
            message = f"Its rows judge {count(len(named), 'aspect')} ({listed(named)}), which all count together. "
            result.notices.append(Notice(table.file, f"{message}For the result of one aspect, load its rows alone."))


def _note_rows(
    table: Table, what: PreferenceColumns, pairs: Sequence[NamedPair], outcomes: Sequence[Outcome], result: Found
) -> None:
    """Add how many rows are no judgments, and whether some changed with the order."""
    own, gone = sum(a == b for a, b in pairs), outcomes.count(None)
    if MIXED in {cell.strip().lower() for k in what.outcome for cell in table.column(k)}:
        message = f"A winner {MIXED} (another one in the other order) was read as a tie."
        result.notices.append(Notice(table.file, message))
    if any(facing.graded(word := facing.bare(cell)) != word for k in what.outcome for cell in table.column(k).counts):
        result.notices.append(Notice(table.file, "Each judgment counts alike, however much better it calls a system."))
    for number, why in ((gone, "without a judgment"), (own, "with a system against itself")):
        if number:
            result.notices.append(Notice(table.file, f"{count(number, 'row')} {why} left out."))


def _refuse_nameless(table: Table, pairs: Sequence[NamedPair], ids: Sequence[int]) -> None:
    """Raise ReadError for the first row that does not name both systems, or its question although others do."""
    for line, pair, row in zip(table.places, pairs, table.rows, strict=True):
        if not all(pair):
            raise ReadError("A comparison names only one system.", table.file, line, "Name both systems of every row.")
        if ids and not any(row[k].strip() for k in ids):
            fix = "Name the question of every row, or leave the row out."
            raise ReadError("A comparison names no question.", table.file, line, fix)


def _name(row: Sequence[str], ids: Sequence[int], number: int) -> str:
    """The name of the question of a row; its number where no column names it."""
    return "\n".join(row[k].strip() for k in ids) if ids else str(number)


TURN = re.compile(r"(?:num(?:ber)?[-_ ](?:of[-_ ])?)?turns?", re.IGNORECASE)


def question(table: Table) -> list[int]:
    """The column that names the question."""
    prompts = [k for k, heading in enumerate(table.headings) if words.normalised(heading) in ("instruction", "prompt")]
    ids, perhaps = (words.preferred(table.headings, means) for means in QUESTIONS)
    # what is the same in every row names no question, as a prompt that only asks which one is better
    known = (
        k
        for k in (*ids, *prompts, *perhaps)
        if len(table.rows) == 1 or len(table.column(k).counts) > 1 or table.headings[k] == HIT
    )
    # the length of a dialogue says nothing about what was asked
    known = (k for k in known if not (table.numeric(k) and TURN.fullmatch(table.headings[k].strip())))
    found = list(itertools.islice(known, 1))
    return _repeated(table) or found if found and table.differ(found) else found


def _repeated(table: Table) -> list[int]:
    """The first other id that comes again with each run alone, where each row has an id of its own: task_id beside case_id and
    repeat. Rows of one question are not independent."""
    runs = table.where("run")[:1]
    ids = table.headed(crossing.ID.search) if runs else []
    return [k for k in ids if table.repeats(k) and table.differ([k, *runs])][:1]


def _asked_again(table: Table, what: PreferenceColumns) -> list[int]:
    """The one id that comes again with each pair in each order, but once by each judge, where no heading names the question: a
    brief on which all systems met. Rows of one question are not independent."""
    sides, people = [what.first, what.second], table.where("judge")[:1]
    named = table.headed(lambda name: crossing.ID.search(name) or name.lower() == "seed")  # of a game
    open_ = [k for k in named if k not in (*sides, *what.outcome, *people)]
    pairs = set(zip(*map(table.column, sides), strict=True))
    found = [k for k in open_ if table.repeats(k) and table.differ([k, *sides, *people])]
    several = [k for k in found if len(set(zip(*map(table.column, (k, *sides)), strict=True))) > len(pairs)]
    return several if len(several) == 1 else ties.in_both_orders(table, what.first, what.second, what.outcome)


def _judges(table: Table) -> list[str]:
    """The judge of each row; a list of a judge and its prompt has a column each."""
    own = [k for k, heading in enumerate(table.headings) if words.meaning(heading.removesuffix(" 1")) == "judge"][:1]
    return [row[own[0]].strip() if own else "" for row in table.rows]


def _outcomes(table: Table, what: PreferenceColumns, pairs: Sequence[NamedPair]) -> list[Outcome]:
    """The outcome of each row.

    Raises: ReadError for values that are not known, or that may mean two things.
    """
    cells = [[row[k].strip() for k in what.outcome] for row in table.rows]
    if len(what.outcome) == len(EACH):
        return [_each(row) for row in cells]
    given = [cell for row in cells for cell in row if cell.lower() not in NONE]
    if given and _is_graded(given):
        _refuse_codes(table, what, {*given})
        return [_agreed([_graded(cell) for cell in row]) for row in cells]
    return [_agreed(row) for row in _said(table, what, cells, pairs)]


def _refuse_codes(table: Table, what: PreferenceColumns, given: set[str]) -> None:
    """Raise Unclear for votes 0, 1 and 2 of a program that nobody knows: 0 is a tie in some, and the first system in others.
    AlpacaEval calls both systems generators."""
    known = words.normalised(table.headings[what.first]).startswith("generator")
    if "0" not in given or not given <= {*VOTES} or known:
        return
    codes = sorted(given)
    meanings = (("a tie", ("tie", "first", "second")), ("the first system", ("first", "second", "tie")))
    cells = [(f"0 is {what}", [f"{code}={meant[int(code)]}" for code in codes]) for what, meant in meanings]
    raise _by_numbers(
        table, what, codes, lambda roles: [(why, f"{roles} --cells {' '.join(own)}") for why, own in cells]
    )


def _by_numbers(
    table: Table, what: PreferenceColumns, codes: Sequence[str], ways: Callable[[str], Sequence[Way]]
) -> Unclear:
    """The question what the numbers of a column of outcomes mean; `ways` makes the answers, behind the roles of the columns."""
    one, other, won = table.named((what.first, what.second, what.outcome[0]))
    parts: dict[str, Part] = {one: "first", other: "second", won: "winner"}
    shown: dict[str, Part] = {**dict.fromkeys(table.named(question(table)), "question"), **parts}
    claims = [
        Claim(table.file, name, shown.get(name, "ignored"), "by its heading", "heading", cells=first_cells(table, k))
        for k, name in enumerate(table.headings)
    ]
    why = f"{won} says by numbers which of two systems is better: {listed(codes)}. What does each mean?"
    return Unclear(table, why, claims, ways(said_as(parts)))


def _said(
    table: Table, what: PreferenceColumns, cells: Sequence[Sequence[str]], pairs: Sequence[NamedPair]
) -> list[list[Outcome]]:
    """The outcomes of all cells: names of systems, or places.

    Raises: ReadError for values that are not known, or that may mean two things.
    """
    ways: tuple[Callable[[str, NamedPair], Outcome], ...] = (by_name, by_place)
    readings = [[[how(cell, pair) for cell in row] for row, pair in zip(cells, pairs, strict=True)] for how in ways]
    known = [reading for reading in readings if not any(UNKNOWN in row for row in reading)]
    heading = table.headings[what.outcome[0]]
    if not known:
        every = [" ".join(cell.split()) for cell in itertools.chain.from_iterable(cells)]
        codes = sorted({cell for cell in every if cell.lower() not in NONE})
        if len(what.outcome) == 1 and facing.leaning(codes):
            one, other = table.named((what.first, what.second))
            raise _by_numbers(table, what, codes, partial(facing.ways_of_scale, codes, heading, (one, other)))
        message = f"{heading} does not say which of two systems is better: {listed(every)}."
        raise ReadError(message, table.file, 1, _meanings(every, pairs[0]))
    if known[0] != known[-1]:
        message = f"{heading} may hold the name of the better system, or say whether the first or the second is better."
        raise ReadError(message, table.file, 1, "Write model_a, model_b or tie.")
    return known[0]


TRUTHS = {"true": "first", "false": "second"}  # that the first one is better


def _meanings(cells: Sequence[str], pair: NamedPair) -> str:
    """How somebody says what the words mean that are no names, places or ties."""
    unknown = [cell.strip() for cell in cells if {by_name(cell, pair), by_place(cell, pair)} == {UNKNOWN}] or list(
        cells
    )
    said = shlex.join(f"{word}={TRUTHS.get(word.lower(), WHO)}" for word in facing.with_codes(unknown, cells)[:FEW])
    fix = "Write the name of the better system, or model_a, model_b or tie; or say what a word means"
    return f"{fix}: --cells {said} ({WHO}: first, second, tie or missing)."


def by_name(cell: str, pair: NamedPair) -> Outcome:
    if cell.lower() in NONE:
        return None
    if names.clean(cell) in pair:
        return 1.0 if names.clean(cell) == pair[0] else 0.0
    return 0.5 if facing.bare(cell) in TIES or facing.bare(cell) == MIXED else UNKNOWN


def by_place(cell: str, pair: NamedPair) -> Outcome:
    known = {**dict.fromkeys(FIRST, 1.0), **dict.fromkeys(SECOND, 0.0), **dict.fromkeys((*TIES, MIXED), 0.5)}
    word = facing.bare(cell)
    return None if cell.lower() in NONE else known.get(word, known.get(facing.graded(word), UNKNOWN))


def _is_graded(cells: Sequence[str]) -> bool:
    """Whether all cells are preferences from 1 (the first) to 2 (the second); AlpacaEval writes 0 for a tie, too."""
    values = [float(cell) if numbers.is_number(cell) else UNKNOWN for cell in cells]
    return all(1 <= value <= 2 or value == 0 for value in values) and (0 not in values or max(values) > 1)


def _graded(cell: str) -> Outcome:
    if cell.lower() in NONE:
        return None
    value = float(cell)
    return 2 - value if value else 0.5


def _each(cells: Sequence[str]) -> Outcome:
    """The outcome in columns of 0 and 1 for the first, the second and a tie."""
    marked = [place for place, cell in zip((1.0, 0.0, 0.5), cells, strict=True) if cell.lower() in ("1", "1.0", "true")]
    return marked[0] if len(marked) == 1 else None


def _agreed(outcomes: Sequence[Outcome]) -> Outcome:
    """The outcome of the answers in both orders: a tie unless they agree; None if one is missing."""
    if any(outcome is None for outcome in outcomes):
        return None
    return outcomes[0] if len(set(outcomes)) == 1 else 0.5
