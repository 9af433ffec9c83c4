"""Linear's replies ready made, in a process of its own: N sources on one port, each answering after DELAY seconds."""

from __future__ import annotations

import asyncio
import json
import sys
from datetime import UTC, datetime, timedelta

from aiohttp import web

WORDS = "API migration schedule decision: we move the gateway to REST in two steps and keep the old endpoints".split()
HITS = 20
HANGING = 30.0  # seconds
STRICT = 2  # words, more of which find nothing
EMPTY = b'{"data": {"found": {"nodes": [], "totalCount": 0, "pageInfo": {"hasNextPage": false, "endCursor": null}}}}'
FIRST = datetime(2026, 9, 1, tzinfo=UTC)


def issue(source: int, number: int) -> dict[str, object]:
    """One issue as Linear writes it, some 600 characters long; no two are alike."""
    turned = WORDS[number % len(WORDS) :] + WORDS[: number % len(WORDS)]
    moment = (FIRST + timedelta(hours=number * 7 + source)).isoformat().replace("+00:00", "Z")
    person = {
        "id": f"u{number % 5}",
        "name": f"Person {number % 5}",
        "displayName": "p",
        "email": f"p{number % 5}@a.example",
    }
    return {
        "identifier": f"S{source}-{number}",
        "title": f"{' '.join(turned[:6])} {source}-{number}",
        "description": f"{' '.join(turned)} (item {number} of {source}). " * 5,
        "url": f"https://linear.app/acme/issue/S{source}-{number}",
        "priorityLabel": "High",
        "createdAt": moment,
        "updatedAt": moment,
        "completedAt": None,
        "canceledAt": None,
        "dueDate": None,
        "state": {"name": "Todo", "type": "unstarted"},
        "team": {"id": "t1", "key": f"S{source}", "name": "Platform"},
        "project": {"name": "API"},
        "assignee": person,
        "creator": person,
        "labels": {"nodes": [{"name": "api"}]},
    }


def bodies(count: int) -> list[bytes]:
    """The reply of each source."""
    return [
        json.dumps(
            {
                "data": {
                    "found": {
                        "nodes": [issue(source, number) for number in range(HITS)],
                        "totalCount": HITS,
                        "pageInfo": {"hasNextPage": False, "endCursor": None},
                    }
                }
            }
        ).encode()
        for source in range(count)
    ]


async def main(count: int, delay: float) -> None:
    """Until standard input closes."""
    ready = bodies(count)

    async def answer(request: web.BaseRequest) -> web.Response:
        """``/3`` answers, ``/3/hang`` after half a minute, ``/3/500`` fails, ``/3/strict`` finds nothing for many words."""
        asked = await request.json()
        number, _, manner = request.path.strip("/").partition("/")
        await asyncio.sleep(HANGING if manner == "hang" else delay)
        if manner == "500":
            return web.Response(status=500)
        many = len(asked.get("variables", {}).get("term", "").split()) > STRICT
        body = EMPTY if manner == "strict" and many else ready[int(number)]
        return web.Response(body=body, content_type="application/json")

    runner = web.ServerRunner(web.Server(answer, access_log=None))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), float(sys.argv[2])))
