"""Who may open which page of administration, by scope; and that no page of another site, and nobody without a form of theirs, changes anything."""

from __future__ import annotations

from orchestrator.access import Scope
from tests.e2e.conftest import serving
from tests.e2e.page_reader import Reader

# Every address of administration and what a form would send there; one that is not named here fails the test.
ROUTES = {
    ("GET", "/admin"): None,
    ("GET", "/admin/sources"): None,
    ("GET", "/admin/access"): None,
    ("GET", "/admin/digests"): None,
    ("POST", "/admin/access"): {"do": "make", "name": "mine", "may_admin": "on"},
    ("POST", "/admin/roles"): {"do": "give", "grantee": "person", "name": "me", "may_admin": "on"},
    ("POST", "/admin/sources"): {"do": "off", "source": "slack"},
    ("GET", "/setup"): None,
    ("GET", "/setup/{tile}"): None,
    ("POST", "/setup/{tile}"): {"do": "try", "secret": "xoxp", "question": "okta"},
}
# Who has no scope yet: whoever types the code, and whoever comes back from a vendor with what was begun here.
OTHERS = {("POST", "/setup/code"), ("GET", "/setup/callback")}
FORMS = [(path, fields) for (method, path), fields in ROUTES.items() if method == "POST"]


async def test_every_route_is_in_the_table(tmp_path) -> None:
    async with serving(tmp_path) as api:
        routes = [route for route in api.app.routes if route.path.startswith(("/admin", "/setup"))]
        found = {(method, route.path) for route in routes for method in route.methods - {"HEAD"}}
    assert found == set(ROUTES) | OTHERS


async def test_each_page_wants_its_scope_and_no_other_will_do(tmp_path) -> None:
    async with serving(tmp_path) as api:
        _, almost = api.ring.create("almost", [each for each in Scope if each is not Scope.ADMIN])
        _, only = api.ring.create("only", [Scope.ADMIN])
        for key, right in (("", 401), (almost, 403), (only, 200)):
            async with Reader(api) as reader:
                if key:
                    await reader.sign_in(key)
                for (method, path), fields in ROUTES.items():
                    if method == "GET":
                        await reader.get(path.format(tile="slack"))
                        assert reader.status == right, (path, right)
                    elif right != 200:
                        async with reader.http.post(api.url + path.format(tile="slack"), data=fields) as reply:
                            assert reply.status == right, (path, right)


async def test_no_form_of_another_browser_or_site_changes_anything(tmp_path) -> None:
    async with serving(tmp_path) as api, Reader(api) as reader, Reader(api) as other:
        await reader.sign_in()
        await other.sign_in()
        mine, theirs = [await token(each) for each in (reader, other)]
        before = api.ring.all()
        sent = [
            ({}, {}),
            ({"token": theirs}, {}),
            ({"token": mine}, {"Sec-Fetch-Site": "cross-site"}),
            ({"token": mine}, {"Sec-Fetch-Site": "", "Origin": "https://evil.example"}),
        ]
        for path, fields in FORMS:
            for proof, headers in sent:
                async with reader.http.post(
                    api.url + path.format(tile="slack"), data={**fields, **proof}, headers=headers
                ) as reply:
                    assert reply.status == 403, (path, proof, headers)
        assert api.ring.all() == before
        assert not (tmp_path / "audit.jsonl").exists()


async def token(reader: Reader) -> str:
    await reader.get("/")
    return reader.page.xpath("//input[@name='token']/@value")[0]


async def test_the_menu_leads_there_for_those_alone_who_may(tmp_path) -> None:
    async with serving(tmp_path) as api:
        _, text = api.ring.create("almost", [Scope.SEARCH])
        for key, leads in ((api.key, True), (text, False)):
            async with Reader(api) as reader:
                await reader.sign_in(key)
                await reader.get("/")
                assert bool(reader.page.xpath("//nav/a[@href='/admin']")) == leads
