"""Judged questions over a corpus of one's own: the part of the composition root that joins sandbox, engine and measures."""

from __future__ import annotations

import asyncio
import os
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from orchestrator.evaluate import (
    Measurement,
    Recorded,
    ask_all,
    homes_of,
    losses,
    read_judgments,
    read_recording,
    sample,
    tabulate,
    write_recording,
)
from orchestrator.packaged import config_dir
from orchestrator.rank import PROFILES, RankingConfig
from orchestrator.sandbox import Corpus, CorpusError, Sandbox, default_corpus, load_corpus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from orchestrator.engine import Engine
    from orchestrator.evaluate import Judgments
    from orchestrator.settings import Settings
    from orchestrator.surfaces.cli import TrialWish

    Notify = Callable[[str], None]

# Sources of HERB that have no emulator of their own name.
NAMESAKES = {"meetings": "confluence", "web": "json_api"}
PACKAGED = Path(__file__).with_name("sandbox") / "workplace" / "questions.jsonl"
PACKAGED_NOW = datetime.fromisoformat("2026-11-20T10:00:00+09:00")


class BadTrial(ValueError):
    """A measurement that cannot be made; the message says what to change."""


@dataclass(slots=True)
class Open:
    """The sandboxes of one corpus: what an engine asks, and the corpus id behind each native id, by source."""

    sources: dict[str, dict[str, Any]] = field(default_factory=dict)
    origins: dict[str, Mapping[str, str]] = field(default_factory=dict)
    served: dict[str, int] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)


async def run_trial(
    settings: Settings, wish: TrialWish, mapping: Mapping[str, str], build: Callable[[Settings], Engine], told: Notify
) -> Measurement:
    """As wished; ``mapping`` is its own, read. ``told`` hears what is being done. Raises :class:`BadTrial`."""
    if wish.replay:
        recorded = sample_recorded(await asyncio.to_thread(_read, wish.replay), wish.limit)
        trial = _trial(settings, recorded, replayed=True, served={}, notes=())
    else:
        trial, recorded = await _asked(settings, wish, mapping, build, told)
    if not wish.ablation:
        return trial
    found = losses(recorded, _ranking(settings), told)
    return replace(trial, tables=replace(trial.tables, losses=found))


async def _asked(
    settings: Settings, wish: TrialWish, mapping: Mapping[str, str], build: Callable[[Settings], Engine], told: Notify
) -> tuple[Measurement, Sequence[Recorded]]:
    judgments = _judgments(wish)
    _check_writable(wish.record)
    told("reading the corpus")
    corpus = await asyncio.to_thread(_corpus, wish, mapping)
    now = wish.now or corpus.newest or datetime.now(UTC)
    if not wish.corpus:
        now = wish.now or PACKAGED_NOW
    questions = sample(judgments.questions, wish.limit)
    async with AsyncExitStack() as stack:
        told("opening the sandbox")
        opened = await open_sandboxes(corpus, now, stack)
        engine = await stack.enter_async_context(build(_plain(settings, opened)))
        recorded: list[Recorded] = []
        async for each in ask_all(engine, questions, now, opened.origins):
            recorded.append(each)
            told(f"asked {len(recorded)} of {len(questions)} questions")
    if wish.record:
        await asyncio.to_thread(_write, wish.record, recorded)
    notes = tuple(_notes(wish, judgments, corpus, opened, recorded))
    return _trial(settings, recorded, replayed=False, served=opened.served, notes=notes), recorded


async def open_sandboxes(corpus: Corpus, now: datetime | None, stack: AsyncExitStack) -> Open:
    """Everything of the corpus behind sockets until ``stack`` closes."""
    opened = Open()
    for part, names in shards(corpus):
        try:
            sandbox = await stack.enter_async_context(Sandbox(part, sources=names or None, now=now))
        except (ValueError, OSError) as failure:
            raise BadTrial(str(failure)) from None
        opened.absent |= sandbox.absent
        for kind, end in sandbox.endpoints.items():
            name = names.get(kind, kind)
            opened.sources[name] = {"kind": kind, "base_url": end.base_url, "token": end.token}
            opened.origins[name] = sandbox.origins(kind)
            opened.served[name] = len(part.of(kind))
    if not opened.sources:
        there = ", ".join(sorted(corpus.unserved)) or "no row at all"
        raise BadTrial(f"no source of the corpus can be served, it has {there}; say as what: --map FOREIGN=json_api")
    return opened


def shards(corpus: Corpus) -> Iterator[tuple[Corpus, dict[str, str]]]:
    """What one sandbox can serve together, and under which names its kinds are asked where those are not their own.

    Foreign sources that are served as the same kind stay apart, each in a sandbox of its own and under its own name.
    """
    alone = {kind: rows for kind, rows in corpus.rows.items() if len({row.source for row in rows}) == 1}
    if alone:
        yield Corpus(alone, corpus.people, {}), {}
    for kind, rows in sorted(corpus.rows.items()):
        for source in sorted({row.source for row in rows}) if kind not in alone else ():
            name = source if source == kind or source not in corpus.rows else f"{source}_{kind}"
            yield Corpus({kind: [row for row in rows if row.source == source]}, corpus.people, {}), {kind: name}


def sample_recorded(recorded: Sequence[Recorded], most: int) -> Sequence[Recorded]:
    """At most so many questions, those that would have been asked."""
    chosen = {each.id for each in sample([each.question for each in recorded], most)}
    return [each for each in recorded if each.question.id in chosen]


def _trial(
    settings: Settings,
    recorded: Sequence[Recorded],
    *,
    replayed: bool,
    served: Mapping[str, int],
    notes: tuple[str, ...],
) -> Measurement:
    tables = tabulate(recorded, _ranking(settings), PROFILES[settings.ranking.profile])
    return Measurement(tables, recorded[0].now, served, notes, replayed)


def _ranking(settings: Settings) -> RankingConfig:
    return RankingConfig.load(config_dir() / "ranking.toml", settings.ranking.numbers)


def _plain(settings: Settings, opened: Open) -> Settings:
    """Nothing that the figures do not show: no model, no reranker, nothing shared."""
    wording = settings.wording.model_copy(update={"model": "none"})
    reranker = settings.ranking.reranker.model_copy(update={"model": "none"})
    ranking = settings.ranking.model_copy(update={"semantic": "off", "reranker": reranker})
    shared = settings.shared.model_copy(update={"uri": type(settings.shared.uri)("")})
    return settings.pretending(opened.sources, wording=wording, ranking=ranking, shared=shared)


def _corpus(wish: TrialWish, mapping: Mapping[str, str]) -> Corpus:
    if not wish.corpus:
        return default_corpus()
    try:
        return load_corpus(wish.corpus, mapping=mapping, fallback=NAMESAKES, drop_repeats=wish.drop_repeats)
    except CorpusError as failure:
        raise BadTrial(str(failure)) from None


def _judgments(wish: TrialWish) -> Judgments:
    try:
        judgments = read_judgments(Path(wish.queries or PACKAGED), Path(wish.qrels) if wish.qrels else None)
    except ValueError as failure:
        raise BadTrial(str(failure)) from None
    if not judgments.questions:
        where = wish.qrels or wish.queries or PACKAGED
        raise BadTrial(f"{where}: no question has anything relevant; each needs a grade above 0 for some id")
    return judgments


def _read(path: str) -> list[Recorded]:
    try:
        recorded = list(read_recording(Path(path)))
    except ValueError as failure:
        raise BadTrial(str(failure)) from None
    if not recorded:
        raise BadTrial(f"{path}: the recording holds no question")
    return recorded


def _check_writable(path: str) -> None:
    """Before the minutes of asking, not after."""
    if path and not os.access(Path(path).absolute().parent, os.W_OK):
        raise BadTrial(f"--record {path}: its folder is not there, or cannot be written to")


def _write(path: str, recorded: Sequence[Recorded]) -> None:
    try:
        write_recording(Path(path), recorded)
    except OSError as failure:
        raise BadTrial(f"--record {path}: cannot be written: {failure.strerror}") from None


def _notes(
    wish: TrialWish, judgments: Judgments, corpus: Corpus, opened: Open, recorded: Sequence[Recorded]
) -> Iterator[str]:
    """What was left out, and why."""
    for source, count in sorted(corpus.unserved.items()):
        yield f"{count:,} items of {source} are not served; serve them with --map {source}=json_api"
    for source, reason in sorted(opened.absent.items()):
        yield f"{source} is not served, because {reason}"
    if corpus.repeated:
        yield f"{corpus.repeated:,} rows of the corpus repeat an id and are left out"
    if judgments.without:
        yield f"{judgments.without:,} questions have nothing relevant and were not asked"
    if judgments.strangers:
        yield f"{len(judgments.strangers):,} question ids in {wish.qrels} are in no row of {wish.queries}"
    homes = homes_of(opened.origins)
    judged = {name for each in recorded for name, grade in each.question.grades.items() if grade > 0}
    if missing := sorted(judged - homes.keys()):
        yield f"{len(missing):,} relevant ids are served by no source, such as {missing[0]}; they count as not found"
