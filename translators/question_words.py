"""The words that ask, in both languages, as parts of regular expressions: what a room makes of a question is its own affair."""

from __future__ import annotations

ENGLISH_ASKS = "who|whom|whose|what|when|where|which|why|how"
KOREAN_ASKS = "누[가구군]|누굴|언제|어디|무엇|무슨|뭐|뭘|왜|어떻|어떤|얼마|몇|며칠|어느"
