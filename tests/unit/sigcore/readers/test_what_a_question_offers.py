"""What a question on a table offers: each of its commands is run, and the table that it leads to is checked."""

from __future__ import annotations

import json

import pytest

from sigcore.readers import Choice, Intake, Unclear, read
from tests.made_tables import asked, means, rows, scored, value
from tests.unit.sigcore.readers.test_votes_and_rows import said

WORDS = [("FALSE", "TRUE", "true"), ("no", "yes", "yes")]
RIGHT = [k % 3 == 0 for k in range(12)]


def labels(words: tuple[str, str], wrong: int) -> list[str]:
    """The right labels, the first few of which are wrong."""
    return [words[one != (k < wrong)] for k, one in enumerate(RIGHT)]


def of_files(files: dict[str, str], **options: str) -> Intake:
    return read([(name, text.encode()) for name, text in files.items()], every=Choice(options=options))


def listing(cells: list[str], heading: str = "vio") -> str:
    return rows(f"id,{heading}", *(f"q{k},{cell}" for k, cell in enumerate(cells)))


def test_true_and_false_of_several_files_may_be_labels_that_need_the_right_ones() -> None:
    """A comparison of how often TRUE was predicted was offered as a measure."""
    words = ("FALSE", "TRUE")
    files = {"one.csv": listing(labels(words, 2)), "two.csv": listing(labels(words, 3))}
    (problem,) = of_files(files).problems
    assert "vio says which of its answers are right (true or 1): --columns vio=score." in problem.fix
    assert "predicted labels, give the right ones: --columns vio=text --reference FILE." in problem.fix
    assert means(of_files(files, columns="vio=score")) == pytest.approx({"one": 4 / 12, "two": 5 / 12})
    found = of_files({**files, "gold.csv": listing(labels(words, 0))}, columns="vio=text")
    assert not found.problems
    assert {one.name: one.segments for one in found.items if one.name != "gold"} == {
        "one": tuple(labels(words, 2)),
        "two": tuple(labels(words, 3)),
    }


@pytest.mark.parametrize("heading", ["correct", "accuracy", "f1"])
def test_true_and_false_below_the_heading_of_an_outcome_are_no_labels(heading: str) -> None:
    words = ("FALSE", "TRUE")
    files = {name: listing(labels(words, k), heading) for k, name in enumerate(("one.csv", "two.csv"))}
    assert not any("labels" in one.fix for one in of_files(files).problems)


@pytest.mark.parametrize(("no", "yes", "good"), WORDS)
def test_a_reading_says_that_words_would_be_right_and_wrong_answers(no: str, yes: str, good: str) -> None:
    pairs = [(name, k, cell) for w, name in enumerate(("short", "long")) for k, cell in enumerate(labels((no, yes), w))]
    text = rows("prompt,item,vio", *(f"{name},q{k},{cell}" for name, k, cell in pairs))
    problem = asked(text)
    ((what, command),) = problem.ways
    assert what.endswith(f", and vio says which answers are right ({good} is 1)")
    assert problem.means == "If vio holds predicted labels, load the right ones, too: --reference FILE."
    assert means(scored(text, **said(command))) == pytest.approx({"short": 4 / 12, "long": 3 / 12})


def test_a_plan_says_it_before_its_command() -> None:
    problem = asked(listing(labels(("no", "yes"), 0)))
    assert "As a score vio says which answers are right (yes is 1). If that is right, confirm it:" in problem.fix
    assert "predicted labels" in problem.means
    known = asked(listing(labels(("no", "yes"), 0), "fluency"))
    assert "As a score" not in known.fix
    assert not known.means


def test_systems_in_rows_are_told_what_their_words_would_mean() -> None:
    text = rows("model,id,vio", *(f"{m},q{k},{cell}" for m in ("a", "b") for k, cell in enumerate(labels(("no", "yes"), 0))))  # fmt: skip
    (problem,) = scored(text).problems
    assert "If words are scores, and vio says which answers are right (yes is 1), write a number" in problem.fix


# Judges whose own answers are right or wrong.

WRITERS = ("gpt", "llama", "qwen")


def guesses(*more: str) -> list[str]:
    """Each of three judges says of each of three texts on four prompts who wrote it; `more` columns are about the row."""
    lines = []
    for p in range(4):
        for i, judge in enumerate(WRITERS):
            for slot in range(3):
                author = (slot + i + p) % 3  # slots are shuffled for each judge
                right = (p + i * author) % 3 != 0
                guessed = WRITERS[author if right else (author + 1) % 3]
                lines.append(f"p{p}_{judge},p{p},{judge},{'ABC'[slot]},{WRITERS[author]},{guessed},{int(right)}")
    return [",".join([line, *more]) for line in lines]


JUDGES = "session_id,prompt_id,judge,slot,true_author,guessed_model,correct"


def means_by(lines: list[str], column: int, score: int = 6) -> dict[str, float]:
    own = [line.split(",") for line in lines]
    return {one: sum(float(row[score]) for row in own if row[column] == one) / sum(row[column] == one for row in own) for one in WRITERS}  # fmt: skip


@pytest.mark.parametrize("more", [(), ("0", "3")])
def test_judges_who_answered_and_what_they_judged_may_both_be_systems(more: tuple[str, ...]) -> None:
    """The question was whether a flag is a field of a log, without any command."""
    head = JUDGES + (",is_self_slot,needs_review" if more else "")
    lines = guesses(*more)
    problem = asked(rows(head, *lines))
    assert [what for what, _ in problem.ways] == [
        "judge names the systems, and prompt_id, true_author the questions",
        "true_author names the systems, and prompt_id, judge the questions",
    ]
    for (_, command), column in zip(problem.ways, (2, 4), strict=True):
        found = scored(rows(head, *lines), **said(command))
        assert means(found) == pytest.approx(means_by(lines, column))
        assert {len(one.segments) for one in found.items if one.role == "system"} == {12}


def test_the_place_of_a_text_and_a_guess_are_nothing_that_was_judged() -> None:
    kept = (0, 1, 2, 3, 5, 6)
    head, *lines = (",".join(line.split(",")[k] for k in kept) for line in [JUDGES, *guesses()])
    (problem,) = scored(rows(head, *lines)).problems
    assert "judge=system" not in problem.fix
    assert "guessed_model=question" not in problem.fix


def test_judges_beside_a_column_of_systems_rate_these() -> None:
    text = rows(JUDGES.replace("true_author", "model"), *guesses())
    found = scored(text)
    assert not any("judge=system" in one.fix for one in found.problems)


# Rows that are whole systems, with several measures on several test sets.

SETS = ("DROP", "RACE", "TREC", "QAST", "QAMR", "DuoRC")  # the first is a measure, too
TEAMS = ("D-NET (Baidu)", "FT (HIT)", "BERT baseline", "HLTC")


def points(i: int, k: int, measure: str) -> float:
    return 40.5 + (7 * i + 3 * k) % 11 + 10 * (measure == "f1")


def board(sets: tuple[str, ...] = SETS, teams: tuple[str, ...] = TEAMS) -> str:
    entries = [
        {
            "bundle": {"state": "ready", "name": f"run-of-{team[:2]}"},
            "scores": {f"{one}_{m}": points(i, k, m) for k, one in enumerate(sets) for m in ("em", "f1")},
            "submission": {"description": team},
        }
        for i, team in enumerate(teams)
    ]
    return json.dumps({"leaderboard": entries})


def mean_points(names: tuple[str, ...], measure: str) -> dict[str, float]:
    return {name: sum(points(i, k, measure) for k in range(len(SETS))) / len(SETS) for i, name in enumerate(names)}


def test_rows_with_measures_of_several_test_sets_are_systems() -> None:
    """The test sets were rival systems, and the submissions their segments."""
    problem = asked(board(), "t.json")
    assert "scores of whole systems, not of segments" in problem.why
    assert [command for _, command in problem.ways] == ["rows=system em=measure", "rows=system f1=measure"]
    for (_, command), measure in zip(problem.ways, ("em", "f1"), strict=True):
        found = scored(board(), "t.json", **said(command))
        assert sorted(means(found).values()) == pytest.approx(sorted(mean_points(TEAMS, measure).values()))
        assert {len(one.segments) for one in found.items if one.role == "system"} == {len(SETS)}


def test_a_column_of_systems_that_is_named_beside_measures_names_the_rows() -> None:
    """It was one output of text, and the test sets were the systems all the same."""
    (problem,) = scored(board(), "t.json", columns="submission.description=system\nf1=measure").problems
    assert isinstance(problem, Unclear)
    ((_, command),) = problem.ways
    assert command == "rows=system submission.description=system f1=measure"
    assert means(scored(board(), "t.json", **said(command))) == pytest.approx(mean_points(TEAMS, "f1"))


def test_few_test_sets_and_many_rows_are_no_whole_systems() -> None:
    few = asked(board(SETS[:4]), "t.json")
    many = asked(board(teams=tuple(f"team {chr(97 + k % 26)}{k // 26}" for k in range(40))), "t.json")
    for problem in (few, many):
        assert [command.partition(" ")[0] for _, command in problem.ways] == ["em=measure"]


def test_of_two_measures_in_a_heading_the_one_that_others_share_is_meant() -> None:
    """DROP is a measure of translations: DROP_f1 was none of f1, and was left out without a word."""
    head = ",".join(["model", *(f"{one}_{m}" for one in SETS for m in ("em", "f1"))])
    lines = [",".join([team, *(str(points(i, k, m)) for k in range(len(SETS)) for m in ("em", "f1"))]) for i, team in enumerate(TEAMS)]  # fmt: skip
    problem = asked(rows(head, *lines))
    assert [command for _, command in problem.ways] == ["rows=system em=measure", "rows=system f1=measure"]
    for _, command in problem.ways:
        found = scored(rows(head, *lines), **said(command))
        assert means(found) == pytest.approx(mean_points(TEAMS, command[12:14]))


# Columns that tell right answers of several systems from wrong ones.

RULES = ("majority", "least", "product", "oracle")


def chosen_by(word: str) -> tuple[str, list[str]]:
    """What each of several rules chose of the answers to each question, and whether it is right."""
    head = f"question_id,gold,majority_answer,majority_{word},oracle_{word},least_id,least_{word},least_steps,product_id,product_{word},product_steps"  # fmt: skip
    lines = []
    for k in range(60):
        # most say what one of them says: it looks like a label that the others predict
        most, least, product, oracle = k % 3 > 0, k % 3 > 0 and k % 7 > 0, k % 3 > 0 or k % 11 == 0, k % 3 > 0 or k % 2
        answer = "" if k % 10 == 9 else f"{(4 + k % 14) if most else 100 + k}"
        own = [f"q{k}-c{k % 4}", int(least), 3 + k % 15, f"q{k}-c{k % 3}", int(product), 4 + k % 17]
        lines.append(",".join(map(str, [f"q{k}", 4 + k % 14, answer, int(most), int(oracle), *own])))
    return head, lines


@pytest.mark.parametrize("word", ["correct", "solved"])
def test_columns_that_end_in_one_outcome_are_systems(word: str) -> None:
    """One of them was what is right for the others, in the first command."""
    head, lines = chosen_by(word)
    found = scored(rows(head, *lines))
    if found.problems:
        (problem,) = found.problems
        assert isinstance(problem, Unclear)
        assert not problem.ways
        assert not problem.others
        assert "=reference" not in problem.fix.partition("Otherwise")[0]
        found = scored(rows(head, *lines), **said(" ".join(f"{name}={role}" for name, role in problem.plan.items())))
    places = {rule: head.split(",").index(f"{rule}_{word}") for rule in RULES}
    wanted = {rule: sum(int(line.split(",")[k]) for line in lines) / len(lines) for rule, k in places.items()}
    assert {name.removesuffix(f"_{word}"): mean for name, mean in means(found).items()} == pytest.approx(wanted)


# Several columns that name systems, and test sets that may count together.

MODELS, METHODS = ("llama", "gemma"), ("MSP", "PPL", "MSP-LINE")
DATA = ("wmt14_csen", "wmt14_deen", "wmt14_ruen", "wmt19_deen", "wmt19_fien", "wmt19_gu")


def test_of_models_and_methods_both_are_offered_over_all_rows() -> None:
    """Models were, method by method and over all; methods were not."""
    cells = [
        (m, d, n, (3 * i + 5 * j + 7 * k) % 11 / 10)
        for i, m in enumerate(MODELS)
        for j, d in enumerate(DATA)
        for k, n in enumerate(METHODS)
    ]
    text = rows("model,dataset,metric,method,prr_score", *(f"{m},{d},XXL,{n},{x}" for m, d, n, x in cells))
    ways = asked(text).ways
    over_all = {
        "model": "model=system dataset=question method=question prr_score=score",
        "method": "method=system dataset=question model=question prr_score=score",
    }
    assert {*over_all.values()} <= {command for _, command in ways}
    assert ways[-1][0] == "method names the systems, and dataset, model the questions"
    for place, (name, command) in zip((0, 2), over_all.items(), strict=True):
        found = scored(text, **said(command))
        own = {
            one: [cell[3] for cell in cells if cell[place] == one] for one in (MODELS if name == "model" else METHODS)
        }
        assert means(found) == pytest.approx({one: sum(xs) / len(xs) for one, xs in own.items()})
        assert {len(one.segments) for one in found.items if one.role == "system"} == {len(cells) // len(own)}


def of_sets(ids: str) -> str:
    lines = [
        f"{ids.format(d=d, k=k)},{d},{t},{k} {t} says,{60.5 + k + i},{value(k + 5 * j, i)},{value(k + 5 * j, i + 1)}"
        for j, d in enumerate(("cnn", "xsum"))
        for i, t in enumerate(("zero.txt", "few.txt", "pattern.txt"))
        for k in range(6)
    ]
    return rows("id,dataset,template,output,fre,rouge1,rougeL", *lines)


def test_test_sets_by_a_heading_may_count_together() -> None:
    """The one command led to the question which of the test sets is meant."""
    text = of_sets("{d}_{k}")
    (_, apart), (what, together) = asked(text).ways
    assert what == "template names the systems, and all rows count together"
    assert {one.testset for one in scored(text, **said(apart)).items} == {"cnn", "xsum"}
    found = scored(text, **said(together))
    assert not found.problems
    own = [one for one in found.items if one.measure == "rouge1"]
    assert {one.testset for one in own} == {""}
    wanted = {t: [value(k + 5 * j, i) for j in range(2) for k in range(6)] for i, t in enumerate(("zero.txt", "few.txt", "pattern.txt"))}  # fmt: skip
    assert {one.name: sorted(map(float, one.segments)) for one in own} == {t: sorted(xs) for t, xs in wanted.items()}


def test_ids_that_begin_again_in_each_test_set_do_not_count_together() -> None:
    problem = asked(of_sets("{k}"))
    assert "dataset=category" not in problem.fix


# Fields about the question beside what is right.


def place(k: int, i: int) -> str:
    """What is right of a question, or, by an answer i, now and then something else."""
    return f"near the {('shrine', 'old house', 'park', 'river')[(k + (k % i == 1)) % 4]} of village {k}"


def of_folklore() -> str:
    """The answers of one person beside what is right, twice, and fields about the question."""
    records = [
        {
            "index": k,
            "question": f"Where is spirit {k} of the old tales said to appear after dark?",
            "answer_human": place(k, 1),
            "user_answer": place(k, 3),
            "answer": place(k, 1),
            "region": ("north", "south", "unknown")[k % 3],
            "url": f"https://example.org/wiki/spirit{k}",
            "refs_detail": f"Murakami (ed.), Yokai jiten, Tokyo 20{10 + k}, p.{k}.",
        }
        for k in range(22)
    ]
    return json.dumps(records)


def test_fields_about_the_question_are_no_rivals_of_an_answer() -> None:
    """The same text as the reference, the region, the address and the sources competed with the one answer."""
    problem = asked(of_folklore(), "t.json")
    plan = problem.plan
    assert [name for name, role in plan.items() if role in ("system", "text")] == ["user_answer"]
    assert plan["answer"] == "reference"
    assert {plan[name] for name in ("answer_human", "region", "url", "refs_detail")} == {"ignored"}
    found = scored(of_folklore(), "t.json", columns="\n".join(f"{name}={role}" for name, role in plan.items()))
    assert not found.problems
    (one,) = [item for item in found.items if item.role == "system"]
    (gold,) = [item for item in found.items if item.role == "reference"]
    assert one.segments == tuple(place(k, 3) for k in range(22))
    assert gold.segments == tuple(place(k, 1) for k in range(22))


def test_a_text_in_other_words_than_what_is_right_is_still_asked_about() -> None:
    """It has some of its words, so it may be an answer."""
    records = json.loads(of_folklore())
    for k, one in enumerate(records):
        one["second"] = f"They say in village {k} it is seen, by the river or not"
    plan = asked(json.dumps(records), "t.json").plan
    assert plan["second"] == "system"
    assert {plan[name] for name in ("answer_human", "region", "url", "refs_detail")} == {"ignored"}
