"""`compare` and `matrix` with several runs of each system: how they are given, what is printed, what is refused."""

from __future__ import annotations

import json

import pytest

from sigboard import terminal
from sigboard.render.sentences import note_on_names
from sigcore import OptionError
from sigcore.data.select import by_pattern, like_runs, pattern_of
from tests.made import text_set

RESAMPLES = ["--resamples", "300", "--seed", "1"]


@pytest.fixture
def folder(tmp_path):
    """A reference, three runs of a and b (a.seed1.txt ...), and folders with the same files."""
    testset, outputs = text_set(80, (0.15, 0.17, 0.16, 0.25, 0.27, 0.26))
    (tmp_path / "ref.en").write_text("\n".join(testset.references[0]) + "\n", encoding="utf-8")
    for k, item in enumerate(outputs):
        name, text = "ab"[k // 3], "\n".join(item.segments) + "\n"
        (tmp_path / f"{name}.seed{k % 3 + 1}.txt").write_text(text, encoding="utf-8")
        inside = tmp_path / name
        inside.mkdir(exist_ok=True)
        (inside / f"{k % 3 + 1}.txt").write_text(text, encoding="utf-8")
    return tmp_path


def files(folder, name, runs=(1, 2, 3)):
    """The files of a system, separated by commas."""
    return f"{name.upper()}=" + ",".join(str(folder / f"{name}.seed{k}.txt") for k in runs)


def call(command, folder, *words):
    """The exit code of the command."""
    return terminal.main([command, *map(str, words), "--reference", str(folder / "ref.en"), *RESAMPLES])


def content(command, folder, *words):
    """What the command writes as JSON."""
    out = folder / "out.json"
    assert call(command, folder, *words, "--json", out) == 0
    return json.loads(out.read_text(encoding="utf-8"))


def test_json_of_the_issue(folder):
    """Compare's fields, and average, s_sel and s_opt per system, run_t, hierarchical and p_value."""
    made = content("compare", folder, "--runs", files(folder, "a"), files(folder, "b"), "--metric", "bleu")
    assert made["systems"] == ["A", "B"]
    assert set(made["average"]) == set(made["s_sel"]) == set(made["s_opt"]) == {"A", "B"}
    assert made["average"]["A"] > made["average"]["B"]
    assert 0 < made["p_value"] < 0.05
    assert made["run_t"]["df"] == 4
    assert 0 < made["run_t"]["p_value"] < 1
    assert 0 < made["hierarchical"]["p_value"] < 1
    assert made["interval"][0] < made["gain"] < made["interval"][1]
    (result,) = made["results"]
    assert result["p_values"][0][1] == made["p_value"]
    assert result["family"]["planned"]
    assert [len(result["runs"][name]) for name in "AB"] == [3, 3]
    assert any("takes these runs as given" in warning for warning in made["warnings"])


def test_runs_in_folders_and_names_are_the_same_runs(folder):
    """Files, folders, and names of a pattern give the same numbers."""
    given = content("compare", folder, "--runs", files(folder, "a"), files(folder, "b"))
    folders = content("compare", folder, "--runs", f"A={folder / 'a'}", f"B={folder / 'b'}")
    single = [str(folder / f"{name}.seed{k}.txt") for name in "ab" for k in (1, 2, 3)]
    named = content("compare", folder, "--systems", *single, "--runs-from-names", "{system}.seed{run}")
    assert named["systems"] == ["a", "b"]
    for other in (folders, named):
        assert other["p_value"] == given["p_value"]
        assert list(other["average"].values()) == list(given["average"].values())


def test_matrix_corrects_all_pairs(folder):
    """Three systems, one of them with a single run, give a corrected grid and a note on the single run."""
    third = f"C={folder / 'a.seed2.txt'}"
    made = content(
        "matrix", folder, "--runs", files(folder, "a"), files(folder, "b"), third, "--metric", "bleu", "chrf"
    )
    assert [result["metric"] for result in made["results"]] == ["bleu", "chrf"]
    assert "average" not in made
    for result in made["results"]:
        assert result["correction"] == "holm"
        assert result["family"]["tests"] == 3
        assert result["s_opt"]["C"] is None
        assert result["adjusted"][0][1] >= result["p_values"][0][1]
    assert any("Only one run of C was given" in warning for warning in made["warnings"])


def test_multevals_table_as_text_and_latex(folder, capsys):
    """Average (s_sel/s_opt/p) of every system, the last one without p; the same as LaTeX."""
    out = folder / "table.tex"
    words = ["--runs", files(folder, "a"), files(folder, "b"), "--shuffle", "multeval", "--latex", out]
    made = content("compare", folder, *words)
    capsys.readouterr()
    assert call("compare", folder, *words) == 0
    printed = capsys.readouterr().out
    lines = printed.split("\n")
    assert lines[0].startswith("n=3")
    assert "BLEU (s_sel/s_opt/p)" in lines[0]
    a, b = (f"{made['average'][name]:.2f} ({made['s_sel'][name]:.2f}/{made['s_opt'][name]:.2f}/" for name in "AB")
    assert lines[1].startswith("A ")
    assert a in lines[1]
    assert lines[2].startswith("B (baseline)")
    assert f"{b}-)" in lines[2]
    assert "Hierarchical bootstrap" in printed
    assert "MultEval's shuffle may give both" in printed
    latex = out.read_text(encoding="utf-8")
    assert rf"& A & {made['average']['A']:.2f} & {made['s_sel']['A']:.2f} &" in latex
    assert r"$s_{\mathrm{opt}}$" in latex
    assert latex.count(r" \\") == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--runs", "a.txt", "b.txt"], "does not name the runs of a system"),
        (["--runs", "A=x", "A=y"], "A is named twice"),
        (["--runs", "A=/nowhere/at/all.txt", "B=y"], "cannot be read"),
        (["--runs", "A=x", "B=y", "--systems", "z"], "--runs names all systems"),
        (["--runs", "A=x", "B=y", "--known", "wmt22/cs-en"], "--runs names all systems"),
        (["--runs", "A=x", "B=y", "--test", "bootstrap_shift"], "is not a test of several runs"),
        (["--systems", "x", "--shuffle", "multeval"], "belongs to several runs"),
    ],
)
def test_what_cannot_be_read_is_explained(words, message, folder, capsys):
    """A wrong option ends with code 2 and one message."""
    assert call("compare", folder, *words) == 2
    assert message in capsys.readouterr().err


def test_other_faults_are_explained(folder, capsys):
    """Three systems in compare, unequal runs under MultEval's shuffle, an empty folder, a file of several systems."""
    both = [files(folder, "a"), files(folder, "b")]
    assert call("compare", folder, "--runs", *both, f"C={folder / 'a.seed1.txt'}") == 2
    assert "compare takes two systems, but there are 3: A, B, C." in capsys.readouterr().err
    assert call("compare", folder, "--runs", both[0], files(folder, "b", (1, 2)), "--shuffle", "multeval") == 2
    assert "as many runs of each system" in capsys.readouterr().err
    (folder / "empty").mkdir()
    assert call("compare", folder, "--runs", both[0], f"B={folder / 'empty'}") == 2
    assert "has no files" in capsys.readouterr().err
    table = folder / "two.tsv"
    table.write_text("one\ttwo\n" + "".join(f"{i}\t{i + 1}\n" for i in range(80)), encoding="utf-8")
    assert call("compare", folder, "--runs", both[0], f"B={table}") == 2
    assert "one file with the output of one system" in capsys.readouterr().err
    assert (
        call("matrix", folder, "--systems", *[folder / f"a.seed{k}.txt" for k in (1, 2)], "--runs-from-names", "x") == 2
    )
    assert "is not a pattern for runs" in capsys.readouterr().err


def test_names_that_look_like_runs_are_only_reported(folder, capsys):
    """Without the option the files are different systems, and a note says what could be meant."""
    single = [folder / f"a.seed{k}.txt" for k in (1, 2)]
    assert call("compare", folder, "--systems", *single) == 0
    printed = capsys.readouterr()
    assert "look like runs of one system: a.seed1, a.seed2" in printed.out + printed.err
    assert "--runs-from-names '{system}.seed{run}'" in printed.out + printed.err


@pytest.mark.parametrize("command", ["matrix", "rank", "report"])
def test_runs_that_systems_share_are_asked_about(folder, capsys, command):
    """A table of all pairs is refused until somebody says whether these names are runs; both answers are printed."""
    single = [folder / f"{name}.seed{k}.txt" for name in "ab" for k in (1, 2)]
    assert call(command, folder, "--systems", *single) == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert "a.seed1, a.seed2 look like runs of one system, and another system has the same runs." in printed.err
    assert "If they are runs: --runs-from-names '{system}.seed{run}'." in printed.err
    assert "If they are different systems: --runs-from-names none." in printed.err
    four = content(command, folder, "--systems", *single, "--runs-from-names", "none")
    two = content(command, folder, "--systems", *single, "--runs-from-names", "{system}.seed{run}")
    assert [len(systems_of(made)) for made in (four, two)] == [4, 2]


def systems_of(made):
    """The names of the systems in the JSON of matrix, rank or report."""
    return made.get("systems") or made["results"][0].get("systems") or made["results"][0]["ranks"]


def test_copies_of_a_run_are_reported(folder):
    """Two runs with the same output are one run that was given twice."""
    made = content("compare", folder, "--runs", files(folder, "a", (1, 1, 2)), files(folder, "b"))
    assert any("3 runs of A have only 2 different outputs" in warning for warning in made["warnings"])
    assert not any("every test gives p = 1" in warning for warning in made["warnings"])


def test_names_of_runs():
    """Only names with a word or letter for a run before their number look like runs; a pattern takes any name apart."""
    assert like_runs(["a.seed1", "a.seed2", "b.seed1", "model-7b", "model-13b"]) == {
        "a.seed{run}": ["a.seed1", "a.seed2"]
    }
    for word in ("take", "repeat", "attempt", "rollout"):
        assert like_runs([f"a.result_{word}1", f"a.result_{word}2", "b"]) == {
            f"a.result_{word}{{run}}": [f"a.result_{word}1", f"a.result_{word}2"]
        }
    assert like_runs(["x_run1", "x_run12", "y-checkpoint-100", "y-checkpoint-200"]) == {
        "x_run{run}": ["x_run1", "x_run12"],
        "y-checkpoint-{run}": ["y-checkpoint-100", "y-checkpoint-200"],
    }
    assert pattern_of("y-checkpoint-{run}") == "{system}-checkpoint-{run}"
    assert by_pattern(["a.1", "b.1", "a.2", "c"], "{system}.{run}") == {"a": ["a.1", "a.2"], "b": ["b.1"], "c": ["c"]}
    assert note_on_names(["one", "two"]) == []


@pytest.mark.parametrize(
    ("names", "pattern", "system"),
    [
        (["A-run1", "A-run2"], "{system}-run{run}", "A"),
        (["A_s3", "A_s14"], "{system}_s{run}", "A"),
        (["A.r1", "A.r2"], "{system}.r{run}", "A"),
        (["A_ckpt10000", "A_ckpt20000"], "{system}_ckpt{run}", "A"),
        (["A_step_100", "A_step_200"], "{system}_step_{run}", "A"),
        (["A.seed1.detok", "A.seed2.detok"], "{system}.seed{run}.detok", "A"),
        (["seed1-A", "seed2-A"], "seed{run}-{system}", "A"),
        (["baseline.opt0", "baseline.opt1"], "{system}.opt{run}", "baseline"),
        (["nmt.Seed1", "nmt.Seed2"], "{system}.Seed{run}", "nmt"),
    ],
)
def test_patterns_of_runs(names, pattern, system):
    """Words before and behind the system, short letters, steps and endings are recognised, and the pattern takes the names
    apart."""
    (alike,) = like_runs([*names, "other"])
    assert pattern_of(alike) == pattern
    assert by_pattern(names, pattern) == {system: names}


@pytest.mark.parametrize(
    "names", [["model-7b", "model-13b"], ["Albatross-1", "Albatross-2"], ["gpt-r1", "deepseek-r1"], ["rep1", "rep2"]]
)
def test_versions_and_sizes_are_not_runs(names):
    """Numbers without a word for runs, and one run of each system, are not asked about."""
    assert like_runs(names) == {}


def test_several_patterns(folder):
    """Of several patterns the first that fits a name counts; one that no name fits is refused."""
    names = ["A.seed1", "A.seed2", "B-run1", "B-run2", "C"]
    patterns = ["{system}.seed{run}", "{system}-run{run}"]
    assert by_pattern(names, patterns) == {"A": names[:2], "B": names[2:4], "C": ["C"]}
    with pytest.raises(OptionError, match="No name of a system fits"):
        by_pattern(names, [*patterns, "{system}_s{run}"])
    note = note_on_names(names)
    assert "--runs-from-names '{system}.seed{run}' '{system}-run{run}'" in note[0]


def test_the_system_called_baseline_is_it(folder, capsys):
    """Where a system is called baseline, it is the table's, and p is against it, wherever it stands."""
    runs = [files(folder, "a").replace("A=", "baseline="), files(folder, "b")]
    made = content("matrix", folder, "--runs", *runs, "--metric", "bleu")
    capsys.readouterr()
    assert call("matrix", folder, "--runs", *runs, "--metric", "bleu") == 0
    table = capsys.readouterr().out.split("\n\n")[0].splitlines()
    assert table[1].split()[0] == "baseline"
    assert table[1].endswith("/-)")
    assert "(baseline)" not in "\n".join(table)
    p = made["results"][0]["shuffled"]["p_values"][1][0]
    assert float(table[2].rstrip(")").split("/")[-1]) == pytest.approx(p, rel=0.1)
    assert call("matrix", folder, "--runs", *runs, "--metric", "bleu", "--latex", "-") == 0
    assert "uncorrected p against baseline" in capsys.readouterr().out


@pytest.mark.parametrize("ties", ["counted", "strict", "half"])
def test_a_copy_has_p_one_under_every_tie_rule(folder, ties):
    """Runs that are copies of the other system's have p = 1, also where ties are not counted (docs/runs.md)."""
    copy = files(folder, "a").replace("A=", "copy=")
    for shuffle in ("exact", "multeval"):
        made = content("compare", folder, "--runs", files(folder, "a"), copy, "--ties", ties, "--shuffle", shuffle)
        assert (made["p_value"], made["results"][0]["shuffled"]["p_values"][0][1]) == (1.0, 1.0)
