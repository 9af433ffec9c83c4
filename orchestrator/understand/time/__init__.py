"""Time: windows said in English and Korean, as half-open days in the asker's zone."""

from orchestrator.understand.time.windows import period_named, read_coming, read_time

__all__ = ["period_named", "read_coming", "read_time"]
