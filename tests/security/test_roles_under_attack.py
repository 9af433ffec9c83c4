"""Roles that are given while the server runs, attacked: by names that look like somebody else's, by what a token says, by forms that nobody filled in."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from unicodedata import normalize
from urllib.parse import urlencode

from orchestrator.access import Caller, Grantee, LocksOut, NoSuchRole, RoleBook, Scope
from orchestrator.model import Principal
from tests.e2e.conftest import serving
from tests.e2e.identity_provider import identity_provider
from tests.e2e.page_reader import Reader

if TYPE_CHECKING:
    from pathlib import Path


ISSUER = "https://login.example.com"
SEEN = frozenset({Scope.SEARCH})


def person(subject: str = "mallory", address: str = "", *groups: str, **more: str) -> Caller:
    """Somebody whom the provider signs in."""
    return Caller(Principal(f"{ISSUER}#{subject}", more.get("name", ""), more.get("email", ""), groups), SEEN, address)


def proxied(name: str) -> Caller:
    """Somebody whom a proxy names."""
    return Caller(Principal(f"proxy:{name}", name), SEEN)


# Roles that were given: to a mailbox, a group, an account, an id. And who is none of them, however they are called.
GIVEN = [
    (Grantee.PERSON, "boss@example.com"),
    (Grantee.GROUP, "admins"),
    (Grantee.GROUP, "운영팀"),
    (Grantee.PERSON, "boss"),
    (Grantee.PERSON, f"{ISSUER}#Boss"),
]
IMPOSTORS = {
    "called so": person(name="boss@example.com"),
    "an address that nobody vouches for": person(email="boss@example.com"),
    "a subject called so": person("boss@example.com"),
    "a subject of a group's name": person("admins"),
    "a subject in other capitals": person("boss"),
    "a subject with more": person("Boss#"),
    "a long s": person(address="boſs@example.com"),
    "a Cyrillic o": person(address="bоss@example.com"),
    "full width": person(address="ｂｏｓｓ@example.com"),
    "a dotless i of elsewhere": person(address="boss@examplé.com"),
    "a longer mailbox": person(address="boss@example.com.evil.example"),
    "a mailbox with a tag": person(address="boss+x@example.com"),
    "a mailbox behind a blank": person(address=" boss@example.com"),
    "a mailbox of two lines": person(address="boss@example.com\nx"),
    "no mailbox": person(address=""),
    "a group as an address": person(address="admins"),
    "a group of a longer name": person("m", "", "admins2"),
    "a group of a shorter name": person("m", "", "admin"),
    "a group in capitals": person("m", "", "Admins"),
    "a group behind a blank": person("m", "", " admins"),
    "a group of a group": person("m", "", "admins/admins"),
    "a group in parts of letters": person("m", "", normalize("NFD", "운영팀")),
    "a group called as a person": person("m", "", "boss", "boss@example.com"),
    "a proxy's name in capitals": proxied("BOSS"),
    "a proxy's name with the prefix": proxied("proxy:boss"),
    "a proxy's group": proxied("admins"),
    "a proxy's issuer": proxied("#Boss"),
    "a key": Caller(Principal("key:boss", "boss@example.com"), SEEN),
}
# Claims of a signed token, where the group "admins" and boss@example.com may administer.
CLAIMS: dict[str, dict[str, Any]] = {
    "a group of two words": {"groups": "sales admins"},
    "a group of two lines": {"groups": "sales\nadmins"},
    "groups as an object": {"groups": {"admins": True}},
    "groups in groups": {"groups": [["admins"]]},
    "a group behind nothing": {"groups": ["\u200badmins"]},
    "a group with a joiner": {"groups": ["ad\u00admins"]},
    "another claim": {"roles": ["admins"], "group": "admins", "Groups": ["admins"]},
    "an address without a word for it": {"email": "boss@example.com"},
    "a word that is no": {"email": "boss@example.com", "email_verified": "yes"},
    "a word that is one": {"email": "boss@example.com", "email_verified": 1.5},
    "an address that is cleaned": {"email": "bo\u200bss@example.com", "email_verified": True},
    "an address of two lines": {"email": "boss@example.com\n", "email_verified": True},
    "an address in a list": {"email": ["boss@example.com"], "email_verified": True},
    "another's address for a name": {"preferred_username": "boss@example.com", "email_verified": True},
    "a scope with blanks": {"scope": ["fedsearch:admin "]},
    "a scope in capitals": {"scope": "fedsearch:ADMIN FEDSEARCH:admin"},
}
FORMS: dict[str, dict[str, str]] = {
    "nobody": {"do": "give", "grantee": "person", "name": " \u200b\n"},
    "a name that is shown as another": {"do": "give", "grantee": "group", "name": "ad\u200bmins"},
    "everybody by a name": {"do": "give", "grantee": "everybody", "name": "x"},
    "a kind that there is not": {"do": "give", "grantee": "root", "name": "x"},
    "a name without an end": {"do": "give", "grantee": "group", "name": "x" * 301},
    "what there is not to do": {"do": "grant", "grantee": "group", "name": "x"},
    "to take what nobody has": {"do": "take", "role": "group:nobody"},
    "to take a path": {"do": "take", "role": "../keys.json"},
}
TRIED = {"roles": {**IMPOSTORS, **CLAIMS, **FORMS}}


def test_nobody_has_a_role_by_looking_like_somebody_who_has(tmp_path: Path) -> None:
    book = RoleBook(tmp_path / "roles.json", lambda: datetime(2026, 11, 20, tzinfo=UTC))
    for grantee, name in GIVEN:
        book.give(grantee, name, [Scope.ADMIN], "key:1")
    widened = {what: book.widened(caller) for what, caller in IMPOSTORS.items()}
    assert [what for what, caller in widened.items() if caller.scopes != SEEN] == []
    theirs = (person(address="Boss@Example.com"), person("m", "", "admins"), proxied("boss"), person("Boss"))
    assert all(Scope.ADMIN in book.widened(each).scopes for each in theirs)


async def test_what_a_token_says_otherwise_gives_no_role(tmp_path: Path) -> None:
    async with identity_provider() as provider, serving(tmp_path, more={"oidc": provider.settings()}) as api:
        book = RoleBook(tmp_path / "roles.json", lambda: datetime.now(UTC))
        book.give(Grantee.GROUP, "admins", [Scope.ADMIN], "key:1")
        book.give(Grantee.PERSON, "boss@example.com", [Scope.ADMIN], "key:1")

        async def opens(**claims: Any) -> bool:
            headers = {"Authorization": f"Bearer {provider.token(**{'sub': 'mallory'} | claims)}"}
            async with api.http.get(api.url + "/admin", headers=headers) as reply:
                assert reply.status in {200, 403}
                return bool(reply.status == 200)

        assert [what for what, claims in CLAIMS.items() if await opens(**claims)] == []
        assert await opens(groups=["admins"])
        assert await opens(groups="admins")
        assert await opens(email="Boss@example.com", email_verified=True)


async def test_no_form_gives_or_takes_what_there_is_not_and_no_key_has_a_role(tmp_path: Path) -> None:
    async with serving(tmp_path) as api, Reader(api) as reader, Reader(api) as key:
        await reader.sign_in()
        before = (tmp_path / "roles.json").exists()
        for what, fields in FORMS.items():
            await reader.get("/admin/access")
            token = reader.page.xpath("//input[@name='token']/@value")[0]
            body = urlencode({"token": token, "may_admin": "1", **fields}).encode()
            headers = {"Content-Type": "application/x-www-form-urlencoded"}
            async with reader.http.post(api.url + "/admin/roles", data=body, headers=headers) as reply:
                assert reply.status in {400, 403, 409}, what
        assert (tmp_path / "roles.json").exists() is before
        book = RoleBook(tmp_path / "roles.json", lambda: datetime.now(UTC))
        book.give(Grantee.EVERYBODY, "", [Scope.ADMIN], "key:1")
        _, text = api.ring.create("boss@example.com", [Scope.SEARCH])
        await key.sign_in(text)
        await key.get("/admin")
        assert key.status == 403


async def test_of_two_who_take_each_others_role_at_once_one_stays(tmp_path: Path) -> None:
    book = RoleBook(tmp_path / "roles.json", lambda: datetime(2026, 11, 20, tzinfo=UTC))
    names = ("ann@example.com", "bo@example.com")
    for _ in range(20):
        for name in names:
            book.give(Grantee.PERSON, name, [Scope.ADMIN], "key:1")
        ann, bo = (book.widened(replace(person(name), address=name)) for name in names)
        told = await asyncio.gather(
            asyncio.to_thread(book.take, f"person:{names[1]}", ann),
            asyncio.to_thread(book.take, f"person:{names[0]}", bo),
            return_exceptions=True,
        )
        assert len(book.all()) == 1, told
        assert any(isinstance(each, LocksOut | NoSuchRole) for each in told)
