"""A digest made of a few hits, and what stands in its sections."""

from datetime import UTC, datetime, timedelta

from connectors.contract import Hit
from orchestrator.digests.content import About, Coverage
from orchestrator.digests.making import make
from orchestrator.digests.matters import find_matters
from orchestrator.digests.reader import Reader, ReaderNames
from orchestrator.digests.scanning import ScanResult, ScanWindow
from orchestrator.model import HitList, Outcome, Plan, Status, Step
from tests.unit.orchestrator.digests.world import RANKING
from translators.query import Category, Container, Kind, Person, Query, QueryType, State
from translators.translator import NativeQuery, Translation

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
DAY = timedelta(days=1)
TITLES = {"slack": "Slack", "gmail": "Gmail", "linear": "Linear", "notion": "Notion"}
CATEGORIES = {"slack": Category.CHAT, "gmail": Category.MAIL, "linear": Category.TRACKER, "notion": Category.WIKI}


def reader(*names, language="ko"):
    return Reader(ReaderNames(names), frozenset(name.casefold() for name in names), NOW.date(), TITLES, language, 7)


def said(text, number=1, author="김민수", **more):
    told = {"created": NOW - timedelta(hours=2), "container": Container("결제-개발"), **more}
    url = f"https://acme.slack.com/archives/C1/p{number:016d}"
    return Hit("slack", str(number), Kind.MESSAGE, "", url, text, True, Person(author), **told)


def issue(key, title, assignee=None, due="", state=State.OPEN, **more):
    facts = {"key": key, "project": more.pop("project", "API v2"), "due": due, **more.pop("facts", {})}
    told = {"created": NOW - 30 * DAY, "updated": NOW - timedelta(hours=3), "state": state, **more}
    who = Person(assignee) if assignee else None
    return Hit(
        "linear",
        key,
        Kind.ISSUE,
        title,
        f"https://linear.app/acme/issue/{key}",
        "",
        True,
        Person("오재훈"),
        who,
        facts=facts,
        **told,
    )


def page(title, text="", number=9, **more):
    told = {"created": NOW - 90 * DAY, "updated": NOW - timedelta(hours=1), "container": Container("API v2"), **more}
    return Hit(
        "notion",
        str(number),
        Kind.PAGE,
        title,
        f"https://www.notion.so/{number:032x}",
        text,
        False,
        Person("최서연"),
        **told,
    )


def mail(text, to=(), number=5, author="Emily Chen", **facts):
    told = {"to": to, **facts}
    return Hit(
        "gmail",
        str(number),
        Kind.MAIL,
        "Board",
        f"https://mail.google.com/#all/{number}",
        text,
        True,
        Person(author),
        created=NOW - timedelta(hours=4),
        facts=told,
    )


def digest_of(*hits, whom=("박지현",), period="daily", work=(), language="ko", mine=False):
    """Through ranking's own stages, as a run does."""
    query = Query("", type=QueryType.STATUS, language=language)
    found = []
    for source in sorted({hit.source for hit in hits}):
        step = Step(source, TITLES[source], CATEGORIES[source], ())
        own = tuple(hit for hit in hits if hit.source == source)
        lists = (HitList(Translation(NativeQuery("x", "")), own),)
        outcome = Outcome(source, TITLES[source], CATEGORIES[source], Status.OK, lists)
        found.append(ScanResult(ScanWindow(source, NOW - 7 * DAY, NOW), NOW, outcome, Plan(query, (step,))))
    matters = find_matters(found, query, NOW, RANKING, lambda _: True)
    about = About("team", "", language, "UTC", period, NOW - 7 * DAY, NOW)
    coverage = [Coverage(name, TITLES[name], NOW - DAY, NOW, NOW) for name in sorted({hit.source for hit in hits})]
    return make(about, matters, work, coverage, reader(*whom, language=language), mine=mine)


def section(digest, kind):
    return next((each.entries for each in digest.sections if each.kind is kind), ())
