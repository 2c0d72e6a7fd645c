"""Options as data, and a plugin family's package read as a family."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from sigcore import registry
from sigcore.errors import OptionError, SigError, UnknownMember
from sigcore.registry import Option, format_options, read_options

WHOLE = Option("order", 4, low=1, high=8)
SHARE = Option("rate", 0.5, low=0, high=1)
SWITCH = Option("lower", False)
CHOICE = Option("smooth", "exp", choices=("exp", "floor"))
MAYBE = Option("tok", None, choices=("13a", "zh"), optional=True)
MAYBE_NONE = Option("tok", None, choices=("13a", "none"), optional=True)
NUMBER_OR_NOT = Option("value", None, low=0, optional=True)
TEXT_OR_NOT = Option("label", None, optional=True)


@pytest.mark.parametrize(
    ("option", "given", "value"),
    [
        (WHOLE, 3, 3),
        (WHOLE, "3", 3),
        (WHOLE, "3.0", 3),
        (SHARE, "0.25", 0.25),
        (SHARE, 1, 1.0),
        (SWITCH, "yes", True),
        (SWITCH, "OFF", False),
        (SWITCH, True, True),
        (SWITCH, 0, False),
        (CHOICE, "floor", "floor"),
        (MAYBE, None, None),
        (MAYBE, "", None),
        (MAYBE, "zh", "zh"),
        (MAYBE_NONE, "none", "none"),
        (MAYBE_NONE, "", None),
        (MAYBE_NONE, None, None),
        (NUMBER_OR_NOT, "none", None),
        (NUMBER_OR_NOT, "2", 2.0),
        (TEXT_OR_NOT, "COMET", "COMET"),
    ],
)
def test_values_are_read(option, given, value):
    """A value is read in the option's own type, from text as well."""
    got = option.read(given)
    assert got == value
    assert type(got) is type(value)


@pytest.mark.parametrize(
    ("option", "given"),
    [
        (WHOLE, "4.5"),
        (WHOLE, "four"),
        (WHOLE, 0),
        (WHOLE, 9),
        (WHOLE, "inf"),
        (WHOLE, "nan"),
        (WHOLE, None),
        (SHARE, "nan"),
        (SHARE, -0.1),
        (SWITCH, "maybe"),
        (CHOICE, "add"),
        (MAYBE, "14a"),
        (NUMBER_OR_NOT, -1),
        (NUMBER_OR_NOT, "inf"),
    ],
)
def test_bad_values_are_refused(option, given):
    """A value of the wrong type, out of range or no choice is refused by name."""
    with pytest.raises(OptionError, match=option.name):
        option.read(given)


@pytest.mark.parametrize(
    ("option", "given", "bounds"), [(WHOLE, 9, "at least 1 and at most 8"), (NUMBER_OR_NOT, -1, "at least 0.")]
)
def test_bounds_are_said(option, given, bounds):
    """The message names the bounds there are, and only those."""
    with pytest.raises(OptionError, match=f"It must be {bounds}"):
        option.read(given)


def test_defaults_can_be_read():
    """Reading an option's own default gives the default."""
    for option in (WHOLE, SHARE, SWITCH, CHOICE, MAYBE, NUMBER_OR_NOT, TEXT_OR_NOT):
        assert option.read(option.default) == option.default


def test_options_in_declared_order():
    """All options come back in declared order, the given ones read, and only the changed ones are written."""
    options = (WHOLE, SWITCH, CHOICE)
    values = read_options("bleu", options, {"smooth": "floor", "order": "2"})
    assert list(values.items()) == [("order", 2), ("lower", False), ("smooth", "floor")]
    assert format_options(options, values) == "order:2|smooth:floor"
    assert format_options(options, read_options("bleu", options, {})) == ""


@pytest.mark.parametrize("options", [(WHOLE,), ()])
def test_unknown_option(options):
    """An option that is not declared is refused, with those that are."""
    with pytest.raises(OptionError, match=r"no option 'ordre'.*(order|no options)"):
        read_options("bleu", options, {"ordre": 2})


@pytest.fixture
def family(tmp_path: Path, monkeypatch):
    """A function that writes a package of the given files and returns its name."""
    made = []

    def write(**files: str) -> str:
        name = f"wing_{tmp_path.name}".replace("-", "_")
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").write_text("")
        for file, text in files.items():
            (folder / f"{file}.py").write_text(text)
        made.append(name)
        return name

    monkeypatch.syspath_prepend(str(tmp_path))
    registry.forget()
    yield write
    registry.forget()
    for name in [key for key in sys.modules if key.split(".")[0] in made]:
        del sys.modules[name]


RECORD = "from types import SimpleNamespace\nTHING = SimpleNamespace(name={!r})\n"


def test_members_of_a_folder(family):
    """Every file but the contract is a member, under its record's name."""
    package = family(one=RECORD.format("first"), two=RECORD.format("second"), contract="")
    assert set(registry.members(package, "THING")) == {"first", "second"}
    assert registry.member(package, "THING", "thing", "second").name == "second"


def test_file_without_record(family):
    """A file that ends without its record is an error that names the file, never skipped."""
    package = family(one=RECORD.format("first"), broken="x = 1\n")
    with pytest.raises(SigError, match=r"broken\.py has no THING"):
        registry.members(package, "THING")


def test_two_of_one_name(family):
    """Two members of one name are refused."""
    package = family(one=RECORD.format("same"), two=RECORD.format("same"))
    with pytest.raises(SigError, match="Two members are named 'same'"):
        registry.members(package, "THING")


def test_unknown_member_names_the_nearest(family):
    """A name that does not exist is answered with the nearest ones, or with all."""
    package = family(one=RECORD.format("chrf"), two=RECORD.format("bleu"))
    with pytest.raises(UnknownMember, match=r"no thing named 'blue'.*Did you mean bleu\?"):
        registry.member(package, "THING", "thing", "blue")
    assert UnknownMember("thing", "x", []).fix == "There are none."
    with pytest.raises(UnknownMember, match="Known: bleu, chrf"):
        registry.member(package, "THING", "thing", "zzz")


def test_what_members_gives_may_be_changed(family):
    """The caller gets a copy: changing it does not change the family."""
    package = family(one=RECORD.format("first"))
    registry.members(package, "THING").clear()
    assert registry.members(package, "THING")
