"""What nothing in a file says is asked: what numbers of votes mean, whose columns several files share, and which row sums up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sigcore.data import Collection, assemble, read_paths
from sigcore.readers import Choice, read
from tests.made_tables import N, means, rows, scored, told, value


def of_file(*columns: str, shift: int = 0) -> bytes:
    """A table of scores below these headings."""
    own = (f"q{k},{','.join(str(value(k, i + shift)) for i in range(len(columns)))}" for k in range(N))
    return rows(f"id,{','.join(columns)}", *own).encode()


@pytest.mark.parametrize("columns", [("faith_score", "rel_score"), ("gpt_score", "claude_score", "phi_rating")])
def test_scores_of_something_in_several_files_are_asked_about(columns: tuple[str, ...]) -> None:
    """The file was taken for the measure, and the columns for systems; as well may each file be a system."""
    files = [("base.csv", of_file(*columns)), ("tuned.csv", of_file(*columns, shift=1))]
    (problem,) = read(files).problems
    assert "base.csv, tuned.csv have the same columns of scores" in problem.what
    said = " ".join(f"{name}=score" for name in columns)
    assert f"--columns {said}. If each file is a test set" in problem.fix
    found = read(files, every=Choice(options={"columns": "\n".join(f"{name}=score" for name in columns)}))
    assert {(item.name, item.measure) for item in found.items} == {(f, c) for f in ("base", "tuned") for c in columns}


def test_names_of_systems_below_known_measures_are_read() -> None:
    """A file for each measure says which it is; systems whose names end otherwise are theirs."""
    for names, columns in ((("fluency", "coherence"), ("a_score", "b_score")), (("x", "y"), ("gpt", "claude"))):
        found = read([(f"{name}.csv", of_file(*columns, shift=i)) for i, name in enumerate(names)])
        assert {(item.name, item.measure) for item in found.items} == {(c, n) for c in columns for n in names}


def test_a_last_row_called_all_is_left_out_where_it_is_the_mean() -> None:
    own = [f"q{k},{value(k, 0)},{value(k, 1)}" for k in range(N)]
    mean = [sum(value(k, i) for k in range(N)) / N for i in range(2)]
    found = scored(rows("id,A,B", *own, f"all,{mean[0]:.3f},{mean[1]:.3f}"))
    assert means(found) == pytest.approx({"A": mean[0], "B": mean[1]})
    assert "Its last row, all, sums up the others: left out." in told(found)
    other = scored(rows("id,A,B", *own, "all,0.05,0.95"))
    assert {len(item.segments) for item in other.items} == {N + 1}
    assert "sums up" not in told(other)


def test_settings_of_a_run_are_no_results() -> None:
    settings = {"models": ["a", "b"], "metrics": ["bleu", "ter"], "temperature": 0.2, "max_tokens": 256}
    (problem,) = scored(json.dumps(settings), "config.json").problems
    assert (
        "short lists (models, metrics) beside temperature, max_tokens: settings of a run, no results." in problem.what
    )
    # beside one single value, or with more cells, lists are columns
    for more in ({"run": "x"}, {"temperature": 0.2, "max_tokens": 256}):
        long = {"A": [value(k, 0) for k in range(N)], "B": [value(k, 1) for k in range(N)], **more}
        assert "settings" not in " ".join(one.what for one in scored(json.dumps(long), "s.json").problems)
    assert (
        "settings"
        not in scored(json.dumps({"models": ["a"], "metrics": ["b", "c"], "run": 1}), "s.json").problems[0].what
    )


def test_rows_of_votes_without_systems_are_left_out() -> None:
    votes = [f"q{k},gpt,phi,{('gpt', 'phi', 'tie')[k % 3]}" for k in range(N)]
    found = scored(rows("id,model_a,model_b,winner", *votes, "remark,,,", "total,,,"))
    (read_so,) = found.preferences
    assert len(read_so.outcome) == N
    assert "2 rows without systems left out." in told(found)
    (problem,) = scored(rows("id,model_a,model_b,winner", *votes, "q99,,,gpt")).problems
    assert "names only one system" in problem.what


# Folders.


def folder(path: Path, files: dict[str, object]) -> Path:
    for name, value_ in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(json.dumps(value_), encoding="utf-8")
    return path


def tasks(model: int, name: str = "injection_task") -> dict[str, object]:
    """The files of one model, in the layout of AgentDojo."""
    own = {
        f"bank/user_task_{k}/attack/{name}_{j}.json": {
            "user_task_id": f"user_task_{k}", "injection_task_id": f"{name}_{j}", "messages": [{"role": "user"}],
            "utility": (k + j + model) % 3 > 0, "security": k % 2 > 0, "duration": 1.5 * k,
        }
        for k in range(N) for j in range(2)
    }  # fmt: skip
    return {f"{'ab'[model]}/{path}": record for path, record in own.items()}


def test_files_that_count_the_tasks_of_a_question_are_of_one_table(tmp_path: Path) -> None:
    """Each injection was a test set of its own."""
    collection = Collection()
    collection.add(read_paths([folder(tmp_path, tasks(0) | tasks(1))], {})[0])
    found = {item.name: item for item in collection.items}
    assert {name: len(item.segments) for name, item in found.items()} == {"a": 2 * N, "b": 2 * N}
    assert {item.measure for item in found.values()} == {"utility"}
    for model, name in enumerate("ab"):
        right = sum((k + j + model) % 3 > 0 for k in range(N) for j in range(2))
        assert sum(map(float, found[name].segments)) == right


def test_files_that_count_runs_are_not_joined_as_questions(tmp_path: Path) -> None:
    """Runs of a question are no questions of their own."""
    collection = Collection()
    collection.add(read_paths([folder(tmp_path, tasks(0, "trial") | tasks(1, "trial"))], {})[0])
    assert not any(len(item.segments) == 2 * N for item in collection.items)


def test_what_aider_hides_is_read(tmp_path: Path) -> None:
    """The last try counts; other hidden files are left out."""
    files: dict[str, object] = {
        f"{name}/ex{k}/.aider.results.json": {
            "testcase": f"ex{k}", "model": name, "edit_format": "diff", "num_error_outputs": 0, "cost": 0.1,
            "tests_outcomes": [False, (k + i) % 2 > 0] if k % 3 else [],
        }
        for i, name in enumerate("ab") for k in range(N)
    }  # fmt: skip
    given = folder(tmp_path, files | {"a/.hidden.json": {"x": 1}})
    paths = [name for name, _ in read_paths([given], {})[0]]
    assert len(paths) == 2 * N
    collection = Collection()
    collection.add(read_paths([given], {})[0])
    found = {item.name: sum(map(float, item.segments)) for item in collection.items}
    assert found == {name: sum((k + i) % 2 > 0 for k in range(N) if k % 3) for i, name in enumerate("ab")}


def test_a_pattern_that_the_shell_left_names_files(tmp_path: Path) -> None:
    for name in ("b.csv", "a.csv", "c.txt", "[x].csv"):
        (tmp_path / name).write_bytes(of_file("A", "B"))
    assert [Path(name).name for name, _ in read_paths([tmp_path / "?.csv"], {})[0]] == ["a.csv", "b.csv"]
    assert [Path(name).name for name, _ in read_paths([tmp_path / "[x].csv"], {})[0]] == ["[x].csv"]
    with pytest.raises(Exception, match="cannot be read"):
        read_paths([tmp_path / "*.tsv"], {})


def test_a_dot_in_a_folder_ends_no_name() -> None:
    """Files without an ending in folders called gpt-4.1 and gpt-4.5: the whole folder names the system."""
    files = [(f"gpt-4.{v}/q{k}/result", json.dumps(value(k, v)).encode()) for v in (1, 5) for k in range(N)]
    found = read(files)
    assert {item.name: len(item.segments) for item in found.items} == {"gpt-4.1": N, "gpt-4.5": N}


def test_a_file_called_like_a_target_may_be_the_reference() -> None:
    """Nothing else says that it is no third system, so it is named and not used."""
    files = [
        ("Dress", b"the cat sat\nit was late\n"),
        ("EditNTS", b"a cat sat\nit is late\n"),
        ("t.dst", b"the cat sat\nit was so\n"),
    ]

    def fix(*of: tuple[str, bytes]) -> str:
        (error,) = (one for one in assemble(list(read(of).items)).findings if "no reference" in one.what)
        return error.fix

    assert fix(*files).endswith("If t.dst is the reference: --reference t.dst.")
    first, other = (name for name, _ in files[:2])
    assert fix(*files[:2]).endswith(
        f"If one of these files is the reference: --reference {first} (or {other} in place of it)."
    )
    assert "--reference" not in fix(files[0])


def test_answers_that_are_numbers_or_words_are_compared_with_the_right_number() -> None:
    """They were ignored beside the column that was made from the right ones, whose errors were all 0."""
    gold = [f"{100 + k / 4:.2f}" for k in range(N)]
    answers = {
        "kg": [one if k % 5 else "hallucinated" for k, one in enumerate(gold)],
        "rag": [one if k % 2 else "unknown" for k, one in enumerate(gold)],
    }
    lines = (",".join((f"q{k}", one, one, answers["kg"][k], answers["rag"][k])) for k, one in enumerate(gold))
    found = read([("qa.csv", rows("q_id,kg_answer,ground_truth,kg_response,rag_response", *lines).encode())])
    assert not found.problems
    assert {(item.name, item.role, item.kind) for item in found.items} == {
        ("reference", "reference", "text"), ("kg_response", "system", "text"), ("rag_response", "system", "text"),
    }  # fmt: skip
    assert any("the same as ground_truth: kg_answer" in one.message for one in found.notices)


def test_numbered_questions_in_columns_are_offered_as_questions() -> None:
    """A sheet of marks has people or teams in its rows, beside a state and a total."""
    head = ",".join(["Last name", "State", "Grade/6.00", *(f"Q. {k} /1.00" for k in range(1, 7))])
    lines = (
        ",".join([name, "Finished", "4.5", *(str((i + k) % 2) for k in range(6))]) for i, name in enumerate("abcd")
    )
    sheet = [("marks.csv", rows(head, *lines).encode())]
    (problem,) = read(sheet).problems
    assert (
        "If each row is a system, and Q. 1 /1.00 to Q. 6 /1.00 are questions (4 systems on 6 segments): --columns rows=system."
        in problem.fix
    )
    found = read(sheet, every=Choice(options={"columns": "rows=system"}))
    assert [item.name for item in found.items] == ["a", "b", "c", "d"]
    assert {len(item.segments) for item in found.items} == {6}, "the total is no question"


@pytest.mark.parametrize(("when", "refused"), [("run_date", True), ("timestamp", True), ("updates", False)])
def test_rows_that_say_when_a_method_was_run_are_runs(when: str, refused: bool) -> None:
    lines = (f"m{k % 2},0.{k},0.{k + 1},2026-04-{10 + k} 18:08" for k in range(8))
    problems = read([("ocr.csv", rows(f"method,cer,accuracy,{when}", *lines).encode())]).problems
    assert any("Each row is a whole run of what method names" in one.what for one in problems) is refused
