"""What happens to a question, told in HTML: for readers of a stream, and as one page that grows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from orchestrator.surfaces.page.rendering import render, spoken
from orchestrator.surfaces.page.words import said_problem

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from orchestrator.documents.answer import AnswerDocument, OutcomeDocument
    from orchestrator.documents.plan import PlanDocument
    from orchestrator.surfaces.page.answer_view import AnswerView

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
