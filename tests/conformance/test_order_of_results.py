"""What comes first, and by which factors."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from tests.conformance.company import a_company
from tests.conformance.marks import requirement
from tests.conformance.matters import MATTERS, PEOPLE, TYPES

pytestmark = pytest.mark.asyncio(loop_scope="module")


WEIGHTS = {
    "decision": {"keywords": 0.3, "freshness": 0.3, "authority": 0.2, "completeness": 0.2},
    "status": {"keywords": 0.2, "freshness": 0.4, "authority": 0.1, "completeness": 0.3},
    "document": {"keywords": 0.4, "freshness": 0.2, "authority": 0.3, "completeness": 0.1},
    "factual": {"keywords": 0.3, "freshness": 0.1, "authority": 0.4, "completeness": 0.2},
}


@requirement("1.32", "Four factors rank each result: keyword match, freshness, authority, completeness, weighted by the kind of question (decision .3 .3 .2 .2; status .2 .4 .1 .3; document .4 .2 .3 .1; factual .3 .1 .4 .2)", where="config/ranking.toml orchestrator/rank/factors.py", differs="they are 65 % of the score, the place in the sources' own lists 35 %, and the whole is multiplied by how well the result matches, since a factor must not lift what does not answer; where more than fifty results were found, features that were learnt order them too, and of fewer those come first whose sentences answer (docs/explanation/ranking.md).", setting='`ranking.profile = "formula"`, `ranking.numbers.fusion.share = 0` and `ranking.numbers.relevance.floor = 1`.')  # fmt: skip
@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("language", [0, 1])
async def test_four_factors_by_kind_of_question(matters, kind, language):
    reply = await matters.ask(TYPES[kind][language])
    assert reply["question"]["type"] == kind
    assert reply["results"]
    for each in reply["results"]:
        factors = each["factors"]
        four = sum(weight * factors[name] for name, weight in WEIGHTS[kind].items())
        assert each["score"] == pytest.approx((0.65 * four + 0.35 * factors["fused"]) * factors["relevance"], abs=1e-6)


@requirement("1.32")
@pytest.mark.parametrize("kind", WEIGHTS)
async def test_four_factors_and_nothing_else_where_that_is_set(tmp_path, kind):
    numbers = {"ranking": {"profile": "formula", "numbers": {"fusion": {"share": 0.0}, "relevance": {"floor": 1.0}}}}
    kinds = ("slack", "gmail", "notion")
    async with a_company(tmp_path, kinds, MATTERS, PEOPLE, packaged=False, settings=numbers) as company:
        reply = await company.ask(TYPES[kind][0])
    assert reply["results"]
    for each in reply["results"]:
        four = sum(weight * each["factors"][name] for name, weight in WEIGHTS[kind].items())
        assert each["score"] == pytest.approx(four, abs=1e-6)


@requirement("1.33", "Person, temporal and exploratory questions have weights of their own, which sum to one", where="config/ranking.toml")  # fmt: skip
@pytest.mark.parametrize("kind", ["person", "temporal", "exploratory"])
async def test_other_kinds_have_weights(matters, kind):
    """As many equations as weights, of results that differ in all four: what solves them sums to one."""
    import numpy as np

    reply = await matters.ask(TYPES[kind][0])
    rows = [each["factors"] for each in reply["results"]]
    known = [[each[name] for name in ("keywords", "freshness", "authority", "completeness")] for each in rows]
    four = [(each["score"] / each["factors"]["relevance"] - 0.35 * each["factors"]["fused"]) / 0.65 for each in reply["results"]]  # fmt: skip
    weights, _, rank, _ = np.linalg.lstsq(np.array(known), np.array(four), rcond=None)
    assert rank == 4
    assert weights.sum() == pytest.approx(1.0, abs=1e-3)
    assert all(weight > 0 for weight in weights)


def ladder(reply: dict[str, Any]) -> dict[str, float]:
    """How much authority each item of the Osprey has."""
    shown = {each["snippet"].rpartition(" ")[0].rpartition(" ")[2]: each["factors"]["authority"] for each in reply["results"]}  # fmt: skip
    names = {"21": "minutes", "22": "conclusion", "23": "confirmation", "24": "message", "25": "policy", "26": "shared", "27": "notice", "28": "issue", "29": "report", "30": "mail"}  # fmt: skip
    return {names[number]: value for number, value in shown.items() if number in names}


def descends(steps: dict[str, float], *names: str) -> bool:
    """Whether each has more authority than the next."""
    return all(steps[one] > steps[next_] for one, next_ in pairwise(names))


@requirement("1.34", "Authority for facts: wiki and official documents, shared documents, announcements by mail, chat messages", where="config/ranking.toml orchestrator/rank/factors.py")  # fmt: skip
@pytest.mark.parametrize("question", ["What is the policy on the Osprey?", "Osprey 규정이 어떻게 되나요?"])
async def test_authority_for_facts(matters, question):
    assert descends(ladder(await matters.ask(question)), "policy", "shared", "notice", "message")


@requirement("1.35", "Authority for decisions: meeting notes, conclusions of threads, confirmations by mail, chat messages", where="config/ranking.toml orchestrator/rank/factors.py")  # fmt: skip
@pytest.mark.parametrize("question", ["What did we decide about the Osprey?", "Osprey는 무엇을 결정했나요?"])
async def test_authority_for_decisions(matters, question):
    assert descends(ladder(await matters.ask(question)), "minutes", "conclusion", "confirmation", "message")


@requirement("1.36", "Authority for status: tracker, recent chat, status documents, mail", where="config/ranking.toml orchestrator/rank/factors.py")  # fmt: skip
@pytest.mark.parametrize("question", ["What is the status of the Osprey?", "Osprey 지금 어디까지 됐나요?"])
async def test_authority_for_status(matters, question):
    assert descends(ladder(await matters.ask(question)), "issue", "message", "report", "mail")
