"""Answers as documents, with any text in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


def hit(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "number": number,
        "source": "slack",
        "id": f"C1:{number}",
        "kind": "message",
        "title": "",
        "url": f"https://acme.slack.com/archives/C1/p{number}",
        "snippet": "v1 ends on 26 February.",
        "author": "김태영",
        "assignee": None,
        "container": "payments-dev",
        "state": None,
        "created": "2026-11-18T10:00:00+09:00",
        "updated": None,
        "facts": {},
        "score": 0.5,
        "factors": {"keywords": 0.9, "freshness": 0.5, "authority": 0.25, "completeness": 1.0},
        "why": ["matches v1"],
        "unverified": [],
        "evidence": [],
        "also": [],
        "related": [],
        **changes,
    }


def source(name: str = "slack", **changes: Any) -> dict[str, Any]:
    return {
        "source": name,
        "title": name.capitalize(),
        "category": "chat",
        "status": "ok",
        "headline": "",
        "took": 0.1,
        "requests": 1,
        "sent": [{"dialect": name, "text": "v1 in:payments-dev", "args": {}}],
        "asked": [],
        "returned": 2,
        "shown": 1,
        "total": None,
        "covers": None,
        "age": None,
        "left_out": [],
        "losses": [],
        "notes": [],
        "problem": None,
        **changes,
    }


def question(**changes: Any) -> dict[str, Any]:
    return {
        "text": "when does v1 end",
        "language": "en",
        "zone": "UTC",
        "type": "temporal",
        "types": [],
        "keywords": ["v1"],
        "variants": {},
        "phrases": [],
        "entities": [],
        "ids": [],
        "hints": [],
        "only": None,
        "sources": [],
        "author": None,
        "container": None,
        "kinds": [],
        "window": None,
        "negated": [],
        "mine": False,
        "ambiguous": False,
        "meaning": "v1",
        "doubts": [],
        **changes,
    }


@pytest.fixture
def answer() -> Callable[..., dict[str, Any]]:
    """A function of changes: an answer as a document. ``hits``: one mapping of changes for each result."""

    def make(hits: tuple[dict[str, Any], ...] = ({},), **changes: Any) -> dict[str, Any]:
        asked = question(**changes.pop("question", {}))
        sources = [source(**each) for each in changes.pop("sources", ({},))]
        return {
            "question": asked,
            "summary": "",
            "statements": [],
            "worded_by": "",
            "citations": [],
            "confidence": "high",
            "conflicts": [],
            "clarification": None,
            "suggestions": [],
            "results": [hit(**{"number": place, **each}) for place, each in enumerate(hits, 1)],
            "sources": sources,
            "notes": [],
            "took": 0.4,
            "budget": 3.0,
            "follow": None,
            "conversation": "",
            **changes,
        }

    return make
