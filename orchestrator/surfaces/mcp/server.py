"""The tools of the MCP server (Model Context Protocol): search, explain, sources, fetch.

Over stdio the asker is whoever started the process; over HTTP whoever the request's key belongs to.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any
from urllib.parse import urlsplit

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from connectors.errors import SourceError
from orchestrator.access import Caller, NotKept, Scope
from orchestrator.documents.sources import source_states
from orchestrator.documents.web import grounded_document
from orchestrator.engine import Engine
from orchestrator.model import Answer, Ask, BadAsk, NoSources, Principal, Result
from orchestrator.surfaces.mcp.replies import (
    NOTICE,
    Explained,
    Fetched,
    Found,
    Grounded,
    KnownSources,
    explained,
    found,
    item,
    known,
)
from orchestrator.surfaces.mcp.shown import Shown
from orchestrator.websearch import WebSearch

LONGEST_QUESTION = 10_000
LONGEST_CONTENT = 20_000  # characters of one thing that is fetched
INSTRUCTIONS = (
    "Searches the workplace's own sources (chat, wiki, tracker, mail, drive, code) at once. Ask whole questions in "
    "Korean or English. Say what the gaps were: a source that failed has not been looked at. " + NOTICE
)
READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=True)

Question = Annotated[
    str,
    Field(
        min_length=1,
        max_length=LONGEST_QUESTION,
        description='The question, in Korean or English. Filters: from:name in:place after:2026-01-31 before:… -word "exact words"',
    ),
]
Names = Annotated[list[str] | None, Field(max_length=100, description="Ask only these sources, by name")]
Wanted = Annotated[int, Field(ge=1, le=50, description="Results wanted")]
Address = Annotated[
    str,
    Field(
        min_length=1,
        max_length=2000,
        description="The url of a result, its id where it has no url, or a key such as PAY-12",
    ),
]


@dataclass(frozen=True, slots=True)
class Desk:
    """What the tools need. ``engine`` gives the running engine; ``caller`` says who is behind a call; ``clock`` is aware.

    ``web`` gives the public web. ``answered`` is told of every answer (for the audit log and figures); ``budget`` in seconds.
    """

    engine: Callable[[], Engine]
    caller: Callable[[Any], Caller]
    clock: Callable[[], datetime]
    answered: Callable[[Ask, Answer], Awaitable[None]]
    web: Callable[[], WebSearch]
    budget: float
    version: str


class Tools:
    """The tools over one desk; each is a method, described to models by its docstring and its parameters."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._shown = Shown(desk.clock)

    async def search(self, question: Question, context: Context, sources: Names = None, limit: Wanted = 8) -> Found:
        """Ask every workplace source at once; returns a cited answer, its results, and the sources that failed."""
        answer = await self._answer(question, sources, limit, context)
        self._shown.note(self._asker(context).id, answer.results)
        return found(answer)

    async def explain(self, question: Question, context: Context, sources: Names = None) -> Explained:
        """Show how a question is understood and what each source would be sent, without asking anybody."""
        ask = Ask(question, self._desk.clock(), self._asker(context), tuple(sources or ()))
        try:
            return explained(await self._desk.engine().explain(ask))
        except (BadAsk, NoSources) as failure:
            raise ToolError(str(failure)) from None

    async def sources(self, context: Context) -> KnownSources:
        """List the connected sources and whether each answers now."""
        asker = self._asker(context, Scope.SOURCES)
        found = await source_states(self._desk.engine(), asker)
        return {"sources": [known(each) for each in found["sources"]]}

    async def fetch(self, address: Address, context: Context, source: str | None = None) -> Fetched:
        """Get one thing by its url or id from the source that holds it, with as much text as the source gives."""
        answer = await self._answer(address, [source] if source else None, 5, context)
        for result in answer.results:
            if is_at(result, address):
                return {"notice": NOTICE, "found": True, "problem": "", "item": item(result, LONGEST_CONTENT)}
        shown = self._shown.find(self._asker(context).id, lambda result: is_at(result, address), source)
        if shown is not None:
            return {"notice": NOTICE, "found": True, "problem": "", "item": item(shown, LONGEST_CONTENT)}
        failed = "; ".join(f"{each.title}: {each.problem.message}" for each in answer.outcomes if each.problem)
        problem = failed or "no source has anything under this address"
        return {"notice": NOTICE, "found": False, "problem": problem, "item": None}

    async def google_web_search(self, query: str, context: Context) -> Grounded:
        """Answer from the public web by a Google search; each statement cites its source as [n]."""
        self._asker(context, Scope.WEB)
        try:
            answer = await self._desk.web().grounded(query)
        except (BadAsk, NoSources) as failure:
            raise ToolError(str(failure)) from None
        except SourceError as failure:
            raise ToolError(failure.message) from None
        document = grounded_document(answer)
        return {"notice": NOTICE, "untrusted_text": answer.text, "sources": document["sources"]}

    def _asker(self, context: Context, scope: Scope = Scope.SEARCH) -> Principal:
        caller = self._desk.caller(context)
        if scope not in caller.scopes:
            raise ToolError(f"this key may not do that; it lacks the scope {scope.value!r}")
        return caller.principal

    async def _answer(self, question: str, sources: list[str] | None, limit: int, context: Context) -> Answer:
        desk = self._desk
        ask = Ask(question, desk.clock(), self._asker(context), tuple(sources or ()), limit, desk.budget)
        try:
            answer = await desk.engine().search(ask)
            await desk.answered(ask, answer)
        except (BadAsk, NoSources, NotKept) as failure:
            raise ToolError(str(failure)) from None
        return answer


def make_server(desk: Desk) -> MCPServer:
    """The server; run it over stdio, or mount its streamable HTTP application."""
    server: MCPServer = MCPServer("fedsearch", instructions=INSTRUCTIONS, version=desk.version)
    tools = Tools(desk)
    server.add_tool(tools.search, title="Search the workplace", annotations=READS)
    server.add_tool(tools.explain, title="Explain a search", annotations=READS)
    server.add_tool(tools.sources, title="List sources", annotations=READS)
    server.add_tool(tools.fetch, title="Fetch one result", annotations=READS)
    server.add_tool(tools.google_web_search, title="Search the public web", annotations=READS)
    return server


def is_at(result: Result, address: str) -> bool:
    """Whether ``address`` is the result's url or id, or the key of a ticket: in its url's path, or before its title."""
    hit, wanted = result.hit, address.strip().casefold()
    first, *_ = hit.title.casefold().split(maxsplit=1) or [""]
    steps = urlsplit(hit.url.casefold()).path.split("/")
    return wanted != "" and wanted in {hit.url.casefold(), hit.id.casefold(), first.strip("[]():"), *steps}
