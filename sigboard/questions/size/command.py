"""How many segments do I need? Thresholds by the size of the test set, and the smallest detectable gains."""

from __future__ import annotations

import argparse

from sigboard.questions.size.report import SizeChecks, size_json, size_table
from sigboard.terminal.arguments import drawing, files, level, paper_test, runtime, study_of, whole
from sigboard.terminal.groups import chosen_bases, grouped, groups, mixtures
from sigboard.terminal.loading import load
from sigboard.terminal.output import give
from sigcore import Runtime, SigError, data
from sigcore.studies import pairs, size

SIZES = (100, 200, 400, 800, 1600)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The systems with their groups, the test, the sizes, and a gain to plan for."""
    files(command)
    groups(command)
    paper_test(command)
    mixtures(command)
    add = command.add_argument
    usual = " ".join(map(str, SIZES))
    add(
        "--sizes",
        nargs="+",
        type=whole,
        default=list(SIZES),
        metavar="N",
        help=f"numbers of segments (default: {usual})",
    )
    add(
        "--subsets",
        default="initial",
        choices=size.SUBSETS,
        help="initial: the first N segments; random: N segments; documents: whole documents, about N segments",
    )
    help = "how many random parts of each size; their pairs are counted together (default: 20)"
    add("--draws", type=whole, default=20, metavar="D", help=help)
    add("--gain", type=float, metavar="GAIN", help="a true gain to be found: how many segments does that need?")
    help = "check the formula: D drawn test sets of every size on which the gain of --pair is tested"
    add("--simulate", type=whole, default=0, metavar="D", help=help)
    help = "the names of --systems contain system and run: what differences between runs add"
    add("--runs-from-names", metavar="PATTERN", help=f"{help} (as in {data.RUNS_EXAMPLE})")
    add("--pair", nargs=2, metavar=("A", "B"), help="a pair of systems to print next to the median pair")
    level(command)
    drawing(command)


def run(args: argparse.Namespace) -> None:
    """The curve of thresholds, and detectable gains."""
    loaded, warnings = load(args)
    outputs, kinds, notes = grouped(args.groups, loaded.outputs)
    systems = [item.system for item in outputs]
    unknown = next((name for name in args.pair or () if name not in systems), None)
    if unknown is not None:
        raise SigError(f"{unknown} is not loaded.", "--pair", f"Use the names of the systems: {', '.join(systems)}.")
    if args.pair and args.pair[0] == args.pair[1]:
        raise SigError(f"{args.pair[0]} cannot be compared with itself.", "--pair", "Name two systems.")
    plan = size.SizePlan(
        sizes=tuple(args.sizes),
        subsets=args.subsets,
        draws=args.draws,
        alpha=args.alpha,
        gain=args.gain,
        mixtures=args.mixtures,
        bases=chosen_bases(args.base, systems),
    )
    if args.simulate and not args.pair:
        raise SigError("--simulate needs a pair.", "--simulate", "Name it with --pair.")
    study, how = study_of(args, loaded), runtime(args)
    test = pairs.How.of(study)
    drawn = size.draw(loaded.testset, outputs, study.metrics, plan, test, unit=study.unit, kinds=kinds, runtime=how)
    checked = _checked(args, drawn, how)
    result = size.read(drawn)
    content = size_json(result, [*warnings, *notes, *result.notes], checked)
    tables = [size_table(result, args.pair or (), checked)]
    give(args, content, tables, result.notes, lambda: [item.as_dict() for item in result.curve])


def _checked(args: argparse.Namespace, drawn: size.SizeRun, how: Runtime) -> SizeChecks:
    """The power of the pair at every size by simulation, and what differences between runs add, where requested."""
    sizes = args.sizes if args.simulate else ()
    simulated = [size.simulate(drawn, tuple(args.pair), n, args.alpha, args.simulate, runtime=how) for n in sizes]
    if not args.runs_from_names:
        return SizeChecks(simulated)
    systems = data.by_pattern([o.system for o in drawn.prepared.measured.systems], args.runs_from_names)
    return SizeChecks(simulated, size.between_runs(drawn, systems))
