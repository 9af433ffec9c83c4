"""A whole answer as the page shows it, and each thing that happens on the way to it (streaming): for readers of a stream, and as one page that grows.

Results with the words of the question marked, and what they have in common counted (facets), to narrow them down by.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, timedelta
from typing import TYPE_CHECKING, Any, cast

from orchestrator.documents.plain import one_line, plain
from orchestrator.documents.receipt import UNASKED, said_hits
from orchestrator.documents.view import marked, view_of
from orchestrator.surfaces.page.asked import LIMIT, MORE
from orchestrator.surfaces.page.copying import as_markdown
from orchestrator.surfaces.page.receipt_view import receipt_lines, source_strip, tone_of
from orchestrator.surfaces.page.rendering import render, spoken
from orchestrator.surfaces.page.words import said_problem
from translators.said import said_in

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence
    from datetime import datetime

    from orchestrator.documents.answer import AnswerDocument, ClarificationDocument, OutcomeDocument, ResultDocument
    from orchestrator.documents.plan import PlanDocument
    from orchestrator.documents.view import MarkedText, ShownResult
    from orchestrator.surfaces.page.asked import PageQuestion

AGES = (("today", 1), ("week", 7), ("month", 30), ("year", 365))  # days; the first that is not shorter than the age
ORDER = ("today", "week", "month", "year", "older", "undated")
MOST_VALUES = 12  # of one facet that are offered


def age_of(moment: datetime | None, now: datetime) -> str:
    """The period that a moment falls into; what is dated ahead counts as today's."""
    if moment is None:
        return "undated"
    return next((name for name, days in AGES if now - moment <= timedelta(days=days)), "older")


def fits(values: Mapping[str, str], asked: PageQuestion) -> bool:
    """Whether a result with these facet values is among what the reader has chosen."""
    return all(not wanted or values[name] in wanted for name, wanted in asked.chosen.items())


def facets(shown: Sequence[Mapping[str, Any]], asked: PageQuestion, words: Mapping[str, str]) -> list[dict[str, Any]]:
    """Every facet in which the results differ. A result has ``facets`` (values) and ``labels`` (how they are called)."""
    offered = []
    for name, wanted in asked.chosen.items():
        counts = Counter(each["facets"][name] for each in shown if each["facets"][name])
        labels = {each["facets"][name]: each["labels"][name] for each in shown}
        if len(counts) > 1 or wanted & counts.keys():
            values = _ordered(name, counts)[:MOST_VALUES]
            offered.append(
                {
                    "name": name,
                    "title": words[f"facet {name}"],
                    "values": [
                        {"value": each, "label": labels[each], "count": counts[each], "on": each in wanted}
                        for each in values
                    ],
                }
            )
    return offered


def _ordered(name: str, counts: Mapping[str, int]) -> list[str]:
    """Times as they pass, everything else by how many there are."""
    if name == "time":
        return sorted(counts, key=ORDER.index)
    return sorted(counts, key=lambda value: (-counts[value], value))


BEFORE_MATCH, LATEST_MATCH, LONGEST_SNIPPET = 60, 110, 240  # characters


def snippet(text: str, words: Sequence[str]) -> tuple[MarkedText, ...]:
    """As much of the text as is read at a glance: its beginning, or from shortly before its first marked word on."""
    pieces = marked(_tidy(plain(text)), words)
    first = next((sum(len(each.text) for each in pieces[:at]) for at, each in enumerate(pieces) if each.marked), 0)
    skipped = first - BEFORE_MATCH if first > LATEST_MATCH else 0
    shown = _from("".join(each.text for each in pieces), skipped)
    return marked(shown, words)


def _tidy(text: str) -> str:
    """Lines as they are, but no empty ones."""
    return "\n".join(line for each in text.splitlines() if (line := " ".join(each.split())))


def _from(text: str, start: int) -> str:
    if start:
        blank = text.find(" ", start)
        start = blank + 1 if 0 <= blank < start + BEFORE_MATCH else start
    shown = text[start : start + LONGEST_SNIPPET]
    return ("…" if start else "") + shown + ("…" if start + LONGEST_SNIPPET < len(text) else "")


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
            "moment": f"{shown.happened.astimezone(UTC):%Y-%m-%dT%H:%MZ}" if shown.happened else "",
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


ANSWERED = frozenset({"ok", "partial", "empty"})
WEAK = frozenset({"low", "none"})
CORE, MOST_OTHERS = 2, 4  # keywords that are kept, questions that are offered


class AnswerView:
    """What one reader is shown of one question. ``now`` is aware, in the zone that dates are shown in."""

    def __init__(self, asked: PageQuestion, words: Mapping[str, str], language: str, now: datetime) -> None:
        self.asked = asked
        self.words = words
        self.language = language
        self.now = now
        self._titles: dict[str, str] = {}

    def plan(self, plan: PlanDocument) -> dict[str, Any]:
        """Whom it will be asked."""
        self._titles = {each["source"]: each["title"] for each in plan["steps"]}
        titles = list(self._titles.values())
        key = "asking one" if len(titles) == 1 else "asking"
        return {"said": self.words[key].format(count=len(titles), titles=", ".join(titles)), "all": len(titles)}

    def outcome(self, outcome: OutcomeDocument) -> dict[str, Any]:
        """How one source did."""
        problem = outcome["problem"]
        return {
            "title": outcome["title"],
            "word": self.words[outcome["status"]],
            "tone": tone_of(outcome["status"]),
            "count": self.hits(outcome["returned"]),
            "took": f"{outcome['took']:.2f}",
            "problem": said_in(problem["message"], self.language) if problem else "",
        }

    def hits(self, count: int) -> str:
        """So many hits, in words."""
        return said_hits(count, self.language)

    def answer(self, answer: AnswerDocument, awaited: Sequence[str] = (), *, final: bool = True) -> dict[str, Any]:
        """The answer, whole or as far as it is known; ``awaited`` are the sources still to come."""
        view = view_of(answer, self.language)
        results = Results(answer, self.words, self.now)
        every = [results.view(*each) for each in zip(view.results, answer["results"], strict=True)]
        shown = sum(fits(each["facets"], self.asked) for each in every)
        return {
            "final": final,
            "language": answer["question"]["language"],
            "type": self.words[answer["question"]["type"]],
            "confidence": self.words[view.confidence] if view.confidence else "",
            "level": view.confidence,
            "worded_by": view.worded_by,
            "taken": view.taken,
            "doubts": view.doubts,
            "lines": view.lines,
            "clarification": _clarification(view.asked_back, self),
            "suggestions": view.suggestions if final else (),
            "others": [(each, self.asked.address(each)) for each in _others(answer)] if final else (),
            "strip": source_strip(answer, [self._titles.get(each, each) for each in awaited], self.words),
            "nobody": final and not any(each["status"] in ANSWERED for each in answer["sources"]),
            "results": [{**each, "fits": fits(each["facets"], self.asked)} for each in every],
            "shown": shown,
            "narrowed": self.words["narrowed"].format(shown=shown, all=len(every)),
            "facets": facets(every, self.asked, self.words),
            "more": self.asked.address(limit=MORE) if self._has_more(answer) else "",
            "clear": self.asked.address(limit=self.asked.limit),
            "notes": answer["notes"],
            "receipt": receipt_lines(answer, self.language) if final else [],
            "question": answer["question"],
            "follow": answer["follow"],
            "alone": self.asked.address(self.asked.question),
            "to_copy": as_markdown(answer["question"]["text"], view, spoken(self.language), self.now.tzinfo)
            if final
            else "",
            "permalink": self.asked.address(answer["question"]["text"], self.asked.limit) if final else "",
            "conversation": answer["conversation"] if final else "",
            "said": self._finished(answer) if final else self.words["so far"].format(**_progress(answer, awaited)),
        }

    def _has_more(self, answer: AnswerDocument) -> bool:
        found = sum(each["returned"] for each in answer["sources"])
        return self.asked.limit == LIMIT and len(answer["results"]) >= LIMIT < found

    def _finished(self, answer: AnswerDocument) -> str:
        count = len(answer["results"])
        answering = sum(each["status"] in ANSWERED for each in answer["sources"])
        key = "finished one" if count == 1 else "finished"
        return self.words[key].format(count=count, sources=answering, seconds=f"{answer['took']:.1f}")


def _others(answer: AnswerDocument) -> list[str]:
    """Questions that may find more, where little was found: the first words alone, and other names of them."""
    asked = answer["question"]
    if answer["confidence"] not in WEAK:
        return []
    core = asked["keywords"][:CORE]
    shorter = [" ".join(core)] if len(asked["keywords"]) > CORE else []
    names = [name for word in core for name in asked["variants"].get(word, ())]
    return [each for each in dict.fromkeys([*shorter, *names]) if each != asked["text"]][:MOST_OTHERS]


def _progress(answer: AnswerDocument, awaited: Sequence[str]) -> dict[str, int]:
    done = sum(each["status"] not in UNASKED for each in answer["sources"])
    return {"done": done, "all": done + len(awaited)}


def _clarification(asked: ClarificationDocument | None, shown: AnswerView) -> dict[str, Any] | None:
    """The question back. What an option is for stands on its button, where and how often it was found beside it."""
    if asked is None:
        return None
    if len(asked["readings"]) != len(asked["options"]):
        return {"question": asked["question"], "options": [(each, each, "") for each in asked["options"]]}
    pairs = zip(asked["options"], asked["readings"], strict=True)
    options = [
        (option, reading["label"], " · ".join(filter(None, (reading["context"], shown.hits(reading["count"])))))
        for option, reading in pairs
    ]
    return {"question": asked["question"], "options": options}


END_OF_PROGRESS = "</ul></section>"


class Teller:
    """Words the events of one question for one reader. ``token`` and ``back`` are for the forms among them."""

    def __init__(self, shown: AnswerView, token: str, back: str, request_id: str) -> None:
        self._shown = shown
        self._words = spoken(shown.language)
        self._forms = {"token": token, "back": back}
        self._request_id = request_id

    def told(self, name: str, document: object) -> dict[str, Any]:
        """One event as a reader's script takes it: HTML to put in its place, words to say aloud."""
        html = self.html(name, document)
        if name == "plan":
            return {"html": html + END_OF_PROGRESS, **self._shown.plan(cast("PlanDocument", document))}
        return {"html": html}

    def html(self, name: str, document: object) -> str:
        """One event as HTML; nothing for what has nothing to show."""
        shown = self._shown
        match name:
            case "plan":
                return render("progress.html", words=self._words, **shown.plan(cast("PlanDocument", document)))
            case "outcome":
                return render("outcome.html", words=self._words, **shown.outcome(cast("OutcomeDocument", document)))
            case "revision":
                revised = cast("Mapping[str, Any]", document)
                return self._found(revised["answer"], revised["awaited"], final=False)
            case "answer":
                return self._found(cast("AnswerDocument", document), (), final=True)
            case "problem":
                return self._problem(cast("Mapping[str, str]", document))
        return ""

    async def growing(self, events: AsyncIterator[tuple[str, object]]) -> AsyncIterator[str]:
        """A page as it grows: whom is asked, who has answered, and at the end the answer in their place."""
        begun = False
        async for name, document in events:
            if begun and name in {"answer", "problem"}:
                yield END_OF_PROGRESS
            begun = begun or name == "plan"
            if name == "answer":
                yield self._found(cast("AnswerDocument", document), (), final=True)
            elif name != "revision":
                yield self.html(name, document)

    def _found(self, answer: AnswerDocument, awaited: list[str] | tuple[str, ...], *, final: bool) -> str:
        if not final and not answer["results"]:
            return ""
        view = self._shown.answer(answer, awaited, final=final)
        told = {**view, "answer_language": view["language"]}
        return render("found.html", **{**told, **self._forms, "words": self._words, "asked": self._shown.asked})

    def _problem(self, problem: Mapping[str, str]) -> str:
        words = self._shown.words
        said = said_problem(words, problem["code"], problem["detail"], self._request_id)
        heading = words["cannot ask" if problem["code"] in ("bad_ask", "too_costly") else "problem"]
        again = "" if problem["code"] in ("bad_ask", "too_costly") else self._shown.asked.address()
        return render("problem.html", words=self._words, heading=heading, message=said, again=again)
