"""The predictions of a visit, for each data set, metric and seed: they are kept until the visit ends."""

from __future__ import annotations

import streamlit as st

KEY = "sigboard.predictions"


class Predictions:
    """The predictions under one key; `at` is the round that is shown (None: the results)."""

    def __init__(self, key: str, rounds: int) -> None:
        self._state = st.session_state.setdefault(KEY, {}).setdefault(key, {"answers": {}, "at": 0})
        self.rounds = rounds

    @property
    def at(self) -> int | None:
        """The round that is shown, from 0; None: the results."""
        at: int | None = self._state["at"]
        return at

    @property
    def answers(self) -> tuple[tuple[int, bool], ...]:
        """The predictions so far, by round."""
        return tuple(sorted(self._state["answers"].items()))

    @property
    def is_answered(self) -> bool:
        """Whether the round that is shown has a prediction."""
        return self.at in self._state["answers"]

    def say(self, significant: bool) -> None:
        """Keep the prediction of the round that is shown; the first one counts."""
        if self.at is not None:
            self._state["answers"].setdefault(self.at, significant)

    def show(self, at: int | None) -> None:
        """Show a round or the results."""
        self._state["at"] = at if at is not None and at < self.rounds else None

    def again(self) -> None:
        """Forget all predictions."""
        self._state.update(answers={}, at=0)
