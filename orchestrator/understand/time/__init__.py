"""Time: windows said in English and Korean, as half-open days in the asker's zone."""

from orchestrator.understand.time.windows import day_named, read_time

__all__ = ["day_named", "read_time"]
