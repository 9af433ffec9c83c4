"""CPU of merging and ranking 8 sources x 50 hits, without asking anybody, beside a hand-written rank fusion of the same.

The floor is what a script would do: one dictionary of reciprocal ranks by address, sorted. Times are CPU of one process
with nothing cached between questions, collected garbage excluded, as a median and as a multiple of the floor.
"""

from __future__ import annotations

import gc
import random
import statistics
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from connectors.contract import Hit
from orchestrator.model import HitList, Outcome, Plan, Status, Step
from orchestrator.rank import RankContext, RankingConfig, collect, lexical, rank
from orchestrator.rank.canonical import canonical_url
from translators.query import Category, Container, Entity, EntityKind, Kind, Person, Query, QueryType
from translators.translator import NativeQuery, Translation

CONFIG = Path(__file__).resolve().parents[2] / "config" / "ranking.toml"
NOW = datetime(2026, 11, 20, tzinfo=UTC)
ROUNDS, HITS = 30, 50
ENGLISH = (
    "the billing gateway migration to the new cluster is planned for march and the rollback takes ten minutes "
    "after the review we decided to keep the old endpoint until partners have moved their webhooks and signatures"
)
KOREAN = (
    "결제 시스템 마이그레이션 일정은 다음 주 회의에서 확정하기로 했습니다 API 문서는 위키에 정리해 두었고 배포 전에 "
    "쿠버네티스 클러스터의 롤백 절차를 다시 점검합니다 담당자는 회의록을 확인하고 의견을 남겨 주세요"
)
ASKED = {
    "English": (ENGLISH, ("billing", "gateway", "migration", "rollback", "webhooks"), "billing-gateway"),
    "Korean": (KOREAN, ("결제시스템", "마이그레이션", "일정", "쿠버네티스", "롤백"), "결제시스템"),
}


def outcomes(text: str, seed: int) -> tuple[Outcome, ...]:
    """Eight sources, 400 hits of 40 words; one in ten stands in two sources under one address."""
    chance = random.Random(seed)
    words = text.split()
    made = []
    for category in Category:
        hits = tuple(_hit(category, place, words, chance) for place in range(HITS))
        found = HitList(Translation(NativeQuery("bench", "x")), hits)
        made.append(Outcome(category.value, category.value.title(), category, Status.OK, (found,)))
    return tuple(made)


def _hit(category: Category, place: int, words: list[str], chance: random.Random) -> Hit:
    shared = chance.random() < 0.1
    return Hit(
        category.value,
        f"{category}-{place}",
        Kind.PAGE,
        title=" ".join(chance.choices(words, k=6)),
        url=f"https://{'docs' if shared else category}.example.com/{place}?utm_source=x",
        snippet=f"{chance.random()} {' '.join(chance.choices(words, k=40))}",
        author=Person("김민수"),
        container=Container("platform"),
        created=NOW - timedelta(days=chance.randrange(400)),
        rank=place + 1,
    )


def floor(found: tuple[Outcome, ...]) -> list[tuple[str, float]]:
    """Reciprocal rank fusion by address, as one writes it in a script."""
    scores: dict[str, float] = {}
    for outcome in found:
        for place, hit in enumerate(outcome.lists[0].hits, 1):
            scores[hit.url] = scores.get(hit.url, 0.0) + 1.0 / (60 + place)
    return sorted(scores.items(), key=lambda pair: -pair[1])[:10]


def cpu(work) -> float:
    """Milliseconds of CPU."""
    started = time.process_time()
    work()
    return (time.process_time() - started) * 1000


def forget() -> None:
    """No question is asked twice with the same hits in life."""
    for cached in (lexical.folded_words, lexical._runs, lexical._people):
        cached.cache_clear()
    canonical_url.cache_clear()


def main() -> None:
    """English, then Korean."""
    config = RankingConfig.load(CONFIG)
    for language, (text, keywords, project) in ASKED.items():
        query = Query(
            " ".join(keywords),
            type=QueryType.DECISION,
            language="ko" if language == "Korean" else "en",
            limit=10,
            keywords=keywords,
            entities=(Entity(EntityKind.PROJECT, project),),
        )
        steps = tuple(Step(each.value, each.value.title(), each, ()) for each in Category)
        plan = Plan(query, steps)
        whole, bare, floors = [], [], []
        gc.collect()
        gc.disable()
        for seed in range(ROUNDS):
            found = outcomes(text, seed)
            forget()
            whole.append(cpu(lambda: rank(found, RankContext(query, NOW, plan, config))))  # noqa: B023
            forget()
            bare.append(cpu(lambda: collect(found, RankContext(query, NOW, plan, config))))  # noqa: B023
            floors.append(cpu(lambda: floor(found)))  # noqa: B023
            gc.collect()
        gc.enable()
        middle = statistics.median(whole)
        print(
            f"{language:8} rank {middle:6.2f} ms (best {min(whole):.2f}), of it collecting {statistics.median(bare):.2f} ms; "
            f"floor {statistics.median(floors):.2f} ms: {middle / statistics.median(floors):.0f} times"
        )


if __name__ == "__main__":
    main()
