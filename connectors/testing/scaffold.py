"""Start a new source: ``python -m connectors.testing.scaffold acme`` writes a folder that keeps the contract from the first day.

It speaks an invented but usual API (``GET search?q=…``). Change its four modules and its exemplars, one by one, into
what your vendor documents; the contract says at each step what is still wrong.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import connectors
from connectors.testing.exemplar import CASES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NAME = re.compile(r"[a-z][a-z0-9_]{1,30}")
TOKEN = "acme-planted-7b2e4d1f"  # noqa: S105 — stands for a credential in the exemplars

INIT = '''"""{title}, by its search API: put the address of its manual here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from {package}.settings import {title}Settings
from {package}.wire import Item, Me, Results

from connectors.contract import Health, Hit, HitPage
from connectors.http import HttpRequest, HttpSource, Page, Reply
from connectors.manifest import load_manifest
from connectors.wire import read, read_each
from translators.query import Kind, Person

if TYPE_CHECKING:
    from connectors.contract import Call
    from translators.translator import NativeQuery


class {title}Source(HttpSource):
    """One {title} site."""

    manifest = load_manifest("{package}")
    settings_type = {title}Settings

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        cursor = {{"cursor": page.cursor}} if page.cursor else {{}}
        return HttpRequest("GET", "search", {{"q": native.text, "limit": str(page.limit), **cursor}})

    def parse(self, reply: Reply) -> HitPage:
        found = read(Results, reply.data, "{title}")
        hits, notes = read_each(Item, found.items, _hit, "pages", self.known)
        return HitPage(hits, found.next or None, None, notes)

    async def probe(self, call: Call) -> Health:
        reply = await self.send(HttpRequest("GET", "me"), call)
        return Health(ok=True, account=read(Me, reply.data, "{title}").name)


def _hit(item: Item) -> Hit:
    author = Person(item.author) if item.author else None
    return Hit("", item.id, Kind.PAGE, item.title, item.url, item.text, author=author, updated=item.updated)


SOURCE = {title}Source
'''

WIRE = '''"""The parts of {title}'s replies that are read."""

from __future__ import annotations

from connectors.wire import IsoInstant, Line, Text, Url, Wire


class Item(Wire):
    """One page of a result list."""

    id: str
    title: Line = ""
    url: Url = ""
    text: Text = ""
    author: Line = ""
    updated: IsoInstant | None = None


class Results(Wire):
    """A page of results."""

    items: list[object]
    next: str = ""


class Me(Wire):
    """Whom the token belongs to."""

    name: Line
'''

SETTINGS = '''"""What can be set for {title}."""

from __future__ import annotations

from connectors.manifest import SourceSettings


class {title}Settings(SourceSettings):
    """Nothing beyond what every source has."""
'''

MANIFEST = """name = "{name}"
title = "{title}"
category = "wiki"          # chat, wiki, tracker, mail, drive, code, web or index
dialect = "notion"         # which translator writes its queries; see docs/how-to/add-a-dialect.md
kinds = ["page"]
default_url = "https://api.{name}.example/v1"
docs = "https://{name}.example/docs/search"

[limits]                   # how the vendor wants to be treated
rate = 60                  # requests in
period = 60.0              # seconds
page = 50                  # hits a request, at most
# concurrency = 4          # requests at once
# [limits.buckets.lookups] # requests that the vendor counts apart: HttpRequest(..., bucket="lookups")
# rate = 20
# period = 60.0

[auth]
help = "say which token is needed, with which rights, and where to get it"
# kinds = ["token"]        # token, basic, oauth (with token_url), service_account (with scopes), none (open to everybody)

# [can]                    # only where this source understands less than its dialect offers: what is not said, it cannot
# term = "exact"           # exact, wider, approximate or none; fields are author, container, kind, time and so on
# without = ["term"]       # what can be left out
"""

MESSAGES = """# What this source tells people, in Korean, by its English: Said("…") in the code, and help and note in the manifest.

[anywhere]
"say which token is needed, with which rights, and where to get it" = "필요한 토큰과 권한, 받는 곳을 쓰세요"
"""

README = """# {title}

Which token, which scopes, where to get it; what is searched and what is not.
"""

GOOD = {"id": "1", "title": "Plan", "url": "https://pages.example/1", "text": "출시 계획", "author": "이하늘"}
HOSTILE = {"id": "2", "title": "<script>\u202e\u0007", "url": "javascript:alert(1)", "text": "a\u001b[31mb & 결제"}
BEYOND_REASON = 9_000_000  # bytes; more than any reply is read for


class ScaffoldRefused(ValueError):
    """The folder cannot be written; the message says why."""


def scaffold(name: str, folder: Path, package: str) -> Path:
    """Write the source ``name`` into ``folder`` as the importable ``package``; raises :class:`ScaffoldRefused`."""
    if not NAME.fullmatch(name):
        raise ScaffoldRefused(f"{name!r} is no name for a source: small letters, digits and _, beginning with a letter")
    if folder.exists():
        raise ScaffoldRefused(f"{folder} exists already")
    for path, text in _files(name, package):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    return folder


def _files(name: str, package: str) -> Iterator[tuple[str, str]]:
    title = "".join(part.capitalize() for part in name.split("_"))
    templates = {
        "__init__.py": INIT,
        "wire.py": WIRE,
        "settings.py": SETTINGS,
        "manifest.toml": MANIFEST,
        "messages.ko.toml": MESSAGES,
        "README.md": README,
    }
    for path, template in templates.items():
        yield path, template.format(name=name, title=title, package=package)
    for drawer, exemplars in _exemplars().items():
        for case, exemplar in exemplars.items():
            yield f"exemplars/{drawer}/{case.replace(' ', '_')}.json", _json(exemplar)


def _exemplars() -> Mapping[str, Mapping[str, Mapping[str, object]]]:
    search = _search({"body": {"items": [GOOD], "next": "n2"}}, hits=[_seen(GOOD)], cursor="n2")
    probe = {
        **_search({"body": {"name": "이하늘"}}),
        "ask": "probe",
        "expect": {"health": {"ok": True, "account": "이하늘"}},
    }
    probe["exchanges"] = [{**_exchange({"body": {"name": "이하늘"}}), "request": _request("/v1/me", {})}]
    return {
        "exemplary": {"search": search, "probe": {key: probe[key] for key in probe if key != "native"}},
        "supplemental": {case: {**_failures()[case], "case": case} for case in CASES},
    }


def _failures() -> Mapping[str, Mapping[str, object]]:
    """One for each case of the contract."""
    cleaned = {"id": "2", "kind": "page", "title": "<script>", "snippet": "a[31mb & 결제"}
    return {
        "empty": _search({"body": {"items": []}}),
        "last page": _search({"body": {"items": [GOOD]}}, hits=[_seen(GOOD)]),
        "hostile text": _search({"body": {"items": [HOSTILE]}}, hits=[cleaned]),
        "unauthenticated": _search({"status": 401}, error={"code": "unauthenticated", "message": "401"}),
        "forbidden": _search({"status": 403}, error={"code": "forbidden", "message": "403"}),
        "throttled": _search(
            {"status": 429, "headers": {"Retry-After": "12"}},
            error={"code": "throttled", "message": "429", "retry_after": 12.0},
        ),
        "server error": _search({"status": 500}, error={"code": "unavailable", "message": "500"}),
        "malformed": _search({"text": '{"items": ['}, error={"code": "bad_reply", "message": "not JSON"}),
        "html": _search({"text": "<!doctype html>Sign in"}, error={"code": "bad_reply", "message": "HTML page"}),
        "redirect": _search(
            {"status": 302, "headers": {"Location": "{elsewhere}/login"}},
            error={"code": "bad_reply", "message": "redirects elsewhere"},
        ),
        "oversized": _search({"filler": BEYOND_REASON}, error={"code": "bad_reply", "message": "larger than"}),
    }


def _search(reply: Mapping[str, object], **expect: object) -> dict[str, object]:
    return {
        "about": "Replace by what this exchange shows.",
        "native": {"text": "plan"},
        "token": TOKEN,
        "exchanges": [_exchange(reply)],
        "expect": expect,
    }


def _exchange(reply: Mapping[str, object]) -> dict[str, object]:
    return {"request": _request("/v1/search", {"q": "plan", "limit": "20"}), "reply": reply}


def _request(path: str, query: Mapping[str, str]) -> dict[str, object]:
    return {"method": "GET", "path": path, "query": query, "headers": {"authorization": "Bearer {token}"}}


def _seen(item: Mapping[str, str]) -> dict[str, object]:
    same = {key: item[key] for key in ("id", "title", "url")}
    return {**same, "kind": "page", "snippet": item["text"], "author": {"name": item["author"]}}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def main(arguments: list[str]) -> int:
    """Write the folder beside the other sources and say what to do next."""
    if len(arguments) != 1:
        sys.stderr.write("one name, please: make new-source NAME=acme\n")
        return 2
    name = arguments[0]
    try:
        folder = scaffold(name, Path(connectors.__path__[0]) / name, f"connectors.{name}")
    except ScaffoldRefused as refusal:
        sys.stderr.write(f"{refusal}\n")
        return 2
    sys.stdout.write(f"wrote connectors/{folder.name}; see docs/how-to/add-a-source.md, and run make test\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
