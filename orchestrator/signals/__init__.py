"""What ranking reads besides the results: nearness in meaning, a reranker's judgments. This room waits, ranking does not."""

from orchestrator.signals.heard import NOTHING, Heard, Signals
from orchestrator.signals.meaning import Meaning

__all__ = ["NOTHING", "Heard", "Meaning", "Signals"]
