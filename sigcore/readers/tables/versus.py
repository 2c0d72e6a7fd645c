"""Pairwise judgments whose rows do not name both systems in columns of their own: as A-B, by place, or by the winner.

Each becomes a table with the columns model_a, model_b and winner. The reason is always in the winners: they are parts of
the pair of their row, places of two outputs, or the names of two systems.
"""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Sequence
from dataclasses import replace

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers.contract import Found, Notice, Part
from sigcore.readers.names import pattern
from sigcore.readers.tables import evident, facing, preferred, standing, ties
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear

FIRST, SECOND, WINNER = "model_a", "model_b", "winner"  # the headings that preferred reads
PAIR = pattern("versus.pair")
WINS = pattern("versus.wins")
MARKS = (
    r"\s+(?:vs?\.?|versus|against|or|and|/|\||-|\u2013|\u2014)\s+", r"[-_](?:vs|versus|v)[-_]", r"\s*[|;,/]\s*", "-", "_",
    ":",
)  # fmt: skip
PLACED = (("a", "b"), ("1", "2"), ("left", "right"), ("first", "second"))
TEXTS = pattern("versus.texts")
# Columns that say that the places of the outputs were drawn anew for each row.
TURNED = pattern("versus.turned")
FINAL = re.compile(r"(?:final|overall|majority|consensus|combined|agreed)[-_ ]", re.IGNORECASE)
OTHER = re.compile(r"(?:other|second|opponent|against|compared|rival|baseline)(?:[-_ ].*)?", re.IGNORECASE)
LETTERS = ("c", "[[c]]")  # ties, or systems
MOST_WORDS = 4  # of the name of a system


def as_pairs(table: Table, result: Found) -> Table:
    """The table with both systems in columns of their own, where a row names them in another way; others as they are."""
    if table.role or table.basis or preferred.columns(table.headings) is not None:
        return table
    if (named := _by_both(table, result) or _by_loser(table, result)) is not None:
        return named
    if len(wins := _wins(table)) != 1:
        return table
    won = [_word(cell) for cell in table.column(wins[0])]
    return (
        _in_one_cell(table, wins[0], result)
        or _by_place(table, wins[0], won, result)
        or _by_name(table, wins[0], result)
        or table
    )


def _wins(table: Table) -> list[int]:
    """The columns that say who won; of several, those that are made of the others."""
    found = [k for k in table.headed(WINS.fullmatch) if not table.numeric(k)] or _sides_chosen(table)
    return [k for k in found if FINAL.match(table.headings[k].strip())] if len(found) > 1 else found


WON = re.compile(r"(?:winner|winning|chosen|preferred|better)(?:[-_ ](?:model|system|name)s?)?", re.IGNORECASE)
LOST = re.compile(r"(?:loser|losing|rejected|worse)(?:[-_ ](?:model|system|name)s?)?", re.IGNORECASE)


def _by_both(table: Table, result: Found) -> Table | None:
    """The table in which the winner of each row is the name in one of two columns, whose headings differ in a place alone
    (shown_as_a, shown_as_b); None for others, also where one of the two never wins."""
    won = table.headed(WON.fullmatch)
    both = [*_pairs(table), *_bare(table)] if len(won) == 1 else []  # of most tables no number is parsed
    sides = [pair for pair in both if won[0] not in pair and _one_of(table, won[0], pair)]
    if len(sides) != 1:
        return None
    if not all(map(str.strip, table.column(won[0]).counts)):
        _ask_empty(table, won[0], sides[0])
        return None
    pairs = [(a.strip(), b.strip()) for a, b in zip(*map(table.column, sides[0]), strict=True)]
    message = f"{listed(table.named(sides[0]))} name the systems of each row: {table.headings[won[0]]} is one of them."
    result.notices.append(Notice(table.file, message))
    return _with_systems(table, won[0], pairs, list(map(str.strip, table.column(won[0]))), sides[0])


def _pairs(table: Table) -> list[tuple[int, int]]:
    """The pairs of columns of words whose headings differ in a place alone: fw_a and fw_b."""
    cut = {k: _parts(table, k) for k in range(len(table.headings)) if not table.numeric(k)}
    both = itertools.permutations(cut, 2)
    return [(k, i) for k, i in both if len(cut[k]) == len(cut[i]) and _differ(cut[k], cut[i]) in PLACED]


def _bare(table: Table) -> list[tuple[int, int]]:
    """The columns left and right, or first and second, whose headings have no other word."""
    places = {name.strip().lower(): k for k, name in enumerate(table.headings)}
    return [(places[one], places[other]) for one, other in PLACED[2:] if one in places and other in places]


def _ask_empty(table: Table, wins: int, sides: tuple[int, int]) -> None:
    """Raise Unclear where some rows have no winner, unless another column says which are ties."""
    if table.headed(ties.TIE.fullmatch):
        return
    roles: dict[int, Part] = {sides[0]: "first", sides[1]: "second", wins: "winner"}
    roles |= dict.fromkeys(preferred.question(table) or _keys(table, sides), "question")
    said, won = shlex.join(f"{table.headings[k]}={role}" for k, role in roles.items()), table.headings[wins]
    ways = [
        (f"a row without a name below {won} is a tie", f"{said} --cells =tie"),
        ("such a row has no judgment", f"{said} --cells =missing"),
    ]
    why = f"Is a row without a name below {won} a tie? {listed(table.named(sides))} are compared."
    raise Unclear(table, why, evident.claims(table, "next to them", roles), ways)


def _keys(table: Table, sides: tuple[int, int]) -> list[int]:
    """The first column of keys or ids that comes again with other sides alone: it names what was asked."""
    named = [k for k in table.headed(KEY.search) if len(table.column(k).counts) > 1]
    return [k for k in named if table.repeats(k) and table.differ([k, *sides])][:1]


KEY = re.compile(r"[-_ ](?:key|id|no|nr)$", re.IGNORECASE)


def _one_of(table: Table, wins: int, sides: tuple[int, int]) -> bool:
    """Whether every winner is one of two other short names in its row, and each of the two columns has some of them."""
    rows = list(zip(*(map(str.strip, table.column(k)) for k in (wins, *sides)), strict=True))
    decided = [row for row in rows if not _is_open(row[0])]
    first, second = ({row for row in decided if row[0] == row[k] != ""} for k in (1, 2))
    whole = first and second and first.isdisjoint(second) and first | second == {*decided}
    return bool(whole) and _are_short(table, *sides)


def _are_short(table: Table, *columns: int) -> bool:
    """Whether columns hold names of a few words."""
    return all(len(name.split()) <= MOST_WORDS for k in columns for name in table.column(k).counts)


def _by_loser(table: Table, result: Found) -> Table | None:
    """The table whose rows name the system that won and the one that lost; None for others, also with texts in these columns."""
    won, lost = table.headed(WON.fullmatch), table.headed(LOST.fullmatch)
    if extreme := not (won or lost):
        won, lost = (table.headed(re.compile(word, re.IGNORECASE).fullmatch) for word in ("best", "worst"))
        if won and any(map(table.numeric, table.where("score", None))):
            return None  # beside scores it only sums them up
    if len(won) != 1 or len(lost) != 1 or not are_named(table, won[0], lost[0]):
        return None
    pairs = [(a.strip(), b.strip()) for a, b in zip(table.column(won[0]), table.column(lost[0]), strict=True)]
    if extreme and any(a == b for a, b in pairs):
        return None  # of systems none is both
    message = f"Each row names who won ({table.headings[won[0]]}) and who lost ({table.headings[lost[0]]})."
    message += " Others of a row are not named, so they do not count." if extreme else ""
    result.notices.append(Notice(table.file, message))
    return _with_systems(table, won[0], pairs, [FIRST] * len(pairs), lost)


def _word(cell: str) -> str:
    return facing.bare(re.sub(r"[\[\]()]+", "", cell))


def _is_open(cell: str) -> bool:
    """Whether a winner is a tie, or missing."""
    return cell.strip().lower() in preferred.NONE or _word(cell) in preferred.TIES


def _with_systems(
    table: Table, wins: int, pairs: Sequence[tuple[str, str]], won: Sequence[str], dropped: Sequence[int]
) -> Table:
    """The table with these systems and winners; a column of models that is none of them names the judges."""
    kept = [k for k in range(len(table.headings)) if k not in (*dropped, wins)]
    judges = [k for k in kept if table.meanings[k] == "system"] if not table.where("judge") else []
    named = ["judge" if k in judges[:1] else table.headings[k] for k in kept]
    placed = [_placed_winner(one.strip(), pair) for one, pair in zip(won, pairs, strict=True)]
    rows = [[*(row[k] for k in kept), *pair, one] for row, pair, one in zip(table.rows, pairs, placed, strict=True)]
    return replace(table, headings=[*named, FIRST, SECOND, WINNER], rows=rows)


def _placed_winner(one: str, pair: tuple[str, str]) -> str:
    """The winner as its place, so that a system called B or C is no place and no tie."""
    if one in pair:
        return FIRST if one == pair[0] else SECOND
    return one


# A-B or A vs B in one cell.


def _in_one_cell(table: Table, wins: int, result: Found) -> Table | None:
    """The table whose pairs are in one column, and whose winners are parts of them, or first and second; None for others."""
    for k in (k for k, name in enumerate(table.headings) if PAIR.fullmatch(name.strip()) and k != wins):
        pairs = _cut(table.column(k), [cell.strip() for cell in table.column(wins)])
        if not pairs:
            continue
        judged = table.named(i for i in table.where("system") if i != k)
        by = f" {judged[0]} names the judge." if judged and not table.where("judge") else ""
        message = f"{table.headings[k]} names both systems of a row, as {table.column(k)[0].strip()}.{by}"
        result.notices.append(Notice(table.file, message))
        return _with_systems(table, wins, pairs, table.column(wins), [k])
    return None


def pairs_of(table: Table, wins: int) -> tuple[int, list[tuple[str, str]]] | None:
    """The column with both systems of each row in one cell (base,large), and these, for a column of winners; None without one, or
    with several."""
    open_ = [k for k in range(len(table.headings)) if k != wins and not table.numeric(k)]
    few = [k for k in open_ if 2 * len(table.column(k).counts) <= len(table.rows)]
    found = [(k, pairs) for k in few if (pairs := pairs_in(table, k, wins))]
    return found[0] if len(found) == 1 else None


def pairs_in(table: Table, k: int, wins: int) -> list[tuple[str, str]]:
    """The two of a few names in each cell of a column, one of which won by another column; [] for other columns."""
    pairs = _cut(table.column(k), [cell.strip() for cell in table.column(wins)])
    return pairs if _are_few_names(pairs) else []


OPTIONS = re.compile(rf"{PAIR.pattern}|options|candidates", re.IGNORECASE)
MOST_RIVALS = 20


def _are_few_names(pairs: Sequence[tuple[str, str]]) -> bool:
    named = {one for pair in pairs for one in pair}
    return len(named) <= MOST_RIVALS and all(len(one.split()) <= MOST_WORDS for one in named)


def _cut(cells: Sequence[str], won: Sequence[str]) -> list[tuple[str, str]]:
    """The two systems of each cell; [] where there is no mark between them, or a winner is neither of them, nor a place."""
    names = {one for one in won if _word(one) in LETTERS or not _is_open(one)}
    for mark in MARKS:
        halves = [_halves(cell.strip().strip("()[]"), mark, names) for cell in cells]
        pairs = [pair for pair in halves if pair is not None]
        if len(pairs) == len(cells) and _fit(pairs, won):
            return pairs
    return []


def _halves(cell: str, mark: str, names: set[str]) -> tuple[str, str] | None:
    """The parts of a cell before and behind a mark; of several marks, the one between two known names. None without it."""
    cuts = [(cell[: m.start()].strip(), cell[m.end() :].strip()) for m in re.finditer(mark, cell, re.IGNORECASE)]
    known = [cut for cut in cuts if {*cut} <= names] or [cut for cut in cuts if not names.isdisjoint(cut)]
    found = cuts if len(cuts) == 1 else known
    return found[0] if len(found) == 1 and all(found[0]) and found[0][0] != found[0][1] else None


def _fit(pairs: Sequence[tuple[str, ...]], won: Sequence[str]) -> bool:
    """Whether each winner is one of its pair; or all are places."""
    systems = {one for pair in pairs for one in pair}
    both = [(pair, one) for pair, one in zip(pairs, won, strict=True) if one in systems or not _is_open(one)]
    places = preferred.FIRST | preferred.SECOND
    return bool(both) and (all(one in pair for pair, one in both) or all(_word(one) in places for _, one in both))


# Two outputs by place: output_a and output_b, and a winner that is a or b.


def _by_place(table: Table, wins: int, won: Sequence[str], result: Found) -> Table | None:
    """The table of two columns of outputs that differ in a place alone, and winners that are these places; None for others.

    Raises: ReadError where another column says that the places were drawn anew for each row.
    """
    found = _placed(table, wins) or _named_sides(table, wins)
    if found is None:
        return None
    one, other, places = found
    few = "source" in _parts(table, one) or facing.sides_of(table.headings) == (one, other)
    if are_named(table, one, other) or (few and _are_few(table, one, other)):
        return _with_names(table, wins, (one, other), places, result)
    names = [table.headings[one], table.headings[other]]
    left, right = names
    known = {_word(name): name for name in names} | dict(zip(places, names, strict=True))
    known |= {**dict.fromkeys(preferred.FIRST, left), **dict.fromkeys(preferred.SECOND, right)}
    known |= {f"{word}{place}": name for place, name in zip(places, names, strict=True) for word in facing.BEFORE}
    cells = table.column(wins)
    if not all(_is_open(cell) or _word(cell) in known for cell in cells):
        return None
    _refuse_turned(table, names)
    raise _of_places(table, wins, (one, other))


def _sides_chosen(table: Table) -> list[int]:
    """The column `comparison` (Label Studio) where it says which side is better, and not which systems are compared."""
    places = {*preferred.FIRST, *preferred.SECOND}
    named = table.headed(lambda name: name.strip().lower() == "comparison")
    return [k for k in named if all(_is_open(cell) or _word(cell) in places for cell in table.column(k).counts)]


def _of_places(table: Table, wins: int, sides: tuple[int, int]) -> Unclear:
    """The question whether what stands on each side is always of one system."""
    roles: dict[int, Part] = {sides[0]: "first", sides[1]: "second", wins: "winner"}
    claims = [
        replace(evident.claim(table, k, roles[k], "by its place alone"), basis="guess")
        if k in roles
        else evident.claim(table, k, "ignored", "beside them")
        for k in range(len(table.headings))
    ]
    shown = " and ".join(table.named(sides))
    why = f"Are {shown} two systems? They are places, and no column names a system. "
    why += "If the sides were drawn anew for each row, name both systems in columns model_a and model_b."
    said = shlex.join(f"{table.headings[k]}={role}" for k, role in roles.items())
    return Unclear(table, why, claims, [("each is one system, always on its side", said)])


def _refuse_turned(table: Table, names: Sequence[str]) -> None:
    """Raise ReadError where a column says that the places were drawn anew for each row."""
    turned = [k for k in table.headed(TURNED.fullmatch) if len(table.column(k).counts) > 1]
    if turned:
        message = (
            f"{table.headings[turned[0]]} may say which system is on which side, so {listed(names)} are no systems."
        )
        raise ReadError(message, table.file, 1, "Name both systems of each row in columns model_a and model_b.")


def are_named(table: Table, one: int, other: int) -> bool:
    """Whether two columns repeat short names, and have some in common: these are the systems, wherever they stand."""
    known = [{cell.strip() for cell in table.column(k).counts} for k in (one, other)]
    return _are_few(table, one, other) and not known[0].isdisjoint(known[1])


def are_apart(table: Table, one: int, other: int) -> bool:
    """Whether two columns of words repeat short names, and no row has the same in both."""
    words = not (table.numeric(one) or table.numeric(other)) and _are_few(table, one, other)
    return words and all(a.strip() != b.strip() for a, b in zip(table.column(one), table.column(other), strict=True))


def _are_few(table: Table, one: int, other: int) -> bool:
    """Whether two columns repeat short names, and no texts."""
    known = [{cell.strip() for cell in table.column(k).counts} for k in (one, other)]
    return 2 * max(map(len, known)) <= len(table.rows) and _are_short(table, one, other)


def _with_names(
    table: Table, wins: int, sides: tuple[int, int], places: tuple[str, str], result: Found
) -> Table | None:
    """The table with the names in two columns as systems, and winners that are places or names; None for other winners."""
    standing.ask(table, sides, wins)
    pairs = [(a.strip(), b.strip()) for a, b in zip(*map(table.column, sides), strict=True)]
    headed = dict(zip(map(_word, table.named(sides)), (FIRST, SECOND), strict=True))
    usual = {**dict.fromkeys(preferred.FIRST, FIRST), **dict.fromkeys(preferred.SECOND, SECOND)}
    known = {**usual, **headed, **dict(zip(places, (FIRST, SECOND), strict=True))}
    won = [cell.strip() for cell in table.column(wins)]
    winners = [
        one if one in pair or _is_open(one) else known.get(_word(one), "") for one, pair in zip(won, pairs, strict=True)
    ]
    if not all(winner or _is_open(one) for winner, one in zip(winners, won, strict=True)):
        return None
    result.notices.append(Notice(table.file, f"{listed(table.named(sides))} name the systems of each row."))
    return _with_systems(table, wins, pairs, winners, sides)


def _placed(table: Table, wins: int) -> tuple[int, int, tuple[str, str]] | None:
    """The only two columns of texts that differ in a place alone, and these places; None without them."""
    return _alone([pair for pair in _pairs(table) if wins not in pair and _of_texts(table, pair[0])], table)


def _of_texts(table: Table, k: int) -> bool:
    return any(map(TEXTS.fullmatch, _parts(table, k)))


def _named_sides(table: Table, wins: int) -> tuple[int, int, tuple[str, str]] | None:
    """The only two columns that repeat the same short names, below headings that differ in a place alone (format_a, format_b),
    or any short names below a_source and b_source, and these places; None without them.

    Of the first, none also where a row has no winner: another column may say that it is a tie.
    """
    pairs = [pair for pair in _pairs(table) if wins not in pair]
    sources = [pair for pair in pairs if "source" in _parts(table, pair[0]) and _are_few(table, *pair)]
    whole = all(map(str.strip, table.column(wins)))
    return _alone(sources or [pair for pair in pairs if whole and are_named(table, *pair)], table)


def _alone(pairs: Sequence[tuple[int, int]], table: Table) -> tuple[int, int, tuple[str, str]] | None:
    """The only pair of columns, and the places in which their headings differ; None for none, or several."""
    if len(pairs) != 1:
        return None
    one, other = pairs[0]
    first, second = _differ(_parts(table, one), _parts(table, other))
    return one, other, (first, second)


def _parts(table: Table, k: int) -> list[str]:
    found: list[str] = facing.PARTS.findall(table.headings[k].lower())
    return found


def _differ(parts: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """The two words of two headings that differ; () where others do, too."""
    apart = [pair for pair in zip(parts, others, strict=True) if pair[0] != pair[1]]
    return apart[0] if len(apart) == 1 and len(parts) > 1 else ()


# Two systems by the names of the winners.


def _by_name(table: Table, wins: int, result: Found) -> Table | None:
    """The table of one system against another, or several, which the winners and the headings name; None for others."""
    names = {cell.strip() for cell in table.column(wins) if not _is_open(cell)}
    texts = [k for k in table.headed(lambda heading: _of_text(heading) in names) if k != wins]
    systems = [_of_text(table.headings[k]) for k in texts]
    pairs = [(systems[0], rival) for rival in _rivals(table, wins, names, systems)] if 0 < len(systems) <= 2 else []
    cells = list(map(str.strip, table.column(wins)))
    if not pairs or not all(cell in pair or _is_open(cell) for cell, pair in zip(cells, pairs, strict=True)):
        return None
    shown = listed(dict.fromkeys(rival for _, rival in pairs))
    message = f"Each row compares {systems[0]} with {shown}, by the headings and the winners."
    result.notices.append(Notice(table.file, message))
    return _with_systems(table, wins, pairs, cells, texts)


def _of_text(heading: str) -> str:
    """The system of a heading such as asset_simplification or answer_asset; "" for others."""
    mark = "_" if "_" in heading else " "
    head, _, tail = heading.strip().rpartition(mark)
    if head and TEXTS.fullmatch(tail.lower()):
        return head
    first, _, rest = heading.strip().partition(mark)
    return rest if rest and TEXTS.fullmatch(first.lower()) else ""


def _rivals(table: Table, wins: int, names: set[str], systems: Sequence[str]) -> list[str]:
    """The system that the first one is compared with in each row; [] where nothing says it."""
    if len(systems) == 2:
        return [systems[1]] * len(table.rows)
    rest, others = names - {*systems}, [k for k in table.headed(OTHER.fullmatch) if k != wins]
    for k in others:
        own = set(map(str.strip, table.column(k)))
        if rest <= own and own.isdisjoint(systems) and all(len(one.split()) <= MOST_WORDS for one in own):
            return [cell.strip() for cell in table.column(k)]
    return [*rest] * len(table.rows) if others and len(rest) == 1 else []
