"""A ranked result as the page shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from orchestrator.documents.plain import one_line
from orchestrator.documents.view import marked
from orchestrator.surfaces.page.facets import age_of
from orchestrator.surfaces.page.marking import snippet

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from orchestrator.documents.answer import AnswerDocument
    from orchestrator.documents.result import ResultDocument
    from orchestrator.documents.view import MarkedText, ShownResult

BARS = ("keywords", "freshness", "authority", "completeness", "relevance")
MOST_REASONS, MOST_RELATED = 8, 4  # of one result that are shown


class Results:
    """Shows the results of one answer. ``now`` is aware, in the zone that dates are shown in; names are in ``words``."""

    def __init__(self, answer: AnswerDocument, words: Mapping[str, str], now: datetime) -> None:
        self._words = words
        self._now = now
        self._marked = [*answer["question"]["keywords"], *answer["question"]["phrases"]]

    def view(self, shown: ShownResult, result: ResultDocument) -> dict[str, Any]:
        """Everything that a template needs of one result."""
        kind, age = result["kind"], age_of(shown.happened, self._now)
        called = self._words.get(f"kind {kind}", kind)
        return {
            "number": shown.number,
            "title": self._named(shown),
            "url": shown.link,
            "source": shown.source,
            "author": shown.author,
            "place": shown.place,
            "state": shown.state,
            "kind": called,
            "day": shown.happened.astimezone(self._now.tzinfo).date().isoformat() if shown.happened else "",
            "moment": shown.happened.isoformat() if shown.happened else "",
            "snippet": self._snippet(shown),
            "quote": shown.quote,
            "bars": [(name, result["factors"][name]) for name in BARS if name in result["factors"]],
            "why": shown.why[:MOST_REASONS],
            "unverified": shown.unverified,
            "also": shown.also[:MOST_RELATED],
            "related": shown.related[:MOST_RELATED],
            "name": f"{result['source']} {result['id']}",
            "facets": {"source": result["source"], "kind": kind, "person": shown.author, "time": age},
            "labels": {"source": shown.source, "kind": called, "person": shown.author, "time": self._words[age]},
        }

    def _named(self, shown: ShownResult) -> tuple[MarkedText, ...]:
        """The title; what has none, such as a message, is named by who wrote it where: its text stands below."""
        if shown.title:
            return marked(shown.title, self._marked)
        author, place = shown.author, shown.place
        said = self._words["by in"].format(author=author, place=place) if author and place else author or place
        return marked(said or self._words["untitled"], ())

    def _snippet(self, shown: ShownResult) -> tuple[MarkedText, ...]:
        """Nothing where it only repeats what the answer quotes, which stands beside it."""
        text = one_line(shown.snippet)
        return snippet(shown.snippet, self._marked) if text and text != shown.quote else ()
