"""The lessons are complete, short, and easy to read; every link of theirs leads to a term."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest
import textstat
from scipy.stats import norm, ttest_1samp

from sigboard import terms
from sigboard.questions.learn import lessons
from sigboard.questions.learn.lessons import Lesson
from sigboard.terminal import main
from sigcore import Outputs, Testset, UnknownMember, corrections
from sigcore.data import Collection
from sigcore.studies import compare, learn, matrix, units
from sigcore.studies.learn import draws, rates
from sigcore.study import Study

ALL = lessons.lessons()
GRADE, EASE = 8.0, 60.0  # Flesch-Kincaid grade at most, Flesch reading ease at least: "plain English"
WORDS_A_MINUTE, WATCHING, MINUTES = 150, 3, 10  # slow reading, and minutes for the figure


def spoken(lesson: Lesson) -> str:
    """The text of a lesson as it is read aloud, without code, marks and links."""
    whole = lessons.plain(lesson)
    whole = re.sub(r"```.*?```", "", whole, flags=re.DOTALL)
    lines = [re.sub(r"^(#+|\d+\.|-) ", "", line) for line in whole.split("\n")]
    # headings and items end like sentences
    paragraphs = [" ".join(part.split()) for part in "\n".join(lines).split("\n\n")]
    return " ".join(part if part.endswith((".", "?", ":")) else f"{part}." for part in paragraphs if part).replace(
        "*", ""
    )


def test_every_lesson_has_a_number_and_three_questions() -> None:
    """The numbers are 1, 2, 3, ...; each lesson has a lead, at least two sections, and three questions with answers."""
    assert [lesson.number for lesson in ALL] == list(range(1, len(ALL) + 1))
    for lesson in ALL:
        assert lesson.lead
        assert "\n" not in lesson.title
        assert lesson.text.count("## ") >= 2
        assert len(lesson.questions) == 3
        assert all(question.endswith("?") and answer for question, answer in lesson.questions)


@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: lesson.word)
def test_first_year_students_can_read_it(lesson: Lesson) -> None:
    """Two measures of readability are those of plain English, which 13- to 15-year-olds read easily."""
    text = spoken(lesson)
    assert textstat.flesch_kincaid_grade(text) <= GRADE
    assert textstat.flesch_reading_ease(text) >= EASE


def test_the_measure_knows_hard_text() -> None:
    """A paragraph of a statistics paper is above the bound."""
    hard = (
        "Notwithstanding considerable heterogeneity, asymptotic approximations underlying conventional parametric "
        "procedures presuppose independence of observations, a presupposition whose violation systematically "
        "invalidates inferential conclusions."
    )
    assert textstat.flesch_kincaid_grade(hard) > GRADE
    assert textstat.flesch_reading_ease(hard) < EASE


@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: lesson.word)
def test_it_takes_less_than_ten_minutes(lesson: Lesson) -> None:
    """Read slowly, with time for the figure."""
    assert len(spoken(lesson).split()) / WORDS_A_MINUTE + WATCHING < MINUTES


@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: lesson.word)
def test_links_lead_to_terms(lesson: Lesson) -> None:
    """Every link is to a term of the glossary; at least five terms are linked."""
    path = lessons.folder() / f"{lesson.number}-{lesson.word}.md"
    content = path.read_text(encoding="utf-8")
    assert content.count("](") == len(lessons.LINK.findall(content))
    assert len(lesson.terms) >= 5


def test_links_lead_to_headings_of_the_glossary() -> None:
    """The slug of each term is that of its heading in docs/glossary.md, and no two are the same."""
    glossary = (lessons.PACKAGE.parent / "docs" / "glossary.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)$", glossary, re.MULTILINE)
    assert sorted(headings) == sorted(term.name for term in terms.TERMS.values())
    assert len({term.slug for term in terms.TERMS.values()}) == len(terms.TERMS)


def test_a_lesson_is_found_by_word_and_number() -> None:
    """Both names give the same lesson; another word is refused."""
    assert lessons.get("1") is lessons.get("shuffle") is ALL[0]
    with pytest.raises(UnknownMember, match="shuffle"):
        lessons.get("shufle")


def test_the_command_prints_lessons(capsys: pytest.CaptureFixture[str]) -> None:
    """Without an argument all lessons are listed; with one, its text is printed without marks and links; another is refused."""
    assert main(["learn"]) == 0
    assert [line.split()[1] for line in capsys.readouterr().out.strip().split("\n")] == [lesson.word for lesson in ALL]
    assert main(["learn", "tail"]) == 0
    printed = capsys.readouterr().out
    assert "Why does the slip double the error rate?" in printed
    assert "](" not in printed
    assert "**" not in printed
    assert main(["learn", "tale"]) == 2
    assert "tail" in capsys.readouterr().err


# ---- the numbers that a lesson states

BLEU = [("bleu", {})]


def said(word: str) -> str:
    """The text of a lesson in one line."""
    return " ".join(lessons.plain(lessons.get(word)).split())


@pytest.fixture(scope="module")
def harbour() -> tuple[Testset, list[Outputs]]:
    """The sample of which the lessons speak."""
    collection = Collection()
    collection.add_sample("harbour")
    loaded = collection.loaded()
    assert loaded.testset is not None
    return loaded.testset, list(loaded.outputs)


def test_the_slip_loses_one_tail() -> None:
    """Lesson 4: of a normal curve around 1.8 the sound rule counts 3.6% on both sides, the slip 3.4% on one."""
    gain, drawn = 1.8, 1.8 + norm.ppf((np.arange(200_000) + 0.5) / 200_000)
    sound, slip = (rates.statistics(rule, drawn) for rule in (rates.Rule(), rates.Rule(slip=True)))
    above, below = (100 * (sound >= gain).mean(), 100 * (sound <= -gain).mean())
    one, other = (100 * (slip >= gain).mean(), 100 * ((slip >= gain) & (drawn < 0)).mean())
    assert (round(above, 1), round(below, 1), round(one, 1), round(other, 1)) == (3.6, 3.6, 3.4, 0)
    assert f"{above:.1f}% of the draws on each side" in said("tail")
    assert f"{one:.1f}% on one side, and none on the other" in said("tail")
    for rule in (rates.Rule(), rates.Rule(slip=True)):
        assert f"p is {rates.p_of(rule, np.array([gain]), drawn[None], 1.0)[0]:.3f}" in said("tail")
    # the mean moves the pile by nearly as much, so it is not the size of the shift that makes p small
    assert np.abs(drawn).mean() == pytest.approx(drawn.mean(), rel=0.02)


def test_the_lab_centres_as_the_paper_prints(harbour: tuple[Testset, list[Outputs]]) -> None:
    """Lesson 4: the lab's p of the sound bootstrap is that of the printed rule, not that of lessons 2 and 3."""
    testset, outputs = harbour
    pair = [next(item for item in outputs if item.system == name) for name in ("Curlew", "Albatross-1")]
    drawn = learn.draw(learn.data(testset, pair, BLEU).measured.systems, rates.BOOTSTRAP, learn.SIZES[0], 12345)
    tests = ["bootstrap_shift", "bootstrap_shift_printed"]
    run = compare.read(compare.run(Study(testset, pair, BLEU, tests, resamples=rates.OBSERVED, seed=12345)), "bleu")
    expected, printed = (run.result(name, "two-sided").p_value for name in tests)
    assert rates.counted(rates.Rule(), drawn).p == pytest.approx(printed)
    assert printed != expected
    assert "by the mean of its own draws, as the paper does" in said("tail")


def test_three_tests_differ_by_more_than_chance(harbour: tuple[Testset, list[Outputs]]) -> None:
    """Lesson 3: on many resamples the three p-values of this pair of the sample still differ, as it says."""
    testset, outputs = harbour
    pair = [next(item for item in outputs if item.system == name) for name in ("Curlew", "Albatross-1")]
    run = compare.read(compare.run(Study(testset, pair, BLEU, learn.TESTS, resamples=100_000, seed=1)), "bleu")
    results = [run.result(name, "two-sided") for name in learn.TESTS]
    assert results[0].setup.n == 26
    for result, stated in zip(results, (0.040, 0.027, 0.021), strict=True):
        assert result.p_value == pytest.approx(stated, abs=0.001)
        assert f"{stated:.3f}" in said("three")


def test_a_t_test_on_pseudo_values_agrees_with_shuffles(harbour: tuple[Testset, list[Outputs]]) -> None:
    """Lesson 6: n times the score of all units, less n - 1 times that without one unit, has the verdicts of shuffles."""
    testset, outputs = harbour
    for unit in ("auto", "segment"):
        measured = learn.data(testset, outputs, BLEU, unit).measured
        without = units.left_out(measured)
        n = without.shape[1]
        pseudo = n * measured.scores[:, None] - (n - 1) * without
        shuffles = learn.TESTS[0]
        grid = matrix.read(
            matrix.run(Study(testset, outputs, BLEU, resamples=10_000, seed=1, unit=unit)), "bleu", shuffles
        )
        assert list(grid.systems) == [item.system for item in measured.systems]
        pairs = list(combinations(range(len(grid.systems)), 2))
        agree = sum(
            (ttest_1samp(pseudo[i] - pseudo[j], 0).pvalue <= 0.05) == (grid.p_values[i, j] <= 0.05) for i, j in pairs
        )
        assert agree == len(pairs)
        assert f"on all {agree} pairs" in said("mean")


def test_holm_stops_at_the_first_that_fails() -> None:
    """Lesson 7: a p that would pass its own step is not significant if a smaller one has failed."""
    adjusted = corrections.get("holm").adjust(np.array([0.001, 0.03, 0.031, 0.04]))
    # 0.04 is below 0.05 / 1, but 0.03 is above 0.05 / 3
    assert (adjusted <= 0.05).tolist() == [True, False, False, False]
    assert "At the first p that fails, stop: it and all larger ones are not significant." in said("many")


def test_only_the_questions_that_differ_count() -> None:
    """Lesson 11: the exact p of its coins, and the share of false alarms with 1, 5 and 20 runs."""
    text = said("runs")
    for heads, tosses, stated in ((4, 16, "0.077"), (0, 5, "0.0625"), (0, 6, "0.031")):
        assert f"{learn.sign_test(heads, tosses):.{len(stated) - 2}f}" == stated
        assert stated in text
    assert learn.sign_test(0, 5) > 0.05 >= learn.sign_test(0, 6)  # "fewer than six can never be significant"
    usual, many = ((learn.exam(seed, 50, runs).p <= 0.05).mean(axis=0) for seed, runs in ((5, 5), (6, 20)))
    assert usual == pytest.approx([0.19, 0.04], abs=0.025)
    assert "about 19 of 100 exams are false alarms on the left, and about 4 of 100 on the right" in text
    assert 0.38 < many[0] < 0.5  # "almost half"
    assert (learn.exam(7, 50, 1).p <= 0.05).mean(axis=0).max() <= 0.07  # "both ways are fine"


def test_a_judge_with_a_habit() -> None:
    """Lesson 12: its agreement, and the exact shares of false alarms with 100, 400 and 1,000 items."""
    made, text = learn.judge(), said("judge")
    assert (made.habit, learn.LONGER, made.sizes) == (20, 0.7, (100, 400, 1000))
    assert made.agreement == pytest.approx(0.9)
    assert "agrees with people in 90% of the items" in text
    found = [round(100 * float(share)) for share in made.judge]
    assert f"in about {found[0]} of 100 test sets. With 400 it is {found[1]}, with 1,000 it is {found[2]}." in text
    assert (made.people <= 0.05).all()
    # by hand: of three items, the judge finds all on one side in p^3 + q^3, with p = 0.54; no p of three items is below 0.05
    assert learn.judge(20, (3,)).judge[0] == 0
    six = learn.judge(20, (6,)).judge[0]
    assert six == pytest.approx(0.54**6 + 0.46**6)


def test_power_of_a_borderline_gain_is_one_half() -> None:
    """Lesson 10: where the true gain is the one that gave p = 0.05, about half of new test sets find it; of half the gain, four
    times the units have the same power."""
    z = norm.ppf(0.975)
    assert norm.sf(z - z) + norm.cdf(-z - z) == pytest.approx(0.5, abs=0.001)
    assert "in about half of the cases" in said("plan")
    power = [norm.sf(z - gain * np.sqrt(n)) for gain, n in ((0.2, 100), (0.1, 400))]
    assert power[0] == pytest.approx(power[1])


def test_plans_find_more_with_more_units(harbour: tuple[Testset, list[Outputs]]) -> None:
    """Lesson 10: the power of the sample's pair grows with the units."""
    testset, outputs = harbour
    pair = [next(item for item in outputs if item.system == name) for name in ("Curlew", "Albatross-1")]
    systems = learn.data(testset, pair, BLEU, "segment").measured.systems
    found = (learn.plan(systems, 3).p <= 0.05).mean(axis=1)
    assert (np.diff(found) > -0.03).all()
    assert found[0] < 0.3
    assert found[-1] > 0.8


def test_intervals_hold_the_truth_nearly_as_often_as_promised(harbour: tuple[Testset, list[Outputs]]) -> None:
    """Lesson 9: with 26 documents a few more than 5 of 100 miss, as it says; four times the units halve the length."""
    testset, outputs = harbour
    pair = [next(item for item in outputs if item.system == name) for name in ("Curlew", "Albatross-1")]
    made = learn.intervals(learn.data(testset, pair, BLEU).measured.systems, 3)
    assert made.units == 26
    assert 0.89 < made.holds.mean() < 0.945
    assert "With few units more than 5 of 100 miss." in said("interval")
    assert (made.ends[:, 0] <= made.ends[:, 1]).all()
    segments = learn.data(testset, pair, BLEU, "segment").measured.systems
    few, more = (
        float(
            np.median(
                np.diff(
                    np.quantile(
                        draws.worlds(segments, learn.Draw("bootstrap"), n, 200, 200, 1, False).pseudo,
                        [0.025, 0.975],
                        axis=1,
                    ),
                    axis=0,
                )
            )
        )
        for n in (50, 200)
    )
    assert few / more == pytest.approx(2, rel=0.1)


def test_every_lesson_has_a_page_for_teachers() -> None:
    """Aims, a course of twenty minutes whose parts add up to at most twenty, and wrong answers."""
    for lesson in ALL:
        assert all(
            part in lesson.teachers for part in ("**Aims.**", "**Twenty minutes.**", "**Typical wrong answers.**")
        )
        course = lesson.teachers.split("**Twenty minutes.**")[1].split("**Typical")[0]
        minutes = [int(found) for found in re.findall(r"\((\d+)(?: minutes)?\)", course)]
        assert len(minutes) >= 4
        assert 17 <= sum(minutes) <= 20, lesson.word
