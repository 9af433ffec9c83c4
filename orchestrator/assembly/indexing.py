"""Where the local index reads from when it takes over a source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.assembly.sources import ledger_key, ledger_of, missing_of, profile_of, raw_sources, source_settings

if TYPE_CHECKING:
    from connectors.contract import Connector
    from connectors.local.ingest import Origin
    from orchestrator.settings import Settings

SYNC_SECONDS = 600.0  # of one page with the texts of all that is on it, at the vendor's rate


def origin_of(settings: Settings, name: str, visible_to: tuple[str, ...]) -> tuple[Connector, Origin]:
    """A configured source as one to keep. Raises :class:`Misconfigured` where it is none, or may not be kept."""
    from connectors.contract import Call
    from connectors.errors import Misconfigured
    from connectors.local.ingest import Origin, check_storable
    from orchestrator.gather import Gate

    raw = dict(raw_sources(settings)).get(name)
    if raw is None:
        raise Misconfigured(f"no source is called {name!r}; `fedsearch sources` shows what is configured")
    kind, options = source_settings(name, raw)
    check_storable(name, kind.manifest)
    if missing := missing_of(kind, options):
        raise Misconfigured(f"{name}: {missing}")
    connector: Connector = kind(name, options.read_whole)  # type: ignore[call-arg]
    profile = profile_of(name, kind, options)
    limits = options.described(kind.manifest).limits
    gate = Gate(limits, ledger_key(name, options), ledger_of(settings))
    call = Call(limit=limits.page, timeout=SYNC_SECONDS, turn=gate.enter, throttled=gate.heed)
    return connector, Origin(connector, profile.translator, profile.can, call, visible_to)
