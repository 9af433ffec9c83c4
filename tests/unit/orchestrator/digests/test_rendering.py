"""Each form of a digest, with text that would be more than text in it."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.digests.content import Coverage, Digest, DigestEntry, DigestSection, Group, Origin, SectionKind, Why
from orchestrator.digests.message import as_data, from_data, message_of
from orchestrator.digests.wording import reason

AT = datetime(2026, 11, 20, tzinfo=UTC)
HOSTILE = [
    "<script>alert(1)</script>",
    "\x1b]0;title\x07\x1b[31mred",
    "](javascript:alert(1)) [x",
    "`code` **bold** # head\n# next\n- item",
    "\u202eexe.txt\u2066",
    "<!channel> <@U123> @here",
    '" onmouseover="x',
    "결정: <b>확정</b>\r\nBcc: x",
]


def digest(text, url="https://acme.example/1", language="ko", **more):
    origin = Origin("chat", "1", text, url, text, text, AT)
    entry = DigestEntry(text, origin, (origin,), Why.REQUEST, AT.date(), 3, 1.0, quoted=True, said=text)
    sections = (
        DigestSection(SectionKind.ACTIONS, (Group("", (entry,), 2),)),
        DigestSection(SectionKind.UPDATES, (Group(text, (entry,)),)),
    )
    gaps = (Coverage("mail", text, AT, AT, AT, 0, text, asked=False),)
    return Digest(text, text, language, "Asia/Seoul", "daily", AT, AT, sections, gaps, 1, 1, **more)


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.links, self.attributes = [], [], set()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links += [value for name, value in attrs if name == "href"]


def structure(html):
    page = Page()
    page.feed(html)
    return page


PLAIN_PAGE = structure(message_of(digest("plain")).html)


@pytest.mark.parametrize("text", HOSTILE)
def test_text_of_sources_is_text_in_every_form(text):
    made = message_of(digest(text))
    page = structure(made.html)
    assert (page.tags, page.attributes) == (PLAIN_PAGE.tags, PLAIN_PAGE.attributes)
    for form in (made.markdown, made.html, made.plain):
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", form)
    lines = made.markdown.count("\n"), made.plain.count("\n")
    assert lines == (message_of(digest("plain")).markdown.count("\n"), message_of(digest("plain")).plain.count("\n"))
    assert not re.search(r"(?<!\\)<(?!https?:)", made.markdown), "no HTML begins in Markdown"
    assert "](javascript" not in made.markdown


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "https://a b", "//x", 'https://x/"><script>']
)
def test_only_addresses_of_the_web_become_links(url):
    made = message_of(digest("x", url))
    for link in structure(made.html).links:
        assert link.startswith("https://")
    assert structure(made.html).tags.count("script") == 0
    assert "](<javascript" not in made.markdown
    assert "](<data" not in made.markdown


@given(st.text(max_size=60))
def test_any_text_keeps_the_page_as_it_is(text):
    page = structure(message_of(digest(f"x{text}")).html)
    assert page.tags == PLAIN_PAGE.tags


@given(st.text(st.characters(codec="utf-8"), max_size=60))
def test_what_is_kept_comes_back_the_same(text):
    made = digest(text)
    assert from_data(json.loads(json.dumps(as_data(made)))) == made


@pytest.mark.parametrize(
    ("language", "nothing", "known"),
    [("ko", "새로운 내용이 없습니다", "읽을 수 있었던"), ("en", "Nothing new", "could be read")],
)
def test_an_empty_digest_says_so_and_not_that_there_was_nothing_where_it_could_not_look(language, nothing, known):
    told = {"language": language, "zone": "Asia/Seoul", "period": "daily", "since": AT, "until": AT}
    empty = Digest("team", "", sections=(), coverage=(), events=0, matters=0, **told)
    assert nothing in message_of(empty).plain
    gap = Coverage("mail", "Mail", AT, AT, AT.replace(hour=1), 0, "HTTP 429")
    partly = Digest("team", "", sections=(), coverage=(gap,), events=0, matters=0, **told)
    shown = message_of(partly).plain
    assert known in shown
    assert "HTTP 429" in shown
    assert "2026-11-20 09:00" in shown, "up to when it was read, in the reader's zone"
    assert "2026-11-20 10:00" in shown


@pytest.mark.parametrize(("title", "columns"), [("weekly", 6), ("주간", 4), ("결제 API", 8), ("가" * 90, 72), ("x", 3)])
def test_a_heading_is_underlined_as_wide_as_a_terminal_shows_it(title, columns):
    heading, underline, *_ = message_of(digest(title)).plain.splitlines()
    assert heading == title
    assert underline == "=" * columns


@pytest.mark.parametrize(("language", "told"), [("ko", "답이 없는 질문"), ("en", "open question")])
def test_what_an_open_question_is_called(language, told):
    """The names of reasons and of other phrases are told apart."""
    entry = digest("x", language=language).sections[0].entries[0]
    assert reason(replace(entry, why=Why.QUESTION, due=None), language) == told


def test_a_digest_kept_before_there_were_more_facts_is_read():
    data = as_data(digest("x"))
    for section in data["sections"]:
        for group in section["groups"]:
            group.pop("where")
            for entry in group["entries"]:
                entry.pop("by")
                for name in ("new", "state", "finished", "assignee"):
                    entry["origin"].pop(name)
    assert "2" in message_of(from_data(data)).plain
