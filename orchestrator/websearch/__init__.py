"""The public web: search with judged reliability, single pages, answers grounded on a Google search."""

from orchestrator.websearch.errors import BadWebQuery, PageUnread, Refusal
from orchestrator.websearch.facade import WebPage, WebSearch
from orchestrator.websearch.formats import Block, Entry, Format, Heading, Prose, Suggestions, markdown
from orchestrator.websearch.grounding import (
    GroundedAnswer,
    GroundedText,
    GroundingSource,
    GroundingSupport,
    cite,
    declaration,
    read_answer,
    read_arguments,
    title_of,
)
from orchestrator.websearch.query import Strategy, WebQuery
from orchestrator.websearch.results import Findings, WebResult
from orchestrator.websearch.tiers import TierJudge, TierRating

__all__ = [
    "BadWebQuery",
    "Block",
    "Entry",
    "Findings",
    "Format",
    "GroundedAnswer",
    "GroundedText",
    "GroundingSource",
    "GroundingSupport",
    "Heading",
    "PageUnread",
    "Prose",
    "Refusal",
    "Strategy",
    "Suggestions",
    "TierJudge",
    "TierRating",
    "WebPage",
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
