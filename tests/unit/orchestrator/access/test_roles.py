"""What people may besides what settings say: whose it is, that it counts at once, and that nobody locks themselves out."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from connectors.errors import Misconfigured
from orchestrator.access import Caller, Grantee, LocksOut, NoSuchRole, RoleBook, Scope, holder_name
from orchestrator.model import Principal
from tests.rows import each_row

if TYPE_CHECKING:
    from pathlib import Path

ISSUER = "https://login.example.com"
MINJI = Caller(
    Principal(f"{ISSUER}#Minji", "민지", "said@example.com", ("운영팀",)),
    frozenset({Scope.SEARCH}),
    "minji@example.com",
)


def book_in(folder: Path) -> RoleBook:
    return RoleBook(folder / "data" / "roles.json", lambda: datetime(2026, 11, 20, tzinfo=UTC))


@each_row(
    ("grantee", "name", "caller", "theirs"),
    [
        (Grantee.EVERYBODY, "", MINJI, True),
        (Grantee.GROUP, "운영팀", MINJI, True),
        (Grantee.GROUP, "운영", MINJI, False),
        (Grantee.GROUP, "minji@example.com", MINJI, False),
        (Grantee.PERSON, f"{ISSUER}#Minji", MINJI, True),
        (Grantee.PERSON, f"{ISSUER}#minji", MINJI, False),  # somebody else: a subject is case sensitive
        (Grantee.PERSON, "Minji@Example.com", MINJI, True),
        (Grantee.PERSON, "said@example.com", MINJI, False),  # nobody vouches for it
        (Grantee.PERSON, "boss@example.com", replace(MINJI, address="boſs@example.com"), False),  # another mailbox
        (Grantee.PERSON, "운영팀", MINJI, False),
        (Grantee.PERSON, "bo", Caller(Principal("proxy:bo"), frozenset()), True),
        (Grantee.PERSON, "bo", Caller(Principal(f"{ISSUER}#bo"), frozenset()), False),
    ],
)
def test_a_role_is_for_whom_it_names(grantee: Grantee, name: str, caller: Caller, theirs: bool, tmp_path: Path) -> None:
    book = book_in(tmp_path)
    book.give(grantee, name, [Scope.WEB, Scope.SEARCH], "key:1")
    widened = book.widened(caller)
    assert (Scope.WEB in widened.scopes) is theirs
    assert widened.scopes - widened.by_role == caller.scopes
    book.take(book.all()[0].id)
    assert book.widened(caller) is caller


def test_what_is_given_anew_takes_the_place_of_what_was_in_every_process(tmp_path: Path) -> None:
    one, other = book_in(tmp_path), book_in(tmp_path)
    one.give(Grantee.GROUP, "운영팀", [Scope.ADMIN], "key:1")
    assert Scope.ADMIN in other.widened(MINJI).scopes
    other.give(Grantee.GROUP, "운영팀", [Scope.METRICS, Scope.METRICS], "key:2")
    (role,) = one.all()
    assert (role.scopes, role.by) == ((Scope.METRICS,), "key:2")
    with pytest.raises(NoSuchRole):
        one.take("person:nobody")


def test_whoever_changes_roles_may_do_so_afterwards(tmp_path: Path) -> None:
    book = book_in(tmp_path)
    book.give(Grantee.PERSON, "minji@example.com", [Scope.ADMIN], "key:1")
    minji = book.widened(MINJI)
    for kept in (False, True):
        with pytest.raises(LocksOut):
            book.take("person:minji@example.com", minji, kept=kept)
        with pytest.raises(LocksOut):
            book.give(Grantee.PERSON, "minji@example.com", [Scope.WEB], "minji", minji, kept=kept)
    book.give(Grantee.PERSON, "bo", [Scope.ADMIN], "minji", minji)
    bo = book.widened(Caller(Principal("proxy:bo"), frozenset()))
    book.take("person:minji@example.com", bo)
    with pytest.raises(LocksOut):  # she may no more, although her request came while she might
        book.take("person:bo", minji)
    by_settings = Caller(MINJI.principal, frozenset({Scope.ADMIN}))
    book.take("person:bo", by_settings)
    assert book.all() == ()


@each_row(
    ("grantee", "typed"),
    [(Grantee.PERSON, "\n "), (Grantee.GROUP, ""), (Grantee.EVERYBODY, "x"), (Grantee.PERSON, "x" * 301)],
)
def test_what_names_nobody(grantee: Grantee, typed: str) -> None:
    with pytest.raises(ValueError, match="names no"):
        holder_name(grantee, typed)


NAMELESS = {"grantee": "person", "name": "", "scopes": ["admin"], "given": "2026-11-20T00:00:00+00:00", "by": "key:1"}


@each_row("row", [{}, NAMELESS])  # which would be for whoever has no address
def test_a_file_that_holds_none_is_told(row: dict[str, object], tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(exist_ok=True)
    (tmp_path / "data" / "roles.json").write_text(json.dumps({"roles": [row]}), "utf-8")
    with pytest.raises(Misconfigured, match=r"roles\.json does not hold roles"):
        book_in(tmp_path).all()
