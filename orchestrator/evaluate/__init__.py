"""Judged questions in, figures out: how well the whole path finds what people marked as right."""

from orchestrator.evaluate.judged import JudgedQuestion, Judgments, read_judgments
from orchestrator.evaluate.metrics import interval, ndcg, recall, reciprocal_rank
from orchestrator.evaluate.recording import (
    Recorded,
    Report,
    ask_all,
    best_possible,
    half_of,
    homes_of,
    ranked,
    read_recording,
    replay,
    sample,
    scored,
    tidied,
    write_recording,
)
from orchestrator.evaluate.tables import Ablation, Figure, Measurement, TableRow, Tables, ablation, losses, tabulate

__all__ = [
    "Ablation",
    "Figure",
    "JudgedQuestion",
    "Judgments",
    "Measurement",
    "Recorded",
    "Report",
    "TableRow",
    "Tables",
    "ablation",
    "ask_all",
    "best_possible",
    "half_of",
    "homes_of",
    "interval",
    "losses",
    "ndcg",
    "ranked",
    "read_judgments",
    "read_recording",
    "recall",
    "reciprocal_rank",
    "replay",
    "sample",
    "scored",
    "tabulate",
    "tidied",
    "write_recording",
]
