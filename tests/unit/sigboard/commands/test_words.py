"""Names in the terminal: in any case and by title; other words are explained, not guessed."""

import re
import shlex

import pytest

from sigboard.terminal import main, parser, parsers, words
from sigcore import SigError, UnknownMember


@pytest.mark.parametrize(
    ("family", "name", "member"),
    [
        ("metric", "BLEU", "bleu"),
        ("metric", "chrF", "chrf"),
        ("metric", "ROUGE-L", "rouge_l"),
        ("metric", "EM", "exact_match"),
        ("metric", "macro-F1", "macro_f1"),
        ("test", "Paired bootstrap", "paired_bootstrap"),
        ("test", "approximate-randomization", "approximate_randomization"),
        ("correction", "Benjamini-Hochberg", "benjamini_hochberg"),
        ("correction", "Bonferroni", "bonferroni"),
    ],
)
def test_names_and_titles_in_any_case(family: str, name: str, member: str) -> None:
    """What the page shows can be typed."""
    assert words.canonical(family, name) == member


@pytest.mark.parametrize(
    ("family", "name", "meaning"),
    [
        ("metric", "chrF++", "chrf.word_order=2"),
        ("metric", "COMET", "own_scores"),
        ("test", "permutation", "approximate_randomization"),
        ("correction", "fdr", "benjamini_hochberg"),
    ],
)
def test_other_words_are_explained(family: str, name: str, meaning: str) -> None:
    """A synonym is an error that says what it means."""
    with pytest.raises(SigError) as raised:
        words.canonical(family, name)
    assert meaning in raised.value.fix


def test_every_meaning_names_a_member() -> None:
    """The explanations point to something that exists."""
    for family, meanings in words.MEANINGS.items():
        assert all(any(name in meaning for name in words.titles(family)) for meaning in meanings.values())


def test_unknown_names_get_the_nearest() -> None:
    """A typing error is answered with the names that are like it."""
    with pytest.raises(UnknownMember, match="bleu"):
        words.canonical("metric", "bleuu")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["matirx"], "It may mean: matrix"),
        (["significance"], "compare (one pair) or matrix (all pairs)"),
        (["serve"], "It may mean: app"),
        (["xyz"], "Choose from: matrix, "),
        (["matrix", "--metrc", "bleu"], "matrix has no option --metrc. Did you mean --metric"),
        (["gain", "--zzz=1"], "gain has no option --zzz. See: sigboard gain --help"),
        (["compare", "--system", "A"], "compare has no option --system. Did you mean --pair, --systems"),
        (["matrix", "--system", "A"], "matrix has no option --system. Did you mean --pair, --systems"),
        (["matrix", "--hyp=a.txt"], "matrix has no option --hyp. Did you mean --systems"),
    ],
)
def test_mistyped_commands_and_options_name_the_nearest(
    typed: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line on standard error, and the exit code of a wrong command."""
    assert main(typed) == 2
    out, err = capsys.readouterr()
    assert not out
    assert said in err
    assert err.count("\n") == 1


def test_the_words_for_commands_lead_to_commands() -> None:
    """Every meaning names a command that exists."""
    known = set(parsers(parser()))
    for meaning in words.COMMANDS.values():
        assert set(re.findall(r"[a-z]+", meaning)) & (known | {"version"})


def test_files_without_an_option_are_named(capsys) -> None:
    """Where an option has to say what a file is, the answer is one line, and no list of all options."""
    assert main(["tuning", "runs.csv", "more.csv"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("error: tuning takes nothing without an option: runs.csv more.csv.")
    assert "sigboard matrix FILE" in told
    assert "usage" not in told
    assert main(["list", "runs.csv"]) == 2
    assert "list takes nothing without an option: runs.csv. See: sigboard list --help." in capsys.readouterr().err


@pytest.mark.parametrize("command", ["matrix", "scores"])
def test_references_take_no_outputs_unseen(command: str, tmp_path, capsys) -> None:
    """`--reference ref a b` takes all three: the command with --systems is printed, and works."""
    paths = []
    for name, step in (("ref", 0), ("a b", 3), ("c", 5)):
        (tmp_path / f"{name}.txt").write_text("".join(f"the word {k + step * (k % 2)} is here\\n" for k in range(12)))
        paths.append(str(tmp_path / f"{name}.txt"))
    assert main([command, "--reference", *paths]) == 2
    told = capsys.readouterr().err
    assert "--reference took all 3 files, so there is no system." in told
    printed = shlex.split(told.partition("after --systems: ")[2].strip().rstrip("."))
    assert printed == ["--reference", paths[0], "--systems", *paths[1:]]
    assert main([command, *printed, "--metric", "bleu", "--resamples", "200"]) == 0
    assert main([command, "--reference", *paths[:1]]) == 2
    assert "took all" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["votes", "x.csv"], "It may mean: pairwise."),
        (["retrieval", "--qrels", "q", "--runs", "a"], "It may mean: matrix --reference qrels.txt --systems A.run B.run."),
        (["mos", "x.csv"], "It may mean: human."),
        (["pairwise", "--reference", "r", "--systems", "a", "b"], "Texts with their reference are compared by `sigboard matrix`."),
    ],
)  # fmt: skip
def test_commands_and_options_that_people_type_lead_to_the_right_one(asked: list[str], said: str, capsys) -> None:
    """The nearest option by its letters was no help: --system-field for --systems."""
    assert main(asked) == 2
    told = capsys.readouterr().err
    assert said in told
    assert "Did you mean" not in told


def test_a_title_that_is_the_usual_name_of_several_means_none_of_them() -> None:
    """F1 was taken for the metric of own statistics, whatever the files hold."""
    with pytest.raises(SigError, match="It means entity_f1, token_f1"):
        words.canonical("metric", "F1")
    assert words.canonical("metric", "Entity F1") == "entity_f1"


def test_a_winner_alone_has_lost_nothing(tmp_path, capsys) -> None:
    (tmp_path / "votes.csv").write_text("Prompt,Winner\nhi,Llama\nhello,Mixtral\nhi,Llama 3\nhi,Mixtral\noh,Kimi\n")
    assert main(["pairwise", str(tmp_path / "votes.csv")]) == 2
    told = capsys.readouterr().err
    assert "There is one system" not in told
    assert "says who won" in told


def test_what_is_of_another_test_set_may_be_named_too(tmp_path, capsys) -> None:
    """All files of two tasks were given, and --testset chooses one."""
    for i, system in enumerate(("x", "y")):
        for task, n in (("law", 20), ("art", 30)):
            (tmp_path / system).mkdir(exist_ok=True)
            (tmp_path / system / f"{task}.csv").write_text(
                "id,correct\n" + "".join(f"{k},{(k + i) % 3 % 2}\n" for k in range(n))
            )
    files = [str(tmp_path / s / f"{t}.csv") for s in "xy" for t in ("law", "art")]
    assert main(["pairwise", *files, "--testset", "law"]) == 0
    assert "20 segments" in capsys.readouterr().out
