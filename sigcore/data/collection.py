"""The one owner of what is loaded: items, ratings, the detected formats, the user's edits and selection.

loaded = Collection.of("outputs/", references=["ref.en"]).sound()
run = matrix.run(Study(loaded.testset, loaded.outputs, ...))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from sigcore import readers
from sigcore.data import checks, paths
from sigcore.data.additions import ungrouped, without_known
from sigcore.data.assembly import Loaded, Ready, assemble, of_sample
from sigcore.data.select import AnyKind, Choices, choices, known, one_of, settled
from sigcore.data.sentinels import read_codes
from sigcore.errors import SigError, UnknownMember, refuse
from sigcore.formatting import listed
from sigcore.judgments import Judgments
from sigcore.preferences import Preferences
from sigcore.readers import ROLES, SHARED, Choice, Claim, Detected, Given, Intake, Item, Notice, clean
from sigcore.readers.folders import named_apart
from sigcore.readers.names import display_name, names_gold
from sigcore.types import KINDS, Kind, Missing, Role

# The user's edits of an item: its name, role, group and test set.

FIELDS = ("name", "role", "group", "test set")
Edit = Mapping[str, object]
Edits = Mapping[int, Edit]  # the position of the item -> its changes


def edited(item: Item, edit: Edit) -> Item:
    """The item with the user's name, role, group and test set; an emptied name or role is left unchanged."""

    def text(key: str, before: str) -> str:
        return clean(str(edit.get(key, before) or ""))

    return replace(
        item,
        name=text("name", item.name) or item.name,
        role=next((role for role in ROLES if role == text("role", item.role)), item.role),
        group=text("group", item.group),
        testset=text("test set", item.testset),
    )


def check(changes: Edits, items: int) -> None:
    """Raise SigError unless every change is about one of the items, a known field and a known role."""
    for place, edit in changes.items():
        if not 0 <= place < items:
            raise SigError(f"There is no item {place}.", "", f"The items are numbered from 0 to {items - 1}.")
        for name in edit:
            if name not in FIELDS:
                raise UnknownMember("field of an item", name, FIELDS)
        role = clean(str(edit.get("role") or ""))
        if role and role not in ROLES:
            raise UnknownMember("role", role, ROLES)


# The selected items that could not be used.


def left_out(items: Sequence[Item], loaded: Loaded, kind: Kind, testset: str, measure: str) -> list[Item]:
    """The items that could not be used, because of their length or content, and those that never can be."""
    testsets = [item.testset for item in settled(items)[0]]

    def is_out(item: Item, own: str) -> bool:
        # an item that is alone in an unselected test set can never be scored
        return _is_unused(item, loaded, kind, measure) if own in ("", testset) else testsets.count(own) == 1

    return [item for item, own in zip(items, testsets, strict=True) if is_out(item, own)]


def _is_unused(item: Item, loaded: Loaded, kind: Kind, measure: str) -> bool:
    """Whether an item of the selected test set is not part of what was loaded."""
    if item.role in (*SHARED, "source"):
        n = loaded.testset.n if loaded.testset else 0
        return n not in (0, len(item.segments))
    if item.kind != kind and (item.kind, kind) != ("scores", "text"):
        return False
    if item.role == "reference":
        references = loaded.testset.references if loaded.testset else ()
        return bool(references) and item.segments not in references
    systems = {outputs.system for outputs in loaded.outputs}
    return item.role == "system" and item.measure == measure and item.name not in systems


@dataclass
class Collection:
    """What the user has loaded, edited and selected. `items` come from the files, with the user's names, roles, groups.

    `ratings` are human judgments, `preferences` pairwise ones; `detected` holds each file as it was read, `claims` what its columns are taken for; `given` are the
    roles of files and folders from the user; `renamed` says which output a judged system is; `groups` and `kinds` (system
    or combination) come from a table, for systems that may be loaded later; `sample` says that a sample is loaded, which
    the user's first files replace. `testset`, `kind`, `measure`, `missing` and `codes` (numbers
    that mean a missing score) are the selection. `version` increases
    whenever the items change: a table of them is redrawn.
    """

    name: str = ""
    items: tuple[Item, ...] = ()
    ratings: tuple[Judgments, ...] = ()
    preferences: tuple[Preferences, ...] = ()
    notices: tuple[Notice, ...] = ()
    problems: tuple[SigError, ...] = ()
    detected: tuple[Detected, ...] = ()
    claims: tuple[Claim, ...] = ()
    renamed: dict[str, str] = field(default_factory=dict)
    groups: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    edits: dict[int, Edit] = field(default_factory=dict)
    given: Given = ()
    sample: bool = False
    testset: str = ""
    kind: Kind = "text"
    measure: str = ""
    missing: Missing = "refuse"
    codes: tuple[str, ...] = ()
    accept_order: bool = False
    version: int = 0
    _loaded: dict[Missing, tuple[tuple[object, ...], Loaded]] = field(default_factory=dict, repr=False)

    # ---- add

    @classmethod
    def of(
        cls,
        *files: paths.AnyPath,
        references: Sequence[paths.AnyPath] = (),
        systems: Sequence[paths.AnyPath] = (),
        documents: Sequence[paths.AnyPath] = (),
        name: str = "",
        chosen: Choice | None = None,
    ) -> Collection:
        """The collection of files, folders and archives on this machine.

        The roles of `files` are detected; the others have the role of their argument, unless a folder or an archive
        contains several roles. `chosen` is the reader of all files but the documents, with its options.
        Raises: SigError for a path that cannot be read. Problems inside the files are in `problems`.
        """
        collection = cls(name=name)
        if documents:
            collection.add(*paths.read_paths((), {"documents": documents}))
        given: dict[Role, Sequence[paths.AnyPath]] = {"reference": references, "system": systems}
        collection.add(*paths.read_paths(files, given), every=chosen)
        return collection

    def add(
        self,
        files: Iterable[tuple[str, bytes]],
        roles: Given = (),
        chosen: Mapping[str, Choice] | None = None,
        ratings: bool = False,
        every: Choice | None = None,
    ) -> None:
        """Add files, given as (name, bytes); the user's first files replace a sample.

        `roles` are those that the user gave to files, folders or archives; `chosen` sets the reader of a file, `every`
        that of all others (as in `readers.read`); `ratings` says that ambiguous tables contain human ratings, not scores.
        """
        self.given = (*self.given, *roles)
        if ratings:
            self.add_intake(readers.read_ratings(files, every.options if every else None))
        else:
            self.add_intake(readers.read(files, chosen=chosen, roles=roles, every=every))

    def add_sample(self, name: str) -> None:
        """Replace what is loaded by a sample.

        Raises: UnknownMember, with the nearest names.
        """
        intake = readers.load_sample(name)
        self.clear()
        self.add_intake(intake)
        self.name, self.sample = name, True

    def add_intake(self, intake: Intake) -> None:
        """Add an intake; its files replace unusable files of the same name."""
        self.settle()
        if self.sample:
            self.clear()
        self._replace_unusable(intake)
        # while nothing can be compared, the new files may be of another kind
        kind: AnyKind = self.kind if self.items and len(self.loaded().outputs) > 1 else ""
        intake = without_known(intake, self.items)
        self.groups |= intake.groups
        self.kinds |= intake.kinds
        # a table of groups is about what was loaded before, and an earlier one about what is new
        both = [(item, intake.groups) for item in self.items] + [(item, self.groups) for item in intake.items]
        items, renamed = named_apart([replace(i, group=groups.get(i.name, i.group)) for i, groups in both])
        self.items, self.problems = tuple(items), self.problems + intake.problems
        notices = dict.fromkeys((*self.notices, *intake.notices, *renamed, *ungrouped(items, intake.groups)))
        outdated = set(ungrouped((), self.groups)) - set(ungrouped(items, self.groups))  # their systems are there now
        self.notices = tuple(notice for notice in notices if notice not in outdated)
        again = {one.file for one in intake.detected}
        judged = (("ratings", intake.judgments), ("preferences", intake.preferences))
        added = (*judged, ("detected", intake.detected), ("claims", intake.claims))
        for name, parts in added:
            setattr(self, name, (*(one for one in getattr(self, name) if one.file not in again), *parts))
        self.version += 1
        self._select(self.testset, kind, self.measure)

    def fix(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Replace files by corrected ones of the same names; everything read from the old files is removed."""
        corrected = [(name, bytes(content)) for name, content in files]
        self._forget_files({name for name, _ in corrected})
        self.add(corrected)

    def re_read(self, file: str, reader: str, options: Mapping[str, object] | None = None) -> None:
        """Re-read a file with another reader; everything read from it before is removed.

        Raises: UnknownMember for a file that is not loaded.
        """
        contents = {one.file: one for one in self.detected}
        if file not in contents:
            raise UnknownMember("loaded file", file, contents)
        intake = readers.read([(file, contents[file].data)], chosen={file: Choice(reader, options or {})})
        self._forget_files({file})
        self.add_intake(intake)

    # ---- edit

    def edit(self, changes: Edits) -> None:
        """Change names, roles, groups or test sets of items, by place; an earlier `edit` that is not settled is reverted.

        Raises: SigError for an item, a field or a role that does not exist.
        """
        check(changes, len(self.items))
        self.edits = {place: dict(edit) for place, edit in changes.items()}
        self._select(self.testset, self.kind, self.measure)

    def edited(self) -> tuple[Item, ...]:
        """The items with the user's edits."""
        return tuple(edited(i, self.edits[k]) if k in self.edits else i for k, i in enumerate(self.items))

    def settle(self) -> None:
        """Make the edits part of the items, so that a table of them is redrawn."""
        if self.edits:
            self.items, self.edits = self.edited(), {}
            self.version += 1

    def rename_judged(self, system: str, output: str) -> None:
        """Set the output of a judged system; "" removes it. An output that belongs to another judged system keeps it."""
        self.renamed.pop(system, None)
        if output and output not in self.renamed.values():
            self.renamed[system] = output
        self.version += 1

    def dismiss(self) -> None:
        """Forget the problems of files that could not be read."""
        self.problems = ()

    def clear(self) -> None:
        """Forget everything that was loaded, edited and selected."""
        empty = Collection(version=self.version + 1)
        for one in fields(self):
            setattr(self, one.name, getattr(empty, one.name))

    # ---- select

    @property
    def choices(self) -> Choices:
        """The test sets, kinds and measures that can be selected."""
        return choices(self.edited(), self.testset, self.kind)

    def select(
        self,
        testset: str | None = None,
        kind: str | None = None,
        measure: str | None = None,
        missing: Missing | None = None,
        codes: Sequence[str] | None = None,
        accept_order: bool | None = None,
    ) -> None:
        """Select a test set, a kind or a measure, how to treat missing scores, the codes of missing scores, or whether the
        order of all lines is accepted; None leaves a setting as it is.

        "" is the first. A kind or a measure that the test set does not have becomes the first that it has.
        Raises: UnknownMember for a name that is not among the choices; OptionError for a code that is not a number.
        """
        self.settle()
        self.codes = self.codes if codes is None else read_codes(codes)
        self.accept_order = self.accept_order if accept_order is None else accept_order
        testset = self.testset if testset is None else known("test set", testset, choices(self.items).testsets)
        kinds = choices(self.items, testset).kinds
        new_kind = self.kind if kind is None else known("kind", kind, kinds or KINDS)
        if measure and kind is None and "scores" in kinds and not any(choices(self.items, testset, new_kind).measures):
            new_kind = "scores"  # only they have measures
        measures = choices(self.items, testset, new_kind).measures
        measure = self.measure if measure is None else known("measure", measure, measures)
        if missing is not None:
            self.missing = missing
        self._select(testset, new_kind, measure)

    def _select(self, testset: str, kind: AnyKind, measure: str) -> None:
        """Select these if they are loaded, or else the first of each."""
        items = self.edited()
        self.testset = one_of(choices(items).testsets, testset)
        self.kind = one_of(choices(items, self.testset).kinds, kind) or kind or "text"
        self.measure = one_of(choices(items, self.testset, self.kind).measures, measure)

    # ---- result

    def loaded(self, missing: Missing | None = None) -> Loaded:
        """The test set and the outputs that the items form, with all findings; cached until something changes.

        `missing` says what happens to missing scores; None uses the selection.
        """
        missing = missing or self.missing
        chosen = (self.kind, self.testset, self.measure, missing, self.codes, self.accept_order)
        content = (self.edited(), self.name, *chosen)
        cached = self._loaded.get(missing)
        if cached is None or cached[0] != content:
            made = of_sample(content) if self.sample and not (self.codes or self.edits) else assemble(*content)
            if self.preferences:
                made = replace(made, findings=checks.told_of_judgments(made.findings))
            cached = (content, made)
            self._loaded = {**self._loaded, missing: cached}
        return cached[1]

    def sound(self, missing: Missing | None = None) -> Ready:
        """The test set and the outputs, if nothing had to be left out.

        Raises: SigError with every problem of a file, or every error found by the data checks.
        """
        self.refuse_problems()
        if self.items or not (self.ratings or self.preferences):
            return self.loaded(missing).sound()
        what, page = ("pairwise judgments", "pairwise") if self.preferences else ("ratings by people", "human")
        fix = f"Use the command {page}, or its page, for these. For other tests add outputs and a reference, or scores."
        if not self.preferences:
            fix += " To test the mean rating of each segment: sigboard matrix FILE. If a program scored them, say so: "
            fix += "--format csv, tsv or jsonl."
        raise SigError(f"Only {what} are loaded.", "", fix)

    def refuse_problems(self) -> None:
        """Raise SigError with every problem of every file, if there is one."""
        refuse(self.problems)

    def left_out(self) -> tuple[Item, ...]:
        """The selected items that could not be used because of their length or content."""
        return tuple(left_out(self.edited(), self.loaded(), self.kind, self.testset, self.measure))

    @property
    def has_documents(self) -> bool:
        """Whether the test set says which segment belongs to which document."""
        testset = self.loaded().testset if self.items else None
        return testset is not None and bool(testset.documents)

    @property
    def state(self) -> tuple[object, ...]:
        """Everything that was loaded, edited and selected; equal only while nothing changes."""
        parts = (getattr(self, one.name) for one in fields(self) if one.name not in ("version", "_loaded"))
        return tuple(repr(part) if isinstance(part, dict) else part for part in parts)

    def copy(self) -> Collection:
        """A collection of the same content; a change to one leaves the other as it is."""
        return replace(self, **{k: dict(part) for k, part in vars(self).items() if isinstance(part, dict)})  # type: ignore[arg-type]

    # ---- replacing files

    def _forget_files(self, files: set[str]) -> None:
        """Remove everything read from these files, and all messages about them."""
        self.settle()
        for name in ("items", "ratings", "preferences", "notices", "problems", "claims"):
            setattr(self, name, tuple(one for one in getattr(self, name) if _file(one) not in files))

    def remove(self, files: set[str]) -> None:
        """Remove these files, and what they said of others."""
        self._forget_files(files)
        self.detected = tuple(one for one in self.detected if one.file not in files)
        left = {item.name for item in self.items}
        self.name, self.groups = "", {system: group for system, group in self.groups.items() if system in left}
        self._select(self.testset, self.kind, self.measure)

    def _replace_unusable(self, intake: Intake) -> None:
        """Remove unusable items if a file of the same name is loaded again: it is the corrected one."""
        again = {*map(_file, (*intake.items, *intake.problems))}
        self.problems = tuple(problem for problem in self.problems if _file(problem) not in again)
        if again.isdisjoint(item.file for item in self.items):
            return
        unusable = {id(item): item.file for item in self.left_out() if item.file in again}
        self.items = tuple(item for item in self.items if id(item) not in unusable)
        self.notices = tuple(notice for notice in self.notices if notice.file not in unusable.values())


def _file(part: object) -> str:
    return str(getattr(part, "file", ""))


# Notices about files for display: the same message about several files is one line.


def together(notices: Iterable[Notice]) -> list[tuple[str, str]]:
    """Each message with its files and lines: ("It is UTF-16; read as such.", "a.txt; b.txt")."""
    places: dict[str, list[str]] = {}
    for notice in notices:
        line = f", line {notice.line}" if notice.line else ""
        places.setdefault(notice.message, []).append(f"{notice.file}{line}")
    return [(message, listed(files, separator="; ")) for message, files in places.items()]


def warnings(notices: Iterable[Notice], loaded: Loaded | None = None) -> list[str]:
    """What a result of these files must carry: the notices on files, and all findings but errors, each in one line."""
    messages = [f"{where}: {message}" if where else message for message, where in together(notices)]
    findings = [*loaded.of("warning"), *loaded.of("note")] if loaded is not None else []
    return [*messages, *map(str, findings)]


Content = tuple[str, str]  # what it is, and how to fix it


def in_two_roles(collection: Collection) -> Iterator[SigError]:
    """An error for each file that was given as documents as well, and has nothing else: its segments would be lost."""
    documents = {label for label, role in collection.given if role == "documents"}
    for label, role in dict.fromkeys(collection.given):
        own = [item for item in collection.edited() if _within(item.file, label)]
        if label in documents and role != "documents" and own and all(item.role == "documents" for item in own):
            fix = "Give the file with the names of documents, one line per segment, only after --documents."
            yield SigError(f"It was given as a {role} and as documents, and can be only one of them.", label, fix)


def gold_as_system(collection: Collection) -> Iterator[SigError]:
    """An error for each file of numbers that was given as a system, although its name says that it holds what is right."""
    systems = {label for label, role in collection.given if role == "system"}
    for item in collection.edited():
        whole = item.file in systems and item.name == display_name(item.file)  # not a column, which has its own name
        if whole and item.role == "system" and item.kind == "scores" and names_gold(item.file):
            what = f"{item.name} holds the right answers by its name, but was given as a system."
            fix = "Give it with --reference if the others are predicted labels; else leave it out. A system needs another name."
            yield SigError(what, item.file, fix)


def unused(collection: Collection, loaded: Loaded) -> Iterator[SigError]:
    """An error for each file, folder or archive with a role from the user, of which the test set has nothing in that role.

    What another test set or measure is made of may be left out: the user selects one of several, and a note says which.
    So may a second copy of a reference. A table that names its columns (documents, domains) is used as what it says it is.
    """
    for label, role in dict.fromkeys(collection.given):
        if any(_within(file, label) and (role == "system") <= (own == "system") for file, own in loaded.files):
            continue
        items = [item for item in collection.edited() if _within(item.file, label)]
        if any(_may_be_left_out(item, collection) for item in items):
            continue
        content = _content(collection, loaded, items, label)
        if content is not None:
            side = "outputs of systems" if role == "system" else f"a {role}"
            yield SigError(f"It was given as {side}, but contains {content[0]}.", label, content[1])


def named_without(collection: Collection, named: Iterable[str], used: Iterable[str], what: str) -> Iterator[SigError]:
    """An error for each file that the user named and that is not among the `used` ones: it has no `what`.

    The files inside of folders and archives that were named may be left out.
    """
    names, filled = set(named), set(used)
    for one in collection.detected:
        if one.file in names and one.file not in filled:
            message = f"{one.file} has no {what}, but other files have."
            yield SigError(message, one.file, "Leave it out.")


def _within(file: str, label: str) -> bool:
    return file == label or file.startswith(f"{label}/")


def _may_be_left_out(item: Item, collection: Collection) -> bool:
    """Whether an item says itself what it is; or is of the right kind, but of another test set or measure, or a copy; or the
    text of word links."""
    if item.role not in ("system", "reference"):
        return True
    if item.testset not in ("", collection.testset):
        return True
    return item.kind == collection.kind or (item.kind, collection.kind) == ("text", "alignments")


def _content(collection: Collection, loaded: Loaded, items: Sequence[Item], label: str) -> Content | None:
    """What a file contains that is not used; None if it is a table of groups of systems that are loaded."""
    if any(_within(part.file, label) for part in collection.ratings):
        return "ratings by people", "Compare metrics with them by the command human --assessments FILE."
    if any(_within(part.file, label) for part in collection.preferences):
        return "pairwise judgments", "The command pairwise reads them."
    if items:
        fix = "Leave it out, or compare such files in another command; if it was misread, set its format with --format."
        return f"{listed(item.kind for item in items)}; the test set is {collection.kind}", fix
    if not collection.groups:
        return "nothing that can be used", "Check that it is the right file, or set its format with --format."
    if any(output.system in collection.groups for output in loaded.outputs):
        return None
    return "groups of systems that are not loaded", "Load these systems, or leave the file out."
