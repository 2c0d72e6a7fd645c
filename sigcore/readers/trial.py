"""A plan is tried on its file before it is printed: a command that the program itself would refuse helps nobody."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence, Set

from sigcore.errors import ReadError, SigError
from sigcore.formatting import count, listed
from sigcore.measures import better_of
from sigcore.readers.contract import Claim, Content, Found, Item, Reader
from sigcore.readers.tables import boards, numbers, shapes
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.said import said_columns
from sigcore.readers.tables.unclear import GUESSED, SAY_RUNS, Unclear, Way
from sigcore.types import Value

CODED = "--cells -"  # in the question what a code means
SAYS = "--columns "  # in a command that says what columns are
BLANK = re.compile(r"\b(?:SYSTEM|ITEM|RATING|NUMBER|WHO|LEFT|RIGHT|BEST)=?\b")  # where somebody has to fill it in
EXPLODE = "explode"  # the option that makes rows of the entries of a list
FEWEST_SEGMENTS, FEW = 5, 3  # no exact test of fewer can give a p of 0.05; and of one of several readings
FEWEST_ASKED = 2  # questions with several runs each
MOST_GAPS = 0.75  # of the segments: without a score of one of the two systems that have most of them
NAMES_ROWS = "it names the rows"  # what a column without a known heading is taken for
FEWEST_MEASURES = 3  # in a table of means
FEWEST_ROWS = 30  # of one system, where nothing names its questions
MOST_GUESSED = 5  # columns of texts that may all be outputs
SEVERAL = 3  # readings that are shown already
MOST_QUESTIONS = 3  # plans that are put together, where the first leads to another question


def tried(content: Content, reader: Reader, options: Mapping[str, Value], problem: Unclear) -> Unclear:
    """The problem, without its command where a file that is read as the command says is refused.

    Where it leads to another question, the command answers both.
    """
    if not problem.plan or "columns" not in {option.name for option in reader.options}:
        return problem
    plan, asked = dict(problem.plan), problem
    for _ in range(MOST_QUESTIONS):
        try:
            found = reader.read(content, reader.chosen({**options, **_said(options, plan, asked)}))
            reason = _refused(found, _fewest_of(problem)) or _of_whole_rows(found, asked) or _of_guesses(found, problem)
        except Unclear as again:
            if not again.plan or again.plan.items() <= plan.items() or _says_else(options, again.plan):
                return problem.without_plan(again.why)
            plan, asked = {**plan, **again.plan}, again
            continue
        except SigError as refused:
            reason = refused.what
        if reason:
            return problem.without_plan(reason)
        said = problem if asked is problem else problem.with_plan(plan)
        said.fix += _undirected(found, plan)
        return said.with_outcome(_compared(found))
    return problem.without_plan(asked.why)


def _fewest_of(problem: Unclear) -> int:
    """How many segments a plan needs: one less where each row has the score of a system that it names on a question, which is more
    than a guess."""
    roles = {claim.role for claim in problem.claims if claim.role != "question" or claim.reason != GUESSED}
    return FEWEST_SEGMENTS - (roles >= {"system", "question", "score"})


def _says_else(options: Mapping[str, Value], plan: Mapping[str, str]) -> bool:
    """Whether a plan gives a column another role than somebody did."""
    said = said_columns(filter(str.strip, str(options.get("columns") or "").split("\n")))
    return any(said.get(name, role) != role for name, role in plan.items())


def _undirected(found: Found, plan: Mapping[str, str]) -> str:
    """What to add to the command, where its one column of scores says nothing about which of them are better."""
    named = [name for name, role in plan.items() if role == "score"]
    own = {item.better for item in found.items if item.kind == "scores" and item.role == "system"}
    open_ = len(named) == 1 and own == {""} and better_of(named[0]) is None
    return f" Nothing says which {named[0]} is better: add --better higher or --better lower." if open_ else ""


def _said(options: Mapping[str, Value], plan: Mapping[str, str], asked: Unclear) -> dict[str, str]:
    """The options that say a plan, and what words mean as scores, beside what was said before."""
    before = [str(options.get(name) or "") for name in ("columns", "cells")]
    told = [f"{name}={role}" for name, role in plan.items()]
    columns, cells = (
        "\n".join(filter(None, [*one.split("\n"), *more]))
        for one, more in zip(before, (told, asked.cells), strict=True)
    )
    return {"columns": columns, "cells": cells}


def _may_be_whole(claim: Claim) -> bool:
    """Whether what names the rows only stands first, is no text, and says nothing of data sets: then it may name systems."""
    text = any(cell.endswith("...") and " " in cell for cell in claim.cells)  # it was cut
    return claim.reason == NAMES_ROWS and boards.PARTS.fullmatch(claim.column.strip()) is None and not text


def _of_whole_rows(found: Found, asked: Unclear) -> str:
    """What is against a few rows that would be one system without a column that names the questions: each row may as well be a
    whole system; "" where another column may name the systems."""
    scored = [item for item in found.items if item.role == "system"]
    alone = len({item.name for item in scored}) == 1 and len({item.measure for item in scored}) >= FEWEST_MEASURES
    # names that only stand first may be of systems
    known = ("question", "text", "reference", "source", "document", "task")
    named = any(claim.role in known and not _may_be_whole(claim) for claim in asked.claims)
    told = named or "--system-field" in asked.fix.partition(SAYS)[0]
    whole = alone and not told and len(scored[0].segments) < FEWEST_ROWS
    return (
        f"It would be one system, and no column says that its rows are questions.{_or_systems(asked)}" if whole else ""
    )


def _of_guesses(found: Found, asked: Unclear) -> str:
    """What is against many texts of which nothing but a guess says that systems wrote them, and none is right; "" for others."""
    texts = [item for item in found.items if item.role == "system" and item.kind == "text"]
    guessed = {one.column for one in asked.claims if one.role == "system" and one.reason == GUESSED}
    few = len(guessed) <= MOST_GUESSED or any(item.role == "reference" for item in found.items)
    if few or len(texts) < len(guessed):
        return ""
    return "Nothing says which columns hold outputs of systems, and what is right."


def _or_systems(asked: Unclear) -> str:
    """What is said of the first column, which only names the rows."""
    named = [claim.column for claim in asked.claims if claim.reason == NAMES_ROWS][:1]
    return "".join(
        f" If {name} names systems, the scores are of whole systems: load those of every segment." for name in named
    )


def _with_possible(
    content: Content, reader: Reader, options: Mapping[str, Value], problem: Unclear, fewest: int = FEW
) -> Unclear:
    """The problem with those of its readings that are read when somebody says so, with at least so many segments."""
    kept, reasons = dict[Way, Found](), list[str]()
    for way in problem.ways:
        blank = BLANK.search(way[1])
        found, reason = (Found(), "") if blank else _led(content, reader, options, way[1], fewest)
        if reason:
            reasons.append(reason)
        else:
            kept[way] = found
    if not kept:
        return problem.without_plan(reasons[0])
    # if no segment has the scores of all systems, another reading is likelier
    shared = [way for way, found in kept.items() if not _is_empty(found)]
    outcomes = {way[1]: _compared(found, names=False) for way, found in kept.items()}
    return problem.with_ways(shared or [*kept], outcomes)


def _led(
    content: Content, reader: Reader, options: Mapping[str, Value], command: str, fewest: int
) -> tuple[Found, str]:
    """What is read as a command says, and why this cannot be compared; "" where nothing is against it."""
    known = (str(options.get(name) or "").split("\n") for name in ("columns", "cells"))
    columns, cells = (
        "\n".join(dict.fromkeys([*filter(None, before), *said]))
        for before, said in zip(known, parts(command), strict=True)
    )
    try:
        said = {"columns": columns, **({"cells": cells} if cells else {})}
        found = reader.read(content, reader.chosen({**options, **said}))
    except SigError as refused:
        reason = refused.why if isinstance(refused, Unclear) else refused.what
        return Found(), "" if CODED in refused.fix else reason  # the next question has an answer
    return found, _refused(found, min(fewest, _fewest(command)))


def _compared(found: Found, names: bool = True) -> str:
    """What would be compared, with the `names` of several systems or the number: "3 systems on 30 segments, 13 with all scores";
    "" for judgments of people and preferences."""
    systems = [item for item in found.items if item.role == "system"]
    rivals = list(dict.fromkeys(item.name for item in systems))
    if len(rivals) <= names or found.judgments or found.preferences:
        return ""
    return f"{listed(rivals) if names else count(len(rivals), 'system')} on {_of_segments(found, len(systems[0].segments))}"


def _of_segments(found: Found, n: int) -> str:
    """The number of segments in `n` rows, of those with the scores of all systems, and whether texts need a reference."""
    whole, kinds = _whole(found), {item.kind for item in found.items if item.role == "system"}
    asked = next((item.segments for item in found.items if item.name == words.QUESTIONS), range(n))
    what = count(len({*asked}), "segment")
    what += f" in {n} rows" if len({*asked}) < n else ""
    right = any(item.role == "reference" for item in found.items)
    what += "" if right or kinds != {"text"} else ", whose texts need a reference"
    return what if len(whole) == n else f"{what}, {len({asked[i] for i in whole})} with all scores"


def _whole(found: Found) -> list[int]:
    """The segments for which every system has a score of the first measure."""
    group = next(iter(_groups([item for item in found.items if item.role == "system"])), [])
    if any(item.kind != "scores" for item in group):
        return list(range(len(group[0].segments)))
    rows = zip(*(item.segments for item in group), strict=True)
    return [i for i, row in enumerate(rows) if not any(map(numbers.is_missing, row))]


def _is_empty(found: Found) -> bool:
    """Whether scores were read, and no segment has those of all systems."""
    return any(item.role == "system" for item in found.items) and not _whole(found)


def _fewest(command: str) -> int:
    """How many questions a reading needs: few where headings say that they are questions, and that other columns are runs. Such
    a table has no verdict, and runs are no further questions."""
    said = [word.rpartition("=") for word in shlex.split(command)]
    means = [(part, words.meaning(name)) for name, _, part in said]
    asked = [meaning for part, meaning in means if part == "question"]
    return FEWEST_ASKED if ("run", "run") in means else FEW if asked and {*asked} == {"segment"} else FEWEST_SEGMENTS


def parts(command: str) -> tuple[list[str], list[str]]:
    """The roles of columns and the meanings of words in what a command says."""
    words = shlex.split(command)
    starts = [i for i, word in enumerate(words) if word.startswith("--")]
    ends = [*starts, len(words)]
    own = {words[start]: words[start + 1 : end] for start, end in itertools.pairwise(ends)}
    return words[: ends[0]], own.get("--cells", [])


SAID = ("columns", "cells", "explode", "table")  # the options of readers that an advice says
OPEN = re.compile(
    r"(?:.+=)?(?:NAME|NUMBER|SYSTEM|ITEM|ID|FILE|WHO)|(?:SYSTEM|ITEM|SCORE|ANSWER|RIGHT|LEFT|BEST|RATING|NAME|ID)=.*"
)


def offers(fix: str) -> list[tuple[str, dict[str, str]]]:
    """The commands in an advice that need no more words, as options of the reader, each with when it is right, in words."""
    out = list[tuple[str, dict[str, str]]]()
    for sentence in re.split(r"(?<=\.)\s+", fix):
        why, mark, said = sentence.strip().removesuffix(".").partition(": --")
        several = f"{mark[2:]}{said}".split(", ") if mark else []
        for command in several:
            if options := _options(command):
                shown = f"{why}: {command}" if len(several) > 1 else why
                out.append((f"{why.partition('?')[0]}? Yes" if "?" in why else shown, options))
    return out


def _options(command: str) -> dict[str, str]:
    """The options in a command; {} where it has others, or words in capitals to be filled in."""
    try:
        words = shlex.split(command)
    except ValueError:  # a quote without its other half
        return {}
    out = dict[str, list[str]]()
    for word in words:
        if word.startswith("--"):
            out[word[2:]] = []
        elif not out or OPEN.fullmatch(word):
            return {}
        else:
            out[list(out)[-1]].append(word)
    known = bool(out) and {*out} <= {*SAID} and all(out.values())
    return {name: "\n".join(own) for name, own in out.items()} if known else {}


def helped(content: Content, reader: Reader, options: Mapping[str, Value], problem: SigError) -> SigError:
    """The problem of a file, with the commands that would read it, and without those that would not; where none does, with
    the readings that a search found."""
    proposed = problem.proposed if isinstance(problem, ReadError) else None
    if isinstance(problem, Unclear):
        check = _with_possible if problem.ways else tried
        problem = check(content, reader, options, problem)
    # where roles were named, what completes them is asked next
    named = any(filter(None, map(options.get, ("columns", "system_field"))))
    lacks = _has_no_command(problem) or (named and not isinstance(problem, Unclear))
    if isinstance(proposed, Unclear):
        problem = _with_proposed(content, reader, options, problem, proposed, lacks)
    if isinstance(problem, ReadError):
        problem.proposed = None
    return _with_offer(content, reader, options, _with_last(content, reader, options, problem))


def _with_last(content: Content, reader: Reader, options: Mapping[str, Value], problem: SigError) -> SigError:
    """The problem with the readings of a last search, where it has no command, or keeps none in the light of other files."""
    if not isinstance(problem, Unclear) or problem.at_last is None or problem.advice:
        return problem
    found, problem.at_last = problem.at_last(), None  # which holds the whole table
    if found is None:
        return problem
    found = _with_possible(content, reader, options, found, FEWEST_SEGMENTS)
    if _has_no_command(problem):
        return found if SAYS in found.fix else problem
    problem.last, problem.outcomes = found.ways, {**found.outcomes, **problem.outcomes}
    return problem


def _with_proposed(
    content: Content, reader: Reader, options: Mapping[str, Value], problem: SigError, proposed: Unclear, lacks: bool
) -> SigError:
    """The problem with the readings that a search found, or these in its place, where it `lacks` a command or has a worse one."""
    # one reading that a search found, of questions that could show nothing, is none
    fewest = FEW if len(proposed.ways) > 1 else FEWEST_SEGMENTS
    if lacks or _is_worse(problem, proposed):
        found = _first_possible(content, reader, options, proposed, fewest)
        return found if SAYS in found.fix else problem
    if not isinstance(problem, Unclear):
        if "=system" in problem.fix:
            return problem
        tried_ = _with_possible(content, reader, options, proposed, fewest)
        joint = [(what, said) for what, said in tried_.ways if said.count("=system") > 1 and "=question" in said]
        problem.fix += "".join(f" Or, if {what}: --columns {said}." for what, said in joint[:1] if SAYS in tried_.fix)
        return problem
    if len(problem.ways) >= SEVERAL:
        return problem
    first = _first_possible(content, reader, options, proposed, fewest)
    problem.spare, problem.outcomes = first.ways, {**first.outcomes, **problem.outcomes}
    return _with_others(problem, problem.spare)


def _first_possible(
    content: Content, reader: Reader, options: Mapping[str, Value], proposed: Unclear, fewest: int
) -> Unclear:
    """The readings that a search found and that are read; where none is, those of a second search."""
    found = _with_possible(content, reader, options, proposed, fewest)
    ways = proposed.again() if SAYS not in found.fix and proposed.again is not None else []
    return _with_possible(content, reader, options, proposed.with_ways(ways), fewest) if ways else found


def _with_others(problem: Unclear, ways: Sequence[Way]) -> Unclear:
    """The problem with these ways, too, whose systems or guessed questions are others than those of its own commands."""
    sure = any(claim.sure and claim.role == "question" for claim in problem.claims)
    own = _own_roles(problem)
    for way in ways:
        roles = {*shlex.split(way[1])}
        kinds = RIVALS if sure or "=question" not in way[1] else (*RIVALS, "=question")
        if _of(roles, RIVALS) and all(_of(roles, kinds) != _of(other, kinds) for other in own):
            problem.with_others([way])
    return problem


def _own_roles(problem: Unclear) -> list[set[str]]:
    """The roles of each reading that a problem has: its plan, with and without what is sure, and those of its commands."""
    every, open_ = ({f"{one.column}={one.role}" for one in claims} for claims in (problem.claims, _open(problem)))
    return [every, open_, *({*shlex.split(said)} for _, said in problem.ways)]


def _open(problem: Unclear) -> list[Claim]:
    return [claim for claim in problem.claims if not claim.sure]


RIVALS = ("=system", "=reference")  # what differs in two readings


def _of(roles: Set[str], kinds: tuple[str, ...]) -> set[str]:
    return {one for one in roles if one.endswith(kinds)}


def _has_no_command(problem: SigError) -> bool:
    """Whether a problem prints no command that could be run as it is: advice names no column of the file, nor
    does it say which rows are runs."""
    return SAYS not in problem.fix.replace(SAY_RUNS, "") or (isinstance(problem, Unclear) and bool(problem.advice))


def _is_worse(problem: SigError, proposed: Unclear) -> bool:
    """Whether a plan compares nothing, or only what an answer costs, where a search found more."""
    if not isinstance(problem, Unclear):
        return False
    scores = [claim.column for claim in problem.claims if claim.role == "score"]
    # several runs side by side are no systems
    if _are_labels(problem, proposed) or sum("=run" in word for word in shlex.split(proposed.ways[0][1])) > 1:
        return True
    predicted = any("=reference" in way[1] for way in proposed.ways)
    return _is_of_one(problem, proposed) or (predicted and bool(scores) and all(map(words.is_field, scores)))


def _are_labels(problem: Unclear, proposed: Unclear) -> bool:
    """Whether a search found right labels, and what predicts them, of which a plan takes nothing for right, or ranks them."""
    found = [way[1] for way in proposed.ways if "reference" in _roles(way[1])]
    given = any("system" in _roles(said) for said in found)
    right = {one.rpartition("=")[0] for said in found for one in shlex.split(said) if one.endswith("=reference")}
    ranked = {claim.column for claim in problem.claims if claim.role in ("system", "judge")} & right
    own = {claim.role for claim in problem.claims} | set[str]().union(*(_roles(way[1]) for way in problem.ways))
    return bool(ranked) or (given and "reference" not in own)


def _roles(command: str) -> set[str]:
    return {word.rpartition("=")[2] for word in shlex.split(command)}


def _is_of_one(problem: SigError, proposed: Unclear) -> bool:
    """Whether a plan takes all rows for those of one system, where a search found a column that names several."""
    if not isinstance(problem, Unclear):
        return False
    said = [word.rpartition("=")[2] for _, command in problem.ways for word in shlex.split(command)]
    roles = said or [claim.role for claim in problem.claims]
    # beside one output, a column may name the systems; other columns of numbers are rather labels
    named = [way[1].count("=system") for way in proposed.ways if "text" not in roles or way[1].count("=system") == 1]
    several = not {"system", "first", "judge", "measure"}.isdisjoint(roles) or roles.count("text") > 1
    return not several and any(named)


def _with_offer(content: Content, reader: Reader, options: Mapping[str, Value], problem: SigError) -> SigError:
    """The problem; where every record has a list of objects, and a file of one row for each of them is read, it says how."""
    name = next((name for name, _ in _with_rows(content, reader, options)), "")
    if name and _ask(name) not in problem.fix:
        problem.fix = f"{_ask(name)} {problem.fix}".strip()
    return problem


def as_rows(content: Content, reader: Reader, options: Mapping[str, Value], found: Found) -> ReadError | None:
    """A question in place of one system without anything to compare it with, where rows of a list would be several systems; and in
    place of none."""
    systems = sum(item.role == "system" for item in found.items)
    alone = (len(found.items) == 1 or (found.items and not systems)) and not (
        found.judgments or found.preferences or found.problems
    )
    for name, exploded in _with_rows(content, reader, options) if alone else ():
        if _has_several(exploded) or not systems:
            return ReadError(f"Its records have lists below {name}, which are not used.", content.file, fix=_ask(name))
    return None


def _ask(name: str) -> str:
    return f"Is each entry below {name} a row? Then read them so: --{EXPLODE} {shlex.quote(name)}."


def _with_rows(content: Content, reader: Reader, options: Mapping[str, Value]) -> Iterator[tuple[str, Found]]:
    """The lists of objects whose entries can be read as rows, each with what is then read."""
    if EXPLODE not in {option.name for option in reader.options} or options.get(EXPLODE):
        return
    for name, inside in shapes.lists_of_objects(content):
        try:
            found = reader.read(content, reader.chosen({**options, EXPLODE: name}))
        except Unclear as asked:
            if _compares(asked) or (asked.plan and not inside):  # it leads to a question that has an answer
                yield name, Found()
            continue
        except ReadError:
            continue
        if not _refused(found) and (not inside or _has_several(found)):
            yield name, found


def _compares(asked: Unclear) -> bool:
    return bool(asked.ways) or "system" in asked.plan.values()


def _has_several(found: Found) -> bool:
    return len({item.name for item in found.items if item.role == "system"}) > 1


def _refused(found: Found, fewest: int = FEWEST_SEGMENTS) -> str:
    """Why what was read cannot be compared; "" where nothing is against it. Fewer segments than `fewest` are against it."""
    if found.problems:
        return found.problems[0].what
    systems = [item for item in found.items if item.role == "system"]
    if not (systems or found.judgments or found.preferences):
        return "No column would be a system."
    # what answers cost may well differ a hundredfold, and is not the first measure that is tested
    scored = [item for item in systems if item.kind == "scores"]
    quality = [item for item in scored if not words.is_field(item.measure)]
    unlike = next(filter(None, map(_unlike, _groups(quality))), "")
    return _too_few(systems, fewest) or unlike or _all_sparse(_groups(quality or scored))


def _too_few(systems: Sequence[Item], fewest: int) -> str:
    """Why scores of so few segments are no test set: they are rather means; "" for more, and for texts."""
    most = max((len(item.segments) for item in systems if item.kind == "scores"), default=FEWEST_SEGMENTS)
    few = f"There would be only {count(most, 'segment')}, with which no difference can be shown."
    return few if most < fewest else ""


def _unlike(group: Sequence[Item]) -> str:
    """Why the scores of systems are no rivals by their scales; "" where nothing is against it."""
    low, high = numbers.different([(item.name, numbers.scale(item.segments)) for item in group])
    return f"The scores of {low} and {high} are on very different scales." if low and high else ""


def _all_sparse(groups: Sequence[Sequence[Item]]) -> str:
    """Why no measure can be compared; "" where one can: others may be of a part of the questions alone."""
    reasons = list(map(_sparse, groups))
    return reasons[0] if reasons and all(reasons) else ""


def _sparse(group: Sequence[Item]) -> str:
    """Why the scores of systems cannot be paired; "" where two share some segments."""
    # systems with few scores can be left out: it is enough that two share some segments
    group = sorted(group, key=lambda item: sum(map(numbers.is_missing, item.segments)))[:2]
    gaps = sum(any(map(numbers.is_missing, row)) for row in zip(*(item.segments for item in group), strict=True))
    few = len(group) > 1 and gaps > MOST_GAPS * len(group[0].segments)
    return f"Hardly a segment has scores of two systems: {group[0].name}, {group[1].name}." if few else ""


def _groups(items: Sequence[Item]) -> list[list[Item]]:
    """The scores of each measure in each test set."""
    found: dict[tuple[str, str, int], list[Item]] = {}
    for item in items:
        found.setdefault((item.testset, item.measure, len(item.segments)), []).append(item)
    return list(found.values())
