"""CQL's quoting and addresses, case by case."""

from __future__ import annotations

import pytest

from translators.cql import Cql
from translators.cql.verdicts import page_id, quoted, site
from translators.query import Clause, Compare, Field, Identifier, IdKind, Not, Op, Phrase, Prefix, Query, Term, all_of

CONTENT = "type in (page, blogpost, whiteboard, folder, comment, attachment, database)"


def cql(where: Clause) -> str:
    return Cql().translate(Query("?", where=where), Cql.can).native.text


@pytest.mark.parametrize(
    ("text", "string"),
    [
        ("deploy", '"deploy"'),
        ('say "go"', '"say \\"go\\""'),
        ("C:\\temp\\", '"C:\\\\temp\\\\"'),
        ("two\nlines", '"two lines"'),
    ],
)
def test_a_string_escapes_its_quotes_and_backslashes(text: str, string: str) -> None:
    assert quoted(text) == string


@pytest.mark.parametrize(
    ("where", "condition"),
    [
        (Term("deploy"), 'text ~ "deploy"'),
        (Term("or"), 'text ~ "\\"or\\""'),
        (Term("C++"), 'text ~ "\\"C\\\\+\\\\+\\""'),
        (Term("배포"), '(text ~ "배포" OR text ~ "배포*")'),
        (Term("k8s-배포"), '(text ~ "\\"k8s\\\\-\\"" AND (text ~ "배포" OR text ~ "배포*"))'),
        (Phrase("deploy"), 'text ~ "\\"deploy\\""'),
        (Phrase("API 배포 일정!"), '(text ~ "\\"API 배포\\"" AND (text ~ "일정" OR text ~ "일정*"))'),
        (Prefix("C++"), '(text ~ "C" OR text ~ "C*")'),
        (Not(Term("v2.1")), 'text !~ "\\"v2.1\\""'),
    ],
)
def test_words_are_quoted_on_two_levels(where: Clause, condition: str) -> None:
    """Once for CQL; and once for the text search in it, which reads syntax of its own."""
    assert cql(where) == f"{CONTENT} AND {condition}"


def test_what_is_left_out_stands_last() -> None:
    assert cql(all_of([Not(Term("draft")), Term("plan")])) == f'{CONTENT} AND text ~ "plan" AND text !~ "draft"'


ADDRESSES = """
https://acme.atlassian.net/wiki/spaces/ENG/pages/12345                                       12345
https://acme.atlassian.net/wiki/spaces/ENG/pages/12345/                                      12345
https://acme.atlassian.net/wiki/spaces/ENG/pages/12345/Release+plan                          12345
https://acme.atlassian.net/wiki/spaces/~712020abc/pages/12345/%EB%B0%B0%ED%8F%AC             12345
https://acme.atlassian.net/wiki/spaces/ENG/pages/12345/배포-계획#일정                        12345
https://acme.atlassian.net/wiki/spaces/ENG/pages/edit-v2/12345?draftShareId=1                12345
https://acme.atlassian.net/wiki/spaces/ENG/blog/2025/01/10/12345/Hello                       12345
https://acme.atlassian.net/wiki/spaces/ENG/whiteboard/12345                                  12345
https://acme.atlassian.net/wiki/spaces/ENG/database/12345?x=1                                12345
https://acme.atlassian.net/wiki/spaces/ENG/folder/12345                                      12345
https://acme.atlassian.net/wiki/pages/viewpage.action?pageId=12345                           12345
http://ACME.atlassian.net/wiki/pages/viewpage.action?spaceKey=ENG&pageId=12345#x             12345
https://acme.atlassian.net/wiki/x/AYCz                                                       -
https://acme.atlassian.net/wiki/spaces/ENG                                                   -
https://acme.atlassian.net/wiki/spaces/ENG/pages                                             -
https://acme.atlassian.net/wiki/spaces/ENG/pages/12345x                                      -
https://acme.atlassian.net/wiki/spaces/ENG/pages/1234567890123456789                         -
https://acme.atlassian.net/wiki/spaces/ENG/pages/１２３                                      -
https://acme.atlassian.net/wiki/pages/viewpage.action?xpageId=12345                          -
https://acme.atlassian.net/browse/ENG-123                                                    -
https://acme.atlassian.net.evil.example/wiki/spaces/ENG/pages/12345                          -
https://evil.example/acme.atlassian.net/wiki/spaces/ENG/pages/12345                          -
https://wiki.acme.example/wiki/spaces/ENG/pages/12345                                        -
acme.atlassian.net/wiki/spaces/ENG/pages/12345                                               -
12345                                                                                        -
"""


@pytest.mark.parametrize(
    ("address", "number"),
    [(line.rsplit(maxsplit=1)[0].strip(), line.rsplit(maxsplit=1)[1]) for line in ADDRESSES.strip().splitlines()],
)
def test_the_number_in_an_address(address: str, number: str) -> None:
    """Of this product only, as it writes them; a short link holds none in so many words."""
    thing = Identifier(IdKind.URL, address)
    assert (page_id(thing) or "-") == number
    assert site(thing) == ("" if number == "-" else "acme.atlassian.net")


@pytest.mark.parametrize("kind", [IdKind.TICKET, IdKind.FILE_NAME, IdKind.ERROR_CODE, IdKind.PULL_REQUEST])
def test_only_addresses_are_looked_up(kind: IdKind) -> None:
    where = Compare(Field.ID, Op.EQ, Identifier(kind, "https://acme.atlassian.net/wiki/spaces/ENG/pages/12345"))
    assert cql(where) == CONTENT
