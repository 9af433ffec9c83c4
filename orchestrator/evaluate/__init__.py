"""Judged questions in, figures out: how well the whole path finds what people marked as right."""

from orchestrator.evaluate.judged import JudgedQuestion, load_judged
from orchestrator.evaluate.measure import Figures, measure
from orchestrator.evaluate.metrics import ndcg, recall, reciprocal_rank

__all__ = ["Figures", "JudgedQuestion", "load_judged", "measure", "ndcg", "recall", "reciprocal_rank"]
