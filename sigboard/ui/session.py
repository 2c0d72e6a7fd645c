"""The one typed state of a visit: what is loaded, what is chosen; everything else is computed from it."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from threading import Lock

import streamlit as st

from sigcore import Judgments, data, readers

KEY = "sigboard"
CHOSEN = "sigboard.chosen"  # what the sidebar says on this run
LANDING = "sigboard.landing"
LINK = "analysis"
BORROWED = "sigboard.borrowed"  # the visit came by a link and has not been changed yet
KEPT = 64


@dataclass
class Visit:
    """What one person has loaded. `items` are what the files gave, with the person's own names, roles and groups."""

    name: str = ""
    items: tuple[readers.Item, ...] = ()
    notices: tuple[readers.Notice, ...] = ()
    problems: tuple[Exception, ...] = ()
    taken: tuple[readers.Taken, ...] = ()
    judgments: tuple[Judgments, ...] = ()
    called: dict[str, str] = field(default_factory=dict)  # judged system -> the output the person says it is
    groups: dict[str, str] = field(default_factory=dict)  # what a table said, for systems that may come later
    sample: bool = False
    testset: str = ""  # what is looked at among what is loaded; "" = the first
    kind: str = "text"
    measure: str = ""
    missing: str = "refuse"
    version: int = 0
    page: str = ""
    edits: dict[int, dict[str, object]] = field(default_factory=dict)
    _loaded: dict[str, tuple[tuple[object, ...], data.Loaded]] = field(default_factory=dict)

    def edited(self) -> tuple[readers.Item, ...]:
        """The items as the person has named and sorted them."""
        return tuple(_edited(item, self.edits[i]) if i in self.edits else item for i, item in enumerate(self.items))

    def settle(self) -> None:
        """Make the edits part of the items (the table is drawn again from here)."""
        if self.edits:
            self.items, self.edits = self.edited(), {}
            self.version += 1

    @property
    def choices(self) -> data.Choices:
        """The test sets, the kinds and the measures among which one is looked at."""
        return data.choices(self.edited(), self.testset, self.kind)

    def settle_on(self) -> None:
        """Look at something that is there: what was chosen before, or the first of what is loaded now."""
        self.testset = _one_of(self.choices.testsets, self.testset)
        self.kind = _one_of(self.choices.kinds, self.kind) or "text"
        self.measure = _one_of(self.choices.measures, self.measure)

    def loaded(self, missing: str = "") -> data.Loaded:
        """The test set and the outputs that the items make, with everything the data checks finds.

        `missing` says what becomes of missing scores, "" leaves it to what the person chose.
        """
        items, missing = self.edited(), missing or self.missing
        looked_at = (self.name, self.kind, self.testset, self.measure, missing)
        parts = ((id(i.segments), i.name, i.role, i.group, i.testset, i.measure) for i in items)
        mark: tuple[object, ...] = (*looked_at, *parts)
        known = self._loaded.get(missing)
        if known is None or known[0] != mark:
            known = (mark, data.assemble(items, *looked_at))
            self._loaded = {**self._loaded, missing: known}
        return known[1]

    @property
    def has_documents(self) -> bool:
        """Whether the test set says which segment belongs to which document."""
        testset = self.loaded().testset if self.items else None
        return testset is not None and bool(testset.documents)

    @property
    def mark(self) -> tuple[object, ...]:
        """Differs whenever what is loaded differs."""
        edits = repr(sorted(self.edits.items()))
        looked_at = (self.name, self.kind, self.testset, self.measure, self.missing, self.sample)
        edits += repr(sorted(self.called.items()))
        return *looked_at, *(tuple(map(id, part)) for part in (self.items, self.problems, self.judgments)), edits

    def take(self, intake: readers.Intake, name: str, sample: bool = False) -> None:
        """Add what was read; the first files of one's own replace the sample."""
        self.settle()
        if sample or self.sample:
            self._forget()
        self._make_way(intake)
        if not self.items or len(self.loaded().outputs) < 2:
            self.kind = ""  # nothing could be compared: what comes now may be of another kind
        intake = self._fresh(intake)
        self.groups |= intake.groups
        items = readers.grouped(intake.items, self.groups)
        self.items = tuple(_apart((*readers.grouped(self.items, intake.groups), *items)))
        self._tell(intake.notices)
        self.problems += intake.problems
        again = {taken.file for taken in intake.detected}
        self.judgments = (*(part for part in self.judgments if part.file not in again), *intake.judgments)
        self.taken = (*(taken for taken in self.taken if taken.file not in again), *intake.detected)
        self.name, self.sample, self.version = name, sample, self.version + 1
        self.settle_on()

    def read_again(self, file: str, reader: str, options: Mapping[str, object]) -> None:
        """Take a file for something else: what it gave before goes, with what was said about it."""
        self.settle()
        data = next(taken.data for taken in self.taken if taken.file == file)
        intake = readers.read([(file, data)], chosen={file: (reader, options)})
        self.items = tuple(item for item in self.items if item.file != file)
        self.judgments = tuple(part for part in self.judgments if part.file != file)
        self.notices = tuple(notice for notice in self.notices if notice.file != file)
        self.problems = tuple(problem for problem in self.problems if getattr(problem, "file", "") != file)
        self.take(intake, self.name)

    def _fresh(self, intake: readers.Intake) -> readers.Intake:
        """The intake without what is there already, and with names of their own for other files of a known name."""
        known = {(item.file, item.segments) for item in self.items}
        items = tuple(item for item in intake.items if (item.file, item.segments) not in known)
        there = {item.file for item in self.items}
        clashing = dict.fromkeys(item.file for item in items if item.file in there)
        return readers.refiled(replace(intake, items=items), there, clashing)

    def _tell(self, notices: tuple[readers.Notice, ...]) -> None:
        """Add what is worth knowing, each once; a group whose system has come is not missed any longer."""
        missed = set(readers.ungrouped((), self.groups)) - set(readers.ungrouped(self.items, self.groups))
        self.notices = tuple(n for n in dict.fromkeys((*self.notices, *notices)) if n not in missed)

    def _make_way(self, intake: readers.Intake) -> None:
        """Files that could not be used go when a file of that name comes again: it is the fixed one."""
        again = {item.file for item in intake.items} | {getattr(problem, "file", "") for problem in intake.problems}
        self.problems = tuple(problem for problem in self.problems if getattr(problem, "file", "") not in again)
        if not again & {item.file for item in self.items}:
            return
        left_out = [item for item in self._left_out() if item.file in again]
        gone, those = {item.file for item in left_out}, set(map(id, left_out))
        self.items = tuple(item for item in self.items if id(item) not in those)
        self.notices = tuple(notice for notice in self.notices if notice.file not in gone)

    def _left_out(self) -> list[readers.Item]:
        """The items of what is looked at that could not be used, for their length or for what stands in them."""
        loaded = self.loaded()
        used = {outputs.system for outputs in loaded.outputs}
        gold = loaded.testset.references if loaded.testset else ()
        n = loaded.testset.n if loaded.testset else 0
        testsets = [item.testset for item in data.settled(self.items)[0]]

        def unused(item: readers.Item, testset: str) -> bool:
            if testset not in ("", self.testset):
                return testsets.count(testset) == 1  # alone it can never be scored
            if item.role in ("documents", "domains", "source"):
                return bool(n) and len(item.segments) != n
            if item.kind != self.kind and not (item.kind == "scores" and self.kind == "text"):
                return False
            if item.role == "reference":
                return bool(gold) and item.segments not in gold
            return item.role == "system" and item.measure == self.measure and item.name not in used

        return [item for item, testset in zip(self.items, testsets, strict=True) if unused(item, testset)]

    def dismiss(self) -> None:
        """Hide the problems of files that could not be read."""
        self.problems = ()

    def clear(self) -> None:
        """Forget all files."""
        self._forget()
        self.kind = "text"
        self.name, self.sample, self.version = "", False, self.version + 1

    def _forget(self) -> None:
        self.items, self.notices, self.problems, self.edits, self.taken = (), (), (), {}, ()
        self.judgments, self.called, self.groups = (), {}, {}
        self.testset = self.measure = ""
        self.missing = "refuse"


def _edited(item: readers.Item, edit: dict[str, object]) -> readers.Item:
    """The item with the person's name, role and group; an emptied name or role stays as it was."""

    def text(key: str, before: str, may_be_empty: bool = False) -> str:
        after = readers.clean(str(edit.get(key, before) or ""))
        return after if after or may_be_empty else before

    return replace(
        item,
        name=text("name", item.name),
        role=text("role", item.role),
        group=text("group", item.group, may_be_empty=True),
        testset=text("test set", item.testset, may_be_empty=True),
    )


def _one_of(there: tuple[str, ...], chosen: str) -> str:
    """What was chosen, if it is there; else the first that is."""
    return chosen if chosen in there else next(iter(there), "")


def _apart(items: tuple[readers.Item, ...]) -> tuple[readers.Item, ...]:
    """Files dropped later keep their names unless another of their test set, kind and measure has it: then they get a
    number."""
    taken: set[tuple[str, ...]] = set()
    out = []
    for item in items:
        name, count = item.name, 1
        place = (item.testset, item.kind, item.measure)
        while (*place, name) in taken:
            count += 1
            name = f"{item.name} ({count})"
        taken.add((*place, name))
        out.append(item if name == item.name else replace(item, name=name))
    return tuple(out)


class Shelf:
    """Visits by unguessable id, so that a reload of the page finds its files again; the oldest go first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Visit] = OrderedDict()
        self._lock = Lock()

    def get(self, token: str) -> Visit | None:
        """The visit of that id, or None."""
        with self._lock:
            if token in self._kept:
                self._kept.move_to_end(token)
            return self._kept.get(token)

    def put(self, token: str, visit: Visit) -> None:
        """Keep a visit."""
        with self._lock:
            self._kept[token] = visit
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)


@st.cache_resource
def shelf() -> Shelf:
    """The shelf of this server."""
    return Shelf()


def visit() -> Visit:
    """The state of this visit: the one in the session, else the one of the link, else a new one with a sample."""
    if KEY not in st.session_state:
        token = str(st.query_params.get(LINK, ""))
        found = shelf().get(token)
        if found is None:
            token, found = secrets.token_urlsafe(12), first_visit()
        else:
            # a copy: who follows a link may rename, add and clear without touching the screen of another
            found = replace(found, edits=dict(found.edits), called=dict(found.called), groups=dict(found.groups))
            st.session_state[f"{KEY}.mark"] = found.mark
            st.session_state[BORROWED] = True
        st.session_state[KEY] = found
        st.session_state[f"{KEY}.token"] = token
    current: Visit = st.session_state[KEY]
    token = st.session_state[f"{KEY}.token"]
    if current.sample:
        # a sample needs no link; the address stays short
        st.query_params.pop(LINK, None)
    else:
        changed = st.session_state.get(f"{KEY}.mark") != current.mark
        if changed and st.session_state.pop(BORROWED, False):
            # a change goes under a link of its own: the one that was followed shows others what it showed before
            token = st.session_state[f"{KEY}.token"] = secrets.token_urlsafe(12)
        if changed or shelf().get(token) is None:
            shelf().put(token, current)
            st.session_state[f"{KEY}.mark"] = current.mark
        st.query_params[LINK] = token
    return current


def first_visit() -> Visit:
    """A visit that is already alive: the first sample is loaded."""
    fresh = Visit()
    names = readers.sample_names()
    if names:
        load_sample(fresh, names[0])
    return fresh


def load_sample(current: Visit, name: str) -> None:
    """Replace what is loaded by a sample."""
    current.take(readers.load_sample(name), name, sample=True)
