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

INTRODUCTION = (
    "All tables use the same headings: CSV, TSV, JSON records, ratings, MQM and counts. Capital letters, spaces, "
    "`_`, `-`, a dot inside and `input.` before a heading make no difference: `Segment ID`, `segment-id` and "
    "`segmentid` are the same. If a table has several columns with the same role, the heading that comes first in the row "
    "below is used. Columns under headings that are not listed are systems only if they are alike: all numbers on one "
    "scale, or all texts of usual length, and none has a heading that means something else (a weight, a time, an average, a "
    "measure). Otherwise the file is refused with its plan: what each column was taken for, and how to say it. In a table with a "
    "row per system and segment, numbers under unknown headings are used only if no column is a known score. In ratings "
    "they are not used.\n\n"
    "A table with columns for the system, the segment and a score contains **ratings by people** if it has a column of "
    "judges. Without judges, a column that names measures or contains outputs makes it scores; a column of z scores, a "
    "type of rating, or a word such as ratings, human or DA in the name of the file makes it ratings. All others are "
    "**scores of systems**."
)

QUESTIONS = "question_group"  # the heading of questions with several rows each, made by a reader
JOINTS = re.compile(r"(?<=\w)[\s.\-]+(?=\w)")
# groups of fields in logs: inputs.question, sample.model, metadata.model
GROUP = re.compile(
    r"^(?:inputs?|items?|samples?|records?|fields|metadata|meta|inputrecord|answer(?=\.\w)|(?=outputs?\.(?:output|text|response))outputs?)\."
)
WRITTEN = re.compile(r"^outputs?\.(?:answer|result|content|message|completion)$")
GOLD = re.compile(r"^(?:reference_outputs?|expected_outputs?|expected|references?)\.\w+$")
REMARK = re.compile(
    "comments?|remarks?|notes?|explanations?|reasons?|reasoning|rationales?|justifications?|feedback|critiques?|spans?",
    re.IGNORECASE,
)
# Measures that are usual as headings; in the name of a file such words may be a system's.
MEASURE = re.compile(
    r"acc(?:uracy)?(?:_norm)?|exact_match|em|f\d?(?:[-_ ]?(?:score|measure))?|prec(?:ision)?|rec(?:all)?|(?:\w+_)?loss|"
    r"(?:is|was)?[-_ ]?(?:correct|passed|resolved|solved)|(?:is|was)[-_ ]?(?:right|successful|exact_match)|"
    r"(?:answer(?:ed)?|prediction|response|output)[-_ ]correct(?:ly)?|(?:[pr]@|top[-_@ ]?)\d+|(?:flesch|fog|smog|fkgl|ari)(?:[-_ ]\w+)?|pass(?:@\d+)?|success|perplexity|ppl|rouge[-_ ]?\w{1,4}|"
    r"(?:answer|response|context)_(?:relevanc[ey]|precision|recall|correctness|similarity|quality|utili[sz]ation)|(?:non_llm_)?string_similarity|"
    r"(?:mean[-_ ])?(?:absolute|squared)[-_ ]error|(?:mean_)?recip(?:rocal)?_?rank|ndcg(?:_cut)?(?:[_@]\d+)?|ndcg_at_\d+|"
    r"(?:llm[-_ ])?(?:judge[-_ ]|quality[-_ ]|final[-_ ]|overall[-_ ]|main[-_ ]|total[-_ ])?(?:score|rating)|overall[-_ ]grade|"
    r"(?:judge|score|rubric|criteria|grade|quality|points)[-_ ](?:total|overall)|total[-_ ](?:points|\d+)|"
    r"(?:token|char|word|span|entity|macro|micro|weighted|partial|strict|soft|qa)[-_ ](?:f1|precision|recall|acc(?:uracy)?|em|exact_match)|"
    # which of source (s), hypothesis (h) and reference (r) is likely after which
    r"bartscore(?:[-_ ](?:s|h|r|src|hyp|ref|f|p|to|avg|mean|cnn|cnndm|para))+|rouge[-_ ]?\w{1,4}[-_ ](?:f|p|r|f1|fmeasure|precision|recall)",
    re.IGNORECASE,
)
# Headings below which true and false, or 1 and 0, say whether an answer was right, and nothing else.
OUTCOME = re.compile(
    r"(?:is|was)[-_ ]?(?:correct|passed|resolved|solved|right|successful|exact_match)|passed|exact_match|"
    r"(?:answer(?:ed)?|prediction|response|output)[-_ ]correct(?:ly)?",
    re.IGNORECASE,
)
GRADE = re.compile(
    r"(?:\w+[-_ ])?(?:grades?|graded|verdicts?|judge?ments?|outcomes?|evaluation|assessment)|(?!(?:gold|true|actual|right|expected|pred\w*|target)[-_ ])\w+[-_ ]labels?",
    re.IGNORECASE,
)
# How sure a system was of its answer: beside outcomes no score.
SURENESS = re.compile(
    r"(?:\w+[-_ ])?(?:confidence|conf|certainty|likelihood|prob(?:s|as?|ability|abilities)?|log[-_ ]?probs?|logits?)(?:[-_ ]\w+)?",
    re.IGNORECASE,
)
# Fields that name what is right, or what was predicted.
LABELLED = re.compile(
    r"labels?$|gold|truth|y[-_](?:true|pred|hat)|(?:gold|true|actual|expected|pred|predicted|target)[-_ ]",
    re.IGNORECASE,
)
# The criteria of judges.
CRITERION = re.compile(
    r"adequacy|fluency|coherence|consistency|relevan(?:ce|cy)|grammaticality|informativeness|helpful(?:ness)?|"
    r"harmless(?:ness)?|honesty|truthful(?:ness)?|faithful(?:ness)?|factual(?:ity)?|grounded(?:ness)?|correctness|completeness|"
    r"clarity|concis(?:eness|ion)|depth|creativity|engag(?:ement|ingness)|naturalness|style|tone|safety|toxicity|"
    r"level_of_detail|(?:overall_)?quality|simplicity|readability|understandability|formality|specificity|appropriateness|"
    r"(?:meaning|content)(?:[-_ ]preservation)?|usefulness|empathy|politeness|interestingness|sensibleness|intelligibility|"
    r"ad[eé]quation|fluidit[eé]|lisibilit[eé]|exactitude|qualit[eé]|ad[äa]quatheit|fl[üu]ssigkeit|verst[äa]ndlichkeit|genauigkeit|"
    r"adecuaci[oó]n|fluidez|adequa[cç][aã]o|flu[eê]ncia|adeguatezza|scorrevolezza|calidad|qualidade|qualit[aà]|qualit[äa]t",
    re.IGNORECASE,
)
NAMED_ID = re.compile(r"(?i:[_\- .]ids?)$")
VERSION = re.compile(r"/v\d+(?:/score)?$")  # answer_similarity/v1/score of MLflow
NESTED = re.compile(r"^(?:[A-Za-z_]+\.)+(?=[A-Za-z_]+$)")
JUDGED = re.compile(r"(?:feedback|scores?|metrics?|evals?|evaluations?)\.(?=.)", re.IGNORECASE)  # feedback.correctness
# Fields of logs; a system is hardly called so.
FIELD = re.compile(
    r"(?:ttft|tpot)(?:_\w+)?|milis|millis(?:econds)?|msecs?|seconds|secs|minutes|hours|\w+_(?:usd|eur)|(?:checks|tests|items|questions)_total|"
    r"(?:is(?!_(?:correct|passed|resolved|solved|right|successful|exact_match))|has|num|n|total)_\w+|has(?: \w+)+|\w+_(?:id|sha\d*|md5|checksum|ms|count|length|tokens|chars|characters|words|bytes|time|cost|price|hash|index|idx|seconds|stderr|logprob)|"
    r"number_?of_?\w+|l[äa]nge|longueur|longitud|lunghezza|(?:(?:ref(?:erence)?|source|hyp|num|n|total)[-_ ]?)?(?:words|chars|characters|tokens|sents|sentences|syllables)|latency\w*|(?:work|reaction|response|reading|lead)[-_ ]?time|time[-_ ]taken|(?:duration|dauer|dur[ée]e|duraci[oó]n|durata)\w*|rtfx?|model[-_ ]size|(?:model[-_ ])?param(?:eter)?s|(?:time|duration|runtime|elapsed)_\w+|runtime|age|gender|sex|edad|idade|âge|età|возраст|年龄|cost|price|seed|epoch|step|turn|version|temperature|length|tokens?|num\w*_\w+|"
    r"(?:t|time)[-_ ]?stamp|ts|time|date|(?:created|updated|started|finished|start|end)(?:[-_ ](?:at|time|on))?|year|"
    # counts of right and wrong words or labels, and how sure or fast a program was
    r"tp|fp|fn|tn|(?:true|false)[-_ ](?:positives?|negatives?)|subs?|dels?|ins|hits?|correct_words|"
    r"(?-i:[a-z]+(?:[A-Z][a-z]+)*(?:Runs|Counts?|Attempts|Cases|Ms|Millis|Seconds|Tokens|Cost|Length|Index))|"
    r"(?:\w+[-_ ])?(?:confidence|prob(?:s|ability|abilities)?|entropy)|wpm|(?:words|tokens)_per_(?:minute|second)|"
    # what is right, and what was said, as classes or numbers
    r"(?:line|row|clip|ref|img|image|audio|file|speaker|listener)[-_ ](?:number|no|nr|num)|(?:old|new|prev(?:ious)?)[-_ ]value|labels?|gold|truth|y[-_](?:true|pred|hat)|(?:inter[-_ ]?)?(?:annotator[-_ ])?agreement|"
    r"(?:gold|true|actual|expected|pred|predicted|target)[-_ ](?:labels?|scores?|class|values?|ratings?)|"
    r"standard_error|std_err|n?_?shots?|few_?shot|weights?|folds?|thresholds?|cutoff|rank(?:ing)?|place|split|count|freq(?:uency)?|index|lr|learning_rate|"
    r"(?:macro|micro|weighted|grand|overall)?[-_ ]?(?:average|avg|mean|median|total|sum|overall)|min|max|std(?:ev|err)?|variance|"
    r"diff(?:erence)?|delta|gain|improvement|p[-_ ]?values?|ci[-_ ]?(?:low(?:er)?|high|upper)",
    re.IGNORECASE,
)
WHEN = re.compile(r"(?:t|time)[-_ ]?stamp|ts|(?:created|updated|started|finished)[-_ ](?:at|time|on)", re.IGNORECASE)
# Behind a dot: what an answer cost, or how it was asked for.
COSTS = re.compile(
    r"\w+_(?:ms|tokens|cost|seconds|count|bytes)|latency\w*|duration\w*|temperature|top_p|max_tokens|max_completion_tokens",
    re.IGNORECASE,
)
SIZE = re.compile(
    r"(?:(?:ref(?:erence)?|src|source|num|n|total|body)[-_ ]?){0,2}(?:words|chars|characters|tokens|sents|sentences|syllables|segments)|"
    r"l[äa]nge|w[öo]rter|longueur|longitud|lunghezza|"
    r"weights?|length|count",
    re.IGNORECASE,
)
# One of several numbered people, runs, parts or labels; also true and predicted values beside each other.
NUMBERED = re.compile(
    r"(?:ann(?:otator)?|rater|worker|judge|human|expert|coder|labell?er|evaluator|reviewer|assessor|participant|user|"
    r"run|seed|fold|batch|trial|attempt|epoch|turn|repeat|repetition|replicate|sample|"
    r"votes?|class|label|logit|topic|dim|feature|component|options?|choices?|question|item|cluster|bin|q|p)[-_ ]?\d+|judge[-_ ]\w+|"
    # what programs call columns without a heading
    r"(?-i:V)\d+|(?:column|col|variable|var|field|unnamed:?)[-_ ]?\d+",
    re.IGNORECASE,
)
# Languages and feelings: columns of them are parts of the data, or labels, more often than systems.
KINDS = re.compile(
    r"(?:[a-z]{2,3}[-_](?:[A-Z][a-z]{3}[-_]?)?)?"
    r"(?:ar|bg|bn|ca|cs|da|de|el|en|es|et|eu|fa|fi|fr|gu|he|hi|hr|hu|id|is|it|ja|kk|km|kn|ko|lt|lv|mk|ml|mr|ms|my|ne|nl|no|pa|pl|"
    r"ps|pt|ro|ru|si|sk|sl|sq|sr|sv|sw|ta|te|th|tl|tr|uk|ur|uz|vi|xh|yo|zh|zu)(?:[-_][A-Z]{2})?|"
    r"(?i:anger|anticipation|disgust|fear|joy|happiness|love|sadness|surprise|neutral|positive|negative|valence|arousal|dominance)"
)
# What only a row has that sums up others: how far their mean may be off, and how many they are.
SPREAD = re.compile(
    r"(?:\w+[-_ ])?(?:std(?:ev|[-_]?err)?|(?:standard|std)[-_ ]err(?:or)?|stderr)|"
    r"(?:ci|conf)(?:[-_ ]?95)?[-_ ]?(?:low?(?:er)?|hi(?:gh)?|upper|up|min|max|lb|ub)|(?:low(?:er)?|high|upper)[-_ ](?:ci|95|bound)|"
    r"(?:delta|improvement|gain)[-_ ](?:[\w ]+@\d+|mrr|ndcg|acc(?:uracy)?|f1|bleu|vs[-_ ]\w+)|"
    r"(?:n|num)[-_ ](?:total|items|samples|examples|questions|segments|sentences|wins)",
    re.IGNORECASE,
)
CONTEXT = re.compile(r"(?:retrieved[-_ ])?(?:contexts?|passages?|articles?|paragraphs?)(?: \d+)?", re.IGNORECASE)
PERSONAL = _words(
    "age gender sex session alter edad género sexo idade gênero geschlecht âge età sesso возраст пол 年龄 性别"
)
SPLIT = re.compile(r"(?:train(?:ing)?|val(?:id(?:ation)?)?|dev|test|eval)[-_/ ](.+)", re.IGNORECASE)
SCALE = re.compile(r"\s*[\[(]\s*(?:\d+\s*(?:[-\u2013]|to)\s*\d+|[A-Z]{2})\s*[\])]\s*$")  # Adequacy (1-5), Source (DE)
UNIT = re.compile(r"\s*[\[(][^\])]*[\])]\s*$")  # Price [$], Time (s)
PERCENT = re.compile(
    r"(?<=\w)[-_ ]+(?:pct|perc(?:ent(?:age)?)?|\d{1,2}[-_]\d{1,3})$", re.IGNORECASE
)  # wer_pct, tone_1_5
COUNT = re.compile(r"#\s?(?:of\s)?[A-Za-z]")  # `# parsed` counts something
ROUGE = re.compile(r"r[12L]|rLsum", re.IGNORECASE)  # behind the name of a system: lead3_rL
NUMBER = re.compile(r"(?<=\w) \d+$")  # gold_answers 2, of a list
RATED = re.compile(r"(.+)[-_ ](?:scores?|ratings?)", re.IGNORECASE)
SORTING = re.compile(r"(?:.*[-_. ])?(?:types?|class|kind|level|category|group|name|difficulty)", re.IGNORECASE)
LONGEST = 60  # characters of a heading that names a measure; longer cells are texts
LABEL = re.compile(
    r"(?:(?:gold|true|actual|right|correct)[-_ ])?(?:labels?|class|target|y)|y[-_]true|gold(?:[-_ ]\w+)?|truth|etichetta(?:[-_ ]vera)?|etiqueta(?:[-_ ](?:verdader[ao]|real|correcta|verdadeira))?|étiquette|метка|标签",
    re.IGNORECASE,
)
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
    word = GROUP.sub("", SCALE.sub("", names.clean(heading)).strip("\"'#").lower())
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


def role(heading: str) -> Role:
    """The role of a column of a table of outputs or scores: documents, domains, reference, source, ignored, else system."""
    means = meaning(NUMBER.sub("", heading)) if NUMBER.search(heading) else meaning(heading)
    if means == "document":
        return "documents"
    if means == "domain":
        return "domains"
    if means == "aside" or means in LANGUAGES:
        return "ignored"
    if means == "reference" or means == "source":
        return means
    if (
        means == "text" and normalised(heading) != "text"
    ):  # Input.summary is what was judged, inputs.text what was asked
        return "system"
    if NAMED_ID.search(heading):  # ref_id is no reference
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
    return len(heading) <= LONGEST and _is_measure(heading)


@lru_cache(maxsize=4096)  # every column of a table is asked about several times
def _is_measure(heading: str) -> bool:
    heading = VERSION.sub("", JUDGED.sub("", PERCENT.sub("", UNIT.sub("", heading) or heading), count=1))
    known = names.measure_word(heading) or any(kind.fullmatch(heading.strip()) for kind in (MEASURE, CRITERION))
    if is_plain(heading) or known or measures.is_measure(heading):
        return True
    return (rated := RATED.fullmatch(heading.strip())) is not None and _is_measure(rated[1])  # correctness_score


def ends_in_measure(heading: str) -> bool:
    """Whether the last part of a nested heading names a measure: expert_annotations.coherence."""
    return is_measure(NESTED.sub("", heading.strip()))


def is_field(heading: str) -> bool:
    """Whether a heading names a field of a log (latency_ms, is_valid, num_tokens), not a system."""
    bare = UNIT.sub("", heading.strip())
    last = bare.rpartition(".")[2]  # time.timestamp, usage.prompt_tokens
    logged = WHEN.fullmatch(last) or (last != bare and COSTS.fullmatch(last))
    return TOTAL.fullmatch(bare) is None and bool(FIELD.fullmatch(bare) or COUNT.match(bare) or logged)


ARROWS = re.compile("[\u2190-\u21ff\u2b00-\u2bff\ufe0f]+")


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


def is_outcome(heading: str) -> bool:
    """Whether a heading says that its column tells right answers from wrong ones."""
    return OUTCOME.fullmatch(heading.strip()) is not None


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


def is_personal(heading: str) -> bool:
    """Whether a heading is about a person."""
    return heading.strip().lower() in PERSONAL


def is_label(heading: str) -> bool:
    """Whether a heading names the right labels, with which predictions are compared."""
    return LABEL.fullmatch(heading.strip()) is not None


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
    return ends_in_measure(heading) or bool(measures_in(heading))


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
    They are cut at the first or the last of several marks, or at a space (ndcg@10 dense-e5)."""
    for mark in (r"[.\-_ /:]+", r"[.\-_ /:]+(?=[^.\-_ /:]+$)", " +"):
        cut = [re.split(mark, heading.strip(), maxsplit=1) for heading in headings]
        for measured in (0, 1) if all(len(parts) == 2 for parts in cut) else ():
            pairs = [(parts[1 - measured], parts[measured]) for parts in cut]
            if _are_crossed(pairs):
                return dict(zip(headings, pairs, strict=True))
    return {}


def _are_crossed(pairs: Sequence[tuple[str, str]]) -> bool:
    """Whether each of several systems comes once with each of several measures, some of which are known."""
    systems, measures = ({pair[k] for pair in pairs} for k in (0, 1))
    whole = len(pairs) == len({*pairs}) == len(systems) * len(measures)
    known = all(is_measure(name) or is_field(name) for name in measures) and any(map(is_measure, measures))
    # rouge-1.recall, rouge-1.precision: a measure has parts, and what all are named after is no system
    parts = all(is_measure(name.rpartition(".")[2]) for name in systems)
    return whole and min(len(systems), len(measures)) > 1 and known and not parts


def _is_automatic(part: str) -> bool:
    named = is_measure(part) and not is_plain(part) and not part[:1].isdigit()  # the 1 of model_1_bleu is the system's
    return ROUGE.fullmatch(part) is not None or (named and CRITERION.fullmatch(part) is None)


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
