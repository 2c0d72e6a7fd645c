"""Files of published results are set aside, and files that only resemble them are not."""

from __future__ import annotations

import pytest

from sigcore import Collection, readers
from sigcore.readers import Choice, read

GRID = " One.1 Two.2 HUMAN\nOne.1 0.12 2.4e-05 3.7E-11\nTwo.2 0.12 0.12 0.012\nHUMAN 0.12 0.12 0.12\n"
STARS = " One.1 Two.2\nOne.1 - 0.08***  \nTwo.2 -0.08 -  \n"
PUBLISHED = {
    "adwilcox.csv": GRID,
    "differences.csv": STARS,
    "pairs.csv": "better,worse,p_one_sided\nOne,Two,0.016\n",
    "workers.csv": "worker,mean_raw,sd_raw,n_rows\nM1,52.1,28.6,360\nM2,2.9,16.6,84\n",
    "ranking.csv": "74 0.133 1370 1711 One.1 One\n75.3 0.055 1385 1806 Two Two\n",
    "sys-scores.csv": "RAW.SCR Z.SCR N SYS N.ALL \n75.2 0.05 1385 One.1 1806 \n72.4 -0.003 1316 Two.2 1702 \n",
    "clusters.csv": "SRC TRG WINS TOTAL SYSTEM\ncs en 11 12 One.1\n",
    "scores.tsv": "pair\tsystem\tid\tmetric\tscore\ncs-en\tOne\t1\tbleu\t53.4\ncs-en\tTwo\t2\tbleu\t50.1\n",
}
OTHERS = {
    "text.txt": "One boat.\nTwo boats.\n",
    "numbers.txt": "1 2 2\n3 4 4\n",
    "long.csv": "system,metric,segment,score\nOne,comet,1,0.5\nOne,comet,2,0.6\nTwo,comet,1,0.4\nTwo,comet,2,0.7\n",
    "leaderboard.csv": "system,score\nOne,0.5\nTwo,0.6\n",
    "words.txt": " the boat\nthe a b\nboat c d\n",
    "judges.csv": "judge,system,segment,score\nJ1,One,1,50\nJ1,Two,1,60\nJ2,One,1,70\nJ2,Two,1,40\n",
}
TEXT = "".join(f"the boat number {i}\n" for i in range(120))


@pytest.mark.parametrize("file", PUBLISHED)
def test_published_results_are_set_aside(file: str) -> None:
    """Each file is one ignored item whose note says what it is, without a problem."""
    intake = read([(file, PUBLISHED[file].encode())])
    assert not intake.problems
    assert [(item.role, item.reader) for item in intake.items] == [("ignored", "published")]
    assert "published results" in intake.items[0].note


@pytest.mark.parametrize("file", OTHERS)
def test_other_files_are_read_as_before(file: str) -> None:
    """Text, numbers, scores of segments and ratings are not published results."""
    assert read([(file, OTHERS[file].encode())]).detected[0].reader != "published"


def test_a_folder_with_published_results_has_no_error() -> None:
    """Outputs beside published results are compared, and nothing is reported about the latter."""
    outputs = {"ref.txt": TEXT, "One.txt": TEXT.replace("boat", "ship"), "Two.txt": TEXT.replace("number", "no")}
    collection = Collection()
    collection.add((name, text.encode()) for name, text in (outputs | PUBLISHED).items())
    loaded = collection.sound()
    assert [one.system for one in loaded.outputs] == ["One", "Two"]
    assert not any(file in str(finding) for finding in loaded.findings for file in PUBLISHED)


def test_published_results_can_be_used_anyway() -> None:
    """Read as text, the file is a system again."""
    collection = Collection()
    collection.add([("clusters.csv", PUBLISHED["clusters.csv"].encode())])
    collection.re_read("clusters.csv", "plain")
    assert [item.role for item in collection.items] == ["system"]


def test_a_file_that_is_named_as_a_system_is_one() -> None:
    """The role that the user gives in the terminal counts."""
    file = ("clusters.csv", PUBLISHED["clusters.csv"].encode())
    assert [item.role for item in read([file], roles=[("clusters.csv", "system")]).items] == ["system"]


def test_the_reader_of_any_file_keeps_its_lines() -> None:
    """A file that the user calls published results is set aside, whatever it contains."""
    (item,) = read([("a.txt", TEXT.encode())], chosen={"a.txt": Choice("published")}).items
    assert (item.role, len(item.segments)) == ("ignored", 120)
    assert readers.get("published").title == "published results"
