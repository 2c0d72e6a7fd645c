"""The one vocabulary of column headings: what each heading means in tables of scores, ratings, MQM and statistics."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from sigcore import measures
from sigcore.readers import names
from sigcore.readers.names import pattern
from sigcore.types import Role

Meaning = Literal[
    "segment", "perhaps segment", "system", "document", "domain", "judge", "score", "z", "rated", "dimension",
    "rating type", "measure", "reference", "source", "perhaps language", "source language", "target language", "text",
    "group", "category", "severity", "remark", "aside", "run", "task",
]  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """Headings with the same meaning; if a table has two of them, the earlier word is used.

    `role` and `effect` are shown in the docs and on the page Files.
    """

    meaning: Meaning
    words: tuple[str, ...]
    role: str
    effect: str


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Scores with a specific name; all others are named after the file.
NAMED_SCORES = ("da", "esa", "esa_score", "mqm", "mqm_score", "mqm_avg_score")

WORDS: Mapping[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))  # Any: texts and lists
VOCABULARY = tuple(Entry(one["meaning"], tuple(one["words"]), one["role"], one["effect"]) for one in WORDS["entry"])

INTRODUCTION: str = WORDS["introduction"]
QUESTIONS = "question with its runs"  # the heading of questions with several rows each, made by a reader
JOINTS = re.compile(r"(?<=\w)[\s.\-]+(?=\w)")
# groups of fields in logs: inputs.question, sample.model, metadata.model
GROUP = pattern("headings.group")
WRITTEN = re.compile(r"^outputs?\.(?:answer|result|content|message|completion)$")
GOLD = re.compile(r"^(?:reference_outputs?|expected_outputs?|expected|references?)\.\w+$")
REMARK = pattern("headings.remark")
CITED = re.compile(r"(?:retrieved|cited|linked|related|found)[-_ ]ref", re.IGNORECASE)  # what an answer rests on
# Measures that are usual as headings; in the name of a file such words may be a system's.
MEASURE = pattern("headings.measure")
# Headings below which true and false, or 1 and 0, say whether an answer was right, and nothing else.
OUTCOME = pattern("headings.outcome")
GRADE = pattern("headings.grade")
# How sure a system was of its answer: beside outcomes no score.
SURENESS = pattern("headings.sureness")
PERHAPS, BESIDE = pattern("headings.perhaps"), pattern("headings.beside")
# Fields that name what is right, or what was predicted.
LABELLED = pattern("headings.labelled")
# The criteria of judges.
CRITERION = pattern("headings.criterion")
NAMED_ID = re.compile(r"(?i:[_\- .]ids?)$")
VERSION = re.compile(r"/v\d+(?:/score)?$")  # answer_similarity/v1/score of MLflow
NESTED = re.compile(r"^(?:[A-Za-z_]+\.)+(?=[A-Za-z_]+$)")
# what stands below metrics is one, whatever it is called: metric_scores.GEMBA
BELOW_METRICS = re.compile(r"(?:\w+[-_])?(?:metrics?|measures)(?:[-_](?:scores?|values?|results?))?\..+", re.IGNORECASE)
JUDGED = re.compile(r"(?:feedback|scores?|metrics?|evals?|evaluations?)\.(?=.)", re.IGNORECASE)  # feedback.correctness
# Fields of logs; a system is hardly called so.
FIELD = pattern("headings.field")
WHEN = re.compile(r"(?:t|time)[-_ ]?stamp|ts|(?:created|updated|started|finished)[-_ ](?:at|time|on)", re.IGNORECASE)
# Behind a dot: what an answer cost, or how it was asked for.
COSTS = pattern("headings.costs")
SIZE = pattern("headings.size")
# One of several numbered people, runs, parts or labels; also true and predicted values beside each other.
NUMBERED = pattern("headings.numbered")
# Languages and feelings: columns of them are parts of the data, or labels, more often than systems.
KINDS = pattern("headings.kinds")
# What only a row has that sums up others: how far their mean may be off, and how many they are.
SPREAD = pattern("headings.spread")
ABOUT_QUESTION = pattern("headings.about_question")  # difficulty, max_points
CONTEXT = re.compile(
    r"(?:retrieved[-_ ])?(?:contexts?|passages?|articles?|paragraphs?)(?: \d+)?|(?:chat|conversation|dialog(?:ue)?)[-_ ]history|"
    r"(?:origin(?:al)?|full|formatted|final)[-_ ]prompts?",
    re.IGNORECASE,
)
PERSONAL = _words(
    "age gender sex session alter edad género sexo idade gênero geschlecht âge età sesso возраст пол 年龄 性别"
)
SPLIT = re.compile(r"(?:train(?:ing)?|val(?:id(?:ation)?)?|dev|test|eval)[-_/ ](.+)", re.IGNORECASE)
SCALE = re.compile(r"\s*[\[(]\s*(?:\d+\s*(?:[-\u2013]|to)\s*\d+|[A-Z]{2})\s*[\])]\s*$")  # Adequacy (1-5), Source (DE)
UNIT = re.compile(r"\s*[\[(][^\])]*[\])]\s*$")  # Price [$], Time (s)
PERCENT = pattern("headings.percent")  # wer_pct, tone_1_5
COUNT = re.compile(r"#\s?(?:of\s)?[A-Za-z]")  # `# parsed` counts something
ROUGE = re.compile(r"r[12L]|rLsum", re.IGNORECASE)  # behind the name of a system: lead3_rL
NUMBER = re.compile(r"(?<=\w) \d+$")  # gold_answers 2, of a list
RATED = re.compile(r"(.+)[-_ ](?:scores?|ratings?)", re.IGNORECASE)
SORTING = re.compile(r"(?:.*[-_. ])?(?:types?|class|kind|level|category|group|name|difficulty)", re.IGNORECASE)
LONGEST = 60  # characters of a heading that names a measure; longer cells are texts
LABEL = pattern("headings.label")
PRED = r"pred(?:icted|ictions?|s)?"
PREDICTION = re.compile(rf"(?:y[-_ ])?(?:{PRED}|hat)(?:[-_ ]|$)|(?:\w+[-_ ]{PRED}|flagged|detected)$", re.IGNORECASE)
TOTAL = re.compile(r"total[-_ ](?:points|score|\d+)", re.IGNORECASE)  # of all criteria: total_50
STEP = re.compile(r"(?:global[-_ ]?)?(?:step|epoch|iteration|iter|batch)s?", re.IGNORECASE)
# Headings that show that the first line of a table is a header.
TELLING: tuple[Meaning, ...] = ("segment", "document", "domain", "system", "reference", "source")
LANGUAGES: tuple[Meaning, ...] = ("source language", "target language")


@lru_cache(maxsize=10_000)
def normalised(heading: str) -> str:
    """The heading in lower case, without the spaces, dots, `_` and `-` inside it and without `input.` before it."""
    word = GROUP.sub("", SCALE.sub("", names.clean(heading)).strip("\"'#?").lower())
    word = "output" if WRITTEN.match(word) else "reference" if GOLD.match(word) else word
    return JOINTS.sub("", word.replace("_", " ")).strip() or ("nr" if heading.strip() == "#" else "")


_ENTRIES = {normalised(word): (entry.meaning, place) for entry in VOCABULARY for place, word in enumerate(entry.words)}
_NAMED = frozenset(map(normalised, NAMED_SCORES))


def meaning(heading: str) -> Meaning | None:
    """The meaning of a heading in the vocabulary; None for other headings, such as the name of a system."""
    return _ENTRIES.get(normalised(heading), (None, 0))[0]


def preferred(headings: Sequence[str], *meanings: Meaning) -> list[int]:
    """The columns with these meanings, in the order of the meanings and of the words of the vocabulary."""
    known = [(*_ENTRIES.get(normalised(heading), (None, 0)), k) for k, heading in enumerate(headings)]
    places = [(meanings.index(means), place, k) for means, place, k in known if means in meanings]
    return [k for _, _, k in sorted(places)]


STREAMS: Mapping[Meaning | None, Role] = {"document": "documents", "domain": "domains"}


def role(heading: str) -> Role:
    """The role of a column of a table of outputs or scores: documents, domains, reference, source, ignored, else system."""
    means = meaning(NUMBER.sub("", heading)) if NUMBER.search(heading) else meaning(heading)
    if means in STREAMS:
        return STREAMS[means]
    if means == "aside" or means in LANGUAGES or CITED.match(heading.strip()):
        return "ignored"
    if means == "reference" or means == "source":
        return means
    # Input.summary is what was judged, inputs.text what was asked; ref_id is no reference
    if (means == "text" and normalised(heading) != "text") or NAMED_ID.search(heading):
        return "system"
    known = names.column_role(SCALE.sub("", heading := names.without_language(heading)))
    # score_ref and comet_src are scores: against the reference, with the source
    scored = known != "system" and (is_scored(heading) or is_measure(re.split(r"[.\-_ ]", heading, maxsplit=1)[0]))
    return "system" if scored else known


def is_header_word(heading: str) -> bool:
    """Whether the heading shows that its line is a header."""
    return meaning(heading) in TELLING or normalised(heading) == "src"


def is_plain(heading: str) -> bool:
    """Whether the heading says "score" without a specific name."""
    word = normalised(heading)
    return (meaning(heading) in ("score", "z") and word not in _NAMED) or word == "metric"


def is_value(heading: str) -> bool:
    """Whether the column contains outputs or scores of the system of each row."""
    return meaning(heading) == "text" or is_plain(heading)


def is_measure(heading: str) -> bool:
    """Whether a heading names a measure (COMET, accuracy, score), not a system."""
    named = is_outcome(heading) or BELOW_METRICS.fullmatch(heading.strip()) is not None
    return len(heading) <= LONGEST and (named or _is_measure(heading))


# seed1, run_2, fold 3: the number of a run, behind what runs are called
RUN_NAME = re.compile(
    r"((?:run|seed|fold|trial|attempt|epoch|rep(?:eat|etition|lication|licate)?|iter(?:ation)?|try)[-_ ]?)\d+",
    re.IGNORECASE,
)
AT_ALL = re.compile(r"@(?:all|full|max)$", re.IGNORECASE)  # AP@all is a measure as AP@10 is
AT_K = re.compile(r"[-_ ]at[-_ ]?(\d+)$", re.IGNORECASE)  # recall_at_5 is recall@5


@lru_cache(maxsize=4096)  # every column of a table is asked about several times
def _is_measure(heading: str) -> bool:
    heading = AT_ALL.sub("@10", AT_K.sub(r"@\1", heading.strip(" \t?")))
    heading = VERSION.sub("", JUDGED.sub("", PERCENT.sub("", UNIT.sub("", heading) or heading), count=1))
    known = names.measure_word(heading) or any(kind.fullmatch(heading.strip()) for kind in (MEASURE, CRITERION))
    if is_plain(heading) or known or measures.is_measure(heading):
        return True
    return (rated := RATED.fullmatch(heading.strip())) is not None and _is_measure(rated[1])  # correctness_score


def ends_in_measure(heading: str) -> bool:
    """Whether the last part of a nested heading names a measure: expert_annotations.coherence."""
    return is_measure(NESTED.sub("", heading.strip()))


SET = re.compile(
    r"(?:\w+_)?(?:param(?:eter)?s|configs?|kwargs|args|settings)\.", re.IGNORECASE
)  # before what sets a system


def is_field(heading: str) -> bool:
    """Whether a heading names a field of a log (latency_ms, is_valid, num_tokens), not a system."""
    bare = UNIT.sub("", heading.strip())
    last = bare.rpartition(".")[2]  # time.timestamp, usage.prompt_tokens
    logged = WHEN.fullmatch(last) or (last != bare and COSTS.fullmatch(last)) or SET.match(bare)
    return TOTAL.fullmatch(bare) is None and bool(FIELD.fullmatch(bare) or COUNT.match(bare) or logged)


ARROWS = re.compile("[\u2190-\u21ff\u2b00-\u2bff\ufe0f]+")


SETTINGS = pattern("headings.settings")


def is_settings(heading: str) -> bool:
    """Whether objects below a heading set a system, or are about a row."""
    return SETTINGS.fullmatch(heading.strip()) is not None


def last(heading: str) -> str:
    """The last word of a heading, in small letters: responses of anno_llm_responses."""
    return re.split(r"[-_. ]", heading.strip().lower())[-1]


def bare(heading: str) -> str:
    """A heading without the arrows that say which scores are better."""
    return ARROWS.sub("", heading).strip()


def is_size(heading: str) -> bool:
    """Whether a heading says how long or how heavy a segment is."""
    return SIZE.fullmatch(UNIT.sub("", heading.strip())) is not None


def is_scored(heading: str) -> bool:
    """Whether a heading says that its column holds scores, and of what: score_includes."""
    return re.match(r"scores?[._]", heading.strip(), re.IGNORECASE) is not None


def is_rated(heading: str) -> bool:
    """Whether a heading ends in score or rating, but does not say how sure a system was: grounding_score."""
    return RATED.fullmatch(heading.strip()) is not None and not (is_sureness(heading) or is_field(heading))


def is_criterion(heading: str) -> bool:
    """Whether a heading names what somebody rates (fluency, depth), rather than a metric."""
    return CRITERION.fullmatch(PERCENT.sub("", heading.strip())) is not None


def is_outcome(heading: str) -> bool:
    """Whether a heading says that its column tells right answers from wrong ones."""
    return OUTCOME.fullmatch(heading.strip(" \t?")) is not None


OVERALL = re.compile(r"overall(?:[-_ ](?:quality|rating|score|impression))?", re.IGNORECASE)


def is_overall(heading: str) -> bool:
    """Whether a heading is that of the last criterion: how good something is on the whole."""
    return OVERALL.fullmatch(SCALE.sub("", heading).strip()) is not None


def may_be_score(heading: str) -> bool:
    """Whether a heading names a mean, a sum or a hit: a field of a log, or a score where no other number is one."""
    return PERHAPS.fullmatch(heading.strip()) is not None


def is_beside(heading: str) -> bool:
    """Whether a heading names what stands beside a score: a spread, a number of runs, a time or a size."""
    return BESIDE.fullmatch(heading.strip()) is not None


def is_sureness(heading: str) -> bool:
    """Whether a heading says how sure a system was of its answer."""
    return SURENESS.fullmatch(heading.strip()) is not None


def is_logged(heading: str) -> bool:
    """Whether a heading names what a program noted beside its outputs (a time, a cost, a hash), not what is right."""
    return is_field(heading) and LABELLED.match(heading.strip()) is None and not is_step(heading)


def is_grade(heading: str) -> bool:
    """Whether a heading says that its column grades answers, perhaps in words."""
    return GRADE.fullmatch(heading.strip()) is not None


def is_spread(heading: str) -> bool:
    """Whether a heading names what only a mean has: its error or interval, or the number of its segments."""
    return SPREAD.fullmatch(UNIT.sub("", heading.strip())) is not None


def is_sorting(heading: str) -> bool:
    """Whether a heading ends in a word for classes that rows are sorted into: error_class, distance level."""
    return SORTING.fullmatch(heading.strip()) is not None


def is_about_question(heading: str) -> bool:
    """Whether a heading says something about the question of each row, and nothing about a system."""
    return ABOUT_QUESTION.fullmatch(heading.strip()) is not None


def is_personal(heading: str) -> bool:
    """Whether a heading is about a person."""
    return heading.strip().lower() in PERSONAL


def is_label(heading: str) -> bool:
    """Whether a heading names the right labels, with which predictions are compared; Gold Recall is a measure."""
    return LABEL.fullmatch(heading.strip()) is not None and not _is_automatic(last(heading))


def is_prediction(heading: str) -> bool:
    """Whether a heading names predictions (pred_bert, predicted label)."""
    return PREDICTION.match(heading.strip()) is not None


def is_numbered(heading: str) -> bool:
    """Whether a heading names one of several people, runs or labels (rater1, seed_2, logit_0)."""
    return names.is_person(heading) or NUMBERED.fullmatch(heading.strip()) is not None


def is_kind(heading: str) -> bool:
    """Whether a heading names a language (en, pt-BR, en-de) or a feeling, as usual for parts of the data or labels."""
    return KINDS.fullmatch(heading.strip()) is not None


def measures_in(heading: str) -> frozenset[str]:
    """The measures, or parts of the data with a measure, that a longer heading names: bleu of A_bleu, test acc of test_acc."""
    text = heading.strip().lower()
    if (split := SPLIT.fullmatch(text)) and is_measure(split[1]):
        return frozenset({text})
    parts = re.split(r"[.\-_ /]+", PERCENT.sub("", text))
    ends = {parts[0], parts[-1]} if len(parts) > 1 else ()
    return frozenset(part for part in ends if is_measure(part) and not is_plain(part))


def has_measure(heading: str) -> bool:
    """Whether a heading is a measure, or names one first or last: gpt_groundedness, wer_percent."""
    return SET.match(heading) is None and (ends_in_measure(heading) or bool(measures_in(heading)))


def cut(heading: str) -> tuple[str, str]:
    """The system and the measure that a heading such as A_bleu or bleu A names; ("", "") for others, and for criteria."""
    text = PERCENT.sub("", heading.strip())
    for match in re.finditer(r"[.\-_ /]+", text):
        first, last = text[: match.start()], text[match.end() :]
        known, other = _is_automatic(last), _is_automatic(first)
        if known != other and not is_numbered(first if known else last):
            return (first, last) if known else (last, first)
    return "", ""


def crossed(headings: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The system and the measure, or the criterion, of headings of each of several systems with each of several measures; {}
    for others. What stands beside a criterion may be a judge, so somebody has to say that it is none.
    They are cut at the first or the last of several marks, or at a space (ndcg@10 dense-e5), or where all systems have the same
    endings (gpt2 rouge1 max, gpt2-xl rouge1 max)."""
    for mark in (r"[.\-_ /:~|]+", r"[.\-_ /:~|]+(?=[^.\-_ /:~|]+$)", " +"):
        cut = [re.split(mark, heading.strip(), maxsplit=1) for heading in headings]
        for measured in (0, 1) if all(len(parts) == 2 for parts in cut) else ():
            pairs = [(parts[1 - measured], parts[measured]) for parts in cut]
            if _are_crossed(pairs):
                return dict(zip(headings, pairs, strict=True))
    return next(filter(None, (_with_endings(headings, mark) for mark in " _.:/")), {})


FEWEST_ENDINGS = 4  # that all systems have: so many are measures, also unknown ones


def _with_endings(headings: Sequence[str], mark: str) -> dict[str, tuple[str, str]]:
    """The system and the measure of headings that are names with the same endings, cut at any place of this mark; {} for others."""
    endings: dict[str, dict[str, str]] = {}
    for heading in headings:
        parts = heading.strip().split(mark)
        for k in range(1, len(parts)):
            endings.setdefault(mark.join(parts[:k]), {})[mark.join(parts[k:])] = heading
    for own in endings.values():
        systems = [name for name, other in endings.items() if other.keys() == own.keys()]
        pairs = {endings[name][ending]: (name, ending) for name in systems for ending in own}
        few = len(own) < FEWEST_ENDINGS
        if len(pairs) == len(headings) and _are_crossed(list(pairs.values()), strictly=few):
            return pairs
    return {}


HALVES = frozenset("prf")  # precision, recall and F of a measure, as rouge writes them


def _are_crossed(pairs: Sequence[tuple[str, str]], strictly: bool = True) -> bool:
    """Whether each of several systems comes once with each of several measures, some of which are known; `strictly` if the others
    are numbers of another kind."""
    systems, measures = ({pair[k] for pair in pairs} for k in (0, 1))
    whole = len(pairs) == len({*pairs}) == len(systems) * len(measures)
    others = [name for name in measures if not is_measure(name)]
    known = len(others) < len(measures) and not (strictly and not all(map(is_field, others)))
    # rouge-1.recall, rouge-1.precision: a measure has parts, and what all are named after is no system
    parts = all(is_measure(last := name.rpartition(".")[2]) or last.lower() in HALVES for name in systems)
    return whole and min(len(systems), len(measures)) > 1 and known and not parts


def _is_automatic(part: str) -> bool:
    named = is_measure(part) and not is_plain(part) and not part[:1].isdigit()  # the 1 of model_1_bleu is the system's
    return ROUGE.fullmatch(part) is not None or (named and not is_criterion(part))


def is_step(heading: str) -> bool:
    """Whether a heading counts the steps of a training."""
    return STEP.fullmatch(heading.strip()) is not None


def is_remark(heading: str) -> bool:
    """Whether the first or the last word of a heading marks a column of remarks, not outputs."""
    words = re.split(r"[.\-_ ]+", heading)
    return any(map(REMARK.fullmatch, (words[0], words[-1])))


def rows(entries: Iterable[Entry] = VOCABULARY) -> list[tuple[str, str, str]]:
    """The vocabulary as (headings, role, effect), for the docs and the page Files."""
    return [(", ".join(entry.words), entry.role, entry.effect) for entry in entries]


ASKED = pattern("headings.asked")
FEWEST_ASKED = 5  # numbered headings that are questions


def numbered_questions(columns: Sequence[str]) -> list[str]:
    """The headings that number what was asked (#1, q2); [] for a few, which may be anything."""
    asked = list(filter(ASKED.fullmatch, columns))
    return asked if len(asked) >= FEWEST_ASKED else []


def turned(columns: Sequence[str]) -> list[tuple[str, str]]:
    """The reading in which rows are systems, in words and as roles, where headings number what was asked; [] for others."""
    asked = numbered_questions(columns)
    return [(f"each row is a system, and {asked[0]} to {asked[-1]} are questions", "rows=system")] if asked else []


def in_order(measures: Sequence[str]) -> list[str]:
    """The names of measures, known ones first, and costs last."""
    return sorted(measures, key=lambda name: (is_field(name), not has_measure(name)))
