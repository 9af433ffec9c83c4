"""Replies ready made, in a process of its own: N declared JSON searches, Linears and Jiras on one port, each answering after DELAY s with HITS.

Each question finds its own issues: the last number in what is asked stands in them, so that no reader can know them from
the question before. The queries of one question, which differ in other words, find the same. ``/answered`` tells when
each Linear has answered searches, on the monotonic clock that all processes of a machine share, and forgets it.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections import defaultdict
from datetime import UTC, datetime, timedelta

from aiohttp import web

WORDS = "API migration schedule decision: we move the gateway to REST in two steps and keep the old endpoints".split()
HANGING = 30.0  # seconds
STRICT = 2  # words, more of which find nothing
ASKED = b"@@"  # where the number of a question goes
NUMBER = re.compile(r"[0-9]+")
PEOPLE, TEAM = 5, "t1"
SHARED = 4  # of so many results of a declared search one stands in all of them
EMPTY = b'{"data": {"found": {"nodes": [], "totalCount": 0, "pageInfo": {"hasNextPage": false, "endCursor": null}}}}'
FIRST = datetime(2026, 9, 1, tzinfo=UTC)


def person(number: int) -> dict[str, object]:
    """One of those who write issues."""
    return {"id": f"u{number}", "name": f"Person {number}", "displayName": "p", "email": f"p{number}@a.example"}


def team(source: int) -> dict[str, object]:
    """The one team of a source."""
    return {"id": TEAM, "key": f"S{source}", "name": "Platform"}


def told(source: int, number: int) -> tuple[str, str, str]:
    """Title, text and time of an issue; no two are alike."""
    turned = WORDS[number % len(WORDS) :] + WORDS[: number % len(WORDS)]
    moment = (FIRST + timedelta(hours=number * 7 + source)).isoformat().replace("+00:00", "Z")
    title = f"{' '.join(turned[:6])} {source}-{number} @@"
    return title, f"{' '.join(turned)} (item {number} of {source}, @@). " * 5, moment


def issue(source: int, number: int) -> dict[str, object]:
    """One issue as Linear writes it, some 1,200 characters long."""
    title, text, moment = told(source, number)
    return {
        "identifier": f"S{source}-{number}@@",
        "title": title,
        "description": text,
        "url": f"https://linear.app/acme/issue/S{source}-{number}@@",
        "priorityLabel": "High",
        "createdAt": moment,
        "updatedAt": moment,
        "completedAt": None,
        "canceledAt": None,
        "dueDate": None,
        "state": {"name": "Todo", "type": "unstarted"},
        "team": team(source),
        "project": {"name": "API"},
        "assignee": person(number % PEOPLE),
        "creator": person(number % PEOPLE),
        "labels": {"nodes": [{"name": "api"}]},
    }


def jira_issue(source: int, number: int) -> dict[str, object]:
    """The same as Jira writes it."""
    title, text, moment = told(source, number)
    who = {"accountId": f"u{number % PEOPLE}", "displayName": f"Person {number % PEOPLE}", "active": True}
    paragraph = {"type": "paragraph", "content": [{"type": "text", "text": text}]}
    fields = {
        "summary": title,
        "description": {"type": "doc", "version": 1, "content": [paragraph]},
        "project": {"id": TEAM, "key": f"S{source}", "name": "Platform"},
        "reporter": who,
        "creator": who,
        "assignee": who,
        "status": {"name": "To Do", "statusCategory": {"key": "new"}},
        "issuetype": {"name": "Task"},
        "priority": {"name": "High"},
        "resolution": None,
        "labels": ["api"],
        "created": moment,
        "updated": moment,
        "duedate": None,
        "resolutiondate": None,
    }
    return {"id": f"{number}@@", "key": f"S{source}-{number}@@", "fields": fields}


def plain_result(source: int, number: int) -> dict[str, object]:
    """The same as a search of one's own writes it, by the names that a declaration takes for granted.

    A quarter of the addresses are what other sources find as well.
    """
    title, text, moment = told(source, number)
    where = "shared" if number % SHARED == 0 else f"s{source}"
    return {
        "id": f"S{source}-{number}@@",
        "title": title,
        "text": text,
        "url": f"https://docs.acme.example/{where}/{number}@@",
        "kind": "page",
        "author": {
            "id": f"u{number % PEOPLE}",
            "name": f"Person {number % PEOPLE}",
            "email": f"p{number % PEOPLE}@a.example",
        },
        "container": "Platform",
        "created": moment,
        "updated": moment,
        "score": 1.0 - number / 100,
    }


def reply(field: str, nodes: list[dict[str, object]]) -> bytes:
    """A whole page of anything in Linear."""
    page = {"nodes": nodes, "totalCount": len(nodes), "pageInfo": {"hasNextPage": False, "endCursor": None}}
    return json.dumps({"data": {field: page}}).encode()


def bodies(count: int, hits: int) -> list[bytes]:
    """What each Linear finds."""
    return [reply("found", [issue(source, number) for number in range(hits)]) for source in range(count)]


def jira_bodies(count: int, hits: int) -> list[bytes]:
    """What each Jira finds."""
    pages = ([jira_issue(source, number) for number in range(hits)] for source in range(count))
    return [json.dumps({"issues": page, "isLast": True}).encode() for page in pages]


def plain_bodies(count: int, hits: int) -> list[bytes]:
    """What each declared search finds."""
    pages = ([plain_result(source, number) for number in range(hits)] for source in range(count))
    return [json.dumps({"items": page, "total": len(page)}).encode() for page in pages]


def listed(source: int, document: str) -> bytes:
    """The people of a Linear or its teams, whichever is asked for."""
    people = "users(" in document
    return reply("listed", [person(number) for number in range(PEOPLE)] if people else [team(source)])


class Canned:
    """All sources: ``/3`` and ``/3/hang``, ``/3/late``, ``/3/500``, ``/3/strict`` are Linears, ``/3/rest/…`` is a Jira.

    ``/3/search`` is a declared search, ``/3/after/0.25/search`` one that takes so many seconds.
    """

    def __init__(self, count: int, delay: float, hits: int) -> None:
        self.delay = delay
        self.linear, self.jira = bodies(count, hits), jira_bodies(count, hits)
        self.plain = plain_bodies(count, hits)
        self.answered: defaultdict[int, list[float]] = defaultdict(list)

    async def answer(self, request: web.BaseRequest) -> web.Response:
        """``hang`` answers after half a minute, ``late`` after DELAY once more, ``500`` fails, ``strict`` finds nothing for many words."""
        number, _, rest = request.path.strip("/").partition("/")
        if number == "answered":
            told, self.answered = self.answered, defaultdict(list)
            return web.json_response(told)
        if rest.startswith("rest/"):
            return web.Response(body=await self.of_jira(int(number), request), content_type="application/json")
        if rest.endswith("search"):
            return web.Response(body=await self.of_plain(int(number), rest, request), content_type="application/json")
        asked = await request.json()
        words = asked["variables"].get("term", asked["variables"].get("t", "")).split()
        if not words:  # names, which are asked for beside the questions
            return web.Response(body=listed(int(number), asked["query"]), content_type="application/json")
        await asyncio.sleep({"hang": HANGING, "late": 2 * self.delay}.get(rest, self.delay))
        if rest == "500":
            return web.Response(status=500)
        body = EMPTY if rest == "strict" and len(words) > STRICT else self.linear[int(number)]
        found = _for(body, " ".join(words))
        self.answered[int(number)].append(time.monotonic())
        return web.Response(body=found, content_type="application/json")

    async def of_plain(self, number: int, rest: str, request: web.BaseRequest) -> bytes:
        """A search by its words."""
        words = request.query["q"]
        await asyncio.sleep(float(rest.split("/")[1]) if rest.startswith("after/") else self.delay)
        found = _for(self.plain[number], words)
        self.answered[number].append(time.monotonic())
        return found

    async def of_jira(self, number: int, request: web.BaseRequest) -> bytes:
        """A search; nobody and no project where names are asked for."""
        if not request.path.endswith("/jql"):
            return b"[]" if "user" in request.path else b'{"values": [], "isLast": true}'
        asked = await request.json()
        await asyncio.sleep(self.delay)
        return _for(self.jira[number], asked["jql"])


def _for(body: bytes, question: str) -> bytes:
    numbers = NUMBER.findall(question)
    return body.replace(ASKED, numbers[-1].encode() if numbers else b"0")


async def main(count: int, delay: float, hits: int) -> None:
    """Until standard input closes."""
    runner = web.ServerRunner(web.Server(Canned(count, delay, hits).answer, access_log=None))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])))
