"""What a declared source filters by, found out by asking it: what its declaration says of that, and of a tool what that does not name, too."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from orchestrator.assembly.searching import make_sources
from orchestrator.assembly.sources import source_settings
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping, Sequence

    from connectors.contract import Connector
    from connectors.mcp_client import McpSource
    from orchestrator.documents.filters import FilterJudgment, FilterProbe
    from orchestrator.engine import Engine
    from orchestrator.gather import Ledger, Source
    from orchestrator.model import Ask, Outcome
    from orchestrator.plan import SourceProfile
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

    async with AsyncExitStack() as stack:
        tool: _Tool | None = None
        for probe in filter_probes(before.hits):
            asked = replace(ask, text=f"{ask.text} {probe.typed}")
            judged = probe.judged(before, await _outcome(engine, asked))
            if judged.verdict == "undeclared":
                if tool is None:
                    tool = await stack.enter_async_context(_opened(settings, before.source))
                for way in islice(_ways(tool, probe), MOST):
                    async with engine.trying(partial(tool.made, settings, way.declared)) as trying:
                        found = probe.judged(before, await _outcome(trying, asked))
                    if found.verdict in {"exact", "wider"}:
                        judged = replace(found, place=probe.place, argument=way.argument, times=way.times)
                        break
            yield judged


@record
class _Tool:
    """The tool of a source as its file declares it, and what it may be ``given`` as it says itself: nothing for what has no tools."""

    name: str
    declared: Mapping[str, Any]
    given: tuple[str, ...] = ()
    source: McpSource | None = None

    def made(
        self, settings: Settings, declared: Mapping[str, Any], ledger: Ledger, there: Mapping[str, Source]
    ) -> tuple[Sequence[SourceProfile], Mapping[str, Source]]:
        """The source ``declared`` otherwise, over the server that has been started."""
        other = settings.model_copy(update={"sources": {self.name: declared}})
        profiles, sources = make_sources(other, ledger, there)
        _, options = source_settings(self.name, declared)
        assert self.source is not None
        assert isinstance(options, type(self.source.settings))
        connector = cast("Connector", self.source.declared_as(options))
        return profiles, {self.name: replace(sources[self.name], connector=connector)}


@asynccontextmanager
async def _opened(settings: Settings, name: str) -> AsyncIterator[_Tool]:
    """The tool of a source, whose server is started once for all that is tried of it."""
    from connectors.contract import Call
    from connectors.errors import SourceError
    from connectors.mcp_client import McpSource
    from connectors.mcp_client.settings import McpSettings

    declared = settings.sources[name]
    _, options = source_settings(name, declared)
    if not isinstance(options, McpSettings):
        yield _Tool(name, declared)
        return
    source = McpSource(name, options)
    try:
        try:
            await source.prepare()  # a server that starts slowly is waited for
            given = await source.arguments(Call())
        except SourceError:  # what is wrong with it is told where it was asked
            given = ()
        yield _Tool(name, declared, given, source)
    finally:
        await source.aclose()


class _Way(NamedTuple):
    """A source ``declared`` so that an argument of its tool means a condition, a moment of it in the form ``times``."""

    argument: str
    times: str
    declared: Mapping[str, Any]


def _ways(tool: _Tool, probe: FilterProbe) -> Iterator[_Way]:
    """Each argument that the declaration leaves out and that may mean this, by its name."""
    from connectors.mcp_client.settings import QUERY

    arguments = tool.declared.get("arguments", QUERY)
    for argument in tool.given:
        plain = argument.replace("_", "").replace("-", "").casefold()
        if argument in arguments or plain not in CALLED[probe.power]:
            continue
        told = {
            **tool.declared,
            "arguments": {**arguments, argument: probe.place},
            "found": {probe.power: "wider"},
        }
        if probe.power != "time" or "times" in tool.declared:
            yield _Way(argument, "", told)
        else:
            yield from (_Way(argument, times, {**told, "times": times}) for times in TIMES)


async def _outcome(engine: Engine, ask: Ask) -> Outcome:
    (outcome,) = (await engine.search(ask)).outcomes
    return outcome
