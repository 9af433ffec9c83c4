"""The tools of the MCP server (Model Context Protocol): search, explain, sources, fetch, and three for the public web."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Annotated, Any
from urllib.parse import urlsplit

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import AliasChoices, Field

from connectors.errors import SourceError
from orchestrator.access import Caller, NotKept, Scope
from orchestrator.dialogue import LONGEST_TOKEN, ConversationTokens
from orchestrator.documents.sources import source_states
from orchestrator.documents.web import grounded_document
from orchestrator.engine import Engine
from orchestrator.model import Answer, Ask, BadAsk, NoSources, NothingAsked, Principal, Result
from orchestrator.surfaces.mcp.offering import WorkplaceServer, offered
from orchestrator.surfaces.mcp.replies import (
    NOTICE,
    Explained,
    Fetched,
    Found,
    FoundPages,
    Grounded,
    KnownSources,
    ReadPage,
    explained,
    fetched,
    found,
    found_pages,
    known,
    not_fetched,
    read_page,
)
from orchestrator.websearch import PageUnread, Strategy, WebQuery, WebSearch
from orchestrator.websearch.grounding import LONGEST as LONGEST_GROUNDED
from orchestrator.websearch.query import LONGEST, MOST_RESULTS, SHORTEST
from translators.records import record

MOST = 1000  # results of all askers together
KEPT = timedelta(minutes=15)  # after which the source must be asked whether it is still there, and still theirs
LONGEST_QUESTION = 10_000
NOT_THERE = (
    "no source has anything there: send the url or the id of a result of search, or the key of a ticket such as PAY-142; "
    "what you have only words for, search finds"
)
LONGEST_CONTENT = 20_000  # characters of one thing that is fetched
INSTRUCTIONS = (
    "Searches the workplace's own sources (chat, wiki, tracker, mail, drive, code) at once. Ask whole questions in "
    "Korean or English. Say what the gaps were: a source that failed has not been looked at. " + NOTICE
)
Question = Annotated[
    str,
    Field(
        min_length=1,
        max_length=LONGEST_QUESTION,
        description='The question, in Korean or English. Filters: from:name in:place after:2026-01-31 before:… -word "exact words"',
        validation_alias=AliasChoices("query", "question"),
    ),
]
Names = Annotated[list[str] | None, Field(max_length=100, description="Ask only these sources, by name")]
Wanted = Annotated[
    int,
    Field(
        ge=1,
        le=50,
        description="Results wanted",
        validation_alias=AliasChoices("limit", "max_results", "maxResults", "top_n", "topN"),
    ),
]
Conversation = Annotated[
    str,
    Field(
        max_length=LONGEST_TOKEN, description="What the answer before gave under this name; empty: a new conversation"
    ),
]
Address = Annotated[
    str,
    Field(
        min_length=1,
        max_length=2000,
        description="The id of a result, its url, or a key such as PAY-12",
        validation_alias=AliasChoices("id", "address", "url"),
    ),
]
Holder = Annotated[str | None, Field(max_length=100, description="Look in this source alone, by name")]
WebText = Annotated[
    str,
    Field(
        min_length=SHORTEST,
        max_length=LONGEST,
        description="What to look for, as keywords or a question, in Korean or English",
    ),
]
WebTier = Annotated[
    int | None,
    Field(
        ge=1, le=4, description="Only pages of this tier: 1 official, 2 semi-official, 3 community, 4 blogs and media"
    ),
]
# A model that asks for more gets as many as there may be, and is told.
WebMost = Annotated[
    int,
    Field(
        ge=1,
        json_schema_extra={"maximum": MOST_RESULTS},
        description="Results at most",
        validation_alias=AliasChoices("maxResults", "max_results", "limit", "top_n", "topN"),
    ),
]
Url = Annotated[str, Field(min_length=1, max_length=2000, description="The page, http or https")]
Prompt = Annotated[str, Field(max_length=2000, description="What to look for in it; empty: the beginning of its text")]
Grounding = Annotated[
    str,
    Field(
        min_length=1,
        max_length=LONGEST_GROUNDED,
        pattern=r"\S",
        description="What to find out, as a question or as keywords, in any language",
    ),
]


class ShownResults:
    """Results by asker; the oldest are forgotten first. ``clock`` is aware."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._kept: OrderedDict[tuple[str, str, str], tuple[datetime, Result]] = OrderedDict()

    def note(self, principal: str, results: Iterable[Result]) -> None:
        """Somebody was shown these."""
        now = self._clock()
        for each in results:
            key = (principal, each.hit.source, each.hit.id)
            self._kept[key] = (now, each)
            self._kept.move_to_end(key)
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)

    def find(self, principal: str, wanted: Callable[[Result], bool], source: str | None = None) -> Result | None:
        """The last that somebody was shown and that is ``wanted``."""
        since = self._clock() - KEPT
        for (whose, name, _), (when, result) in reversed(self._kept.items()):
            if when < since:
                return None
            if whose == principal and source in {None, name} and wanted(result):
                return result
        return None


@record
class ToolServices:
    """What the tools need. ``engine`` gives the running engine; ``caller`` says who is behind a call; ``clock`` is aware.

    ``web`` gives the public web. ``conversations``: what askers go on from. ``answered`` is told of every answer (for the audit log and figures); ``budget`` in seconds.
    """

    engine: Callable[[], Engine]
    caller: Callable[[Any], Caller]
    clock: Callable[[], datetime]
    answered: Callable[[Ask, Answer], Awaitable[None]]
    web: Callable[[], WebSearch]
    conversations: ConversationTokens
    budget: float
    version: str


class Tools:
    """The tools over what a server works with; each is a method, described to models by its docstring and its parameters."""

    def __init__(self, services: ToolServices) -> None:
        self._services = services
        self._shown = ShownResults(services.clock)

    async def search(
        self,
        question: Question,
        context: Context,
        sources: Names = None,
        limit: Wanted = 8,
        conversation: Conversation = "",
    ) -> Found:
        """Ask every workplace source at once; returns a cited answer, its results, and the sources that failed.

        To go on from an answer ("and in Korea?", "not that one") send its conversation; taken_as says how that was understood.
        """
        services = self._services
        ask = Ask(question, services.clock(), self._asker(context), tuple(sources or ()), limit, services.budget)
        answer, ask = await self._answer(replace(ask, conversation=conversation))
        self._shown.note(ask.principal.id, answer.results)
        return found(answer, services.conversations.after(answer, ask))

    async def explain(self, question: Question, context: Context, sources: Names = None) -> Explained:
        """Show how a question is understood and what each source would be sent, without asking anybody."""
        ask = Ask(question, self._services.clock(), self._asker(context), tuple(sources or ()))
        try:
            return explained(await self._services.engine().explain(ask))
        except (BadAsk, NoSources) as failure:
            raise ToolError(str(failure)) from None

    async def sources(self, context: Context) -> KnownSources:
        """List the connected sources and whether each answers now."""
        asker = self._asker(context, Scope.SOURCES)
        with _told():
            found = await source_states(self._services.engine(), asker)
        return {"sources": [known(each) for each in found["sources"]]}

    async def fetch(self, address: Address, context: Context, source: Holder = None) -> Fetched:
        """Get one thing by its url or id from the source that holds it, with as much text as the source gives."""
        services, sources = self._services, (source,) if source else ()
        ask = Ask(address, services.clock(), self._asker(context), sources, 5, services.budget)
        try:
            answer, _ = await self._answer(ask)
        except NothingAskedError:  # such as "nope", which names no thing either
            return not_fetched(address, NOT_THERE)
        there = next((result for result in answer.results if is_at(result, address)), None)
        shown = there or self._shown.find(self._asker(context).id, lambda result: is_at(result, address), source)
        if shown is not None:
            return fetched(shown, LONGEST_CONTENT)
        failed = "; ".join(f"{each.title}: {each.problem.message}" for each in answer.outcomes if each.problem)
        return not_fetched(address, failed or NOT_THERE)

    async def web_search(
        self,
        query: WebText,
        context: Context,
        tier: WebTier = None,
        max_results: WebMost = 10,
        strategy: Strategy = Strategy.ALL,
    ) -> FoundPages:
        """Search the public web; every page has a tier (1 official to 4) and a reliability from 0 to 100."""
        self._asker(context, Scope.WEB)
        with _told():
            return found_pages(await self._services.web().search(WebQuery(query, tier, max_results), strategy))

    async def web_page(self, url: Url, context: Context, prompt: Prompt = "") -> ReadPage:
        """Read one page of the public web, as far as it says something to the prompt."""
        self._asker(context, Scope.WEB)
        with _told():
            return read_page(await self._services.web().fetch(url, prompt))

    async def google_web_search(self, query: Grounding, context: Context) -> Grounded:
        """Answer from the public web by a Google search; each statement cites its source as [n]."""
        self._asker(context, Scope.WEB)
        with _told():
            answer = await self._services.web().grounded(query)
        document = grounded_document(answer)
        return {"notice": NOTICE, "untrusted_text": answer.text, "sources": document["sources"]}

    def _asker(self, context: Context, scope: Scope = Scope.SEARCH) -> Principal:
        caller = self._services.caller(context)
        if scope not in caller.scopes:
            raise ToolError(f"this key may not do that; it lacks the scope {scope.value!r}")
        return caller.principal

    async def _answer(self, ask: Ask) -> tuple[Answer, Ask]:
        services = self._services
        try:
            engine = services.engine()
            ask = await engine.in_context(ask, services.conversations.before(ask))
            answer = await engine.search(ask)
            await services.answered(ask, answer)
        except NothingAsked as failure:
            raise NothingAskedError(str(failure)) from None
        except (BadAsk, NoSources, NotKept) as failure:
            raise ToolError(str(failure)) from None
        return answer, ask


def make_server(services: ToolServices) -> MCPServer:
    """The server; run it over stdio, or mount its streamable HTTP application."""
    tools = Tools(services)
    offers = [
        offered(tools.search, "Search the workplace"),
        offered(tools.explain, "Explain a search"),
        offered(tools.sources, "List sources"),
        offered(tools.fetch, "Fetch one result"),
        offered(tools.web_search, "Search the public web"),
        offered(tools.web_page, "Read a page of the public web"),
        offered(tools.google_web_search, "Answer from the public web"),
    ]
    return WorkplaceServer("fedsearch", instructions=INSTRUCTIONS, version=services.version, tools=offers)


class NothingAskedError(ToolError):
    """What was sent says nothing that could be looked for."""


@contextmanager
def _told() -> Iterator[None]:
    """What goes wrong, as a model is told of it."""
    try:
        yield
    except (SourceError, PageUnread) as failure:
        raise ToolError(failure.message) from None
    except (BadAsk, NoSources) as failure:
        raise ToolError(str(failure)) from None


def is_at(result: Result, address: str) -> bool:
    """Whether ``address`` is the result's url or id, or the key of a ticket: in its url's path, or before its title."""
    hit, wanted = result.hit, address.strip().casefold()
    first, *_ = hit.title.casefold().split(maxsplit=1) or [""]
    steps = urlsplit(hit.url.casefold()).path.split("/")
    return wanted != "" and wanted in {hit.url.casefold(), hit.id.casefold(), first.strip("[]():"), *steps}
