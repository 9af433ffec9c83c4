"""The public web: whichever search services are configured, in turn, behind one facade."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from orchestrator.assembly.sources import ledger_key, ledger_of, missing_of, sources_of

if TYPE_CHECKING:
    from connectors.contract import Call, Connector
    from connectors.gemini.wire import Generated
    from connectors.http import HttpSource
    from connectors.manifest import SourceSettings
    from orchestrator.settings import Settings
    from orchestrator.websearch import TierJudge, WebSearch
    from orchestrator.websearch.config import WebTiers
    from orchestrator.websearch.pages.fetching import PageFetcher
    from orchestrator.websearch.pages.page_store import PageStore


def build_web(settings: Settings) -> WebSearch:
    """The public web over whichever search services are configured; nothing is sent yet. Raises :class:`Misconfigured`.

    A source of the kind ``web`` asks several services in turn and goes before single ones. ::

        async with build_web(load_settings()) as web:
            findings = await web.search(WebQuery("React Server Components"), Strategy.OFFICIAL)
    """
    from orchestrator.websearch import TierJudge, WebSearch

    tiers = tiers_of(settings)
    judge = TierJudge(tiers)
    services = {connector: asked_by(connector, options, settings) for connector, options in web_services(settings)}
    chain = next((each for each in services if each.manifest.name == "web"), None)
    source = chain or next(iter(services), None)
    gemini = next((each for each in services if each.manifest.name == "gemini"), None)
    return WebSearch(
        tiers,
        judge,
        page_fetcher(settings, judge),
        source=source,
        gemini=None if gemini is None else partial(generated, gemini),
        call=None if source is None else services[source],
        gemini_call=None if gemini is None else services[gemini],
        closing=tuple(services),
    )


def tiers_of(settings: Settings) -> WebTiers:
    """The rules of trust, ours and the site's. Raises :class:`Misconfigured`."""
    from pathlib import Path

    from orchestrator.packaged import config_dir
    from orchestrator.websearch.config import load_tiers

    own = settings.web.tiers
    return load_tiers(config_dir() / "web_tiers.toml", Path(own).expanduser() if own else None)


def page_fetcher(settings: Settings, judge: TierJudge) -> PageFetcher:
    """What reads single pages, from public addresses only unless the settings name others."""
    from orchestrator.websearch.pages.addresses import AddressPolicy
    from orchestrator.websearch.pages.downloading import DownloadLimits
    from orchestrator.websearch.pages.fetching import PageFetcher

    web = settings.web
    return PageFetcher(
        judge,
        policy=AddressPolicy(frozenset(web.ports), web.networks),
        limits=DownloadLimits(web.page_seconds, web.page_size),
        contact=web.contact,
        ttl=web.remember,
        store=page_store(settings),
    )


def page_store(settings: Settings) -> PageStore | None:
    """What other processes of this account have read, apart for what each may read; none where nothing is remembered."""
    from orchestrator.websearch.pages.page_store import PageStore

    web = settings.web
    if not web.remember:
        return None
    scope = f"{sorted(web.ports)} {sorted(map(str, web.networks))}"
    return PageStore(settings.storage.path / "pages.sqlite", web.remember, scope)


def web_services(settings: Settings) -> list[tuple[Connector, SourceSettings]]:
    """Every configured search of the web that can be asked, the weightiest first; the Gemini of a chain after all others."""
    from connectors.registry import load_source
    from connectors.web.settings import WebSettings
    from translators.query import Category

    found: list[tuple[float, str, Connector, SourceSettings]] = []
    for name, kind, options in sources_of(settings):
        category = options.described(kind.manifest).category
        if category is not Category.WEB or not options.enabled or missing_of(kind, options):
            continue
        found.append((-options.priority, name, kind(name, options), options))  # type: ignore[call-arg]
        if isinstance(options, WebSettings) and (own := options.links.get("gemini")):
            found.append((float("inf"), name, load_source("gemini")(name, own), own))  # type: ignore[call-arg]
    return [(connector, options) for _, _, connector, options in sorted(found, key=lambda each: each[:2])]


def asked_by(connector: Connector, options: SourceSettings, settings: Settings) -> Call:
    """How a search of the web is asked: at its vendor's rate, within the seconds that are set."""
    from connectors.contract import Call
    from orchestrator.gather import Gate

    gate = Gate(connector.manifest.limits, ledger_key(connector.name, options), ledger_of(settings))
    return Call(timeout=settings.web.seconds, turn=gate.enter, throttled=gate.heed)


async def generated(gemini: Connector, text: str, call: Call) -> Generated:
    """Gemini's own reply, of which its hits are only the addresses."""
    from connectors.gemini.wire import read_generated
    from connectors.http import Page
    from translators.translator import NativeQuery

    source = cast("HttpSource", gemini)
    await source.prepare()
    request = source.request(NativeQuery(source.manifest.dialect, text), Page(call.limit))
    return read_generated((await source.send(request, call, sent=text)).data)
