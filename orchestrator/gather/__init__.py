"""Ask every source at once, each inside its own deadline; whatever happens comes back as a value."""

from orchestrator.gather.asking import Care
from orchestrator.gather.breaker import Breaker
from orchestrator.gather.cache import PageCache
from orchestrator.gather.directories import DirectoryCache
from orchestrator.gather.fanout import Asking, Deadline, complete, fan_out, turns_left, with_kept_texts, with_texts
from orchestrator.gather.gate import Gate
from orchestrator.gather.habit import AROUND, Reserve
from orchestrator.gather.ledger import ALONE, Ledger
from orchestrator.gather.outcomes import broken_by, trace
from orchestrator.gather.people import OwnSource, People
from orchestrator.gather.reach import Reach, Reaches
from orchestrator.gather.recent import RecentHits, with_stand_ins
from orchestrator.gather.source import ALWAYS, Source

__all__ = [
    "ALONE",
    "ALWAYS",
    "AROUND",
    "Asking",
    "Breaker",
    "Care",
    "Deadline",
    "DirectoryCache",
    "Gate",
    "Ledger",
    "OwnSource",
    "PageCache",
    "People",
    "Reach",
    "Reaches",
    "RecentHits",
    "Reserve",
    "Source",
    "broken_by",
    "complete",
    "fan_out",
    "trace",
    "turns_left",
    "with_kept_texts",
    "with_stand_ins",
    "with_texts",
]
