"""Days and months without a year that lie ahead, as the verb says: will it begin in December, 12월 14일에 시작되나요."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.understand.patterns import regex
from orchestrator.understand.time.calendar import MONTHS, Grain, add_months

if TYPE_CHECKING:
    from datetime import date

    from orchestrator.understand.time.hits import Hit

CERTAIN = regex(
    r"(?<!free )\b(?:will|won't|won’t|shall|(?:is|are|am|'re) going to)\b(?! have\b)"
    r"|예정(?!대로|됐|되었|이었|이던)|(?:할|될|열릴|올|갈|나올|시작할|끝날) ?(?:까요|건가요|것인가요|거예요|거야|건지|계획)"
)
"""The future itself."""
LIKELY = regex(
    r"\b(?:does|do)\b.{1,60}\b(?:start|begin|open|launch|end|close|expire|go live|happen|ship|take place|kick off)\b"
    r"|\b(?:is|are|'s)\b.{0,60}\b(?:happening|starting|beginning|opening|launching|coming|shipping|closing|ending|expiring|due)\b"
    r"|(?<!어떻게 )(?:되|하|열리|끝나|바뀌|나오|오|가|쉬|닫히)(?:나요|나\?|나$|는지|는가|는 건가요)|(?:됩|합|열립|끝납|바뀝|쉽)니까|(?:열려|해|돼|쉬어)요?\?"
)
"""The present, which speaks of what comes where that is nearer than what was."""
ASKS = regex(
    r"\?|^\W*(?:will|won't|shall|does|do|is|are|when|what|what's|which|who|who's|where|how|why)\b"
    r"|나요|까요|니까|는지|은지|는가|인가|건가|뭐|뭘|무엇|무슨|언제|누가|누구|어디|어느|어떤|왜|몇"
)
"""A question. Who states what will be (팀에 6월에 돌아갈 거야) may be quoting what was written a year ago."""
YEAR = MONTHS[Grain.YEAR]


def as_ahead(hits: list[Hit], text: str, today: date) -> list[Hit]:
    """``hits`` with those marked as future whose year is our guess and whose verb looks ahead."""
    lower = text.lower()
    if not any(hit.yearless for hit in hits) or not ASKS.search(lower):
        return hits
    certain = CERTAIN.search(lower) is not None
    likely = certain or LIKELY.search(lower) is not None
    return [replace(hit, future=hit.future or (likely and _lies_ahead(hit, today, certain=certain))) for hit in hits]


def _lies_ahead(hit: Hit, today: date, *, certain: bool) -> bool:
    """Whether the next such period may be meant: always where the verb is certain, else where it is the nearer one."""
    if not hit.yearless or hit.start is None or hit.start <= today < (hit.end or today):
        return False
    return certain or add_months(hit.start, YEAR) - today < today - hit.start
