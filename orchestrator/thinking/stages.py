"""The pure parts of a question, as functions that another process can be asked for by name."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING

from orchestrator.aliases.reading import read_aliases
from orchestrator.answer import compose
from orchestrator.answer.confidence import shipped_calibration
from orchestrator.answer.sentence_features import shipped_weights
from orchestrator.dialogue import follow
from orchestrator.rank import PROFILES, RankContext, RankMemo, before_reranking, learned, rank
from orchestrator.rank import read_ahead as rank_ahead
from orchestrator.respelling import respellings
from orchestrator.understand import is_in_no_language, load_lexicon, understand
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from orchestrator.aliases.reading import Alias, AliasEvidence
    from orchestrator.answer import Calibration
    from orchestrator.answer.sentence_features import SentenceWeights
    from orchestrator.model import Answer, DialogueTurn, FollowUp, Outcome, Plan, Result
    from orchestrator.rank import RankingConfig, Stage
    from orchestrator.respelling import Respelling, Strange
    from orchestrator.signals import Heard
    from orchestrator.understand import Directory, Lexicon
    from translators.query import Query


@record
class Mind:
    """What is the same for every question: the words of both languages, the numbers to rank and to trust with."""

    lexicon: Lexicon
    ranking: RankingConfig
    stages: tuple[Stage, ...]
    calibration: Calibration
    weights: SentenceWeights


def mind_of(lexicon: Lexicon, profile: str, ranking: RankingConfig) -> Mind:
    """With the numbers of this installation, which are read from their files now: a question must not wait for them."""
    return Mind(lexicon, ranking, PROFILES[profile], shipped_calibration(), shipped_weights())


def open_mind(profile: str, ranking: RankingConfig, glossaries: tuple[Path, ...] = ()) -> Mind:
    """``profile``: a way to rank, by its name in ``PROFILES``; ``ranking``: its numbers; ``glossaries``: the site's own words."""
    return mind_of(load_lexicon(glossaries=glossaries), profile, ranking)


def understood(mind: Mind, text: str, now: datetime, directory: Directory | None = None, own: str = "") -> Query:
    """The question taken apart, to be answered in its language or, where it is in none, in the asker's ``own``."""
    query = understand(text, now, directory, lexicon=mind.lexicon)
    return replace(query, language=own) if own and is_in_no_language(query.text, mind.lexicon) else query


def followed(
    mind: Mind, text: str, turn: DialogueTurn, now: datetime, directory: Directory | None = None
) -> tuple[str, FollowUp] | None:
    """The question as it is meant after the one before it; ``None`` where it stands alone."""
    return follow(text, turn, lambda each: understand(each, now, directory, lexicon=mind.lexicon), mind.lexicon)


def other_spellings(mind: Mind, strange: Strange, directory: Directory | None = None) -> tuple[Respelling, ...]:
    """What may be meant by words that no hit holds."""
    return respellings(strange, directory, mind.lexicon)


def aliases_in(mind: Mind, things: Sequence[AliasEvidence]) -> tuple[Alias, ...]:
    """What else things are called, as these say."""
    return read_aliases(things, lambda word: bool(mind.lexicon.bilingual.together(word)))


@record
class GatheredHits:
    """What sources returned by a plan, when that was asked, and what was heard about it. ``memo``: of the question."""

    outcomes: Sequence[Outcome]
    plan: Plan
    now: datetime
    heard: Heard
    memo: RankMemo = field(default_factory=RankMemo, repr=False, compare=False)


def prepare_ranking(mind: Mind, found: GatheredHits) -> None:
    """What ranking will want to know of these hits, while slower sources are awaited."""
    hits = {id(hit): hit for outcome in found.outcomes for listed in outcome.lists for hit in listed.hits}
    rank_ahead(tuple(hits.values()), _context(mind, found))


def candidates(mind: Mind, found: GatheredHits) -> tuple[Result, ...]:
    """The best results as far as they are ranked without a reranker."""
    return tuple(rank(found.outcomes, _context(mind, found), before_reranking(mind.stages)).results)


def answered(mind: Mind, found: GatheredHits, seen: Mapping[tuple[str, str], int]) -> Answer:
    """The answer. Without its outcomes, which the caller has: they are the most of what would be carried back."""
    ranking = rank(found.outcomes, _context(mind, found), mind.stages)
    answer = compose(
        ranking,
        found.outcomes,
        found.plan,
        found.now,
        seen,
        calibration=mind.calibration,
        weights=mind.weights,
        called=mind.lexicon.bilingual.together,
        reordered=learned in mind.stages,
    )
    return replace(answer, outcomes=(), notes=found.heard.notes)


def _context(mind: Mind, found: GatheredHits) -> RankContext:
    heard = found.heard
    plan = found.plan
    return RankContext(plan.query, found.now, plan, mind.ranking, heard.semantic, heard.reranked, found.memo)
