"""Why columns may be no rivals: what a person is asked before they are tested."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from statistics import median

from sigcore.errors import ReadError
from sigcore.formatting import count, listed
from sigcore.readers import names as naming
from sigcore.readers.contract import Item
from sigcore.readers.names import pattern
from sigcore.readers.tables import compared, crossing, numbers, outcomes
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.compared import COUNTED
from sigcore.readers.tables.crossing import Crossing
from sigcore.readers.tables.headings import Meaning
from sigcore.readers.tables.numbers import FEWEST
from sigcore.readers.tables.table import Table

LENGTHS = 4.0  # the usual length of an output and of its reference do not differ by more
PARENTS = re.compile(r"scores?|systems?|models?|outputs?|predictions?|translations?|hypotheses", re.IGNORECASE)
# Texts below these headings, another in every row, may name systems: then the numbers beside them are of whole systems.
NAMING = pattern("doubts.naming")
SETTING = pattern("doubts.setting")  # headings of numbers that set a system
OUTPUTS: tuple[Meaning, ...] = ("text", "system")  # headings of the output of one system
NESTED = re.compile(r"([A-Za-z_]+)\..+")  # not v1.2
# Numbers below these headings may be labels or values to compare with gold ones, not scores.
PREDICTED = pattern("doubts.predicted")
MOST_WORDS = 6  # of a name
FEWEST_ASKED = 4  # columns that may be questions: fewer are rather means


def ids_of(table: Table) -> list[int]:
    """The column that names what was asked, if there is one; a source text that comes again does."""
    ids = table.where("segment") or table.where("perhaps segment")
    return (ids or asked_again(table))[:1]


def asked_again(table: Table) -> list[int]:
    """The columns of sources some of which come again: what several systems, or runs, answered."""
    sources = (k for k, heading in enumerate(table.headings) if words.role(heading) == "source")
    return [k for k in sources if table.repeats(k)]


def several_measures(names: Sequence[str]) -> frozenset[str]:
    """The measures that headings such as A_bleu and A_comet name."""
    return frozenset().union(*map(words.measures_in, names))


def _about_gold(scores: Sequence[Item], gold: Sequence[Item]) -> Iterator[str]:
    """Numbers beside those of a reference, which they may predict."""
    right = [item.name for item in gold if item.kind == "scores"]
    named = [item for item in scores if not words.has_measure(item.name)] if right else []
    values = {value for item in named for value in numbers.scale(item.segments).values}
    if not values <= {0.0, 1.0}:
        yield f"Are the numbers in {listed(item.name for item in named)} scores, or do they predict those in {right[0]}?"


def about(table: Table, rivals: Mapping[int, Item], gold: Sequence[Item]) -> Iterator[str]:
    """Why these columns may not be rivals."""
    scores, texts = ([item for item in rivals.values() if item.kind == kind] for kind in ("scores", "text"))
    names = [item.name for item in rivals.values()]
    compared.refuse_settings(table)
    if not gold and (_are_predicted(rivals.values()) or compared.are_classes(table, rivals)):
        yield compared.about_predictions(names)
    if (k := untold(table, rivals)) is not None:
        yield f"Does {table.headings[k]} name systems? {AGAIN}"
    yield from _about_whole(table, rivals, words.is_measure)
    yield from _about_apart(table, rivals)
    yield from _about_rated(table, rivals)
    yield from filter(None, [compared.about_criteria(table, of_scores(rivals))])
    yield from _about_gold(scores, gold)
    yield from _about_labels([item.name for item in scores])
    yield from _about_nested(table, names)
    yield from _about_measures(table, scores)
    if len(table.rows) >= FEWEST:
        yield from itertools.chain(_about_texts(texts, gold), compared.about_unlike(texts, gold))
    yield from _about_kinds(texts, scores)
    yield from _about_marks(texts) if not (gold or scores) else ()


def _about_marks(texts: Sequence[Item]) -> Iterator[str]:
    """A few words in all texts, which may be scores."""
    if found := marks_in(texts):
        yield f"Are {listed(found)} in {listed(item.name for item in _alike_in_words(texts))} scores? Then say which number each means. Predicted labels need the right ones: --reference FILE."


def _are_predicted(items: Collection[Item]) -> bool:
    """Whether all are numbers, and predictions by their headings (pred_svm), which name no measure."""
    known = (
        one.kind == "scores" and words.is_prediction(one.name) and not words.has_measure(one.name) for one in items
    )
    return bool(items) and all(known)


def _about_measures(table: Table, scores: Sequence[Item]) -> Iterator[str]:
    """Columns of scores that may be no rivals, those of each measure, which may be part of their headings."""
    if len(pairs := [table.crossed[item.name] for item in scores if item.name in table.crossed]) > 1:
        systems, measures = (dict.fromkeys(pair[k] for pair in pairs) for k in (0, 1))
        yield f"Are {listed(systems)} systems, each with {listed(measures)}?"
    kinds = [(item.measure, table.crossed.get(item.name, ("", ""))[1]) for item in scores]
    for kind in dict.fromkeys(kinds):
        yield from _about_scores([item for item, own in zip(scores, kinds, strict=True) if own == kind])


def about_one(table: Table, rivals: Mapping[int, Item]) -> Iterator[str]:
    """Why the numbers of one system may be no scores of its segments."""
    scores = [item.name for item in rivals.values() if item.kind == "scores"]
    yield from _about_whole(table, rivals, bool)
    yield from about_predicted(scores)
    yield from _about_labels(scores)
    compared.refuse_unnamed(table)
    if found := judges(table, rivals):
        yield f"{table.headings[found[0]]} names judges, but no column names the system that each row rates."
    yield from (*_about_unknown(rivals), *_about_apart(table, rivals))
    if (k := named(table, rivals)) is not None:
        yield f"Does {table.headings[k]} name systems? {_shared_by(table, k)}"


def _about_labels(names: Sequence[str]) -> Iterator[str]:
    if labels := list(filter(words.is_label, names)):
        yield f"By the heading {listed(labels)} holds labels, no scores: which file has the right ones?"


def named(table: Table, rivals: Mapping[int, Item]) -> int | None:
    """The column of a few names that come again, below a heading of systems (arm), in a table of one system; None without it."""
    scores = of_scores(rivals)
    if table.role or table.basis or table.where("system") or not scores:
        return None
    headed = [k for k in table.headed(naming.NAMING.fullmatch) if k not in scores and not table.numeric(k)]
    return next((k for k in headed if _come_again(table.column(k).counts)), None)


AGAIN = "They answered the same questions, several times, and no known column tells these rows apart: head it run."


def untold(table: Table, rivals: Mapping[int, Item]) -> int | None:
    """The column of a few names below a heading of systems, whose rows on one question nothing tells apart; None without it."""
    k, ids = named(table, rivals), [i for i in table.headed(crossing.ID.search) if table.repeats(i)][:1]
    if k is None or not ids or table.where("run"):
        return None
    # also a number that sets a system: chunk_size
    rest = {*itertools.filterfalse(table.numeric, range(len(table.headings))), *table.headed(SETTING.fullmatch)}
    apart_by = any(table.differ([k, *ids, i]) for i in rest - {k, *ids})
    return None if table.differ([k, *ids]) or apart_by or not crossing.crossed(table, k, ids[0]) else k


def _come_again(names: Mapping[str, int]) -> bool:
    """Whether these are a few names, each of several rows."""
    return 1 < len(names) <= MOST_ARMS and min(names.values()) > 1


def _shared_by(table: Table, k: int) -> str:
    """Whether names that may be of systems come with the same questions, in a sentence."""
    ids = ids_of(table) or table.where("run")[:1]
    both = set(zip(table.column(ids[0]), table.column(k), strict=True)) if ids else set()
    if ids and len(both) > len(table.column(ids[0]).counts):
        return AGAIN
    return "As far as the ids say, no two of them answered one question: nothing pairs."


MOST_ARMS = 10  # names of what is compared in a table without another sign of systems


def _about_whole(table: Table, rivals: Mapping[int, Item], counts: Callable[[str], bool]) -> Iterator[str]:
    """Rows that may be whole systems, where one of the scores has a heading that counts."""
    scored = any(item.kind == "scores" and counts(item.name) for item in rivals.values())
    if scored and (first := _naming(table, rivals)):
        yield f"Does {first} name systems? Then these are scores of whole systems, and tests need scores of every segment."


def judges(table: Table, rivals: Mapping[int, Item]) -> list[int]:
    """The columns of judges, where people rated something and no column names the system."""
    return compared.people(table, rivals) if of_scores(rivals) else []


def _about_unknown(rivals: Mapping[int, Item]) -> Iterator[str]:
    """Numbers of one system that say what an answer costs, or whose headings name no measure: several, or the same one in
    every row."""
    known = [item for item in rivals.values() if item.kind == "scores"]
    if len(known) == len(rivals) and all(words.is_field(item.name) for item in known):
        yield about_fields([item.name for item in known])
    others = [item for item in known if not words.has_measure(item.name)]
    if len(others) > 1 or any(len(item.segments) >= FEWEST and len(set(item.segments)) == 1 for item in others):
        yield f"Which of these are scores: {listed(item.name for item in others)}?"


def about_fields(names: Sequence[str]) -> str:
    """What is asked where all numbers say what an answer costs, or how a program ran."""
    return f"Is {listed(names)} what you want to compare? By the heading it does not say how good an answer is."


def is_log(table: Table) -> bool:  # one output, and a field of a log: a program wrote it about one system
    outputs = [k for k in table.where("text") if not table.numeric(k)]
    return len(outputs) == 1 and any(map(words.is_field, table.headings))


def is_its_output(heading: str) -> bool:  # it says output or prediction, and names no system
    return words.meaning(heading) == "text" or PREDICTED.fullmatch(heading) is not None


def _about_apart(table: Table, rivals: Mapping[int, Item]) -> Iterator[str]:
    """Questions that come again, beside a column that may name systems."""
    if (found := apart(table, rivals)) is not None:
        name, asked = table.headings[found.system], table.headings[found.question]
        if found.other is None:
            yield f"Does {name} name systems? Only with {name} each question has one row."
        else:
            yield f"Does {name} name systems, and {asked} the questions? Each {asked} comes with each {name}."


def apart(table: Table, rivals: Mapping[int, Item]) -> Crossing | None:
    """The columns that may name the systems and the questions of a table that names no system; None if there are none."""
    scores, ids = of_scores(rivals), ids_of(table) or crossed(table, rivals)
    scored = bool({*scores} - {*ids}) or _has_answers(table, ids, rivals)
    if table.where("system") or not scored or (ids and table.where("run")):
        return None
    if not ids or table.differ(ids):
        known = table.role or table.basis or (ids and _are_rivals(table, scores))
        return None if known else crossing.found(table, scores)
    return _told_by(table, ids, scores)


def _has_answers(table: Table, ids: Sequence[int], rivals: Mapping[int, Item]) -> bool:
    """Whether a column asks in words, and another one has outputs by its heading."""
    asks = bool(ids) and all(" " in cell for cell in table.column(ids[0]).counts)
    return asks and any(is_its_output(item.name) for item in rivals.values() if item.kind == "text")


def _are_rivals(table: Table, scores: Sequence[int]) -> bool:
    """Whether several columns of numbers have headings without another meaning: then these may be the systems."""
    return sum(not (words.is_field(name) or words.has_measure(name)) for name in table.named(scores)) > 1


def _told_by(table: Table, ids: Sequence[int], scores: Sequence[int]) -> Crossing | None:
    """The first column of words without which ids repeat, with these; None if there is none."""
    asked: tuple[Meaning, ...] = ("reference", "source", "judge", "domain", "category", "task", "aside", "dimension")
    known = {*ids, *scores, *table.where(*asked, "perhaps segment", "document")}
    names = (k for k in range(len(table.headings)) if k not in known and _are_names(table, k))
    told = next((k for k in names if table.repeats(k) and table.differ([k, *ids])), None)
    if told is None:
        return None
    # each folder is a run of what another column names: a condition
    coarse = [k for k in table.headed(naming.says_system) if k != told and crossing.is_fact(table, k, [told])]
    if not coarse or len(table.column(coarse[0]).counts) < 2:
        return Crossing(told, ids[0])
    # a provider with one model is another word for it
    return Crossing(coarse[0], ids[0], None if crossing.name_the_same(table, coarse[0], told) else told)


# Where a text stood among others, and what is right or was guessed of it: its values are names, and no systems.
ORDER = re.compile(r"(?:\w+[-_ ])?(?:slots?|positions?|places?|order|sides?|letters?|rank)", re.IGNORECASE)
PLACE = re.compile(rf"{ORDER.pattern}|(?:true|gold|actual|correct|guessed|predicted)[-_ ]\w+", re.IGNORECASE)


def _are_names(table: Table, k: int) -> bool:
    """Whether a column may hold names, by its heading no answers and by its cells no sentences."""
    heading = table.headings[k].strip()
    # what was read, and the place of a text that others have, too, name no systems
    answers = is_its_output(heading) or bool(words.CONTEXT.fullmatch(heading) or PLACE.fullmatch(heading))
    answers = answers or words.is_remark(heading)
    return not (table.numeric(k) or answers or any(len(cell.split()) > MOST_WORDS for cell in table.column(k).counts))


def _about_rated(table: Table, rivals: Mapping[int, Item]) -> Iterator[str]:
    """Numbers that may name what judges rated."""
    if (judged := judges(table, rivals)) and (rated := crossed(table, rivals)):
        yield f"{table.headings[judged[0]]} names judges: does {table.headings[rated[0]]} name what each of them rated?"


def crossed(table: Table, rivals: Mapping[int, Item]) -> list[int]:
    """The first column of whole numbers that come equally often, once with each short name of another column: the ids of
    what was measured again, not scores."""
    short = [k for k in range(len(table.headings)) if not table.numeric(k) and table.repeats(k)]
    for k in of_scores(rivals):
        own = table.column(k).counts
        named = len(own) >= FEWEST and not words.has_measure(table.headings[k]) and all(map(str.isdigit, own))
        if named and table.repeats(k):
            whole = (other for other in short if len(own) * len(table.column(other).counts) == len(table.rows))
            if any(table.differ([k, other]) for other in whole):
                return [k]
    return []


def of_scores(rivals: Mapping[int, Item]) -> list[int]:
    """The columns of numbers."""
    return [k for k, item in rivals.items() if item.kind == "scores"]


def _naming(table: Table, rivals: Mapping[int, Item]) -> str:
    """The heading of a column that may name systems, in a table that names no segments; "" if there is none."""
    if table.where("segment", "perhaps segment", "document"):
        return ""
    named = (k for k, name in enumerate(table.headings) if k not in rivals and NAMING.fullmatch(name))
    return next((table.headings[k] for k in named if not table.numeric(k) and table.differ([k])), "")


def _about_nested(table: Table, names: Sequence[str]) -> Iterator[str]:
    """Names below a name that says nothing of systems, or of what stood inside one object."""
    parents = [one for one in map(parent, names) if one and not words.is_settings(one)] if table.nested else []
    if table.inside and len(names) > 1:
        yield f"Are {listed(names)} rival systems, or do they all say something of one?"
    if len(parents) > 1:
        yield f"Are the {count(len(parents), 'value')} below {listed(dict.fromkeys(parents))} rival systems?"


def parent(name: str) -> str:
    """The name before the first dot of a nested one; "" where it says systems, scores and the like, and for other names."""
    match = NESTED.fullmatch(name)
    return match[1] if match and not PARENTS.fullmatch(match[1]) else ""


def _about_scores(rivals: Sequence[Item]) -> Iterator[str]:
    """Columns of scores that may be no rivals."""
    if not rivals:
        return
    yield from _about_names([item.name for item in rivals])
    if len(rivals) < 2:
        return
    scales = [(item.name, numbers.scale(item.segments)) for item in rivals]
    low, high = numbers.different(scales)
    if low and high:
        yield f"Are {low} and {high} scores of rival systems? Their numbers are on very different scales."
    yield from _about_numbers(rivals, scales)
    if compared.are_shares(rivals):
        yield f"{listed(name for name, _ in scales)} add up to a whole in every row: are they shares or labels, not rivals?"


def about_predicted(names: Sequence[str]) -> Iterator[str]:
    """Headings below which numbers are hardly scores."""
    if predicted := list(filter(PREDICTED.fullmatch, names)):
        yield compared.about_predictions(predicted)


def _about_names(names: Sequence[str]) -> Iterator[str]:
    """Headings that name something else than a system."""
    yield from about_predicted(names)
    fields, measures = list(filter(words.is_field, names)), list(filter(words.is_measure, names))
    numbered = list(filter(words.is_numbered, names))
    parts, several = [words.measures_in(name) for name in names], several_measures(names)
    if fields:
        yield f"By their headings these columns are fields of a log, not systems: {listed(fields)}."
    if measures and len(measures) < len(names):
        others = [name for name in names if name not in measures]
        yield f"By their headings {listed(measures)} are measures, but {listed(others)} may be systems: which is it?"
    if len({name.strip().lower() for name in measures}) == len(names) > 1:
        yield f"By their headings {listed(measures)} are measures of one output, not systems: which column has it?"
    yield from compared.about_measured(names)
    if len(numbered) > 1:
        yield f"Are {listed(numbered)} systems, or people, runs, parts or labels of one system?"
    if len(names) > 1 and all(map(_is_kind, names)):
        yield f"Are {listed(names)} systems? By their names they are languages or labels."
    if len(several) > 1 and all(parts):
        yield f"Are {listed(names)} rivals? Their headings name {count(len(several), 'measure')}: {listed(sorted(several))}."


def _is_kind(heading: str) -> bool:
    """Whether a heading is a language or a label, or one with a measure: french of meteor_french."""
    bare = words.cut(heading)[0] or heading
    return words.is_kind(bare) or naming.names_language(bare.title())


def _about_numbers(rivals: Sequence[Item], scales: Sequence[tuple[str, numbers.Scale]]) -> Iterator[str]:
    """Columns that count the rows, or are of another type than the others."""
    counting = [item.name for item in rivals if counts_rows(item)]
    if counting and len(counting) < len(scales):
        yield f"These columns count the rows, so they are hardly scores: {listed(counting)}."
    same = numbers.constant(scales, FEWEST) if any(one.fractions for _, one in scales) else []
    if 0 < len(same) < len(scales):
        yield f"These columns have the same number in every row, so they are hardly scores: {listed(same)}."
    yield from compared.about_types([(name, one) for name, one in scales if len(one) >= COUNTED], len(scales))


def counts_rows(item: Item) -> bool:
    """Whether the numbers go up by 1 in every row."""
    return numbers.go_up(item.segments, COUNTED)


def counters(table: Table) -> set[int]:
    """The columns that count the rows below a heading without a meaning."""
    open_ = [k for k, means in enumerate(table.meanings) if means is None and not words.has_measure(table.headings[k])]
    return set() if table.basis else {k for k in open_ if table.numeric(k) and numbers.go_up(table.column(k), COUNTED)}


def _refuse_form(texts: Sequence[Item], blank: Sequence[str]) -> None:
    """Raise ReadError for a form in which nobody has answered most of what it asks about each text."""
    rated = [name for name in blank if outcomes.says_score(name) or words.is_criterion(re.split(r"[-_. ]+", name)[-1])]
    if 2 * len(rated) > len(texts) - len(blank):
        fix = "Load the form with the answers of people. Texts alone are compared with a reference."
        raise ReadError(f"Nothing is filled in below {listed(rated)}: nobody has rated them.", texts[0].file, 1, fix)


def _about_texts(texts: Sequence[Item], gold: Sequence[Item]) -> Iterator[str]:
    """Columns of text that may be no outputs."""
    same = [item.name for item in texts if _says_one_thing(item, gold)]
    if blank := [item.name for item in texts if not any(map(str.strip, set(item.segments)))]:
        _refuse_form(texts, blank)
        yield f"Nothing is filled in below {listed(blank)}."
    if same and len(texts) > 1:
        yield f"These columns have the same text in every row, so they are hardly outputs: {listed(same)}."
    yield from _about_copies(texts, gold) if len(texts) > 1 else ()
    yield from _about_read([item.name for item in texts])
    if texts and not gold and _are_answers(texts):
        yield f"Are the words in {listed(item.name for item in texts)} scores (1 and 0), or answers?"
    yield from _about_lengths(texts, gold)


def _says_one_thing(item: Item, gold: Sequence[Item]) -> bool:
    """Whether all cells are the same, and not among those of what is right: a classifier may only ever say yes."""
    return len(set(item.segments)) == 1 and not {*item.segments} <= {cell for one in gold for cell in one.segments}


def _about_copies(texts: Sequence[Item], gold: Sequence[Item]) -> Iterator[str]:
    """Texts that are the same as a reference."""
    for item in texts:
        copy = next((one for one in gold if numbers.is_copy(item.segments, one.segments)), None)
        if copy is not None:
            yield f"{item.name} is the same as the reference {copy.name}, so it is hardly an output."


def _about_read(names: Sequence[str]) -> Iterator[str]:
    """Texts that were read by their headings, or called after a language, beside others that are not."""
    if 0 < len(told := list(filter(compared.told_text, names))) < len(names):
        yield f"By its heading a text was read, and is hardly an output: {listed(told)}."
    if 0 < len(named := list(filter(naming.names_language, names))) < len(names):
        yield f"Is {named[0]} what was translated, or a system? Its heading names a language."


def marks_in(texts: Sequence[Item]) -> list[str]:
    """The words of columns that repeat a few short ones, sorted; [] for texts, and below the heading of an output."""
    cells = (cell for item in _alike_in_words(texts) for cell in item.segments)
    return [] if any(words.meaning(item.name) in OUTPUTS for item in texts) else numbers.marks(cells)


def _alike_in_words(texts: Sequence[Item]) -> Sequence[Item]:
    """The texts that have most of their words in common with another one, if there are some: repo beside verdicts has others."""
    own = [frozenset(map(str.strip, item.segments)) for item in texts]
    pairs = [
        (k, i)
        for k, i in itertools.combinations(range(len(own)), 2)
        if 2 * len(own[k] & own[i]) >= len(own[k] | own[i])
    ]
    alike = {*itertools.chain.from_iterable(pairs)}
    return [texts[k] for k in sorted(alike)] or texts


def _are_answers(texts: Sequence[Item]) -> bool:
    """Whether all texts are yes or no."""
    cells = (cell for item in texts for cell in item.segments)
    return all(cell.strip().lower() in numbers.ANSWERS or numbers.is_missing(cell) for cell in cells)


def _about_lengths(texts: Sequence[Item], gold: Sequence[Item]) -> Iterator[str]:
    """Columns of text of other lengths than the reference, or than the other texts."""
    unlike = [
        item.name for item in texts if words.meaning(item.name) not in OUTPUTS and not _alike(item, gold or texts)
    ]
    if unlike and (len(texts) > 1 or gold):
        yield f"{listed(unlike)}: much shorter or longer than the other texts, or a few words again and again."


def _alike(item: Item, others: Sequence[Item]) -> bool:
    """Whether a column of text has the usual length of one of the others, and not many fewer different texts."""
    own, different = _length(item), len(set(item.segments))
    near = (other for other in others if other is not item or len(others) == 1)
    return any(
        own <= LENGTHS * _length(other)
        and _length(other) <= LENGTHS * own
        and 4 * different >= len(set(other.segments))
        for other in near
    )


def _length(item: Item) -> float:
    return median([len(text) for text in item.segments if text.strip()] or [0]) + 1


def _about_kinds(texts: Sequence[Item], scores: Sequence[Item]) -> Iterator[str]:
    """Unknown columns of text next to an output, or next to columns of numbers: both would be systems."""
    named = dict.fromkeys(item.name for item in scores)
    outputs = [item.name for item in texts if words.meaning(item.name) in OUTPUTS]
    others = [item for item in texts if item.name not in (*outputs, *named)]
    unknown = [item.name for item in others]
    if outputs and unknown:
        yield f"By its heading {outputs[0]} is the output of one system: what are {listed(unknown)}?"
    if unknown and scores:
        what = f"It has columns of text ({listed(unknown)}) and columns of numbers ({listed(named)})"
        yield from _about_both(others, what, len(named))


def _about_both(texts: Sequence[Item], what: str, columns: int) -> Iterator[str]:
    """Columns of text beside columns of numbers: each row may be a system."""
    board = " If each row is a system, these are scores of whole systems, and tests need scores of every segment."
    offered = columns >= max(FEWEST_ASKED, len(texts[0].segments) / 2)
    board += " If each column is then one question: --columns rows=system." if offered else ""
    different = any(len(set(item.segments)) == len(item.segments) for item in texts)
    yield f"{what}: which are systems?{board if different else ''}"
