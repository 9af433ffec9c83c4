"""Who sees what in the index is what a few lines of Python say, whatever documents, groups and changes there are."""

import asyncio
import hashlib

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from connectors.local.documents import PUBLIC, Document
from connectors.local.pipeline import IndexQuery
from connectors.local.store import IndexStore
from connectors.passages import Passage
from storage.database import Database

USERS = ("user:sarah", "user:minsu", "user:x'y", "")
GROUPS = ("group:eng", "group:sales", "group:{a,b}", "group:all")
PRINCIPALS = (PUBLIC, *USERS[:3], *GROUPS, "null", "*", "%")
shares = st.lists(st.sampled_from(PRINCIPALS), max_size=3)
changes = st.lists(st.tuples(st.integers(0, 4), st.none() | shares), min_size=1, max_size=10)
members = st.dictionaries(st.sampled_from(GROUPS), st.lists(st.sampled_from((*USERS[:3], *GROUPS)), max_size=3))


class Flat:
    """A model that finds everything equally near, so that only rights tell documents apart."""

    name, dimension, ready = "flat", 4, True

    async def prepare(self): ...

    async def embed_queries(self, texts):
        return np.array(
            [[1.0, int(hashlib.md5(text.encode()).hexdigest(), 16) % 7 / 9, 0, 0] for text in texts], dtype=np.float32
        )

    embed_passages = embed_queries

    async def aclose(self): ...


@pytest.fixture
def runner(index_url):
    with asyncio.Runner() as loop:
        index = IndexStore(Database(index_url, 2), Flat())
        yield loop, index
        loop.run(index.aclose())


def may_see(user, principals, groups):
    """The model: somebody is himself, everybody, and whatever groups lead to from there."""
    if not user:
        return False
    known, before = {user}, set()
    while known != before:
        before = set(known)
        known |= {group for group, inside in groups.items() if known & set(inside)}
    return bool((known | {PUBLIC}) & set(principals))


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(changes, members)
def test_nobody_sees_what_he_may_not_and_everybody_what_he_may(runner, made, groups):
    """By words, by meaning and by condition alone; after every kind of change."""
    loop, index = runner
    model = {}

    async def scenario():
        await index.delete_source("files")
        for group in GROUPS:
            await index.set_members(group, groups.get(group, []))
        for number, principals in made:
            if principals is None:
                await index.delete("files", [str(number)])
                model.pop(number, None)
            else:
                await index.upsert(
                    [Document("files", str(number), "", (Passage(f"plan {number}"),), tuple(principals))]
                )
                model[number] = principals
        await index.embed_waiting()
        rows = await index.database.run(lambda each: each.fetch("SELECT id, native_id::int AS n FROM documents"))
        numbers = {row["id"]: row["n"] for row in rows}
        for user in USERS:
            expected = {number for number, principals in model.items() if may_see(user, principals, groups)}
            for words, condition in (("plan", None), ("nothing of this", None), ("", {"words": ["plan"]})):
                question = IndexQuery("plan", words, await index.scope(user, condition))
                searched = await index.search(question)
                assert searched.notes == []
                assert {numbers[each.document] for each in searched.candidates} == expected, (user, words, condition)

    loop.run(scenario())
