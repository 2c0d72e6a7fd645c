"""METEOR: words matched by form, stem and synonym, recall weighted above precision, with a penalty for scattered matches."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib.metadata import version
from typing import Any, Literal, get_args

import numpy as np

from sigcore.errors import OptionError
from sigcore.metrics.contract import Done, Metric, Options, References, choice_of
from sigcore.metrics.meteor import stems
from sigcore.metrics.meteor.function_words import function_words, list_name
from sigcore.metrics.meteor.references import KERNELS, MeteorReferences
from sigcore.metrics.meteor.word_table import STAGES, Stage, Words
from sigcore.registry import Option
from sigcore.text import bounds, wordnet
from sigcore.text.meteor_score import METEOR_ADEQUACY, METEOR_COLUMNS, METEOR_PARAMETERS, MeteorParameters, meteor_score
from sigcore.text.tokens import MTEVAL, Tokenizer
from sigcore.types import Floats

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


def statistics(segments: Sequence[str], prepared: Any, options: Options, done: Done | None) -> Floats:
    """(n, 23): words, function words, matches of each stage and kind of word, chunks, matched words."""
    rows: Floats = prepared.rows(segments, done)
    return rows


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


METRIC = Metric(
    name="meteor",
    title=title,
    kind="text",
    better="higher",
    columns=METEOR_COLUMNS,
    prepare=prepare,
    kernels=KERNELS,
    statistics=statistics,
    score=score,
    bounds=(bounds.METEOR, bounds.METEOR_MATCHES),
    describe=describe,
    options=(
        Option(
            "stages",
            None,
            choices=STAGE_NAMES,
            optional=True,
            help="Which words match: equal words, words with the same stem, synonyms (English, with a WordNet database "
            "on this machine); empty = all that are available.",
        ),
        Option(
            "language",
            "en",
            choices=("en", "cs", "de", "es", "fr", "ru", *sorted({*stems.SNOWBALL} - {*METEOR_PARAMETERS}), "other"),
            help="Target language: chooses the stemmer, the parameters, and the list of function words that is called own.",
        ),
        Option(
            "function_words",
            "english",
            help="Words with a lower weight: english (METEOR 1.5's default for every language), own (METEOR 1.5's list of "
            "the language, which it uses on demand only), none, or your own words separated by spaces.",
        ),
        Option("tokenize", MTEVAL, choices=(MTEVAL, "intl", "zh", "char", "none"), help="The tokenizer."),
        Option("lowercase", True, help="Ignore case."),
        Option(
            "task",
            "rank",
            choices=TASKS,
            help="What the parameters were tuned to: people's rankings of systems, or their scores (English only).",
        ),
    ),
    help="Words matched exactly, by stem and by synonym, weighted as in METEOR 1.5, without its paraphrases; "
    "compare only scores with the same signature.",
    source="Denkowski and Lavie 2014; Banerjee and Lavie 2005",
)
