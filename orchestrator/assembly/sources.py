"""The configured sources: the kind behind each entry, its settings, what it still needs, what planning must know of it."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from translators.said import UNSAID, Said, quoting

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from connectors.contract import Connector
    from connectors.manifest import Manifest, SourceSettings
    from orchestrator.documents.sources import Configured
    from orchestrator.gather import Ledger
    from orchestrator.plan import SourceProfile
    from orchestrator.settings import Settings
    from orchestrator.surfaces.cli import KindPowers

# Hosts that are nobody's (RFC 2606): a kind that has one needs the address of its server first.
RESERVED = re.compile(r"\.invalid$|(^|\.)example(\.(com|net|org))?$")
BY_SETTING = Said("{setting}: {help}")
SWITCHED_OFF = Said("it is switched off: sources.{name}.enabled = true switches it on")
NOT_SET_UP = Said("it is not set up: {how}")
NO_TOKEN = Said("no token; {help}")
NO_APPLICATION = Said("no application.client_id; register fedsearch with {title} for it")
NO_SERVER = Said("no base_url, the address of the server at which people connect their accounts")
UNRATED: Mapping[str, Any] = MappingProxyType({"rate": 1_000_000, "buckets": {}})  # limits of what is ours
INDEX = "local"  # the kind of the index, and the name by which it is a source without an entry
BEGINNINGS = MappingProxyType({"token": "TOKEN", "none": "ENABLED=true"})  # the first setting, by how a kind signs in


def source_settings(name: str, raw: Mapping[str, Any]) -> tuple[type[Connector], SourceSettings]:
    """The kind of source behind one entry of ``[sources]`` and its validated settings."""
    from pydantic import ValidationError

    from connectors.errors import Misconfigured
    from connectors.registry import load_source
    from orchestrator.settings import wrong_setting

    said_kind = str(raw.get("kind", name))
    kind = load_source(said_kind)
    try:
        options = kind.settings_type.model_validate({**raw, "kind": said_kind})
    except ValidationError as failure:
        first = failure.errors()[0]
        key = ".".join(str(part) for part in ("sources", name, *first["loc"]))
        raise Misconfigured(wrong_setting(key, kind.settings_type, first)) from None
    return (kind if options.served_by == said_kind else load_source(options.served_by)), options


def raw_sources(settings: Settings, *, waiting: bool = False) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every entry of ``[sources]`` by name; an index of ours is told where it lies and by which models it is read.

    An index in which something is needs no entry; ``waiting``: nor does one in which there may be something later.
    """
    told = index_told(settings)
    here = asks_index(settings) and (waiting or is_index_filled(settings))
    by_itself: dict[str, dict[str, Any]] = {INDEX: {}} if here else {}
    for name, raw in sorted({**by_itself, **settings.sources}.items()):
        yield name, {**told, **raw} if raw.get("kind", name) == INDEX else raw


def asks_index(settings: Settings) -> bool:
    """Whether the index becomes a source by itself: where nothing is said of one, or that it shall not."""
    named = settings.sources.keys() | settings.source_files.keys()
    said = (raw.get("kind", name) for name, raw in settings.sources.items())
    return settings.index.ask and INDEX not in named and INDEX not in said


def is_index_filled(settings: Settings) -> bool:
    """Whether something is in the index, as far as this machine knows; nothing is started to find out."""
    return index_holds(settings) is True


def index_holds(settings: Settings) -> bool | None:
    """The same; ``None`` where there may be something and nobody has said, which was so before there was a mark: a question finds out."""
    from connectors.index_mark import holds_something

    holds = holds_something(str(settings.storage.path))
    return holds if holds is not None or _is_database_made(settings) else False


def is_index_to_be_looked_into(settings: Settings) -> bool:
    """Whether something may be in the index of which this machine has heard nothing yet, or nothing but that it was empty once."""
    holds = index_holds(settings)
    return holds is None or (not holds and bool(settings.index.database_url.get_secret_value()))


def _is_database_made(settings: Settings) -> bool:
    from storage.places import IN_DATA_FOLDER, is_made

    return bool(settings.index.database_url.get_secret_value()) or is_made(settings.storage.path / IN_DATA_FOLDER)


def sources_of(settings: Settings, *, waiting: bool = False) -> Iterator[tuple[str, type[Connector], SourceSettings]]:
    """Every source of :func:`raw_sources` by name, with its kind and validated settings.

    What a file of ``sources.d`` says wrongly is left out: see :func:`broken_sources`. Raises :class:`Misconfigured` for the rest.
    """
    broken = dict(broken_sources(settings))
    for name, raw in raw_sources(settings, waiting=waiting):
        if name not in broken:
            yield name, *source_settings(name, raw)


def broken_sources(settings: Settings) -> Iterator[tuple[str, str]]:
    """The sources whose own file cannot be read or says what cannot be, and what is wrong with it."""
    from connectors.errors import Misconfigured

    raw = dict(raw_sources(settings))
    for name, wrong in sorted(settings.source_files.items()):
        if wrong:
            yield name, wrong
        elif name in raw:
            try:
                source_settings(name, raw[name])
            except Misconfigured as failure:
                yield name, failure.message


def broken_profile(name: str, wrong: str) -> SourceProfile:
    """What planning must know of a source whose file is broken: that it cannot be asked, and why."""
    from orchestrator.plan import SourceProfile
    from translators.query import Category
    from translators.registry import load_dialect

    words = load_dialect("words")
    return SourceProfile(name, name, Category.INDEX, words, words.can, missing=quoting(wrong))


def profile_of(name: str, kind: type[Connector], options: SourceSettings) -> SourceProfile:
    """What planning must know of a source. Raises :class:`Misconfigured`."""
    from connectors.errors import Misconfigured
    from orchestrator.plan import SourceProfile
    from translators.registry import UnknownDialect, load_dialect

    manifest = options.described(kind.manifest)
    try:
        translator = load_dialect(manifest.dialect)
    except UnknownDialect as failure:
        raise Misconfigured(f"source {name}: {failure}") from None
    can = translator.can if manifest.can is None else translator.can.meet(manifest.can.capabilities)
    return SourceProfile(
        name=name,
        title=title_of(name, kind, options),
        category=manifest.category,
        translator=translator,
        can=replace(can, meaning=can.meaning and options.by_meaning),
        missing=missing_of(kind, options),
        priority=options.priority,
        page=0 if manifest.limits.per_hit else manifest.limits.page,
        public=is_public(manifest),
        host=urlsplit(options.base_url).hostname or "",
        signed=signed_as(kind, options),
    )


def is_public(manifest: Manifest) -> bool:
    """A declared search of the web is one as well, whatever serves it."""
    from translators.query import Category

    return manifest.public or manifest.category is Category.WEB


def title_of(name: str, kind: type[Connector], options: SourceSettings) -> str:
    """What people read: the title they gave it, else the vendor's, with the name where that is not clear by itself."""
    title = kind.manifest.title
    return options.title or (title if name == kind.manifest.name else f"{title} ({name})")


def missing_of(kind: type[Connector], options: SourceSettings) -> Said:
    """What a source still needs before it can be asked; empty where nothing."""
    auth = options.described(kind.manifest).auth
    if options.credential == "person":
        return missing_for_people(kind, options)
    return UNSAID if options.signed or "none" in auth.kinds else NO_TOKEN.filled(help=auth.help)


def missing_for_people(kind: type[Connector], options: SourceSettings) -> Said:
    """What people need before each can connect an account of their own; empty where nothing. Raises :class:`Misconfigured`."""
    from connectors.errors import Misconfigured

    title, auth = kind.manifest.title, kind.manifest.auth
    if auth.described:
        return UNSAID if options.base_url else NO_SERVER
    if auth.sign_in is None:
        raise Misconfigured(f'nobody can connect an account of their own to {title}: take credential = "shared"')
    return UNSAID if options.application else NO_APPLICATION.filled(title=title)


def signed_as(kind: type[Connector], options: SourceSettings) -> Literal["none", "shared", "person"]:
    """As whom a source is asked."""
    if options.credential == "person":
        return "person"
    return "shared" if options.signed or "none" not in options.described(kind.manifest).auth.kinds else "none"


def index_told(settings: Settings) -> dict[str, Any]:
    """Where the index lies and by which models it is read (:class:`connectors.local.store.IndexSettings`)."""
    index = settings.index
    return {
        "database_url": index.database_url if index.database_url.get_secret_value() else None,
        "data_dir": str(settings.storage.path),
        "embedder": index.embedder,
        "reranker": index.reranker,
    }


def ledger_of(settings: Settings) -> Ledger:
    """Where processes share limits, rests and pages; nowhere by default."""
    from orchestrator.gather import ALONE

    uri = settings.shared.uri.get_secret_value()
    if not uri:
        return ALONE
    from orchestrator.gather import near_ledger
    from orchestrator.gather.redis_ledger import RedisLedger

    return near_ledger.NearLedger(uri) if uri.startswith(near_ledger.SCHEME) else RedisLedger(uri)


def ledger_key(name: str, options: SourceSettings) -> str:
    """A source and its credential: vendors count by both. The credential stands there as a digest only."""
    secrets = (options.token, options.service_account, options.oauth.refresh_token if options.oauth else None)
    told = "".join(each.get_secret_value() for each in secrets if each is not None)
    return f"{name}:{hashlib.sha256(told.encode()).hexdigest()[:16]}"


def powers_of(kind: str) -> KindPowers:
    """What one kind of source can do, for people."""
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


def connecting(kind: str) -> Said:
    """The setting by which a source of this kind begins, and what its manifest says of it."""
    from connectors.registry import load_source

    manifest = load_source(kind).manifest
    if kind == INDEX:  # it needs no setting
        return manifest.auth.help
    host = urlsplit(manifest.default_url).hostname or ""
    begins = "…" if RESERVED.search(host) else BEGINNINGS.get(manifest.auth.kinds[0], "…")
    return BY_SETTING.filled(setting=f"FEDSEARCH_SOURCES__{kind.upper()}__{begins}", help=manifest.auth.help)


def absent(settings: Settings, name: str) -> Said:
    """What to do to have a source that is not asked: one that is switched off or not set up; empty where none is called so."""
    from connectors.registry import source_kinds

    if name in settings.sources:
        return SWITCHED_OFF.filled(name=name)
    return NOT_SET_UP.filled(how=connecting(name)) if name in source_kinds() else UNSAID


def every_configured(settings: Settings) -> tuple[Configured, ...]:
    """Every entry of ``[sources]``, and what it still needs; of a file that cannot be read, why."""
    from orchestrator.documents.sources import Configured

    unread = ((name, wrong) for name, wrong in settings.source_files.items() if wrong)
    lost = (Configured(name, name, name, problem=quoting(wrong), invalid=True) for name, wrong in unread)
    return (*(configured_of(name, raw) for name, raw in raw_sources(settings)), *lost)


def configured_of(name: str, raw: Mapping[str, Any]) -> Configured:
    """One entry of ``[sources]``, and what it still needs."""
    from connectors.errors import Misconfigured
    from orchestrator.documents.sources import Configured

    said = str(raw.get("kind", name))
    try:
        kind, options = source_settings(name, raw)
    except Misconfigured as failure:
        return Configured(name, said, name, problem=failure.message, invalid=True)
    return Configured(name, said, title_of(name, kind, options), options.enabled, missing_of(kind, options))
