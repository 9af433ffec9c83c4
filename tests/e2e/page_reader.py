"""A reader of the search page without a script."""

import json
from urllib.parse import urlencode

import aiohttp
from lxml import html
from yarl import URL

from orchestrator.sandbox import load_corpus

QUESTION = {
    "ko": "API 마이그레이션 일정에 대해 무엇을 결정했나요?",
    "en": "What did we decide about the API migration?",
}


class Reader:
    """A browser without a script: it keeps cookies, follows links, and sends forms as they stand."""

    def __init__(self, api, language="en"):
        self.api = api
        self.http = aiohttp.ClientSession(
            cookie_jar=aiohttp.CookieJar(unsafe=True),
            headers={"Accept-Language": language, "Sec-Fetch-Site": "same-origin"},
        )
        self.page = self.status = self.reply = None

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.http.close()

    async def get(self, address, **kwargs):
        return await self._load("GET", address, **kwargs)

    async def submit(self, form, button=None, **others):
        """Send a form with the fields that belong to it, wherever on the page they stand."""
        form_id = form.get("id")
        fields = [each for each in form.iter("input") if each.get("form") in {None, form_id}]
        fields += self.page.xpath(f"//input[@form='{form_id}']") if form_id else []
        told = [
            (each.get("name"), others.pop(each.get("name"), each.get("value", "")))
            for each in fields
            if self._sent(each)
        ]
        if button is not None:
            told.append((button.get("name"), button.get("value")))
        if form.get("method", "get").lower() == "get":
            return await self.get(form.get("action") + "?" + urlencode(told))
        body = urlencode(told).encode()
        return await self._load(
            "POST", form.get("action"), data=body, headers={"Content-Type": "application/x-www-form-urlencoded"}
        )

    async def sign_in(self, key=None):
        await self.get("/sign-in")
        await self.submit(self.page.xpath("//form[@action='/sign-in']")[0], key=key or self.api.key)
        return self

    def text(self, path="//main"):
        return " ".join(" ".join(each.text_content().split()) for each in self.page.xpath(path))

    def cookie(self, name="fedsearch"):
        return self.http.cookie_jar.filter_cookies(URL(self.api.url))[name].value

    @staticmethod
    def _sent(field):
        return field.get("name") and (field.get("type") != "checkbox" or field.get("checked") is not None)

    async def _load(self, method, address, **kwargs):
        async with self.http.request(method, self.api.url + address, **kwargs) as self.reply:
            text = await self.reply.text()
        self.status = self.reply.status
        self.page = html.document_fromstring(text) if text and self.reply.content_type == "text/html" else None
        return text


HOSTILE = '<script>window.owned=1</script>"><img src=x onerror=window.owned=1> \u202egpj.exe okta'


def hostile_corpus(folder, when="2026-11-18T10:00:00+09:00"):
    """A workplace in which somebody has written what pages are attacked with."""
    rows = [
        {
            "source": "linear",
            "kind": "issue",
            "id": "SEC-666",
            "key": "SEC-666",
            "team": "SEC",
            "title": HOSTILE,
            "text": HOSTILE,
        },
        {"source": "notion", "kind": "page", "id": "n1", "title": HOSTILE, "text": HOSTILE},
        {
            "source": "slack",
            "kind": "message",
            "id": "s1",
            "container": "general",
            "container_id": "C1",
            "text": HOSTILE,
        },
    ]
    common = {"author": "U1", "author_name": "<b>Mallory</b>", "created": when, "updated": when}
    path = folder / "hostile.jsonl"
    path.write_text("".join(json.dumps({**common, **each}) + "\n" for each in rows), "utf-8")
    return load_corpus(path)
