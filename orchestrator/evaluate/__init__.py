"""Judged questions in, figures out: how well the whole path finds what people marked as right."""

from orchestrator.evaluate.intervals import interval
from orchestrator.evaluate.judged import JudgedQuestion, load_judged
from orchestrator.evaluate.measure import Figures, measure
from orchestrator.evaluate.metrics import ndcg, recall, reciprocal_rank
from orchestrator.evaluate.recording import Recorded, read_recording, write_recording
from orchestrator.evaluate.replay import Report, Scored, best_possible, half_of, ranked, replay, scored

__all__ = [
    "Figures",
    "JudgedQuestion",
    "Recorded",
    "Report",
    "Scored",
    "best_possible",
    "half_of",
    "interval",
    "load_judged",
    "measure",
    "ndcg",
    "ranked",
    "read_recording",
    "recall",
    "reciprocal_rank",
    "replay",
    "scored",
    "write_recording",
]
