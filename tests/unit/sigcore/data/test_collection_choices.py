"""A collection's choices stay until somebody changes them; what could not be used, and what was given in vain, is named."""

from __future__ import annotations

import pytest

from sigcore import Collection, SigError
from sigcore.data import collection as collections
from sigcore.data.collection import gold_as_system, in_two_roles, unused
from sigcore.readers import Given

N = 40
LINES = {word: "".join(f"the {word} says line {k} of all\n" for k in range(N)) for word in ("ferry", "boat", "ship")}
JUDGED = "judge,system,segment,score\n" + "".join(f"J{k % 2},{s},{k},{k % 7}\n" for k in range(6) for s in "AB")
PAIRED = "id,system_1,system_2,winner\nq1,A,B,A\nq2,A,B,B\n"


def with_files(roles: Given = (), **files: str) -> Collection:
    """A collection of these files; two underscores are a dot."""
    found = Collection()
    found.add([(name.replace("__", "."), text.encode()) for name, text in files.items()], roles=roles)
    return found


def texts(**more: str) -> Collection:
    return with_files(ref__en=LINES["ferry"], A__en=LINES["boat"], B__en=LINES["ship"], **more)


def scores(*cells: str) -> str:
    return "\n".join([*cells, *(f"{k % 9}.5" for k in range(N - len(cells)))]) + "\n"


def test_one_choice_leaves_the_others() -> None:
    """Missing scores, codes and the order of lines are chosen one by one."""
    found = with_files(A__txt=scores("-999", "-999"), B__txt=scores())
    found.select(missing="drop")
    found.select(codes=["-999"])
    found.select(accept_order=True)
    found.select(measure="")
    assert (found.missing, found.codes, found.accept_order) == ("drop", ("-999",), True)
    found.select(codes=[])
    assert (found.missing, found.codes, found.accept_order) == ("drop", (), True)


def test_new_files_do_not_change_what_is_looked_at() -> None:
    """Unless nothing could be compared before."""
    found = texts()
    found.add([(f"{name}.comet.txt", scores().encode()) for name in "AB"])
    assert found.kind == "text"
    alone = with_files(A__en=LINES["boat"])
    alone.add([(f"{name}.comet.txt", scores().encode()) for name in "AB"])
    assert alone.kind == "scores"


def test_a_kind_that_is_not_there_yet_is_kept() -> None:
    """An empty collection has the kind that was chosen for it."""
    found = Collection()
    found.select(kind="trees")
    assert found.kind == "trees"


def test_a_file_of_another_length_could_not_be_used() -> None:
    """Of the selected test set, of which the files without one are a part."""
    found = texts(Bad__en="one line\n")
    assert [item.name for item in found.left_out()] == ["Bad"]
    assert texts().left_out() == ()


@pytest.mark.parametrize(
    ("files", "what", "fix"),
    [
        ({"r__csv": JUDGED}, "Only ratings by people are loaded.", "command human"),
        ({"p__csv": PAIRED}, "Only pairwise judgments are loaded.", "command pairwise"),
        ({"r__csv": JUDGED, "p__csv": PAIRED}, "Only pairwise judgments are loaded.", "command pairwise"),
    ],
)
def test_people_alone_are_no_test_set(files: dict[str, str], what: str, fix: str) -> None:
    """The command that reads them is named."""
    with pytest.raises(SigError) as caught:
        with_files(**files).sound()
    assert caught.value.what == what
    assert fix in caught.value.fix
    assert ("sigboard matrix FILE" in caught.value.fix) is ("p__csv" not in files)


def test_a_file_in_two_roles_is_refused_if_only_one_is_left() -> None:
    """A table of documents and systems has both."""
    documents = "".join(f"d{k // 4}\n" for k in range(N))
    found = texts(docs__txt=documents)
    found.given = (("docs.txt", "documents"), ("docs.txt", "system"))
    items = [item for item in found.items if item.file == "docs.txt"]
    found.edit({found.items.index(items[0]): {"role": "documents"}})
    (error,) = in_two_roles(found)
    assert error.what == "It was given as a system and as documents, and can be only one of them."
    table = "doc,reference,A,B\n" + "".join(f"d{k // 4},r w{k},a w{k},b w{k}\n" for k in range(N))
    mixed = with_files(t__csv=table)
    mixed.given = (("t.csv", "documents"), ("t.csv", "system"))
    assert list(in_two_roles(mixed)) == []


def test_the_right_answers_are_no_system() -> None:
    """A file of numbers that is called gold; a column of a table has a name of its own."""
    found = with_files((("gold.txt", "system"), ("A.txt", "system")), gold__txt=scores(), A__txt=scores("3"))
    assert [(error.what, error.where) for error in gold_as_system(found)] == [
        ("gold holds the right answers by its name, but was given as a system.", "gold.txt")
    ]
    assert list(gold_as_system(with_files((("A.txt", "system"),), A__txt=scores("3")))) == []


def test_people_in_a_file_of_systems_are_named() -> None:
    """With the command that reads them."""
    found = texts(r__csv=JUDGED)
    found.given = (("r.csv", "system"),)
    (error,) = unused(found, found.loaded())
    assert error.what == "It was given as outputs of systems, but contains ratings by people."
    paired = texts(p__csv=PAIRED)
    paired.given = (("p.csv", "reference"),)
    (error,) = unused(paired, paired.loaded())
    assert error.what == "It was given as a reference, but contains pairwise judgments."


def test_a_file_without_anything_is_not_called_a_table_of_groups() -> None:
    """The systems of a table of groups are not loaded; a file that gave nothing has nothing."""
    found = texts(groups__csv="system,group\nX,one\nY,two\n")
    found.given = (("groups.csv", "system"),)
    (error,) = unused(found, found.loaded())
    assert error.what == "It was given as outputs of systems, but contains groups of systems that are not loaded."
    found = texts()
    found.given = (("nothing.txt", "system"),)
    (error,) = unused(found, found.loaded())
    assert error.what == "It was given as outputs of systems, but contains nothing that can be used."


def test_notices_name_the_lines_of_all_their_files() -> None:
    """One message is one line."""
    from sigcore.readers import Notice

    both = collections.together([Notice("a", "same", 3), Notice("b", "same"), Notice("c", "other", 7)])
    assert both == [("same", "a, line 3; b"), ("other", "c, line 7")]


def test_a_file_that_is_removed_takes_its_groups_and_the_name() -> None:
    """Groups of systems that stay are kept."""
    found = texts(groups__csv="system,group\nA,one\nB,two\n")
    found.name = "mine"
    assert found.groups == {"A": "one", "B": "two"}
    found.remove({"A.en"})
    assert (found.name, found.groups) == ("", {"B": "two"})
    assert [item.name for item in found.items if item.role == "system"] == ["B"]


def test_documents_without_a_test_set_are_not_left_out() -> None:
    """Their length says nothing then."""
    found = with_files(docs__docs="news d1\nnews d2\n")
    assert found.left_out() == ()
