"""Will it hold elsewhere? Calibration, signs on other domains, replicability."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

from sigboard.questions.domains.report import domains_json, domains_table
from sigboard.terminal.arguments import drawing, files, level, paper_test, runtime, study_of, whole
from sigboard.terminal.groups import chosen_bases, grouped, groups, mixtures
from sigboard.terminal.loading import collect, load, wanted
from sigboard.terminal.output import give
from sigcore import Outputs, SigError, Testset, data, readers
from sigcore.studies import domains, pairs

BY = ("domain", "document", "testset")  # what the domains are
LINES = "plain"  # the format with one entry per line


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The systems with their groups, the domains, the test, and the test sets to draw."""
    files(command)
    groups(command)
    add = command.add_argument
    help = "the domain of every segment: one per line, or a table with a column domain (default: those in the files)"
    add("--domains", metavar="FILE", help=help)
    help = "what the domains are: of the segments, the documents, or all test sets that are loaded (default: domain)"
    add("--by", choices=BY, default="domain", help=help)
    help = "the domain whose p is compared with other domains (default: the largest)"
    add("--home", default="", metavar="NAME", help=help)
    paper_test(command)
    mixtures(command)
    help = (
        "test sets drawn from all segments, to see how often a borderline p has the right sign (default: 100; 0: none)"
    )
    add("--draws", type=whole, default=100, metavar="D", help=help)
    help = "segments of a drawn test set (default: 1,600, or all segments where there are fewer)"
    add("--segments", type=whole, default=0, metavar="N", help=help)
    level(command)
    drawing(command)


def run(args: argparse.Namespace) -> None:
    """The table of signs, replicability, and the calibration."""
    if args.by == "testset":
        return _over_test_sets(args)
    loaded, warnings = load(args)
    outputs, kinds, notes = grouped(args.groups, loaded.outputs)
    plan, study = _plan(args, _domain_of(args, loaded.testset), outputs), study_of(args, loaded)
    how = pairs.How.of(study)
    result = domains.run(
        loaded.testset, outputs, study.metrics, plan, how, unit=study.unit, kinds=kinds, runtime=runtime(args)
    )
    _give(args, result, [*warnings, *notes])


def _over_test_sets(args: argparse.Namespace) -> None:
    """The same with every loaded test set as a domain.

    Raises: SigError for files that do not name two test sets.
    """
    if args.domains or args.testset:
        fix = "Leave out --domains and --testset, or --by testset."
        raise SigError("With --by testset all test sets that are loaded are the domains.", "", fix)
    collection = collect(args)
    collection.refuse_problems()
    names = collection.choices.testsets
    if len(names) < 2:
        fix = "Name the test sets in the files or folders (wmt22.cs-en.ref.en), two or more."
        raise SigError("The files do not belong to several test sets.", "--by", fix)
    sets, said, kinds, metric = [], list[str](), dict[str, str](), args.metric
    use = wanted(args, collection)
    for name in names:
        one = argparse.Namespace(**{**vars(args), "metric": metric})
        loaded, warnings = load(one, collection, use._replace(testset=name))
        study = study_of(one, loaded)
        metric = study.named  # that of the first test set
        outputs, own, notes = grouped(args.groups, loaded.outputs)
        sets.append((replace(loaded.testset, name=name), outputs))
        said += [f"{name}: {words}" for words in (*warnings, *notes)]
        kinds |= own
    plan = _plan(args, (), domains.together(sets).outputs)
    how = pairs.How.of(study)
    result = domains.run_sets(sets, study.metrics, plan, how, unit=study.unit, kinds=kinds, runtime=runtime(args))
    _give(args, result, said)


def _give(args: argparse.Namespace, result: domains.DomainsResult, warnings: Sequence[str]) -> None:
    content = domains_json(result, [*warnings, *result.notes])
    give(args, content, [domains_table(result)], result.notes, lambda: [item.as_dict() for item in result.real.table])


def _domain_of(args: argparse.Namespace, testset: Testset) -> tuple[str, ...]:
    """The domain of every segment.

    Raises: SigError where the files have none.
    """
    if args.by == "document":
        if args.domains:
            raise SigError("The domains are the documents.", "--domains", "Leave out --domains, or --by document.")
        if not testset.documents:
            raise SigError("The test set does not assign segments to documents.", "--by", "Give --documents.")
        return testset.documents
    domain_of = _read_domains(args.domains) if args.domains else testset.domains
    if not domain_of:
        raise SigError("There are no domains.", "", "Give --domains, one domain for each segment.")
    return domain_of


def _plan(args: argparse.Namespace, domain_of: Sequence[str], outputs: Sequence[Outputs]) -> domains.DomainsPlan:
    return domains.DomainsPlan(
        domain_of=tuple(domain_of),
        home=args.home,
        draws=args.draws,
        segments=args.segments,
        alpha=args.alpha,
        mixtures=args.mixtures,
        bases=chosen_bases(args.base, [item.system for item in outputs]),
    )


def _read_domains(path: str) -> tuple[str, ...]:
    """The domain of every segment: a column of a table, or the lines of a file.

    Raises: SigError for a table without such a column.
    """
    intake = readers.read([(path, data.read_bytes(path))])
    streams = [item.segments for item in intake.items if item.role == "domains"]
    if streams:
        return streams[0]
    if intake.problems:
        raise intake.problems[0]
    if len(intake.items) == 1 and [item.reader for item in intake.detected] == [LINES]:
        return intake.items[0].segments
    raise SigError(
        f"{path} has no column of domains.", path, "Give a table with a column domain, or one domain per line."
    )
