"""Who is mentioned as a source writes them is asked for there by that id, and elsewhere as the person whose id it is."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING

import pytest

from connectors.contract import SourceDirectory
from orchestrator.names import _merge
from orchestrator.plan import PlanLimits, SourceProfile, make_plan
from orchestrator.understand import understand
from translators.query import Category, Person
from translators.registry import load_dialect

if TYPE_CHECKING:
    from orchestrator.understand import Directory

NOW = datetime.fromisoformat("2026-11-20T10:00:00+09:00")
MAIL = "minsu.kim@acme.example"
JIRA_ID = "5b10ac8d82e05b22cc7d4ef5"
KNOWN = {
    "slack": SourceDirectory(people=(Person("Minsu Kim", native_id="U0123ABC", email=MAIL),)),
    "jql": SourceDirectory(people=(Person("김민수", native_id=JIRA_ID, email=MAIL),)),
    "linear": SourceDirectory(people=(Person("minsu", native_id="0d0e-11", email=MAIL),)),
    "github": SourceDirectory(people=(Person("Minsu Kim", native_id="minsu-k", email=MAIL),)),
}


def directory() -> Directory:
    return _merge(KNOWN.values())


def sent(text: str, *, known: bool) -> dict[str, str]:
    """What each source is asked first, by its dialect; with the names of the sources known, or none."""
    query = understand(text, NOW, directory() if known else None)
    profiles = []
    for name, listed in KNOWN.items():
        translator = load_dialect(name)
        people = listed if known else SourceDirectory()
        profiles.append(SourceProfile(name, name, Category.CHAT, translator, translator.can, directory=people))
    plan = make_plan(query, profiles, (), PlanLimits())
    natives = {step.source: step.rungs[0].translations[0].native for step in plan.steps}
    return {name: f"{native.text} {json.dumps(dict(native.args))}" for name, native in natives.items()}


@pytest.mark.parametrize("typed", ["<@U0123ABC>", "<@U0123ABC|Minsu Kim>", "U0123ABC", f"[~accountid:{JIRA_ID}]"])
def test_each_source_gets_its_own_id_of_a_person_that_is_known(typed: str) -> None:
    requests = sent(f"migration from:{typed}", known=True)
    assert "from:<@U0123ABC>" in requests["slack"]
    assert f'reporter = "{JIRA_ID}"' in requests["jql"]
    assert '{"creator": {"id": {"eq": "0d0e-11"}}}' in requests["linear"]


def test_a_mention_of_nobody_known_reaches_its_own_source_as_it_is() -> None:
    requests = sent("migration from:<@U0123ABC>", known=False)
    assert "from:<@U0123ABC>" in requests["slack"]
    assert "<@" not in requests["jql"] + requests["linear"]
    assert f'reporter = "{JIRA_ID}"' in sent(f"migration from:[~accountid:{JIRA_ID}]", known=False)["jql"]
    assert "in:<#C0123ABC>" in sent("migration in:<#C0123ABC|general>", known=False)["slack"]


def test_a_handle_of_nobody_known_is_an_account_of_github_and_a_name_elsewhere() -> None:
    requests = sent("migration from:@octo-cat", known=False)
    assert "author:octo-cat" in requests["github"]
    assert "from:octo-cat" in requests["slack"]
    assert '{"containsIgnoreCase": "octo"}' in requests["linear"]
    assert "author:octo_acme" in sent("migration from:@octo_acme", known=False)["github"], "a company manages it"
    assert "author:minsu-k" in sent("migration from:@minsu-k", known=True)["github"]
    assert "author:minsu-k" in sent("migration from:@minsu", known=True)["github"]


@pytest.mark.parametrize(
    "text", ["what did <@U0123ABC> say about refunds", "<@U0123ABC>가 환불에 대해 한 말", "from:<@U0123ABC> 환불"]
)
def test_who_is_mentioned_in_a_sentence_is_that_person(text: str) -> None:
    query = understand(text, NOW, directory())
    assert query.author is not None
    assert query.author.email == MAIL
    assert not any("U0123ABC" in word for word in query.keywords)


def test_who_is_mentioned_and_put_aside_is_excluded_by_name() -> None:
    query = understand("refunds -from:<@U0123ABC>", NOW, directory())
    assert query.negated == ("Minsu Kim",)
