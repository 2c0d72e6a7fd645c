"""The query of the tuning page: one job for all methods and replicates, which shows its courses while it runs."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock

import streamlit as st

from sigboard.server import jobs
from sigboard.shell.queries import key_of, running
from sigcore import Collection, Outputs, Testset
from sigcore.studies import tuning

FINISHED = "sigboard.tuned"
OWN, LAB = "sigboard.tuning.own", "sigboard.tuning.lab.files"  # the lists that the person has dropped
EVERY = 1.5  # seconds between two pictures of the courses: each draws the page again


def lists_of(collection: Collection) -> list[str]:
    """The k-best lists among the files of a person."""
    return [one.file for one in collection.detected if one.reader == "nbest"]


@dataclass(frozen=True, eq=False)
class Courses:
    """What a job has reported so far: (method, replicate from 1) -> its steps, one iteration after the other."""

    steps: Mapping[tuple[str, int], Sequence[tuning.Step]]


@dataclass(frozen=True, eq=False)
class LanguageModel:
    """A model of pairs of words, with the name of the file and the digest of the text that it was made from."""

    file: str
    digest: str
    model: tuning.BigramModel


@dataclass(frozen=True, eq=False)
class TuningAsked:
    """What is tuned: k-best `lists`, or the `outputs` of systems that are combined; its references, target and plan; and a
    language model that adds a feature."""

    testset: Testset
    target: tuning.Target
    plan: tuning.TuningPlan
    lists: tuning.KBest | None = None
    features: tuple[str, ...] = ()
    outputs: tuple[Outputs, ...] = ()
    language: LanguageModel | None = None


@dataclass(frozen=True, eq=False)
class LabAsked:
    """Lists to tune on, lists to test on, target and plan of the lab; built-in features, and a language model."""

    dev: tuple[tuning.ListSet, ...]
    tests: tuple[tuning.ListSet, ...]
    target: tuning.Target
    plan: tuning.LabPlan
    features: tuple[str, ...] = ()
    language: LanguageModel | None = None


@dataclass(eq=False)
class _Live:
    """What the methods report while they work, from several threads, as pictures for the page."""

    job: jobs.Job
    courses: dict[tuple[str, int], list[tuning.Step]] = field(default_factory=dict)
    shown: float = field(default_factory=time.monotonic)
    lock: Lock = field(default_factory=Lock)

    def take(self, method: str, replicate: int, iteration: int, step: tuning.Step) -> None:
        """Add one step."""
        with self.lock:
            self.courses.setdefault((method, replicate), []).append(step)
            if time.monotonic() - self.shown >= EVERY:
                self.shown = time.monotonic()
                self.job.publish(Courses({place: tuple(steps) for place, steps in self.courses.items()}))


def result(asked: TuningAsked) -> tuning.TuningResult | Courses:
    """The finished study, or the courses so far; without either the page stops here."""

    runtime = running()

    def work(job: jobs.Job) -> tuning.TuningResult:
        how, live = runtime(job), _Live(job).take
        model = None if asked.language is None else asked.language.model
        if asked.lists is None:
            of_systems = asked.outputs, asked.testset, asked.target, asked.plan
            return tuning.combine(*of_systems, model=model, runtime=how, report=live)
        lists = asked.lists if model is None else tuning.with_language_model(asked.lists, model)
        of_lists = lists, asked.testset, asked.target, asked.plan
        return tuning.rerank(*of_lists, features=asked.features, runtime=how, report=live)

    found: tuning.TuningResult | Courses = jobs.result(key_of("tuning", asked), work)
    if isinstance(found, tuning.TuningResult):
        st.session_state[FINISHED] = found
    return found


def lab(asked: LabAsked) -> tuning.LabResult | Courses:
    """The finished lab, or the courses so far; without either the page stops here."""
    runtime, model = running(), None if asked.language is None else asked.language.model

    def with_model(one: tuning.ListSet) -> tuning.ListSet:
        return one if model is None else replace(one, lists=tuning.with_language_model(one.lists, model))

    def work(job: jobs.Job) -> tuning.LabResult:
        dev, tests = ([with_model(one) for one in side] for side in (asked.dev, asked.tests))
        how, live = runtime(job), _Live(job).take
        return tuning.lab(dev, tests, asked.target, asked.plan, features=asked.features, runtime=how, report=live)

    found: tuning.LabResult | Courses = jobs.result(key_of("lab", asked), work)
    return found


def finished() -> tuning.TuningResult | None:
    """The result that this visit saw last; None without one."""
    result: tuning.TuningResult | None = st.session_state.get(FINISHED)
    return result
