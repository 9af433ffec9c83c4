"""A source that goes by each person's own rights: in a private channel, what each of its members finds there."""

import json

import pytest

from connectors.local.documents import Document
from connectors.local.store import IndexStore
from connectors.passages import Passage
from storage.database import Database
from tests.corpora import corpus_of
from tests.e2e.bot_workplace import workplace

PEOPLE = [
    {"id": f"U0{name.upper()}", "name": name.capitalize(), "handle": name, "email": f"{name}@acme.example"}
    for name in ("alice", "bob", "carol", "dave")
]
TEXT = "팔콘 예산 Falcon budget decided: "
MARKS = {
    "FORALL": ("public",),
    "FORALICE": ("user:alice@acme.example",),
    "FORPAIR": ("user:alice@acme.example", "user:bob@acme.example"),
    "FORGROUP": ("group:board",),
}
QUESTION = "What did we decide about the Falcon budget?"


@pytest.fixture
async def work(tmp_path, index_url):
    """Documents of one matter that different people may see, behind the bot."""
    store = IndexStore(Database(index_url, 4))
    documents = [Document("files", mark, mark, (Passage(TEXT + mark),), who) for mark, who in MARKS.items()]
    await store.upsert(documents)
    await store.set_members("group:board", ("user:bob@acme.example", "user:carol@acme.example"))
    await store.aclose()
    row = {
        "id": "slack-1",
        "source": "slack",
        "kind": "message",
        "text": "hello",
        "container": "general",
        "author": "U0ALICE",
    }
    settings = {"index": {"database_url": index_url, "embedder": {"model": "none"}, "reranker": {"model": "none"}}}
    extra = {"notes": {"kind": "local"}}
    corpus = corpus_of(tmp_path, [row], PEOPLE)
    async with workplace(corpus, tmp_path, index_url, sources=["slack"], extra=extra, more=settings) as work:
        yield work


def marks(posts):
    text = json.dumps([post.versions for post in posts])
    return {mark for mark in MARKS if mark in text}


@pytest.mark.parametrize(
    ("members", "shown", "besides"),
    [
        (("U0ALICE", "U0BOB"), {"FORALL", "FORPAIR"}, {"FORALICE"}),
        (("U0BOB", "U0CAROL", "U0ALICE"), {"FORALL"}, {"FORALICE", "FORPAIR"}),
        (("U0ALICE",), {"FORALL", "FORALICE", "FORPAIR"}, set()),
    ],
)
async def test_what_every_member_finds_by_themselves(work, members, shown, besides):
    place = work.slack.life.open_channel("closed", *members, private=True)
    _, posts = await work.ask("U0ALICE", place, work.mention(QUESTION))
    assert marks([post for post in posts if not post.only]) == shown
    assert marks([post for post in posts if post.only]) == besides


async def test_groups_count_and_a_public_channel_is_nobodys(work):
    place = work.slack.life.open_channel("closed", "U0BOB", "U0CAROL", private=True)
    _, posts = await work.ask("U0BOB", place, work.mention(QUESTION))
    assert marks([post for post in posts if not post.only]) == {"FORALL", "FORGROUP"}
    assert marks([post for post in posts if post.only]) == {"FORPAIR"}
    small = work.slack.life.open_channel("small", "U0BOB", "U0CAROL")
    _, posts = await work.ask("U0BOB", small, work.mention(QUESTION))
    assert marks([post for post in posts if not post.only]) == {"FORALL"}
    assert marks([post for post in posts if post.only]) == {"FORPAIR", "FORGROUP"}
    _, posts = await work.ask("U0DAVE", work.slack.life.direct("U0DAVE"), QUESTION)
    assert marks(posts) == {"FORALL"}
