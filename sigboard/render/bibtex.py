"""BibTeX of what a result used: the papers that the records of its metrics, tests and corrections name."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sigcore import MatrixResult, corrections, metrics, significance
from sigcore.studies import runs


@dataclass(frozen=True)
class Paper:
    """One entry: its author and year as records of members cite it, its kind and fields."""

    surname: str
    year: str
    kind: str
    fields: tuple[tuple[str, str], ...]

    @property
    def key(self) -> str:
        """The key of the entry: "koehn2004"."""
        plain = self.surname.lower().replace("ć", "c").replace("ß", "ss")
        return "".join(letter for letter in plain if letter.isalpha()) + self.year

    def __str__(self) -> str:
        lines = "".join(f"  {name} = {{{value}}},\n" for name, value in (*self.fields, ("year", self.year)))
        return f"@{self.kind}{{{self.key},\n{lines}}}\n"


def _paper(surname: str, year: str, author: str, title: str, place: str, pages: str = "", kind: str = "") -> Paper:
    kind = kind or "inproceedings"
    where = {"inproceedings": "booktitle", "article": "journal", "book": "publisher"}[kind]
    fields = (("author", author), ("title", title), (where, place), *((("pages", pages),) if pages else ()))
    return Paper(surname, year, kind, fields)


ACL = "Proceedings of the Annual Meeting of the Association for Computational Linguistics"
WMT = "Proceedings of the Workshop on Statistical Machine Translation"
EMNLP = "Proceedings of the Conference on Empirical Methods in Natural Language Processing"
PAPERS: tuple[Paper, ...] = (
    _paper(
        "Papineni",
        "2002",
        "Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing",
        "{BLEU}: a Method for Automatic Evaluation of Machine Translation",
        ACL,
        "311--318",
    ),
    _paper("Post", "2018", "Post, Matt", "A Call for Clarity in Reporting {BLEU} Scores", WMT, "186--191"),
    _paper(
        "Popović",
        "2015",
        r"Popovi{\'c}, Maja",
        "chr{F}: character n-gram {F}-score for automatic {MT} evaluation",
        WMT,
        "392--395",
    ),
    _paper("Popović", "2017", r"Popovi{\'c}, Maja", "chr{F}++: words helping character n-grams", WMT, "612--618"),
    _paper(
        "Snover",
        "2006",
        "Snover, Matthew and Dorr, Bonnie and Schwartz, Richard and Micciulla, Linnea and Makhoul, John",
        "A Study of Translation Edit Rate with Targeted Human Annotation",
        "Proceedings of the Conference of the Association for Machine Translation in the Americas",
        "223--231",
    ),
    _paper(
        "Doddington",
        "2002",
        "Doddington, George",
        "Automatic Evaluation of Machine Translation Quality Using N-gram Co-Occurrence Statistics",
        "Proceedings of the International Conference on Human Language Technology Research",
        "138--145",
    ),
    _paper(
        "Denkowski",
        "2014",
        "Denkowski, Michael and Lavie, Alon",
        "Meteor Universal: Language Specific Translation Evaluation for Any Target Language",
        WMT,
        "376--380",
    ),
    _paper(
        "Lin",
        "2004",
        "Lin, Chin-Yew",
        "{ROUGE}: A Package for Automatic Evaluation of Summaries",
        "Text Summarization Branches Out",
        "74--81",
    ),
    _paper(
        "Och",
        "2003",
        "Och, Franz Josef and Ney, Hermann",
        "A Systematic Comparison of Various Statistical Alignment Models",
        "Computational Linguistics 29(1)",
        "19--51",
        "article",
    ),
    _paper(
        "Rajpurkar",
        "2016",
        "Rajpurkar, Pranav and Zhang, Jian and Lopyrev, Konstantin and Liang, Percy",
        "{SQuAD}: 100,000+ Questions for Machine Comprehension of Text",
        EMNLP,
        "2383--2392",
    ),
    _paper(
        "Buchholz",
        "2006",
        "Buchholz, Sabine and Marsi, Erwin",
        "{CoNLL-X} Shared Task on Multilingual Dependency Parsing",
        "Proceedings of the Conference on Computational Natural Language Learning",
        "149--164",
    ),
    _paper(
        "Koehn",
        "2004",
        "Koehn, Philipp",
        "Statistical Significance Tests for Machine Translation Evaluation",
        EMNLP,
        "388--395",
    ),
    _paper(
        "Riezler",
        "2005",
        "Riezler, Stefan and Maxwell, John T.",
        "On Some Pitfalls in Automatic Evaluation and Significance Testing for {MT}",
        "Proceedings of the ACL Workshop on Intrinsic and Extrinsic Evaluation Measures for Machine Translation and/or "
        "Summarization",
        "57--64",
    ),
    _paper(
        "Noreen",
        "1989",
        "Noreen, Eric W.",
        "Computer-Intensive Methods for Testing Hypotheses: An Introduction",
        "Wiley",
        "",
        "book",
    ),
    _paper(
        "Berg-Kirkpatrick",
        "2012",
        "Berg-Kirkpatrick, Taylor and Burkett, David and Klein, Dan",
        "An Empirical Investigation of Statistical Significance in {NLP}",
        EMNLP,
        "995--1005",
    ),
    _paper(
        "Graham",
        "2014",
        "Graham, Yvette and Mathur, Nitika and Baldwin, Timothy",
        "Randomized Significance Tests in Machine Translation",
        WMT,
        "266--274",
    ),
    _paper(
        "Holm",
        "1979",
        "Holm, Sture",
        "A Simple Sequentially Rejective Multiple Test Procedure",
        "Scandinavian Journal of Statistics 6(2)",
        "65--70",
        "article",
    ),
    _paper(
        "Hommel",
        "1988",
        "Hommel, Gerhard",
        "A Stagewise Rejective Multiple Test Procedure Based on a Modified {Bonferroni} Test",
        "Biometrika 75(2)",
        "383--386",
        "article",
    ),
    _paper(
        "Hochberg",
        "1995",
        "Benjamini, Yoav and Hochberg, Yosef",
        "Controlling the False Discovery Rate: A Practical and Powerful Approach to Multiple Testing",
        "Journal of the Royal Statistical Society, Series B 57(1)",
        "289--300",
        "article",
    ),
    _paper(
        "Yekutieli",
        "2001",
        "Benjamini, Yoav and Yekutieli, Daniel",
        "The Control of the False Discovery Rate in Multiple Testing under Dependency",
        "The Annals of Statistics 29(4)",
        "1165--1188",
        "article",
    ),
    _paper(
        "Dunn",
        "1961",
        "Dunn, Olive Jean",
        "Multiple Comparisons among Means",
        "Journal of the American Statistical Association 56(293)",
        "52--64",
        "article",
    ),
    _paper(
        "Westfall",
        "1993",
        "Westfall, Peter H. and Young, S. Stanley",
        "Resampling-Based Multiple Testing",
        "Wiley",
        "",
        "book",
    ),
    _paper(
        "Clark",
        "2011",
        "Clark, Jonathan H. and Dyer, Chris and Lavie, Alon and Smith, Noah A.",
        "Better Hypothesis Testing for Statistical Machine Translation: Controlling for Optimizer Instability",
        "Proceedings of ACL-HLT 2011",
        "176--181",
    ),
)


def of_results(results: Sequence[MatrixResult]) -> str:
    """An entry for each paper that the metrics, tests and corrections of the results name.

    A comment says what has no entry here, so that nothing is missing silently.
    """
    cited: dict[str, str] = {}
    for result in results:
        setup = result.setup
        members = {
            setup.metric_title: metrics.get(setup.metric).source,
            setup.test_title: _test(setup.test).source,
            setup.correction_title: corrections.get(setup.correction).source,
        }
        cited |= {title: source for title, source in members.items() if source}
    used = [paper for paper in PAPERS if any(cites(source, paper) for source in cited.values())]
    missing = {t: s for t, s in cited.items() if not any(cites(s, paper) for paper in PAPERS)}
    comments = [f"% {title}: {source} (no entry here)\n" for title, source in missing.items()]
    return "\n".join([*map(str, used), *comments])


def _test(name: str) -> significance.Test:
    """The test of that name, also one of several runs."""
    of_runs = {test.name: test for test in runs.SHUFFLES.values()}
    return of_runs[name] if name in of_runs else significance.get(name)


def cites(source: str, paper: Paper) -> bool:
    """Whether the source, as "Popović 2015, 2017; sacrebleu (Post 2018)", names that author with that year."""
    return any(paper.surname in part and paper.year in part for part in source.split(";"))


# The command line that gives the same numbers again, with every choice written out.

# What changes no number: where it is computed.
LEFT_OUT = ("command", "run", "workers", "executor")
# Choices whose default may change with a version, so they are always written.
ALWAYS = ("metric", "test", "alternative", "alpha", "correction", "unit", "resamples", "seed")


def command_line(given: Mapping[str, Any]) -> str:
    """The command line of these arguments, named as argparse names them; run in the same folder, it gives the same."""
    words = ["sigboard", str(given["command"])]
    for name, value in given.items():
        if name in LEFT_OUT or (name not in ALWAYS and value in (None, "", [], False)):
            continue
        words += _words(name, value)
    return shlex.join(words)


def _words(name: str, value: Any) -> list[str]:
    """One argument as it is written."""
    flag = "--" + name.replace("_", "-")
    if name == "better":
        return [f"--{value}-is-better"]
    if name in ("option", "format_option", "id_field", "score_field", "acknowledge"):  # one value each time
        return [word for one in value for word in (flag, str(one))]
    if name == "pair":  # two values each time
        return [word for pair in value for word in (flag, *map(str, pair))]
    if value is True:
        return [flag]
    if isinstance(value, list):
        return [flag, *map(str, value)]
    return [flag, f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)]
