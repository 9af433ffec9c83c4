"""The words that formats put around what was found, in the asker's language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class LanguageWording:
    """One language's. Patterns in braces are filled in."""

    language: str
    nothing: str
    no_text: str
    sources: str
    explore: str
    tiers: tuple[str, str, str, str]
    tier: str
    heading: str
    reliability_of: str
    wider: str
    official: str
    community: str
    caution: str

    def tier_name(self, tier: int) -> str:
        """``tier 1``."""
        return self.tier.format(tier=tier)

    def tier_heading(self, tier: int) -> str:
        """``Tier 1: official documentation``."""
        return self.heading.format(tier=tier, name=self.tiers[tier - 1])

    def reliability(self, score: int) -> str:
        """``reliability 97/100``."""
        return self.reliability_of.format(score=score)

    def with_tiers(self, tiers: Sequence[int]) -> str:
        """What a wider search brings."""
        return self.wider.format(tier=max(tiers), name=self.tiers[max(tiers) - 1])


ENGLISH = LanguageWording(
    language="en",
    nothing="Nothing was found on the web.",
    no_text="The pages were found, but the search service quotes nothing from them.",
    sources="Sources",
    explore="What to explore next",
    tiers=("official documentation", "semi-official sources", "community", "expert blogs and media"),
    tier="tier {tier}",
    heading="Tier {tier}: {name}",
    reliability_of="reliability {score}/100",
    wider="also shows up to tier {tier} ({name})",
    official="the official pages in detail",
    community="what the community says",
    caution="written by users: check it against the official pages",
)
KOREAN = LanguageWording(
    language="ko",
    nothing="웹에서 찾은 것이 없습니다.",
    no_text="페이지는 찾았지만 검색 서비스가 인용한 내용이 없습니다.",
    sources="출처",
    explore="더 찾아볼 것",
    tiers=("공식 문서", "준공식 자료", "커뮤니티", "전문가 블로그와 매체"),
    tier="{tier}등급",
    heading="{tier}등급: {name}",
    reliability_of="신뢰도 {score}/100",
    wider="{tier}등급({name})까지 보여 줍니다",
    official="공식 자료를 자세히 봅니다",
    community="커뮤니티에서는 무엇이라고 하는지 봅니다",
    caution="사용자가 쓴 글: 공식 자료와 맞는지 확인하세요",
)


def wording(language: str) -> LanguageWording:
    """For ``ko`` or, for anything else, English."""
    return KOREAN if language == "ko" else ENGLISH
