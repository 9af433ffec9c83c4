"""A statement of an answer with what it cites, what such statements are made from, and how they call things."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.answer.cover import covered_by, wanted
from orchestrator.answer.dates import day
from orchestrator.answer.own import is_reply
from orchestrator.answer.speaking import speaker
from orchestrator.answer.text import quotable_line, shorten
from orchestrator.answer.wording import say
from orchestrator.commanding import commands
from orchestrator.model import Part, Statement
from translators.query import QueryType
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from connectors.contract import Hit
    from orchestrator.answer.ledger import Former
    from orchestrator.answer.polar import YesOrNo
    from orchestrator.answer.quote import Quote
    from orchestrator.model import Plan, Result

NAME = 60  # characters of a name or place
TITLE = 120  # and of a title
HALF = 0.5  # of the question's words: a thing that holds fewer is about something else


@record
class Claim:
    """One statement, and for each result it cites the words that it leans on ("" for the result's own facts)."""

    statement: Statement
    spans: tuple[tuple[Result, str], ...]


@record
class ClaimMaterial:
    """What claims are made from."""

    quotes: Sequence[Quote]
    results: Sequence[Result]
    plan: Plan
    now: datetime
    verdict: YesOrNo | None = None
    former: Former | None = None

    def say(self, key: str, **values: object) -> str:
        """A phrase in the asker's language."""
        return say(self.plan.query, key, **values)

    def about(self) -> list[Result]:
        """Results on the matter, best first."""
        words = wanted(self.plan.query)
        return [each for each in self.results if len(covered_by((each,), words)) >= HALF * len(words)]


def provenance(hit: Hit, material: ClaimMaterial, words: str = "") -> dict[str, str]:
    """Where, in what, when and by whom ``words`` of a hit were said, as far as the source says."""
    titles = {step.source: step.title for step in material.plan.steps}
    place = titles.get(hit.source, hit.source)
    if hit.container and hit.container.name:
        place = f"{place} {named(hit.container.name)}"
    person = (hit.assignee if material.plan.query.type is QueryType.PERSON else None) or speaker(hit, words)
    return {
        "place": place,
        "title": "" if words == quotable_line(hit.title) else title_told(hit),
        "day": day(hit, material.now),
        "person": named(person.name) if person else "",
    }


def title_told(hit: Hit) -> str:
    """What the page, mail or issue is called that something was said in: what "it" is there; "" where the name is an earlier mail's, or gives orders."""
    title = quotable_line(hit.title)
    return "" if is_reply(title) or commands(title) else named_title(shorten(title, TITLE))


def named(text: str) -> str:
    """A name is text of the source too: shortened, without brackets or quotes that would read as ours."""
    shown = shorten(text, NAME)
    for mark, plain in (("[", "("), ("]", ")"), ("“", '"'), ("”", '"')):
        shown = shown.replace(mark, plain)
    return shown


def named_title(text: str) -> str:
    """A title that cannot be taken for a citation."""
    return text.replace("[", "(").replace("]", ")").replace("“", '"').replace("”", '"')


def claim_of(text: str, spans: tuple[tuple[Result, str], ...]) -> Claim:
    """With its numbers at the end."""
    numbers = tuple(dict.fromkeys(result.number for result, _ in spans))
    marks = "".join(f"[{number}]" for number in numbers)
    return Claim(Statement(f"{text} {marks}", Part.CLAIM, numbers), spans)
