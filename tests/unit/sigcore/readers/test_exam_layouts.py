"""Kinds of files that outsiders brought, each in several variants: other headings, orders and formats, small files of our own."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sigcore.data import Collection, as_scores
from sigcore.data.nature import Texts
from sigcore.readers import Choice, Intake, Unclear, read

N = 24
RIGHT = [k * 7 % 3 > 0 for k in range(N)]
WRONG = [k * 5 % 4 > 0 for k in range(N)]
SAID = [f"the cat number {k} sat on the mat" for k in range(N)]
HEARD = [line.replace("cat", "hat") if k % 2 else line for k, line in enumerate(SAID)]
OTHER = [line.replace("the mat", "a mat") if k % 3 else line for k, line in enumerate(SAID)]
Files = dict[str, str]
Rows = list[dict[str, Any]]


def intake(files: Files, **options: object) -> Intake:
    given = [(name, text.encode()) for name, text in files.items()]
    return read(given, every=Choice(options=options) if options else None)


def csv(rows: Rows) -> str:
    return "".join(",".join(map(str, line)) + "\n" for line in ([*rows[0]], *(row.values() for row in rows)))


def tsv(rows: Rows) -> str:
    return csv(rows).replace(",", "\t")


def jsonl(rows: Rows) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


WRITTEN = [("csv", csv), ("tsv", tsv), ("jsonl", jsonl), ("json", json.dumps)]
every_format = pytest.mark.parametrize(("suffix", "written"), WRITTEN, ids=[suffix for suffix, _ in WRITTEN])


def scores(found: Intake) -> dict[str, list[float]]:
    """The scores of each system by name (and the measure, where there are several)."""
    assert not found.problems, found.problems
    items = [item for item in found.items if item.kind == "scores" and item.role == "system"]
    several = len({item.measure for item in items}) > 1
    return {f"{i.name} {i.measure}" if several else i.name: [float(cell) for cell in i.segments] for i in items}


def texts(found: Intake, role: str) -> dict[str, tuple[str, ...]]:
    assert not found.problems, found.problems
    return {item.name: item.segments for item in found.items if item.role == role and item.kind == "text"}


def asked(files: Files) -> Unclear:
    (problem,) = intake(files).problems
    assert isinstance(problem, Unclear), problem
    return problem


def wins(found: Intake) -> dict[tuple[str, str], tuple[int, int, int]]:
    """Wins, ties and losses of each pair."""
    assert not found.problems, found.problems
    (own,) = found.preferences
    out: dict[tuple[str, str], list[int]] = {}
    for first, second, outcome in zip(own.first, own.second, own.outcome, strict=True):
        pair = out.setdefault((str(first), str(second)), [0, 0, 0])
        pair[{1.0: 0, 0.5: 1, 0.0: 2}[float(outcome)]] += 1
    return {pair: (a, b, c) for pair, (a, b, c) in out.items()}


# Right and wrong answers win over other numbers.


@every_format
@pytest.mark.parametrize(
    "heading", ["is_correct", "correct", "passed", "exact_match", "isCorrect", "was_correct", "Is Correct"]
)
@pytest.mark.parametrize("beside", ["likelihood", "phishing_likelihood", "confidence", "probability", "pred_prob"])
def test_outcomes_win_over_how_sure_a_model_was(suffix: str, written: Any, heading: str, beside: str) -> None:
    rows: Rows = [
        {"email_id": k, beside: 10 + k * 3 % 80, "model": model, heading: own[k]}
        for model, own in (("a", RIGHT), ("b", WRONG)) for k in range(N)
    ]  # fmt: skip
    found = intake({f"log.{suffix}": written(rows)})
    assert scores(found) == {"a": [*map(float, RIGHT)], "b": [*map(float, WRONG)]}
    assert found.items[0].keys == tuple(map(str, range(N)))


@pytest.mark.parametrize("name", ["item_no", "Question number", "email_id", "sentence_nr", "ticketId", "Item No."])
def test_ids_by_their_headings_match_rows_in_another_order(name: str) -> None:
    one: Rows = [{name: k, "model": "a", "likelihood": k % 9, "is_correct": RIGHT[k]} for k in range(N)]
    two: Rows = [{name: k, "model": "b", "likelihood": k % 7, "is_correct": WRONG[k]} for k in reversed(range(N))]
    found = intake({"a.csv": csv(one), "b.csv": csv(two)})
    assert scores(found) == {"a": [*map(float, RIGHT)], "b": [*map(float, WRONG)]}


def test_a_file_of_one_model_without_its_name() -> None:
    rows: Rows = [{"id": k, "confidence": k / N, "is_correct": RIGHT[k]} for k in range(N)]
    assert scores(intake({"gpt.csv": csv(rows)})) == {"gpt": [*map(float, RIGHT)]}


def test_ids_of_requests_are_no_questions() -> None:
    rows: Rows = [{"request_id": f"r{k}{m}", "model": m, "is_correct": RIGHT[k]} for m in "ab" for k in range(N)]
    assert intake({"log.csv": csv(rows)}).problems


def test_one_named_score_keeps_the_ids() -> None:
    """With --score-field alone, the rows are matched by email_id and not numbered."""
    rows: Rows = [{"email_id": k, "model": m, "p": k, "is_correct": RIGHT[k]} for m in "ab" for k in range(N)]
    found = intake({"log.csv": csv(rows)}, score_field="is_correct")
    assert scores(found) == {"a": [*map(float, RIGHT)], "b": [*map(float, RIGHT)]}


# Several systems with several parts each.


@every_format
@pytest.mark.parametrize(
    "parts", [("output", "pred", "correct"), ("response", "answer", "em"), ("text", "latency", "f1")]
)
@pytest.mark.parametrize("turned", [False, True])
def test_a_grid_of_systems_and_parts(suffix: str, written: Any, parts: tuple[str, ...], turned: bool) -> None:
    def heading(system: str, part: str) -> str:
        return f"{part}_{system}" if turned else f"{system}_{part}"

    own = {"llama3": RIGHT, "qwen2": WRONG}
    rows: Rows = [
        {
            "idx": k, "question": SAID[k], "gold": k,
            **{heading(s, part): f"it is {k}" if part == parts[0] else k + 1 for s in own for part in parts[:2]},
            **{heading(s, parts[2]): own[s][k] if parts[2] != "f1" else own[s][k] / 2 for s in own},
        }
        for k in range(N)
    ]  # fmt: skip
    found = scores(intake({f"eval.{suffix}": written(rows)}))
    share = 0.5 if parts[2] == "f1" else 1
    assert [*found.values()] == [[share * value for value in RIGHT], [share * value for value in WRONG]]


def test_ticks_and_percent_beside_a_grid() -> None:
    rows: Rows = [
        {"Dataset": f"d{k}", "Has Ground Truth": "✓", "A Low": "x", "B Low": "y", "A Acc": f"{k % 3 * 50}%", "B Acc": f"{k % 2 * 50}%"}
        for k in range(N)
    ]  # fmt: skip
    found = intake({"batch.csv": csv(rows)})
    assert [*scores(found).values()] == [[k % 3 * 50 for k in range(N)], [k % 2 * 50 for k in range(N)]]


# Pairwise judgments.

PAIRS = [("A", "B"), ("A", "C"), ("B", "C")]
WON = [pair[k % 2] for k in range(N) for pair in PAIRS]


@every_format
@pytest.mark.parametrize("mark", ["{}-{}", "{} vs {}", "{}_vs_{}", "{} vs. {}", "{}|{}", "{}/{}", "{} - {}"])
@pytest.mark.parametrize("heading", ["pair", "comparison", "models", "matchup"])
def test_a_pair_in_one_cell(suffix: str, written: Any, mark: str, heading: str) -> None:
    """The column of models names who judged: the winners are parts of the pair."""
    rows: Rows = [
        {"id": f"q{k}", "model": judge, heading: mark.format(*pair), "winner": pair[k % 2], "rank_A": 1}
        for judge in ("gpt", "gemini") for k in range(N) for pair in PAIRS
    ]  # fmt: skip
    assert wins(intake({f"judgments.{suffix}": written(rows)})) == dict.fromkeys(PAIRS, (N, 0, N))


def test_a_pair_of_names_with_the_mark_in_them() -> None:
    """The winners say where gpt-4-llama-3 is cut; first and second say it where a mark comes once."""
    rows: Rows = [{"id": k, "pair": "gpt-4-llama-3", "winner": ("gpt-4", "llama-3", "tie")[k % 3]} for k in range(N)]
    assert wins(intake({"j.csv": csv(rows)})) == {("gpt-4", "llama-3"): (8, 8, 8)}
    rows = [{"id": k, "pair": "gpt-4 vs llama-3", "preferred": ("a", "b", "tie")[k % 3]} for k in range(N)]
    assert wins(intake({"j.csv": csv(rows)})) == {("gpt-4", "llama-3"): (8, 8, 8)}


@every_format
@pytest.mark.parametrize(
    ("heading", "a", "b"),
    [("output", "a", "b"), ("response", "A", "B"), ("summary", "1", "2"), ("text", "left", "right")],
)
@pytest.mark.parametrize("winner", ["winner", "preferred", "better"])
def test_two_outputs_by_place(suffix: str, written: Any, heading: str, a: str, b: str, winner: str) -> None:
    named = (f"{heading}_{a}", f"{heading}_{b}")
    rows: Rows = [
        {"id": k, winner: (a.upper(), b.upper(), "Tie")[k % 3], named[0]: SAID[k], named[1]: HEARD[k]} for k in range(N)
    ]
    files = {f"ab.{suffix}": written(rows)}
    (problem,) = intake(files).problems
    assert isinstance(problem, Unclear)
    assert f"Are {named[0]} and {named[1]} two systems? They are places" in problem.why
    roles = f"{named[0]}=first {named[1]}=second {winner}=winner"
    assert [said for _, said in problem.ways] == [roles]
    assert wins(intake(files, columns=roles.replace(" ", "\n"))) == {named: (8, 8, 8)}


def test_places_that_were_drawn_anew_are_no_systems() -> None:
    rows: Rows = [
        {"id": k, "output_a": SAID[k], "output_b": HEARD[k], "winner": "ab"[k % 2], "swapped": k % 2} for k in range(N)
    ]
    (problem,) = intake({"ab.csv": csv(rows)}).problems
    assert "swapped" in str(problem)


@every_format
def test_winners_by_name_beside_the_outputs(suffix: str, written: Any) -> None:
    rows: Rows = [
        {
            "worker_id": "w", "sentence_id": k, "aspect": aspect, "source": SAID[k], "other_dataset": "turk",
            "asset_simplification": HEARD[k], "other_simplification": OTHER[k], "winner": ("asset", "turk", "similar")[k % 3],
        }
        for k in range(N) for aspect in ("fluency", "meaning")
    ]  # fmt: skip
    found = intake({f"p.{suffix}": written(rows)})
    assert wins(found) == {("asset", "turk"): (16, 16, 16)}
    assert any("2 aspects" in notice.message for notice in found.notices)
    both: Rows = [
        {"id": k, "bart_summary": HEARD[k], "t5_summary": OTHER[k], "winner": ("bart", "t5", "tie")[k % 3]}
        for k in range(N)
    ]
    assert wins(intake({f"p.{suffix}": written(both)})) == {("bart", "t5"): (8, 8, 8)}


# Recordings, references and fields of logs.


@every_format
@pytest.mark.parametrize("audio", ["audio_filepath", "path", "audio", "file", "wav"])
@pytest.mark.parametrize(
    ("said", "heard"),
    [("text", "prediction"), ("text", "pred_text"), ("transcript", "hypothesis"), ("sentence", "asr_output")],
)
def test_what_was_said_in_recordings_is_the_reference(
    suffix: str, written: Any, audio: str, said: str, heard: str
) -> None:
    files = {
        f"results/{name}/out.{suffix}": written(
            [
                {"id": f"u{k}", audio: f"clips/{k}.wav", "duration": k / 7, said: SAID[k], heard: line}
                for k, line in enumerate(lines)
            ]
        )
        for name, lines in (("one", HEARD), ("two", OTHER))
    }
    found = intake(files)
    assert texts(found, "system") == {"one": tuple(HEARD), "two": tuple(OTHER)}
    assert set(texts(found, "reference").values()) == {tuple(SAID)}
    assert usual(found).kind == "speech"


def usual(found: Intake) -> Texts:
    collection = Collection()
    collection.add_intake(found)
    return collection.loaded().texts


@every_format
@pytest.mark.parametrize(
    "gold",
    ["reference_transcript", "ref_text", "gold_text", "gold_summary", "ground_truth_text", "target_text", "target_summary", "human_translation",
     "human_reference", "reference_translation", "gt_text", "expert_summary"],
)  # fmt: skip
def test_headings_of_references(suffix: str, written: Any, gold: str) -> None:
    rows: Rows = [{"id": k, "a_prediction": HEARD[k], gold: SAID[k], "b_prediction": OTHER[k]} for k in range(N)]
    found = intake({f"t.{suffix}": written(rows)})
    assert [*texts(found, "reference").values()] == [tuple(SAID)]
    assert [*texts(found, "system")] == ["a_prediction", "b_prediction"]


@every_format
def test_text_beside_a_prediction_is_asked_about(suffix: str, written: Any) -> None:
    """Without recordings it may be what was said, or what was read: never a second output."""
    rows: Rows = [{"id": k, "text": SAID[k], "duration": k / 7, "prediction": HEARD[k]} for k in range(N)]
    problem = asked({f"sys.{suffix}": written(rows)})
    assert problem.plan["text"] == "reference"
    found = intake(
        {f"sys.{suffix}": written(rows)}, columns="\n".join(f"{name}={role}" for name, role in problem.plan.items())
    )
    assert texts(found, "system") == {"sys": tuple(HEARD)}


@every_format
@pytest.mark.parametrize(
    "field", ["latency", "duration_s", "tokens", "cost_usd", "timestamp", "prompt_tokens", "elapsed_seconds"]
)
def test_fields_of_a_log_hide_no_output(suffix: str, written: Any, field: str) -> None:
    rows: Rows = [
        {"id": k, "reference": SAID[k], field: 1.5 + k, "prediction": HEARD[k], "version": "v2"} for k in range(N)
    ]
    found = intake({f"sys.{suffix}": written(rows)})
    assert texts(found, "system") == {"sys": tuple(HEARD)}


@every_format
@pytest.mark.parametrize("heading", ["grade", "verdict", "judge_grade"])
def test_grades_in_letters_are_asked_about(suffix: str, written: Any, heading: str) -> None:
    rows: Rows = [
        {"question_id": k, "config": "x", heading: "ABC"[k % 3], "question": SAID[k], "predicted": HEARD[k], "correct": f"w{k}", "latency": k / 3}
        for k in range(N)
    ]  # fmt: skip
    problem = asked({f"sys.{suffix}": written(rows)})
    assert f"--columns {heading}=score --cells A=NUMBER B=NUMBER C=NUMBER" in problem.fix
    found = intake({f"sys.{suffix}": written(rows)}, columns=f"{heading}=score", cells="A=1\nB=0\nC=0")
    assert scores(found) == {"sys": [float(k % 3 == 0) for k in range(N)]}


@every_format
def test_labels_that_all_columns_repeat(suffix: str, written: Any) -> None:
    names = ("good", "bad", "so-so")
    rows: Rows = [
        {"text": f"{SAID[k % N]} {k}", "svm": names[k % 2], "label": names[k % 3], "bert-base": names[k * 5 % 3]} for k in range(3 * N)
    ]  # fmt: skip
    found = intake({f"p.{suffix}": written(rows)})
    assert [*texts(found, "system")] == ["svm", "bert-base"]
    assert usual(found).kind == "labels"


# Measures are no systems, and means are no segments.


@pytest.mark.parametrize("place", ["{}/scores.csv", "{}.csv", "models/{}/bartscore.csv"])
@pytest.mark.parametrize(
    "measures",
    [("bartscore_s_h", "bartscore_h"), ("rouge1", "rouge2", "rougeL"), ("bertscore_p", "bertscore_r", "bertscore_f1"), ("score_src", "score_ref"),
     ("rouge1_f1", "rouge2_f1"), ("token_f1", "char_f1"), ("BLEU-1", "BLEU-4")],
)  # fmt: skip
def test_measures_of_a_system_in_each_file(place: str, measures: tuple[str, ...]) -> None:
    files = {
        place.format(name): csv([{m: (k * (i + s + 2) % 9 + 1) / 10 for i, m in enumerate(measures)} for k in range(N)])
        for s, name in enumerate(("one", "two"))
    }
    found = intake(files)
    items = [item for item in found.items if item.role == "system"]
    assert {item.name for item in items} == {"one", "two"}
    assert {item.measure for item in items} == {*measures}
    assert not found.problems


@pytest.mark.parametrize(
    "heading", ["model_type", "model", "Model Name", "system", "method", "approach", "llm", "checkpoint"]
)
@pytest.mark.parametrize("second", ["fluency", "coherance"])
def test_means_of_systems_are_refused(heading: str, second: str) -> None:
    rows: Rows = [{heading: name, "coherance" if second == "fluency" else "flow": 3 + k / 9, second if second == "fluency" else "relevance": 4 - k / 9} for k, name in enumerate(("BART", "PEGASUS", "UniLM", "PGN"))]  # fmt: skip
    (problem,) = intake({"means.csv": csv(rows)}).problems
    assert "whole systems" in str(problem)
    assert "confirm it" not in str(problem)


# Lists of answers inside records.


@pytest.mark.parametrize(
    ("key", "name"),
    [("Answers", "Chatbot"), ("answers", "model"), ("responses", "llm"), ("outputs", "system"), ("models", "name")],
)
@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_answers_of_several_systems_in_each_record(key: str, name: str, form: str) -> None:
    records = [
        {
            "Question number": k, "Question": SAID[k], "Standard answer": "x",
            key: [{name: s, "Answer": f"{s} {k}", "Overall grade": k % (4 + i)} for i, s in enumerate(("Llama", "Gemini"))][:: 1 - 2 * (k % 2)],
        }
        for k in range(N)
    ]  # fmt: skip
    found = intake({f"judged.{form}": jsonl(records) if form == "jsonl" else json.dumps(records)})
    assert scores(found) == {"Llama": [k % 4 for k in range(N)], "Gemini": [k % 5 for k in range(N)]}
    assert any("became a row" in notice.message for notice in found.notices)


def test_answers_by_system_in_each_record() -> None:
    records = [
        {"id": k, "answers": {s: {"text": SAID[k], "score": k % (4 + i)} for i, s in enumerate("AB")}} for k in range(N)
    ]
    assert scores(intake({"judged.json": json.dumps(records)})) == {
        "A": [k % 4 for k in range(N)],
        "B": [k % 5 for k in range(N)],
    }


# People.


@pytest.mark.parametrize(
    "people",
    [
        ("annotator1", "annotator2"),
        ("Rater A", "Rater B"),
        ("judge-1", "judge-2"),
        ("expert_1_ratings", "expert_2_ratings"),
    ],
)
@pytest.mark.parametrize("long", [False, True])
def test_a_file_of_each_person_is_averaged(people: tuple[str, str], long: bool) -> None:
    files = {}
    for i, person in enumerate(people):
        order = [*range(N)][:: 1 - 2 * i]
        wide: Rows = [{"id": k, "A": 1 + (k + i) % 5, "B": 1 + (k * 2 + i) % 5} for k in order]
        files[f"{person}.csv"] = csv(wide) if not long else csv([{"id": row["id"], "system": s, "score": row[s]} for row in wide for s in "AB"])  # fmt: skip
    found = intake(files)
    if found.judgments:  # called ratings
        found = as_scores(found.judgments)
    assert scores(found) == {
        "A": [1 + (k % 5 + (k + 1) % 5) / 2 for k in range(N)],
        "B": [1 + (2 * k % 5 + (2 * k + 1) % 5) / 2 for k in range(N)],
    }
    assert {item.measure for item in found.items} == {"rating"}


# What is asked, and what is read at once.


def test_a_configuration_with_one_row_of_each_question() -> None:
    rows: Rows = [
        {"config": c, "question_id": k, "type": "mcq", "predicted": HEARD[k], "score_mcq": (k + i) % 2, "score_numeric": 0}
        for i, c in enumerate(("Base", "RAG")) for k in range(N)
    ]  # fmt: skip
    found = scores(intake({"r.csv": csv(rows)}))
    assert found["Base"] == [k % 2 for k in range(N)]  # what is 0 everywhere is no measure
    again = [*rows, *({**row, "score_mcq": 1} for row in rows)]
    assert intake({"r.csv": csv(again)}).problems


def test_a_configuration_with_a_score_and_the_words_of_another() -> None:
    """One column of numbers below a measure is enough: what a judge wrote below another heading of a score is no doubt."""
    rows: Rows = [
        {"config": c, "question_id": k, "accuracy": (k + i) % 2, "score_why": f"because {k} of {c}"}
        for i, c in enumerate(("Base", "RAG")) for k in range(N)
    ]  # fmt: skip
    found = scores(intake({"r.csv": csv(rows)}))
    assert found == {"Base": [k % 2 for k in range(N)], "RAG": [(k + 1) % 2 for k in range(N)]}


def test_no_command_that_would_be_refused() -> None:
    """Each system has other questions, so the likeliest roles lead nowhere: the problem says so."""
    rows: Rows = [
        {"participant_id": k, "agent_type": "human" if k % 2 else "LLM", "accuracy_low": k % 3 / 2, "accuracy_high": 1.0, "final": k % 2}
        for k in range(N)
    ]  # fmt: skip
    for problem in intake({"people.csv": csv(rows)}).problems:
        assert not isinstance(problem, Unclear) or not problem.plan or intake({"people.csv": csv(rows)}, columns="\n".join(f"{c}={r}" for c, r in problem.plan.items())).items  # fmt: skip


def test_a_pivoted_frame_with_names_of_its_levels() -> None:
    head = ",bleu,bleu,chrf,chrf\nsystem,+bt,base,+bt,base\nsent_id,,,,\n"
    body = "".join(f"{k},{20 + k % 7},{20 + k % 5},{50 + k % 7},{50 + k % 5}\n" for k in range(N))
    found = scores(intake({"t.csv": head + body}))
    assert found["+bt bleu"] == [20 + k % 7 for k in range(N)]
    assert found["base chrf"] == [50 + k % 5 for k in range(N)]


def test_files_called_after_a_measure_in_folders_of_systems() -> None:
    files = {
        f"models/{name}/rouge_l.txt": "".join(f"0.{k * (i + 3) % 10}\n" for k in range(N))
        for i, name in enumerate("BC")
    }
    items = intake(files).items
    assert {(item.name, item.measure) for item in items} == {("B", "rouge_l"), ("C", "rouge_l")}


def test_the_same_columns_in_several_files_are_asked_about() -> None:
    """Each file may be a system or a test set: nothing is numbered into more systems, and the command says one of them."""
    files = {f"{name}.csv": csv([{"id": k, "alpha_f1": (k * i % 7) / 7, "beta_f1": (k % 5) / 5} for k in range(N)]) for i, name in ((2, "one"), (3, "two"))}  # fmt: skip
    (problem,) = intake(files).problems
    assert "--columns alpha_f1=score beta_f1=score" in str(problem)
    found = intake(files, columns="alpha_f1=score\nbeta_f1=score")
    assert {(item.name, item.measure) for item in found.items} == {
        (n, m) for n in ("one", "two") for m in ("alpha_f1", "beta_f1")
    }


def test_recordings_in_long_form() -> None:
    rows: Rows = [
        {"id": k, "model": m, "audio_path": f"{k}.wav", "text": SAID[k], "prediction": lines[k]}
        for m, lines in (("one", HEARD), ("two", OTHER)) for k in range(N)
    ]  # fmt: skip
    found = intake({"asr.csv": csv(rows)})
    assert texts(found, "system") == {"one": tuple(HEARD), "two": tuple(OTHER)}
    assert [*texts(found, "reference").values()] == [tuple(SAID)]


def test_what_only_looks_like_these_kinds() -> None:
    """Options of a question are no rivals, answers of a model no names of systems, and outputs of a source no source."""
    rows: Rows = [{"id": k, "option_a": f"x{k}", "option_b": f"y{k}", "choice": "ab"[k % 2]} for k in range(N)]
    assert not intake({"quiz.csv": csv(rows)}).preferences
    answers: Rows = [{"system_response": f"w{k}", "f1": k % 5 / 4} for k in range(N)]
    assert not any("whole systems" in str(problem) for problem in intake({"A.csv": csv(answers)}).problems)
    assert intake({"source_outputs.txt": "a b\nc d\n"}).items[0].role == "system"
