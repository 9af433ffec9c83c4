"""What may teach a name is read of an outcome once, when it arrives."""

from __future__ import annotations

from dataclasses import replace

from connectors.contract import Hit
from orchestrator import alias_learning
from orchestrator.alias_learning import TellingHits
from orchestrator.model import HitList, Outcome, Status
from translators.query import Category, Kind
from translators.translator import NativeQuery, Translation

SAYS = "Harbor Desk, formerly known as TideLine, is set to open"


def outcome(*texts: str) -> Outcome:
    hits = tuple(Hit("wiki", str(at), Kind.PAGE, snippet=text) for at, text in enumerate(texts))
    lists = (HitList(Translation(NativeQuery("x", "q")), hits),)
    return Outcome("wiki", "Wiki", Category.WIKI, Status.OK, lists, requests=1)


def test_an_outcome_is_read_once_and_one_whose_texts_were_read_since_anew(monkeypatch):
    looked_at = []
    real = alias_learning.may_teach
    monkeypatch.setattr(alias_learning, "may_teach", lambda text: looked_at.append(text) or real(text))
    telling, heads = TellingHits(), outcome("Harbor Desk", "lunch")
    assert telling.of(heads) == telling.of(heads) == ()
    assert len(looked_at) == 1
    (found,) = telling.of(replace(heads, lists=outcome(SAYS, "lunch").lists))
    assert found.text == SAYS
