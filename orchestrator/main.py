"""The composition root: settings in, a ready engine out. The only module that knows every room.

Rooms are imported where they are used: ``fedsearch --help`` loads no source, no sandbox and no HTTP client.
"""

from __future__ import annotations

import hashlib
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Mapping

    from connectors.contract import Connector
    from connectors.manifest import SourceSettings
    from orchestrator.engine import Engine
    from orchestrator.gather import Ledger
    from orchestrator.plan import SourceProfile
    from orchestrator.sandbox import Corpus, Fault
    from orchestrator.settings import Settings
    from orchestrator.surfaces.cli import Configured, KindPowers, SandboxWish, Serving


def run() -> None:
    """The ``fedsearch`` command."""
    import gc

    gc.set_threshold(100_000)  # loading makes as many objects, to stay; the default looks for garbage after 700
    from orchestrator.surfaces.cli import make_app

    make_app(Root())(prog_name="fedsearch")


def build_engine(settings: Settings) -> Engine:
    """Connect every enabled source of ``settings``; nothing is sent yet. Raises :class:`Misconfigured`."""
    from orchestrator.engine import Engine
    from orchestrator.gather import Breaker, Gate, Source
    from orchestrator.packaged import config_dir
    from orchestrator.rank import RankingConfig
    from orchestrator.understand import load_lexicon

    ledger = _ledger(settings)
    profiles: list[SourceProfile] = []
    sources: dict[str, Source] = {}
    for name, raw in sorted(settings.sources.items()):
        kind, options = source_settings(name, raw)
        if not options.enabled:
            continue
        profiles.append(_profile(name, kind, options))
        if not _missing(kind, options):
            connector = kind(name, options)  # type: ignore[call-arg]
            key = _ledger_key(name, options)
            gate = Gate(options.described(kind.manifest).limits, key, ledger)
            sources[name] = Source(connector, gate, Breaker(key, ledger))
    ranking = RankingConfig.load(config_dir() / "ranking.toml")
    return Engine(settings, profiles, sources, load_lexicon(), ranking, ledger=ledger)


def _ledger(settings: Settings) -> Ledger:
    """Where processes share limits, rests and pages; nowhere by default."""
    from orchestrator.gather import ALONE

    uri = settings.shared.uri.get_secret_value()
    if not uri:
        return ALONE
    from orchestrator.gather.redis_ledger import RedisLedger

    return RedisLedger(uri)


def _ledger_key(name: str, options: SourceSettings) -> str:
    """A source and its credential: vendors count by both. The credential stands there as a digest only."""
    secrets = (options.token, options.service_account, options.oauth.refresh_token if options.oauth else None)
    told = "".join(each.get_secret_value() for each in secrets if each is not None)
    return f"{name}:{hashlib.sha256(told.encode()).hexdigest()[:16]}"


def source_settings(name: str, raw: Mapping[str, Any]) -> tuple[type[Connector], SourceSettings]:
    """The kind of source behind one entry of ``[sources]`` and its validated settings."""
    from pydantic import ValidationError

    from connectors.errors import Misconfigured
    from connectors.registry import load_source

    said_kind = str(raw.get("kind", name))
    kind = load_source(said_kind)
    try:
        options = kind.settings_type.model_validate({**raw, "kind": said_kind})
    except ValidationError as failure:
        first = failure.errors()[0]
        key = ".".join(str(part) for part in ("sources", name, *first["loc"]))
        unknown = first["type"] == "extra_forbidden"
        said = "there is no such setting" if unknown else first["msg"].removeprefix("Value error, ")
        raise Misconfigured(f"setting {key}: {said}") from None
    return (kind if options.served_by == said_kind else load_source(options.served_by)), options


def _profile(name: str, kind: type[Connector], options: SourceSettings) -> SourceProfile:
    from connectors.errors import Misconfigured
    from orchestrator.plan import SourceProfile
    from translators.registry import UnknownDialect, load_dialect

    manifest = options.described(kind.manifest)
    try:
        translator = load_dialect(manifest.dialect)
    except UnknownDialect as failure:
        raise Misconfigured(f"source {name}: {failure}") from None
    return SourceProfile(
        name=name,
        title=_title(name, kind, options),
        category=manifest.category,
        translator=translator,
        can=translator.can if manifest.can is None else translator.can.meet(manifest.can.capabilities),
        missing=_missing(kind, options),
        priority=options.priority,
    )


def _title(name: str, kind: type[Connector], options: SourceSettings) -> str:
    """What people read: the title they gave it, else the vendor's, with the name where that is not clear by itself."""
    title = kind.manifest.title
    return options.title or (title if name == kind.manifest.name else f"{title} ({name})")


def _missing(kind: type[Connector], options: SourceSettings) -> str:
    auth = options.described(kind.manifest).auth
    return "" if options.signed or "none" in auth.kinds else f"no token; {auth.help}"


def _powers(kind: str) -> KindPowers:
    from connectors.registry import load_source
    from orchestrator.plan import excludable, orders, powers
    from orchestrator.surfaces.cli import KindPowers
    from translators.registry import load_dialect

    manifest = load_source(kind).manifest
    can, limits = load_dialect(manifest.dialect).can, manifest.limits
    return KindPowers(
        kind=kind,
        title=manifest.title,
        category=str(manifest.category),
        dialect=manifest.dialect,
        finds=tuple(map(str, manifest.kinds)),
        powers={name: str(fidelity) for name, fidelity in powers(can).items()},
        excludes=excludable(can),
        orders=orders(can),
        note=can.note,
        limits=f"{limits.rate} requests in {limits.period:g} s, {limits.page} hits each",
        signs_in_by=manifest.auth.kinds,
    )


class Root:
    """What the surfaces ask of the composition root (:class:`orchestrator.surfaces.cli.Composition`)."""

    def engine(self, settings: Settings) -> Engine:
        """Every configured source behind one question; from here on the log goes to standard error."""
        _log_to_stderr(settings.log.level)
        return build_engine(settings)

    def kinds(self) -> tuple[str, ...]:
        """The kinds of source that are installed."""
        from connectors.registry import source_kinds

        return source_kinds()

    def powers(self) -> tuple[KindPowers, ...]:
        """What each kind of source that is installed can do."""
        return tuple(map(_powers, self.kinds()))

    def configured(self, settings: Settings) -> tuple[Configured, ...]:
        """Every entry of ``[sources]``, and what it still needs."""
        return tuple(_configured(name, raw) for name, raw in sorted(settings.sources.items()))

    @asynccontextmanager
    async def sandbox(self, wish: SandboxWish) -> AsyncIterator[Serving]:
        """The sandbox over the wished corpus, listening on 127.0.0.1 until the context ends."""
        import asyncio

        from orchestrator.sandbox import Sandbox
        from orchestrator.surfaces.cli import BadInput, Served, Serving

        corpus, faults = await asyncio.to_thread(_corpus, wish), _faults(wish.faults)
        async with AsyncExitStack() as stack:
            try:
                sandbox = Sandbox(corpus, sources=wish.sources or None, faults=faults, port=wish.port, now=wish.now)
                await stack.enter_async_context(sandbox)
            except (ValueError, OSError) as failure:
                raise BadInput((isinstance(failure, OSError) and failure.strerror) or str(failure)) from None
            served = (
                Served(name, at.base_url, at.token, len(corpus.of(name))) for name, at in sandbox.endpoints.items()
            )
            yield Serving(tuple(served), corpus.unserved, sandbox.absent)


def _log_to_stderr(level: str) -> None:
    """Standard output belongs to the answer: structlog would print there."""
    import logging
    import sys

    import structlog

    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level)),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


def _configured(name: str, raw: Mapping[str, Any]) -> Configured:
    from connectors.errors import Misconfigured
    from orchestrator.surfaces.cli import Configured

    said = str(raw.get("kind", name))
    try:
        kind, options = source_settings(name, raw)
    except Misconfigured as failure:
        return Configured(name, said, name, problem=failure.message, invalid=True)
    return Configured(name, said, _title(name, kind, options), options.enabled, _missing(kind, options))


def _corpus(wish: SandboxWish) -> Corpus:
    from orchestrator.sandbox import CorpusError, default_corpus, load_corpus
    from orchestrator.surfaces.cli import BadInput

    mapping = dict(_pair("--map", typed) for typed in wish.mapping)
    if mapping and not wish.corpus:
        raise BadInput("--map says which source serves the items of a corpus; name one with --corpus FILE")
    try:
        return load_corpus(wish.corpus, mapping=mapping) if wish.corpus else default_corpus()
    except CorpusError as failure:
        raise BadInput(str(failure)) from None


def _pair(option: str, typed: str) -> tuple[str, str]:
    from orchestrator.surfaces.cli import BadInput

    left, equals, right = typed.partition("=")
    if not (left.strip() and equals and right.strip()):
        raise BadInput(f"{option} {typed!r} cannot be read; write FOREIGN=SOURCE, for example {option} github=linear")
    return left.strip(), right.strip()


def _faults(typed: Iterable[str]) -> dict[str, Fault]:
    from orchestrator.sandbox import parse_fault
    from orchestrator.surfaces.cli import BadInput

    try:
        return dict(map(parse_fault, typed))
    except ValueError as failure:
        raise BadInput(str(failure)) from None
