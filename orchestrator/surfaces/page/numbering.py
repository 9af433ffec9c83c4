"""Numbers results in their order. For a page on which none has been shown yet: what a stream has numbered keeps its number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.surfaces.page.marking import CITATION

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

    from orchestrator.documents.answer import AnswerDocument


def in_order(answer: AnswerDocument) -> AnswerDocument:
    """The same answer, its results numbered from 1 as they stand, everything that cites them too."""
    places = {result["number"]: place for place, result in enumerate(answer["results"], 1)}
    return {
        **answer,
        "summary": _renumbered(answer["summary"], places),
        "statements": [
            {
                **each,
                "text": _renumbered(each["text"], places),
                "numbers": [places.get(number, number) for number in each["numbers"]],
            }
            for each in answer["statements"]
        ],
        "conflicts": [_renumbered(each, places) for each in answer["conflicts"]],
        "citations": [{**each, "number": places.get(each["number"], each["number"])} for each in answer["citations"]],
        "results": [{**each, "number": places[each["number"]]} for each in answer["results"]],
    }


def _renumbered(text: str, places: Mapping[int, int]) -> str:
    def cited(match: re.Match[str]) -> str:
        return f"[{places.get(int(match[1]), int(match[1]))}]"

    return CITATION.sub(cited, text)
