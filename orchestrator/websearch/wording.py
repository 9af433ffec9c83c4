"""The words that formats put around what was found, in the asker's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.said import Said, filled_in

if TYPE_CHECKING:
    from collections.abc import Sequence

NOTHING = Said("Nothing was found on the web.")
NO_TEXT = Said("The pages were found, but the search service quotes nothing from them.")
SOURCES = Said("Sources", context="web")
EXPLORE = Said("What to explore next")
OFFICIAL = Said("the official pages in detail")
COMMUNITY = Said("what the community says")
CAUTION = Said("written by users: check it against the official pages")
TIERS = (
    Said("official documentation"),
    Said("semi-official sources"),
    Said("community"),
    Said("expert blogs and media"),
)
TIER = Said("tier {tier}")
HEADING = Said("Tier {tier}: {name}")
RELIABILITY = Said("reliability {score}/100")
WIDER = Said("also shows up to tier {tier} ({name})")


def tier_name(tier: int, language: str) -> str:
    """``tier 1``."""
    return filled_in(TIER, language, tier=tier)


def tier_heading(tier: int, language: str) -> str:
    """``Tier 1: official documentation``."""
    return filled_in(HEADING, language, tier=tier, name=TIERS[tier - 1])


def reliability(score: int, language: str) -> str:
    """``reliability 97/100``."""
    return filled_in(RELIABILITY, language, score=score)


def with_tiers(tiers: Sequence[int], language: str) -> str:
    """What a wider search brings."""
    return filled_in(WIDER, language, tier=max(tiers), name=TIERS[max(tiers) - 1])
