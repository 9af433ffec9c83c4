"""Names of mailboxes, on the wire and to people, and which are searched."""

from __future__ import annotations

import base64
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.imap.mailboxes import Mailbox, chosen, decoded, everyday, listed, named
from connectors.imap.protocol import response
from translators.query import Container


def on_the_wire(name: str) -> str:
    """A name as servers send it, in modified UTF-7."""

    def shifted(run: re.Match[str]) -> str:
        coded = base64.b64encode(run[0].encode("utf-16-be", "surrogatepass"))
        return f"&{coded.decode().rstrip('=').replace('/', ',')}-"

    return re.sub(r"[^ -~]+", shifted, name.replace("&", "&-"))


@pytest.mark.parametrize(
    ("name", "wire"),
    [
        ("INBOX", "INBOX"),
        ("R&D", "R&-D"),
        ("공지 사항", "&rPXJwA- &wKzVbQ-"),
        ("~peter/mail/台北/日本語", "~peter/mail/&U,BTFw-/&ZeVnLIqe-"),
        ("🎉", "&2DzfiQ-"),
    ],
)
def test_names_on_the_wire(name: str, wire: str) -> None:
    """By RFC 3501, 5.1.3, whose own example is the fourth."""
    assert on_the_wire(name) == wire
    assert decoded(wire) == name


@given(st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=20))
def test_every_name_survives_the_wire(name: str) -> None:
    assert on_the_wire(name).isascii()
    assert decoded(on_the_wire(name)) == name


@pytest.mark.parametrize("wire", ["&", "&!!-", "&AA-", "a&b", "&2AA-"])
def test_a_name_that_is_badly_written_stays(wire: str) -> None:
    assert decoded(wire) == wire


LINES = (
    b'* LIST (\\HasNoChildren \\Sent) "/" "Sent Items"',
    b'* LIST (\\Noselect \\HasChildren) "/" Archive',
    b'* LIST (\\HasNoChildren \\Archive) "/" Archive/2026',
    b'* LIST (\\HasNoChildren) "/" "Team/&rPXJwA- &wKzVbQ-"',
    b'* LIST (\\NonExistent) "/" Gone',
    b"* LIST () NIL INBOX",
    b"* STATUS INBOX (UNSEEN 3)",
    b'* LIST "/" broken',
)
THERE = listed(map(response, ([line] for line in LINES)))
INBOX, SENT, ARCHIVE, NEWS = (THERE[place] for place in range(4))


def test_what_can_be_opened_is_listed_the_inbox_first() -> None:
    assert [box.name for box in THERE] == ["INBOX", "Sent Items", "Archive/2026", "Team/공지 사항"]
    assert NEWS.container == Container("공지 사항", "Team/공지 사항")
    assert INBOX.leaf == "INBOX"


@pytest.mark.parametrize(
    ("name", "box"),
    [
        ("INBOX", INBOX),
        ("inbox", INBOX),
        ("\\Sent", SENT),
        ("\\sent", SENT),
        ("sent-items", SENT),
        ("Archive/2026", ARCHIVE),
        ("2026", ARCHIVE),
        ("공지_사항", NEWS),
        ("Archive", None),
        ("\\Junk", None),
        ("", None),
    ],
)
def test_a_mailbox_by_name_or_use(name: str, box: Mailbox | None) -> None:
    assert named(name, THERE) == box


def test_a_name_that_cannot_be_shown_goes_by_what_is_on_the_wire() -> None:
    odd = Mailbox("a/&ABsAWw-31m", "a/\x1b[31m", frozenset(), "/")
    assert odd.container == Container("[31m", "a/&ABsAWw-31m")
    assert named("a/&ABsAWw-31m", [odd]) == named("a/\x1b[31m", [odd]) == odd


def test_which_are_searched() -> None:
    assert chosen(("INBOX", "\\Sent", "\\All", "Gone", "inbox"), THERE) == ((INBOX, SENT), ("Gone",))
    everything = Mailbox("All", "All", frozenset({"\\ALL"}), "/")
    assert chosen(("INBOX", "\\All"), (*THERE, everything)) == ((everything,), ())
    assert chosen(("INBOX",), (*THERE, everything)) == ((INBOX,), ())


def box(name: str, *uses: str) -> Mailbox:
    return Mailbox(on_the_wire(name), name, frozenset(each.upper() for each in uses), "/")


def test_every_mailbox_is_searched_but_junk_and_trash() -> None:
    """Those that a person or a rule made as well: most mail of a company is sorted. What only shows others' mail is not."""
    rules, sent, spam = box("프로젝트 결제"), box("Sent", "\\Sent"), box("Spam", "\\Junk")
    there = (rules, box("Trash", "\\Trash"), spam, sent, box("Starred", "\\Flagged"), INBOX, box("Archive/Junk"))
    assert chosen(("*",), there) == ((INBOX, sent, rules, there[-1]), ())
    assert chosen(("*", "Spam", "Gone"), there) == ((INBOX, sent, rules, there[-1], spam), ("Gone",))
    everything = box("All", "\\All")
    assert chosen(("*",), (*there, everything)) == ((everything,), ())
    assert everyday((INBOX, sent, rules)) == (INBOX, sent)
    assert everyday((rules,)) == (rules,)


@pytest.mark.parametrize("name", ["Trash", "INBOX/Spam", "휴지통", "Deleted Items"])
def test_where_a_server_tells_no_uses_junk_and_trash_go_by_their_names(name: str) -> None:
    assert chosen(("*",), (INBOX, box("프로젝트"), box(name))) == ((INBOX, box("프로젝트")), ())
