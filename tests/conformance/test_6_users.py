"""6 Who uses it: chat bot, digests, HTTP API, command line and page"""

from __future__ import annotations

import asyncio
import json
import re
from datetime import datetime, timedelta

import pytest
import pytest_asyncio

from orchestrator.sandbox import Sandbox, default_corpus
from tests.conformance.company import NOW, a_company
from tests.conformance.marks import requirement
from tests.e2e.program import ROOT, WARM
from tests.e2e.test_digest_surfaces import workplace

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
]

DAILY = """
[locale]
zone = "Asia/Seoul"
[ranking]
semantic = "off"
[digests.week]
name = "박지현"
language = "ko"
period = "daily"
schedule = "0 9 * * *"
deliver = ["file:{name}.md"]
"""


async def demonstrated(*arguments: str) -> str:
    """What ``fedsearch digest demo`` prints."""
    command = [*WARM, "digest", "demo", *arguments]
    done = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, err = await done.communicate()
    assert done.returncode == 0, err.decode()
    return out.decode()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def company(tmp_path_factory):
    """The packaged company behind the API."""
    async with a_company(tmp_path_factory.mktemp("company"), ["slack", "notion", "linear", "gmail"]) as served:
        yield served


@requirement("6.6")
async def test_a_daily_digest_tells_a_day(index_url, tmp_path):
    async with workplace(tmp_path, index_url, settings=DAILY) as typed:
        code, shown, said = await typed("preview", "week", "--format", "json", "--now", NOW)
    assert code == 0, said
    told = json.loads(shown)
    assert datetime.fromisoformat(told["until"]) - datetime.fromisoformat(told["since"]) == timedelta(days=1)


@requirement("6.7", "Digests: what is to be done first, then decisions, mentions, updates, documents that changed", where="orchestrator/digests/content.py orchestrator/digests/making.py")  # fmt: skip
@requirement("6.8", "Digests: updates are grouped by topic and not by source", where="orchestrator/digests/making.py orchestrator/digests/matters.py")  # fmt: skip
@requirement("6.10", "Digests: a line of totals at the end", where="orchestrator/digests/wording.py")
@pytest.mark.parametrize(("language", "totals"), [("en", r"\d+ events, \d+ matters, from "), ("ko", r"\d+건.*\d+")])
async def test_the_parts_of_a_weekly_digest(language, totals):
    made = json.loads(await demonstrated("--name", "김민수", "--language", language, "--format", "json"))
    kinds = [each["kind"] for each in made["sections"]]
    assert kinds == ["actions", "decisions", "mentions", "updates", "documents"]
    (updates,) = (each for each in made["sections"] if each["kind"] == "updates")
    topics = [each["label"] for each in updates["groups"]]
    assert "API v2" in topics
    assert not {"Slack", "Notion", "Linear", "Gmail"} & set(topics)
    together = [entry for group in updates["groups"] for entry in group["entries"] if entry["also"]]
    assert together, "one matter, told in several sources, is one entry"
    plain = await demonstrated("--language", language)
    assert re.search(totals, plain.strip().splitlines()[-1])


@requirement("6.14", "HTTP API: explain: what each source would be sent, without asking any", where="orchestrator/surfaces/http/searching.py")  # fmt: skip
@pytest.mark.parametrize("question", ["API from:minsu.kim after:2026-10-01", "지난주 결제 장애 from:이하늘"])
async def test_what_would_be_sent_is_explained(company, question):
    await company.ask("warm up")
    before = [each for each in company.sandbox.requests if "search" in each.path]
    plan = await company.post("/v1/explain", question=question, now=NOW)
    assert [each for each in company.sandbox.requests if "search" in each.path] == before
    queries = json.dumps(plan, ensure_ascii=False)
    assert "from:<@U01" in queries
    assert "@acme.example" in queries


@requirement("6.12")
@requirement("6.20")
@pytest.mark.parametrize(
    "question", ["What did we decide about the API migration?", "API 마이그레이션 일정에 대해 무엇을 결정했나요?"]
)
async def test_every_door_says_the_same(company, question, tmp_path):
    """The command line asks the same engine: the same first result and the same sentence."""
    reply = await company.ask(question)
    async with Sandbox(default_corpus()) as sandbox:
        environment = {"PYTHONPATH": str(ROOT), "FEDSEARCH_DATA_DIR": str(tmp_path)}
        for name, end in sandbox.endpoints.items():
            environment[f"FEDSEARCH_SOURCES__{name.upper()}__BASE_URL"] = end.base_url
            environment[f"FEDSEARCH_SOURCES__{name.upper()}__TOKEN"] = end.token
        environment |= {
            "FEDSEARCH_RANKING__SEMANTIC": "off",
            "FEDSEARCH_SEARCH__AHEAD": "0",
            "FEDSEARCH_SEARCH__BUDGET": "30",
        }
        command = [*WARM, "search", question, "--json", "--now", NOW]
        done = await asyncio.create_subprocess_exec(*command, env=environment, stdout=asyncio.subprocess.PIPE)
        out, _ = await done.communicate()
    told = json.loads(out)
    assert told["results"][0]["id"] == reply["results"][0]["id"]
    assert told["citations"][0]["quote"] == reply["citations"][0]["quote"]
