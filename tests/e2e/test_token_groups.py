"""What documents of the index are visible to the groups that a token names, and to nobody else (law 7)."""

import json

from connectors.local.documents import Document
from connectors.passages import Passage
from tests.e2e.identity_provider import identity_provider
from tests.e2e.workplace_accounts import until_ready

PLAN = "배포는 금요일에 한다"
BUDGET = "배포 예산은 사천만 원이다"


def settings_of(index_url, provider):
    def settings(url, sandbox):
        return {
            "oidc": provider.settings(scopes=["search"]),
            "index": {"database_url": index_url, "embedder": {"model": "none"}},
            "sources": {"local": {"enabled": True}},
        }

    return settings


async def told(api, provider, **claims):
    """The whole answer to somebody, as text."""
    headers = {"Authorization": f"Bearer {provider.token(**claims)}"}
    sent = api.http.post(api.url + "/v1/search", json={"question": "배포", "sources": ["local"]}, headers=headers)
    async with sent as reply:
        assert reply.status == 200, await reply.text()
        return json.dumps(await reply.json(), ensure_ascii=False)


async def test_groups_of_a_token_see_what_is_visible_to_them_as_long_as_the_token_says_so(
    serve, tmp_path, index_url, store
):
    """The results of a minute ago are kept for those who are still in the same groups."""
    await store.upsert(
        [
            Document("files", "plan", "계획", (Passage(PLAN),), ("oidc:platform",)),
            Document("files", "budget", "예산", (Passage(BUDGET),), ("group:leads",)),
        ]
    )
    await store.set_members("group:leads", ["oidc:leads"])
    async with identity_provider() as provider, serve(tmp_path, more=settings_of(index_url, provider)) as api:
        await until_ready(api)
        found = await told(api, provider, groups=["platform"])
        assert (PLAN in found, BUDGET in found) == (True, False)
        found = await told(api, provider, groups=["platform", "leads"])
        assert (PLAN in found, BUDGET in found) == (True, True)
        for others in ({}, {"groups": []}, {"groups": "group:leads user:platform oidc:platform"}, {"sub": "bob"}):
            found = await told(api, provider, **others)
            assert (PLAN in found, BUDGET in found) == (False, False), others
