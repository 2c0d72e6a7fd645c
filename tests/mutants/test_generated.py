"""Generated changes: what can be made of a line, and how a survivor is told from a change that tests notice."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from tests import some
from tests.mutants import generated

CODE = '''
"""A text with 1 < 2 in it."""

def share(right: int, n: int, exact: bool = True) -> float:
    """right / n."""
    if n <= 0 and not exact:
        raise SigError("n - 1 is < 0", "here", "more")
    return 100.0 + min(right, n) / n if exact else -1
'''
MADE = {
    ("True", "False"),
    ("n <= 0 and not exact", "False"),
    (" <= ", " < "),
    (" and ", " or "),
    ("not ", ""),
    ("0", "1"),
    ("exact", "True"),
    (" + ", " - "),
    ("min", "max"),
    (" / ", " * "),
    ("-", ""),
    ("1", "2"),
}


def test_each_operator_constant_and_condition_can_change() -> None:
    """But no text for people, no annotation and no number that is only a size."""
    assert {(made.old, made.new) for made in generated.changes_of("share.py", CODE)} == MADE


@pytest.mark.parametrize("package", some.first(generated.LEAST, 3))
def test_every_change_is_python(package: str) -> None:
    """A change that cannot be compiled would be noticed by any test, and say nothing."""
    for made in generated.drawn(generated.candidates(package), 100, Random(0)):
        text = (generated.ROOT / made.file).read_text(encoding="utf-8")
        new = generated.changed(text, made)
        assert new != text
        ast.parse(new)


def test_a_seed_draws_the_same_changes() -> None:
    """So a night can be repeated."""
    every = generated.candidates("sigcore/corrections")
    assert generated.drawn(every, 9, Random(4)) == generated.drawn(every, 9, Random(4))
    assert generated.drawn(every, 9, Random(4)) != generated.drawn(every, 9, Random(5))


def test_tests_are_found_by_the_line_that_they_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change of a line fails the test that looks at it; a line that is run but not looked at lets its change survive; what
    no test runs is told apart."""
    core, tests = tmp_path / "sigcore", tmp_path / "tests"
    for folder in (core, tests, tmp_path / "sigboard"):
        folder.mkdir()
        (folder / "__init__.py").write_text("")
    text = (
        "def half(n):\n    return n / 2\n\n\ndef double(n):\n    return n * 2\n\n\ndef unused(n):\n    return n + 2\n"
    )
    (core / "small.py").write_text(text)
    test = (
        "from sigcore import small\n\n\ndef test_half():\n    assert small.half(4) == 2\n\n\ndef test_double():\n    "
    )
    (tests / "test_small.py").write_text(f"{test}small.double(4)\n")
    (tests / "test_all.py").write_text(f"{test}small.half(small.double(4))\n")
    fixture = (
        "import pytest\nfrom sigcore import small\n\n\n@pytest.fixture\ndef test():\n    return small.half(2)\n\n\n"
    )
    (tests / "test_made.py").write_text(f"{fixture}def test_two(test):\n    assert test\n")  # a fixture is no test
    reach = generated.Reach(tmp_path, ["tests"])
    half, double, unused = [
        made for made in generated.changes_of("sigcore/small.py", text) if made.old in (" / ", " * ", " + ")
    ]
    assert reach.tests(half) == [
        f"tests/test_{name}" for name in ("small.py::test_half", "all.py::test_half", "all.py::test_double")
    ]
    assert generated.is_noticed(tmp_path, half, reach.tests(half))
    # those of a file with its name first, then those that run the fewest lines
    assert reach.tests(double) == ["tests/test_small.py::test_double", "tests/test_all.py::test_double"]
    assert not generated.is_noticed(tmp_path, double, reach.tests(double))
    assert reach.tests(unused) == []
    (tests / "unit").mkdir()
    (tests / "unit" / "test_deep.py").write_text(f"{test}small.unused(4)\n")
    with pytest.raises(ValueError, match=r"No file is known for test_deep.test_half: its folder needs an __init__.py."):
        generated.Reach(tmp_path, ["tests"])
    assert (core / "small.py").read_text() == text


def test_what_was_traced_before_is_not_traced_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only test files run again that are new or changed, or use changed ones; all where the code changed, or a test file is gone."""
    for folder in ("sigcore", "sigboard", "tests"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").write_text("")
    code = tmp_path / "sigcore" / "small.py"
    code.write_text("def half(n):\n    return n / 2\n")
    files = [tmp_path / "tests" / f"test_{name}.py" for name in ("one", "two", "three")]
    text = "from sigcore import small\n\n\ndef test_{}():\n    assert small.half(4) == 2\n"
    ran, trace = [], generated._trace

    def noted(root: Path, notes: Path, tests: Sequence[str], settings: Path) -> None:
        ran.append(list(tests))
        trace(root, notes, tests, settings)

    def reached() -> list[str]:
        (made,) = [one for one in generated.changes_of("sigcore/small.py", code.read_text()) if one.old == " / "]
        return generated.Reach(tmp_path, ["tests"], tmp_path / "kept").tests(made)

    monkeypatch.setattr(generated, "_trace", noted)
    for file, name in zip(files[:2], "ab", strict=False):
        file.write_text(text.format(name))
    assert reached() == reached() == ["tests/test_one.py::test_a", "tests/test_two.py::test_b"]
    files[2].write_text(text.format("c"))
    files[1].write_text(text.format("other"))
    assert reached() == ["tests/test_one.py::test_a", "tests/test_three.py::test_c", "tests/test_two.py::test_other"]
    helper = tmp_path / "tests" / "made.py"
    helper.write_text("N = 4\n")
    files[2].write_text("from tests.made import N\n" + text.format("c"))
    reached()
    assert reached() == ["tests/test_one.py::test_a", "tests/test_three.py::test_c", "tests/test_two.py::test_other"]
    helper.write_text("N = 5\n")
    reached()
    files[0].unlink()
    assert reached() == ["tests/test_three.py::test_c", "tests/test_two.py::test_other"]
    code.write_text("def half(n):\n    return n / 2.0\n")
    assert reached() == ["tests/test_three.py::test_c", "tests/test_two.py::test_other"]
    three = ["tests/test_three.py"]  # changed, and then what it uses
    assert ran == [["tests"], ["tests/test_three.py", "tests/test_two.py"], three, three, ["tests"], ["tests"]]


def test_compiled_files_of_the_code_are_not_used_for_a_change(tmp_path: Path) -> None:
    """Also where the change has as many characters, and is made in the same second."""
    for folder in ("sigcore", "sigboard", "tests"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").write_text("")
    text = "def half(n):\n    return n / 2\n"
    (tmp_path / "sigcore" / "small.py").write_text(text)
    (tmp_path / "tests" / "test_small.py").write_text(
        "from sigcore import small\n\n\ndef test_half():\n    assert small.half(4) == 2\n"
    )
    generated.compiled(tmp_path)
    (made,) = [one for one in generated.changes_of("sigcore/small.py", text) if one.old == " / "]
    assert list((tmp_path / "sigcore" / "__pycache__").glob("small*.pyc"))
    assert generated.is_noticed(tmp_path, made, ["tests/test_small.py::test_half"])
    assert not generated.is_noticed(tmp_path, made._replace(new=" / "), ["tests/test_small.py::test_half"])
