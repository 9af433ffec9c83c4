"""A whole answer as the page shows it, and each thing that happens on the way to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from orchestrator.documents.receipt import UNASKED, said_hits
from orchestrator.documents.view import view_of
from orchestrator.surfaces.page.asked import LIMIT, MORE
from orchestrator.surfaces.page.facets import facets, fits
from orchestrator.surfaces.page.receipt_view import receipt_lines, source_strip, tone_of
from orchestrator.surfaces.page.result_view import Results
from translators.said import said_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from orchestrator.documents.answer import AnswerDocument, ClarificationDocument, OutcomeDocument
    from orchestrator.documents.plan import PlanDocument
    from orchestrator.surfaces.page.asked import PageQuestion

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
