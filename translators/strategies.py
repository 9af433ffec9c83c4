"""Hypothesis strategies for the query language: clauses, queries, capabilities and documents, hostile text included."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

from hypothesis import strategies as st

from translators.capabilities import TIMES, Capabilities, Fidelity
from translators.query import (
    AllOf,
    AnyOf,
    Clause,
    Compare,
    Container,
    Field,
    Identifier,
    IdKind,
    Kind,
    Leaf,
    Not,
    Op,
    Person,
    Phrase,
    Prefix,
    Query,
    Sort,
    State,
    Term,
)
from translators.records import record

# What has broken out of a search box somewhere, and what looks like it.
HOSTILE = (
    '"', '""', '"""', "'", "\\", '\\"', 'a"b', '" OR 1=1', '") OR (author:me', "from:me", "-from:me", "in:#general",
    'x" from:me "y', "-비밀", "--", "- -x", "OR", "AND", "NOT", "AROUND 5", "a OR b", "{a b}", "(a", "b)", "}", "}{",
    "*", "a*", "배*", "***", "has:file", "after:2020-01-01", "before:1", "label:inbox", "is:thread", "<@U123>",
    "<#C123|general>", "@channel", "#공지", "：", "from：me", "“from:me”", "＂from:me＂", "a\nfrom:me", "a\r\nin:x",
    "\x00", "a\x00b", "\x1b[31mred", "a\u200bb", "\u202egnp.exe", "\ufeff", "\ud800", "a\u2028b", "\t", " ", "",
    "; DROP TABLE", "$where", "${x}", "{{7*7}}", "%00", "<script>", "&amp;", "|", "!", "~", "^", "?", "🎉", "👩‍💻",
    "ㄱ", "ᄒ\u1161\u11ab글", "ㅎㅎ", "a:b:c", "http://x.example/?q=a&b=c", "C++", "C#", ".NET", "re:", "me", "_",
)  # fmt: skip
WORDS = (
    "deploy", "deploys", "api", "API", "migration", "schedule", "k8s", "ERR_CONN_4012", "ENG-123", "v2.1",
    "배포", "배포를", "일정", "일정은", "출시", "마이그레이션", "검색", "결제", "예산", "회의록",
)  # fmt: skip
NAMES = (
    "sarah",
    "Sarah Kim",
    "kim.sarah",
    "sarah_kim",
    "민수",
    "김민수",
    "박서연",
    "me",
    "OR",
    "",
    'a"b',
    "x:y",
    "<@U1>",
)
IDS = (
    "ENG-123",
    "eng-123",
    "ABC-1",
    "acme/app#12",
    "PR #12",
    "ERR_CONN_4012",
    "배포 계획.pdf",
    "https://acme.slack.com/archives/C0123ABC/p1736500000123456?thread_ts=1736500000.000100&cid=C0123ABC",
    "https://www.notion.so/acme/Plan-0123456789abcdef0123456789abcdef",
    "https://linear.app/acme/issue/ENG-123/title",
    "https://mail.google.com/mail/u/0/#inbox/18c0ffee00000001",
    "https://acme.atlassian.net/browse/ENG-123",
    "https://acme.atlassian.net/wiki/spaces/ENG/pages/12345/Plan",
    "https://github.com/acme/app/pull/12",
    "https://github.com/acme/app/issues/13",
    "https://github.com/acme/app/discussions/14",
    "https://github.com/acme/app/blob/main/src/app.py",
    "https://docs.google.com/document/d/1A2b3C4d5E6f7G8h9I0jK/edit",
    "https://app.asana.com/0/1200000000000001/1200000000000002",
    "https://teams.microsoft.com/l/message/19:abc@thread.tacv2/1736500000000",
    "https://acme.sharepoint.com/sites/eng/Shared%20Documents/plan.docx",
    "<CAF=0123@mail.example>",
    "https://acme.atlassian.net/browse/ENG-1 OR 1=1",
    'https://github.com/acme/"app"/pull/12',
    "https://evil.example/browse/ENG-123",
)
PLACES = ("general", "eng-platform", "eng platform", "ENG", "inbox", "공지", "결제 플랫폼", "a:b", 'a"b', "-x", "")
ZONES = (UTC, timezone(timedelta(hours=9)), timezone(timedelta(hours=-8)), timezone(timedelta(hours=5, minutes=30)))
KST = ZONES[1]
NOON = datetime(2025, 1, 10, 12, tzinfo=UTC)


@record
class Paper:
    """The plainest document: every field of :class:`translators.match.Checkable` as it is given."""

    id: str = ""
    url: str = ""
    title: str = ""
    snippet: str = ""
    complete: bool = True
    kind: Kind = Kind.PAGE
    author: Person | None = None
    assignee: Person | None = None
    container: Container | None = None
    state: State | None = None
    created: datetime | None = None
    updated: datetime | None = None
    due: date | None = None


def texts() -> st.SearchStrategy[str]:
    """What people type: words and phrases in two languages, attacks, and anything else."""
    words = st.sampled_from(WORDS)
    runs = st.lists(words | st.sampled_from(HOSTILE), min_size=1, max_size=3).map(" ".join)
    return words | st.sampled_from(HOSTILE) | runs | st.text(max_size=12)


def instants() -> st.SearchStrategy[datetime]:
    """Aware instants near one another, so that windows cut between them; and the ends of the calendar."""
    near = st.integers(-400, 400).map(lambda hours: NOON + timedelta(hours=hours))
    fine = st.integers(-(10**12), 10**12).map(lambda micro: NOON + timedelta(microseconds=micro))
    ends = st.sampled_from([datetime(1, 1, 1, tzinfo=KST), datetime(9999, 12, 31, 23, 59, tzinfo=ZONES[2])])
    return st.builds(lambda moment, zone: moment.astimezone(zone), near | fine, st.sampled_from(ZONES)) | ends


def people() -> st.SearchStrategy[Person]:
    """Named, known by id, known by address, or the asker."""
    ids = st.none() | st.sampled_from(["U0123ABC", "W77", "c9f0", "sarah@x.example", "<@U1>", "U1> from:me"])
    emails = st.none() | st.sampled_from(["sarah@x.example", "minsu@x.example", "a b@x", "x@y} OR {z"])
    return st.builds(Person, st.sampled_from(NAMES), ids, emails, st.booleans())


def containers() -> st.SearchStrategy[Container]:
    """Channels, labels and projects, with and without an id."""
    ids = st.none() | st.sampled_from(["C0123ABC", "G9", "c9f0-11", "C1> from:me"])
    return st.builds(Container, st.sampled_from(PLACES), ids)


def comparisons() -> st.SearchStrategy[Compare]:
    """Every field with values of its kind."""
    times = st.builds(Compare, st.sampled_from(sorted(TIMES)), st.sampled_from([Op.GE, Op.LT]), instants())
    who = st.builds(Compare, st.sampled_from([Field.AUTHOR, Field.ASSIGNEE]), st.just(Op.EQ), people())
    where = st.builds(Compare, st.just(Field.CONTAINER), st.just(Op.EQ), containers())
    kind = st.builds(Compare, st.just(Field.KIND), st.just(Op.EQ), st.sampled_from(Kind))
    state = st.builds(Compare, st.just(Field.STATE), st.just(Op.EQ), st.sampled_from(State))
    thing = st.builds(Compare, st.just(Field.ID), st.just(Op.EQ), identifiers())
    due = st.builds(Compare, st.just(Field.DUE), st.sampled_from([Op.GE, Op.LT]), instants().map(datetime.date))
    return times | who | where | kind | state | thing | due


def identifiers() -> st.SearchStrategy[Identifier]:
    """Keys and addresses as products write them, and text that only pretends to be one."""
    return st.builds(Identifier, st.sampled_from(IdKind), st.sampled_from(IDS) | st.sampled_from(HOSTILE) | texts())


def text_leaves() -> st.SearchStrategy[Term | Phrase | Prefix]:
    """Words, phrases and beginnings of words."""
    return st.builds(Term, texts()) | st.builds(Phrase, texts()) | st.builds(Prefix, texts())


def clauses(leaf: st.SearchStrategy[Leaf] | None = None) -> st.SearchStrategy[Clause]:
    """Whole trees; degenerate ones (no parts, one part, doubled negation) included."""
    base: st.SearchStrategy[Clause] = text_leaves() | comparisons() if leaf is None else leaf

    def wider(inner: st.SearchStrategy[Clause]) -> st.SearchStrategy[Clause]:
        parts = st.lists(inner, max_size=4).map(tuple)
        return st.builds(AllOf, parts) | st.builds(AnyOf, parts) | st.builds(Not, inner)

    return st.recursive(base, wider, max_leaves=8)


def queries(where: st.SearchStrategy[Clause] | None = None) -> st.SearchStrategy[Query]:
    """Questions; only what translators read varies."""
    return st.builds(Query, text=st.just("?"), where=where or clauses(), sort=st.sampled_from(Sort))


def capabilities() -> st.SearchStrategy[Capabilities]:
    """Sources of every strength, more than any real one included."""
    fidelity = st.sampled_from(Fidelity)
    kinds: list[type[Leaf] | Field] = [Term, Phrase, Prefix, *Field]
    return st.builds(
        Capabilities,
        term=fidelity,
        phrase=fidelity,
        prefix=fidelity,
        fields=st.dictionaries(st.sampled_from(Field), fidelity),
        any_of=st.booleans(),
        any_of_text=st.booleans(),
        negates=st.frozensets(st.sampled_from(kinds)),
        sorts=st.frozensets(st.sampled_from(Sort)),
    )


def documents() -> st.SearchStrategy[Paper]:
    """Documents of which everything is known: the whole text, every field, a change no earlier than the creation."""
    sentence = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
    moments = st.tuples(instants(), instants()).map(sorted)
    return st.builds(
        lambda moments, **known: Paper(created=moments[0], updated=moments[1], **known),
        moments,
        title=sentence,
        snippet=sentence,
        kind=st.sampled_from(Kind),
        author=people(),
        assignee=people(),
        container=containers(),
        state=st.sampled_from(State),
        due=instants().map(datetime.date),
    )
