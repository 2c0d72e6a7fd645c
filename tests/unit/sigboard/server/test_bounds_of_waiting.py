"""What a page shows while its job runs, what stays of a withdrawn link, the health of a server, and bounds of a process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.testing.v1 import AppTest

from sigboard.server import health
from sigboard.server.jobs import Job
from sigboard.server.visits import Visit
from tests.waiting import LIMIT

END, SHOWN = Event(), Event()  # of the job of a page


def until_end(job: Job) -> int:
    SHOWN.set()
    END.wait(LIMIT)
    return 7


def with_part(job: Job) -> int:
    job.partial = 3
    return until_end(job)


def page(name: str, how: dict) -> None:  # type: ignore[type-arg]  # its source alone is run, without imports
    """A page that asks for the result of a job, and writes what it got."""
    import streamlit as st

    from sigboard.server import jobs
    from tests.unit.sigboard.server import test_bounds_of_waiting as here

    if st.checkbox("begin"):
        jobs.jobs().ask(name, getattr(here, how["work"]), jobs.visitor())
        here.SHOWN.wait(here.LIMIT)
        st.write(f"got {jobs.result(name, getattr(here, how['work']), **how['with'])}")


@pytest.mark.parametrize(
    ("name", "work", "given", "written"),
    [
        ("a", "until_end", {}, []),
        ("b", "until_end", {"ends": False}, ["got None"]),
        ("c", "with_part", {}, ["got 3"]),
        ("d", "with_part", {"whole": True}, []),
        ("e", "with_part", {"whole": True, "ends": False}, ["got None"]),
        ("f", "until_end", {"so_far": 5}, ["got 5"]),
        ("g", "with_part", {"so_far": 5}, ["got 3"]),
        ("h", "with_part", {"so_far": 5, "whole": True}, ["got 5"]),
        ("i", "until_end", {"so_far": False}, ["got False"]),
    ],
)
def test_what_a_page_gets_from_a_job_that_runs(name: str, work: str, given: dict[str, Any], written: list[str]) -> None:
    """Unless the page says otherwise it stops while nothing is known, and goes on with what is known so far."""
    END.clear()
    SHOWN.clear()
    try:
        app = AppTest.from_function(
            page, args=(f"waiting:{name}", {"work": work, "with": given}), default_timeout=LIMIT
        )
        app.run()
        app.checkbox[0].check().run()
        assert not app.exception
        assert [one.value for one in app.markdown if one.value.startswith("got")] == written
    finally:
        END.set()


SCORES = b"id\tann\tbob\n" + b"".join(b"%d\t%d\t%d\n" % (k, k % 4, k % 5) for k in range(30))
RATINGS = b"system,segment,judge,score\n" + b"".join(
    b"%s,%d,j,%d\n" % (s, k, k % 5) for s in (b"a", b"b") for k in range(9)
)
WINNERS = b"model_a,model_b,winner,question\n" + b"".join(b"a,b,%s,q%d\n" % (b"ab"[k % 2 :][:1], k) for k in range(9))


@pytest.mark.parametrize("own", [("s.tsv", SCORES), ("human.csv", RATINGS), ("p.csv", WINNERS), None])
def test_what_a_visitor_added_stays_when_a_link_is_withdrawn(own: tuple[str, bytes] | None) -> None:
    """Scores, ratings or winners: each of them is reason enough to keep the rest of a visit."""
    visit = Visit()
    visit.collection.add([("shared.txt", b"a large boat\n")])
    visit.borrow("t")
    visit.collection.add([own] if own else [])
    assert visit.withdraw("t") == (own is not None)
    found = visit.collection
    assert [bool(part) for part in (found.items, found.ratings, found.preferences)] == [
        own is not None and own[0] == name for name in ("s.tsv", "human.csv", "p.csv")
    ]


def ended(status: ForwardMsg.ScriptFinishedStatus) -> ForwardMsg:
    return ForwardMsg(script_finished=status)


def alert(format_: int) -> ForwardMsg:
    message = ForwardMsg()
    message.delta.new_element.alert.format = format_  # type: ignore[assignment]
    message.delta.new_element.alert.body = "no samples"
    return message


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (ended(ForwardMsg.FINISHED_SUCCESSFULLY), None),
        (ended(ForwardMsg.FINISHED_WITH_COMPILE_ERROR), "the first page was not finished"),
        (ForwardMsg(), None),
        (alert(1), "the first page shows an error: no samples"),
        (alert(2), None),
    ],
)
def test_a_server_is_well_if_its_first_page_ends_without_an_error(message: ForwardMsg, why: str | None) -> None:
    look: Callable[[ForwardMsg], None] = health._look
    if why is None:
        look(message)
        return
    with pytest.raises(OSError, match=why):
        look(message)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems bound no memory")
def test_the_memory_of_a_process_is_bound() -> None:
    most = 1 << 33
    code = f"""
import json, resource
from sigboard.server.worker import bound_memory
bound_memory({most})
print(json.dumps(resource.getrlimit(resource.RLIMIT_DATA)))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(run.stdout) == [most, most]
