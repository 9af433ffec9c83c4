"""What people do with results becomes judgments, and judgments numbers of ranking (docs/how-to/tune-ranking.md)."""

from orchestrator.learning.impressions import Impression, ImpressionItem, Reaction, ReactionEntry
from orchestrator.learning.judgments import GradedImpression, judgments_of
from orchestrator.learning.log import FOLDER, LearningLog, RecordedUse, count_reactions, read_use
from orchestrator.learning.tuning import (
    FeedbackFigures,
    FeedbackRow,
    Tuning,
    figures_of,
    tuned,
    tuned_text,
    undo_tuned,
    write_tuned,
)
from orchestrator.learning.weighing import order_of

__all__ = [
    "FOLDER",
    "FeedbackFigures",
    "FeedbackRow",
    "GradedImpression",
    "Impression",
    "ImpressionItem",
    "LearningLog",
    "Reaction",
    "ReactionEntry",
    "RecordedUse",
    "Tuning",
    "count_reactions",
    "figures_of",
    "judgments_of",
    "order_of",
    "read_use",
    "tuned",
    "tuned_text",
    "undo_tuned",
    "write_tuned",
]
