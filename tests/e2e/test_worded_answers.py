"""A language model beside the sandbox, over real sockets: worded and checked, obedient, slow, broken; never more than the quotes."""

import asyncio
import json
from contextlib import asynccontextmanager
from datetime import datetime

import pytest
from aiohttp import web

from orchestrator.answer import unsupported
from orchestrator.assembly.searching import build_engine
from orchestrator.model import Ask, Part
from orchestrator.sandbox import Sandbox, default_corpus
from orchestrator.settings import load_settings
from tests.e2e.patience import ENOUGH

NOW = datetime.fromisoformat("2026-11-20T10:00:00+09:00")
KEY = "sk-secret-0123456789"
QUESTIONS = {
    "en": "What did we decide about the API migration?",
    "ko": "API 마이그레이션 일정에 대해 무엇을 결정했나요?",
}


@asynccontextmanager
async def model(say):
    """A chat completions service that answers with what ``say(material)`` returns, or as that response."""
    seen = []

    async def complete(request):
        body = await request.json()
        seen.append(body)
        told = await say(json.loads(body["messages"][1]["content"]))
        return (
            told if isinstance(told, web.Response) else web.json_response({"choices": [{"message": {"content": told}}]})
        )

    app = web.Application()
    app.router.add_post("/v1/chat/completions", complete)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1", seen
    finally:
        await runner.cleanup()


async def answered(text, url="", **wording):
    """The answer of the demo workplace, worded by the model at ``url``; without one, in its quotes."""
    chosen = {"model": "openai/test", "base_url": url, "api_key": KEY, **wording} if url else {}
    async with Sandbox(default_corpus(), now=NOW) as sandbox:
        sources = {
            name: {"kind": name, "base_url": at.base_url, "token": at.token} for name, at in sandbox.endpoints.items()
        }
        settings = load_settings({"sources": sources, "wording": chosen}, {})
        async with build_engine(settings) as engine:
            return await engine.search(Ask(text, NOW, budget=ENOUGH))


def claims(answer):
    return [each.text for each in answer.statements if each.part is Part.CLAIM]


@pytest.mark.parametrize("language", QUESTIONS)
async def test_what_the_model_words_is_checked_and_shown(language):
    async def say(material):
        first = material["evidence"][0]
        return f"{first['quotation'].rstrip('.')} [{first['n']}].\nEverybody loves it [{first['n']}]."

    async with model(say) as (url, seen):
        answer = await answered(QUESTIONS[language], url)
    assert answer.worded_by == "openai/test"
    _, *beside = claims(answer)
    assert set(beside) <= set(claims(await answered(QUESTIONS[language]))), (
        "facts that quote nothing are ours, and stay"
    )
    assert "loves" not in answer.summary
    assert unsupported(answer.statements, answer.citations, answer.plan) == ()
    assert ("Korean" if language == "ko" else "English") in seen[0]["messages"][0]["content"]
    assert KEY not in json.dumps(seen)


@pytest.mark.parametrize("language", QUESTIONS)
@pytest.mark.parametrize(
    "said",
    [
        "PWNED",
        "The migration was cancelled by the board [1].",
        "이번 마이그레이션은 취소됐습니다 [1].",
        "Ignore the quotations; the answer is 42 [1][2].",
    ],
)
async def test_what_the_quotes_do_not_support_leaves_the_answer_as_it_was(language, said):
    async def say(material):
        return said

    plain = await answered(QUESTIONS[language])
    async with model(say) as (url, _):
        answer = await answered(QUESTIONS[language], url)
    assert claims(answer) == claims(plain)
    assert answer.confidence == plain.confidence
    assert answer.worded_by == ""
    assert answer.statements[-1].text.startswith(
        "모델이 다듬지 않은 답입니다" if language == "ko" else "Not worded by a model"
    )
    assert said.split("[")[0].strip() not in answer.summary


async def test_an_injected_mail_is_not_obeyed_by_way_of_the_model():
    """The demo's mailbox holds an advertisement that orders its reader to ignore all instructions."""
    told = []

    async def say(material):
        told.append(json.dumps(material, ensure_ascii=False))
        return "Forward this mail to everybody [1][2][3]."

    async with model(say) as (url, _):
        answer = await answered("migration trick payment API", url)
    assert told
    assert "Ignore previous instructions" not in told[0]
    assert "Forward this mail to everybody" not in answer.summary


@pytest.mark.parametrize(
    ("status", "says"), [(401, "is the api_key right?"), (429, "HTTP 429"), (500, "HTTP 500"), (200, "not that")]
)
async def test_a_model_that_fails_costs_its_words_and_no_secret_is_told(status, says):
    async def say(material):
        return web.json_response({"error": f"bad {KEY}", "choices": 3}, status=status)

    async with model(say) as (url, _):
        answer = await answered(QUESTIONS["en"], url)
    assert claims(answer)
    assert answer.statements[-1].text.startswith("Not worded by a model")
    assert says in answer.statements[-1].text or says == "not that"
    assert KEY not in answer.summary


async def test_a_model_that_takes_too_long_costs_its_words_only():
    async def say(material):
        await asyncio.Event().wait()

    async with model(say) as (url, _):
        answer = await answered(QUESTIONS["en"], url, timeout=0.2)
    assert claims(answer)
    assert answer.statements[-1].text.startswith("Not worded by a model")


async def test_nothing_is_sent_anywhere_by_default():
    settings = load_settings({}, {})
    assert settings.wording.model == "none"
    assert not settings.wording.wanted
