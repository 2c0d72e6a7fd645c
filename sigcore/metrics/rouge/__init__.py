"""ROUGE-1, 2, L and SU4: what a summary shares with its references, as ROUGE-1.5.5 counts it."""

from __future__ import annotations

from sigcore.metrics.rouge import rouge_1, rouge_2, rouge_l, rouge_su4

METRICS = (rouge_1.METRIC, rouge_2.METRIC, rouge_l.METRIC, rouge_su4.METRIC)
