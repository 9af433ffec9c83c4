"""A ranked result as the page shows it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from orchestrator.documents.plain import one_line
from orchestrator.documents.words import said_state
from orchestrator.surfaces.page.facets import age_of
from orchestrator.surfaces.page.marking import known, link_of, marked, snippet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import tzinfo

    from orchestrator.documents.answer import AnswerDocument
    from orchestrator.documents.result import HitDocument, ResultDocument

MADE_ONCE = frozenset({"message", "thread", "mail", "event"})  # dated by when they were sent, not by later edits
BARS = ("keywords", "freshness", "authority", "completeness", "relevance")
MOST_REASONS, MOST_RELATED = 8, 4  # of one result that are shown


class Results:
    """Shows the results of one answer. ``now`` is aware; dates are shown in ``zone``, names in ``words``."""

    def __init__(self, answer: AnswerDocument, words: Mapping[str, str], now: datetime, zone: tzinfo | None) -> None:
        self._words = words
        self._now = now
        self._zone = zone
        asked = answer["question"]
        self._marked: Sequence[str] = [*asked["keywords"], *asked["phrases"]]
        self._titles = {each["source"]: (each["title"], each["category"]) for each in answer["sources"]}
        self._quotes = {each["number"]: each["quote"] for each in answer["citations"]}
        self._numbers = {(each["source"], each["id"]): each["number"] for each in answer["results"]}

    def view(self, result: ResultDocument) -> dict[str, Any]:
        """Everything that a template needs of one result."""
        moment, author, place = self._moment(result), known(result["author"]), self._place(result)
        kind, age = result["kind"], age_of(moment, self._now)
        source = self._title(result)
        values = {"source": result["source"], "kind": kind, "person": author, "time": age}
        labels = {"source": source, "kind": self._kind(kind), "person": author, "time": self._words[age]}
        return {
            "number": result["number"],
            "title": self._named(result, author, place),
            "url": link_of(result["url"]),
            "source": source,
            "author": author,
            "place": place,
            "state": one_line(said_state(result["state"], result["facts"], self._words)),
            "kind": self._kind(kind),
            "day": self._day(moment),
            "moment": moment.isoformat() if moment else "",
            "snippet": self._snippet(result),
            "quote": self._quote(result),
            "bars": [(name, result["factors"][name]) for name in BARS if name in result["factors"]],
            "why": result["why"][:MOST_REASONS],
            "unverified": result["unverified"],
            "also": [self._also(each) for each in result["also"][:MOST_RELATED]],
            "related": [
                number for each in result["related"] if (number := self._numbers.get((each["source"], each["id"])))
            ][:MOST_RELATED],
            "name": f"{result['source']} {result['id']}",
            "facets": values,
            "labels": labels,
        }

    def _named(self, result: ResultDocument, author: str, place: str) -> tuple[Any, ...]:
        """The title; what has none, such as a message, is named by who wrote it where."""
        if title := one_line(result["title"]):
            return marked(title, self._marked)
        said = self._words["by in"].format(author=author, place=place) if author and place else author or place
        return marked(said or self._words["untitled"], ())

    def _quote(self, result: ResultDocument) -> str:
        """What the answer quotes, unless that is the title."""
        quote = one_line(self._quotes.get(result["number"], ""))
        return "" if quote == one_line(result["title"]) else quote

    def _snippet(self, result: ResultDocument) -> tuple[Any, ...]:
        """Nothing where it only repeats the title, or what the answer quotes."""
        text = one_line(result["snippet"])
        told = {one_line(result["title"]), one_line(self._quotes.get(result["number"], "")), ""}
        return () if text in told else snippet(result["snippet"], self._marked)

    def _also(self, hit: HitDocument) -> dict[str, str]:
        return {
            "source": self._title(hit),
            "title": one_line(hit["title"]) or self._words["untitled"],
            "url": link_of(hit["url"]),
        }

    def _title(self, hit: HitDocument | ResultDocument) -> str:
        return self._titles.get(hit["source"], (hit["source"], None))[0]

    def _place(self, hit: ResultDocument) -> str:
        name = known(hit["container"])
        if not (name or hit["url"]):
            return one_line(str(hit["facts"].get("path", "")))
        return f"#{name}" if name and self._titles.get(hit["source"], ("", None))[1] == "chat" else name

    def _kind(self, kind: str) -> str:
        return self._words.get(f"kind {kind}", kind)

    def _moment(self, hit: ResultDocument) -> datetime | None:
        made, changed = hit["created"], hit["updated"]
        text = (made or changed) if hit["kind"] in MADE_ONCE else (changed or made)
        return datetime.fromisoformat(text) if text else None

    def _day(self, moment: datetime | None) -> str:
        return moment.astimezone(self._zone).date().isoformat() if moment else ""
