"""What a declared source filters by, found out by asking it: what its declaration says of that, and of a tool what that does not name, too."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from orchestrator.assembly.searching import make_sources
from orchestrator.assembly.sources import source_settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping

    from orchestrator.documents.filters import FilterJudgment, FilterProbe
    from orchestrator.engine import Engine
    from orchestrator.model import Ask, Outcome
    from orchestrator.settings import Settings

# How tools call what a condition may be asked by, without capitals and what joins words; whether one does is seen by asking.
CALLED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "author": ("author", "from", "by", "fromuser", "createdby", "writtenby", "user", "username", "sender", "creator", "owner"),
        "container": ("container", "in", "channel", "space", "project", "folder", "repository", "repo", "room", "collection", "team"),
        "time": ("since", "after", "from", "fromdate", "startdate", "datefrom", "start", "updatedafter", "updatedsince", "modifiedafter", "createdafter", "afterdate"),
    }
)  # fmt: skip
TIMES = ("iso", "date", "seconds")
MOST = 8  # questions more for one condition


async def filters_found(settings: Settings, engine: Engine, ask: Ask, before: Outcome) -> AsyncIterator[FilterJudgment]:
    """What becomes of each condition whose answer the results of a question know. ``engine`` asks this source alone."""
    from orchestrator.documents.filters import filter_probes

    arguments: tuple[str, ...] | None = None
    for probe in filter_probes(before.hits):
        asked = replace(ask, text=f"{ask.text} {probe.typed}")
        judged = probe.judged(before, await _outcome(engine, asked))
        if judged.verdict == "undeclared":
            if arguments is None:
                arguments = await _arguments(settings, before.source)
            for way in islice(_ways(settings.sources[before.source], probe, arguments), MOST):
                other = settings.model_copy(update={"sources": {before.source: way.declared}})
                async with engine.trying(partial(make_sources, other)) as trying:
                    found = probe.judged(before, await _outcome(trying, asked))
                if found.verdict in {"exact", "wider"}:
                    judged = replace(found, place=probe.place, argument=way.argument, times=way.times)
                    break
        yield judged


class _Way(NamedTuple):
    """A source ``declared`` so that an argument of its tool means a condition, a moment of it in the form ``times``."""

    argument: str
    times: str
    declared: Mapping[str, Any]


def _ways(raw: Mapping[str, Any], probe: FilterProbe, arguments: tuple[str, ...]) -> Iterator[_Way]:
    """Each argument that the declaration leaves out and that may mean this, by its name."""
    from connectors.mcp_client.settings import QUERY

    declared = raw.get("arguments", QUERY)
    for argument in arguments:
        plain = argument.replace("_", "").replace("-", "").casefold()
        if argument in declared or plain not in CALLED[probe.power]:
            continue
        told = {**raw, "arguments": {**declared, argument: probe.place}, "found": {probe.power: "wider"}}
        if probe.power != "time" or "times" in raw:
            yield _Way(argument, "", told)
        else:
            yield from (_Way(argument, times, {**told, "times": times}) for times in TIMES)


async def _arguments(settings: Settings, name: str) -> tuple[str, ...]:
    """What the tool of a source says that it may be given; nothing for what has no tools."""
    from connectors.contract import Call
    from connectors.errors import SourceError
    from connectors.mcp_client import McpSource
    from connectors.mcp_client.settings import McpSettings

    _, options = source_settings(name, settings.sources[name])
    if not isinstance(options, McpSettings):
        return ()
    source = McpSource(name, options)
    try:
        return await source.arguments(Call())
    except SourceError:  # what is wrong with it is told where it was asked
        return ()
    finally:
        await source.aclose()


async def _outcome(engine: Engine, ask: Ask) -> Outcome:
    (outcome,) = (await engine.search(ask)).outcomes
    return outcome
