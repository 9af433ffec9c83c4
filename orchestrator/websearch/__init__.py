"""The public web: search with judged reliability, single pages, answers grounded on a Google search."""

from orchestrator.websearch.errors import BadWebQuery, PageUnread, Refusal
from orchestrator.websearch.facade import Fetcher, Page, WebSearch
from orchestrator.websearch.formats import Block, Entry, Format, Heading, Prose, Suggestions, markdown
from orchestrator.websearch.grounding.markers import Cited, Grounded, Source, Support, cite
from orchestrator.websearch.grounding.tool import GroundedAnswer, declaration, read_answer, read_arguments, title_of
from orchestrator.websearch.query import Strategy, WebQuery
from orchestrator.websearch.results import Findings, WebResult
from orchestrator.websearch.tiers import Judge, Verdict

__all__ = [
    "BadWebQuery",
    "Block",
    "Cited",
    "Entry",
    "Fetcher",
    "Findings",
    "Format",
    "Grounded",
    "GroundedAnswer",
    "Heading",
    "Judge",
    "Page",
    "PageUnread",
    "Prose",
    "Refusal",
    "Source",
    "Strategy",
    "Suggestions",
    "Support",
    "Verdict",
    "WebQuery",
    "WebResult",
    "WebSearch",
    "cite",
    "declaration",
    "markdown",
    "read_answer",
    "read_arguments",
    "title_of",
]
