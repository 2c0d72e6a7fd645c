"""METEOR: words matched by form, stem and synonym, recall weighted above precision, with a penalty for scattered matches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import version
from typing import Literal, get_args

import numpy as np

from sigcore.errors import OptionError
from sigcore.metrics.contract import Metric, Options, References, choice_of, described, options_of, rows
from sigcore.metrics.meteor import search
from sigcore.metrics.meteor import words as stems
from sigcore.metrics.meteor.words import STAGES, Stage, Words, WordTable, function_words, list_name
from sigcore.proof import Proof, Scored
from sigcore.text import bounds, wordnet
from sigcore.text.chunks import Done, in_chunks, products
from sigcore.text.compiled import Kernels, Report, usable
from sigcore.text.compiled import prepare as prepare_kernels
from sigcore.text.meteor_score import METEOR_ADEQUACY, METEOR_COLUMNS, METEOR_PARAMETERS, MeteorParameters, meteor_score
from sigcore.text.symbols import Joined, Streams, Symbols, check_length, checked, joined
from sigcore.text.tokens import MTEVAL, Tokenizer
from sigcore.types import Floats

# METEOR's statistics per segment, against references read once.


class MeteorReferences:
    """The references of a test set, read once; `rows` are the METEOR statistics of any number of systems.

    `words` numbers the words and knows which stages are used; `score` returns the score of rows (..., 23), by which
    the best reference of a segment is chosen. Several threads may call `rows` at once. Raises: SigError if there is no
    reference, MismatchError if two differ in length.
    """

    def __init__(self, references: Streams, words: Words, score: Callable[[Floats], Floats]) -> None:
        self.n = len(checked(references)[0])
        self._words, self._score = words, score
        self._references = joined([words.read(stream)[0] for stream in references])

    def rows(self, segments: Sequence[str], done: Done | None = None) -> Floats:
        """The statistics (n, 23) of one system, in the order of METEOR_COLUMNS; `done` as in chunks.in_chunks.

        A segment's row is that of the reference with which it scores best, the first among equals. Raises:
        MismatchError if the system has more or fewer segments than the references; SigError for a segment over a bound.
        """
        check_length(segments, self.n)
        rows = np.empty((self.n, len(METEOR_COLUMNS)))

        def fill(start: int, stop: int) -> None:
            text, table = self._words.read(segments[start:stop])
            known = (text, self._references, start, self._words.stages, table)
            self._check(*known, None if done is None else lambda *_: done(start))
            choices = np.zeros((len(self._references.starts), stop - start, len(METEOR_COLUMNS)))
            (compiled_rows if usable(KERNELS) else plain_rows)(*known, choices)
            # nan = neither the segment nor this reference has words
            best = np.nan_to_num(self._score(choices), nan=-1.0).argmax(axis=0)
            rows[start:stop] = choices[best, np.arange(stop - start)]

        in_chunks(self.n, fill, done, products(segments, np.diff(self._references.starts).T))
        return rows

    def _check(
        self, text: Symbols, gold: Joined, first: int, stages: int, table: WordTable, waiting: Report | None
    ) -> None:
        """Refuse segments over a bound; load the kernels where the others would take long without."""
        if usable(KERNELS):
            search.check(text, gold, first, stages, table, bounds.METEOR_MATCHES.most)
        else:
            seconds = bounds.seconds(search.check(text, gold, first, stages, table, bounds.SLOW))
            prepare_kernels(KERNELS, seconds / KERNELS.saves, "METEOR", waiting)


def compiled_rows(text: Symbols, gold: Joined, first: int, stages: int, table: WordTable, rows: Floats) -> None:
    """Do the same as plain_rows, with the kernel."""
    from sigcore.metrics.meteor.compiled_search import meteor_rows

    known = (table.stems, table.sets, table.starts, table.function)
    meteor_rows(text.numbers, text.starts, gold.numbers, gold.starts, first, stages, *known, rows)


def plain_rows(text: Symbols, gold: Joined, first: int, stages: int, table: WordTable, rows: Floats) -> None:
    """Fill rows (references, segments, 23) of zeros; segment i belongs to line first + i."""
    for i in range(text.starts.size - 1):
        output = text.numbers[text.starts[i] : text.starts[i + 1]].tolist()
        for starts, row in zip(gold.starts, rows[:, i], strict=True):
            reference = gold.numbers[starts[first + i] : starts[first + i + 1]].tolist()
            plain_row(output, reference, stages, table, row)


def plain_row(output: list[int], reference: list[int], stages: int, table: WordTable, row: Floats) -> None:
    """Fill one row (23,) of zeros. A segment that is one chunk as a whole counts no chunk."""
    chunks, matches = search.align(output, reference, stages, table)
    row[:4] = len(output), len(reference), table.function[output].sum(), table.function[reference].sum()
    for match in matches:
        row[4 + 4 * match.stage + 2 * table.function[output[match.output]]] += 1
        row[5 + 4 * match.stage + 2 * table.function[reference[match.reference]]] += 1
    whole = chunks == 1 and len(matches) == len(output) == len(reference)
    row[20:] = 0 if whole else chunks, len(matches), len(matches)


def _call_kernels() -> None:
    text, table = Words(str.split).read(["a b"])
    compiled_rows(text, joined([text]), 0, 1, table, np.zeros((1, 1, len(METEOR_COLUMNS))))


KERNELS = Kernels("sigcore.metrics.meteor.compiled_search", __name__, _call_kernels, saves=5e-4, seconds=10.0, grows=2)


Task = Literal["rank", "adequacy"]
TASKS: tuple[Task, ...] = get_args(Task)
NamedList = Literal["english", "own", "none"]
NAMED_LISTS: tuple[NamedList, ...] = get_args(NamedList)
ENGLISH = "en"
STAGE_NAMES = tuple("+".join(STAGES[: k + 1]) for k in range(len(STAGES)))


def stages(options: Options) -> tuple[Stage, ...]:
    """The chosen stages, or else all that are available for the language on this machine."""
    if options["stages"] is not None:
        return STAGES[: STAGE_NAMES.index(choice_of(options, "stages", STAGE_NAMES)) + 1]
    language = str(options["language"])
    if not stems.available(language):
        return STAGES[:1]
    return STAGES if language == ENGLISH and wordnet.available() else STAGES[:2]


def parameters(options: Options) -> MeteorParameters:
    """METEOR's tuned parameters for the language and the task.

    Raises: OptionError if METEOR has none.
    """
    language = str(options["language"])
    if choice_of(options, "task", TASKS) == "rank":
        return METEOR_PARAMETERS.get(language, METEOR_PARAMETERS["other"])
    if language != ENGLISH:
        fix = "Choose the task rank, or the language en."
        raise OptionError(f"METEOR's parameters for adequacy are for English only, not for {language!r}.", "", fix)
    return METEOR_ADEQUACY


def word_list(options: Options) -> tuple[str, frozenset[str]]:
    """(name of the list in the signature, its words): the English list, the language's own, none, or the user's."""
    asked = str(options["function_words"]).strip()
    named = next((name for name in NAMED_LISTS if name == asked), None)
    if named is None:
        words = frozenset(asked.lower().split())
        return (f"given({' '.join(sorted(words))})" if words else "none"), words
    if named == "none":
        return "none", frozenset()
    language = ENGLISH if named == "english" else str(options["language"])
    return list_name(language), function_words(language)


def known_words(options: Options) -> Words:
    """Numbers for words, and for each word its stem, synonyms and class.

    Raises: OptionError for an unavailable stage, with how to install it.
    """
    chosen, language = stages(options), str(options["language"])
    stemmed = stems.Stems(language) if "stem" in chosen else None
    if "synonym" in chosen and language != ENGLISH:
        fix = "Leave synonyms out (stages exact+stem), or choose the language en."
        raise OptionError(f"Synonyms are available for English only, not for {language!r}.", "", fix)
    sets = wordnet.find().sets if "synonym" in chosen else None
    tokens = Tokenizer(str(options["tokenize"]), bool(options["lowercase"])).tokens
    return Words(tokens, stemmed, sets, word_list(options)[1])


def prepare(references: References, options: Options) -> MeteorReferences:
    """The references' words, and the score by which a segment's best reference is chosen."""
    return MeteorReferences(references, known_words(options), partial(score, options=options))


def score(sums: Floats, options: Options) -> Floats:
    """METEOR, 0 to 100, of sums (..., 23); nan where neither side has a word."""
    p = parameters(options)
    return np.asarray(100.0 * meteor_score(sums, p.alpha, p.beta, p.gamma, p.delta, p.weights[: len(STAGES)]))


def title(options: Options) -> str:
    """METEOR with its stages, since only equal ones may be compared, and the language where it is not English."""
    language = "" if options["language"] == ENGLISH else f" ({options['language']})"
    return f"METEOR {'+'.join(stages(options))}{language}"


def describe(references: References, options: Options) -> str:
    """Every setting that the matches and the score depend on.

    Raises: OptionError for a stage that is not available.
    """
    known_words(options)  # raises for an unavailable stage
    chosen, p = stages(options), parameters(options)
    weights = ",".join(f"{weight:g}" for weight in p.weights[: len(STAGES)])
    parts = {
        "refs": len(references),
        "lang": options["language"],
        "stages": "+".join(chosen),
        "stemmer": stems.package(str(options["language"])) if "stem" in chosen else None,
        "wordnet": wordnet.find().digest if "synonym" in chosen else None,
        "function": word_list(options)[0],
        "case": "lc" if options["lowercase"] else "mixed",
        "tok": f"{options['tokenize']}-sacrebleu-{version('sacrebleu')}",
        "params": f"{p.alpha:g},{p.beta:g},{p.gamma:g},{p.delta:g}",
        "weights": weights,
    }
    return "meteor-1.5|" + "|".join(f"{name}:{value}" for name, value in parts.items() if value is not None)


EXAMPLE = Scored(
    (
        ("the red boat sails with an oar by", "the boat sails home of winter bridge today"),
        ("a teacher opens letters", "one teacher opened a letter"),
    ),
    "100 * (0.75 * (3 + 0.6 * 2) + 0.25 * 2) / (0.15 * (0.75 * 7 + 0.25 * 5) + 0.85 * (0.75 * 9 + 0.25 * 4))"
    " * (1 - 0.6 * (5 / 7) ** 0.2)",
    "by hand: boat, sails, teacher, the and a match, opens and letters by their stems (0.6); 7 content words (0.75) and 5 "
    "function words (0.25) of the output, 9 and 4 of the reference; 7 matches in 5 chunks",
)

METRIC = Metric(
    **described("meteor"),
    title=title,
    kind="text",
    better="higher",
    columns=METEOR_COLUMNS,
    prepare=prepare,
    kernels=KERNELS,
    statistics=rows,
    score=score,
    bounds=(bounds.METEOR, bounds.METEOR_MATCHES),
    describe=describe,
    options=options_of(
        "meteor",
        stages=STAGE_NAMES,
        language=("en", "cs", "de", "es", "fr", "ru", *sorted({*stems.SNOWBALL} - {*METEOR_PARAMETERS}), "other"),
        tokenize=(MTEVAL, "intl", "zh", "char", "none"),
        task=TASKS,
    ),
    proof=Proof((EXAMPLE,), golden=("meteor.java15",)),
)
