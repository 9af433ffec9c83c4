"""An answer as a message, and what the bot says of itself. What sources said is only ever plain text here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from orchestrator.answer import receipt
from orchestrator.documents.plain import one_line, safe_link
from orchestrator.documents.words import VALUES
from orchestrator.model import Part
from orchestrator.surfaces.bot import actions
from orchestrator.surfaces.bot.message import Button, Buttons, Lines, Message, Note, TextRun, said
from orchestrator.surfaces.bot.words import words
from translators.said import said_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import tzinfo

    from orchestrator.model import Answer, Result, Statement
    from orchestrator.surfaces.bot.actions import Carried
    from orchestrator.surfaces.bot.inquiring import AskingProgress
    from orchestrator.surfaces.bot.message import Line
    from orchestrator.surfaces.bot.services import BotServices

CITED = re.compile(r"\[(\d{1,3})\]")
BARE_ID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}")  # of somebody whose name is not known yet
LINES = 3  # of an answer in a message; the rest of it stands in its details
TOP = 3  # results in a message, those that it cites first; every citation is a link by itself
REASONED = 5  # results of which it is told why they stand where they do
ALL = 20  # results where all are wanted
TITLE = 120  # characters
SNIPPET = 180
STATEMENT = 400
OPTIONS = 4  # of a clarification, beside each other
LABEL = 70  # characters of a button


def home(services: BotServices, language: str) -> Message:
    """For one person, in their language. Nothing of it depends on their rights."""
    told = words(language)
    ways = (said(told["home ask"]), said(told["home filters"]), said(told["home sees"]))
    lines: list[Line] = [(TextRun(told["home"], bold=True),), *ways]
    if services.sources:
        lines.append(said(told["home asked"].format(sources=", ".join(map(one_line, services.sources)))))
    if services.accounts:
        lines.append((TextRun(told["home accounts"], url=services.accounts),))
    notes = [Note(told["home kept"])]
    if services.closed:
        notes.append(Note(told["closed"].format(sources=", ".join(map(one_line, services.closed)))))
    return Message(told["home"], (Lines(tuple(lines)), *notes))


def waiting(language: str) -> Message:
    """What is shown at once."""
    return plainly(words(language)["reading"])


def plainly(text: str) -> Message:
    """A message of one line."""
    return Message(_cut(text, STATEMENT), (Lines((said(_cut(text, STATEMENT)),)),))


def answered(
    answer: Answer,
    carried: Carried,
    *,
    zone: tzinfo | None,
    scope: Sequence[str] = (),
    progress: AskingProgress | None = None,
) -> Message:
    """The answer in a few lines with its best sources. ``scope``: what is said of who sees what; ``progress``: it goes on."""
    told = words(carried.language)
    links = {result.number: safe_link(result.hit.url) or "" for result in answer.results}
    parts: list[Lines | Note | Buttons] = []
    shown = _first(answer)
    lines = [_statement(each, links) for each in shown]
    if answer.conflicts:  # of what is told first the reader must know that something else is said as well
        lines[2:] = _conflicts(answer, told)[:1]
    parts.append(Lines(tuple(lines) or (said(told["nothing"]),)))
    if top := _top(answer, TOP, frozenset(number for each in shown for number in each.numbers)):
        parts.append(Lines(((TextRun(told["results"], bold=True),), *_listed(top, _titles(answer), zone))))
    if progress is not None:
        waited = ", ".join(map(one_line, progress.awaited))
        every = progress.done + len(progress.awaited)
        parts.append(Note(_cut(told["progress"].format(done=progress.done, all=every, awaited=waited), STATEMENT)))
        return Message(_summary(answer, told), tuple(parts))
    remarks = (one_line(each.text) for each in answer.statements if each.part is Part.REMARK and each not in shown)
    parts += [Note(_cut(each, STATEMENT)) for each in (*remarks, *_notes(answer, carried, scope, told))]
    parts[:0] = _asked_back(answer, carried)
    parts += _buttons(carried, told)
    return Message(_summary(answer, told), tuple(parts))


def for_you(answer: Answer, places: Sequence[int], carried: Carried, zone: tzinfo | None) -> Message:
    """The results that only the asker may see."""
    told = words(carried.language)
    title = told["for you one"] if len(places) == 1 else told["for you"].format(count=len(places))
    listed = _listed([answer.results[place] for place in places[:TOP]], _titles(answer), zone)
    more = _button(actions.MORE, told["more"], carried)
    return Message(title, (Lines(((TextRun(title, bold=True),), *listed)), *([Buttons((more,))] if more else [])))


def everything(answer: Answer, carried: Carried, zone: tzinfo | None) -> Message:
    """The whole answer, with every result that somebody may see by themselves, and the way to its reasons and its receipt."""
    told = words(carried.language)
    title = told["all results"].format(count=len(answer.results))
    links = {result.number: safe_link(result.hit.url) or "" for result in answer.results}
    whole = (*(_statement(each, links) for each in answer.statements), *_conflicts(answer, told))
    listed = tuple(_listed(answer.results[:ALL], _titles(answer), zone)) or (said(told["nothing"]),)
    notes = [Note(_cut(one_line(each), STATEMENT)) for each in answer.suggestions[:3]]
    pressed = (_button(actions.WHY, told["why"], carried), _button(actions.RECEIPT, told["receipt"], carried))
    buttons = tuple(each for each in pressed if each)
    parts: list[Lines | Note | Buttons] = [Lines(whole)] if whole else []
    parts += [Lines(((TextRun(title, bold=True),), *listed)), *notes]
    return Message(title, (*parts, Buttons(buttons)) if buttons else tuple(parts))


def reasons(answer: Answer, carried: Carried) -> Message:
    """Why the best results stand where they do."""
    told = words(carried.language)
    lines = [
        (*_named(result), TextRun(" — " + _cut("; ".join(map(one_line, result.why)), STATEMENT)))
        for result in answer.results[:REASONED]
    ]
    listed = lines or [said(told["nothing"])]
    return Message(told["why title"], (Lines(((TextRun(told["why title"], bold=True),), *listed)),))


def receipts(answer: Answer, carried: Carried, closed: Sequence[str]) -> Message:
    """What was asked of every source and what came back."""
    told = words(carried.language)
    lines: list[Line] = [
        (TextRun(one_line(each.title), bold=True), TextRun(": " + _cut(one_line(each.headline), STATEMENT)))
        for each in receipt(answer)
    ]
    parts: list[Lines | Note | Buttons] = [Lines(((TextRun(told["receipt title"], bold=True),), *lines))]
    if closed:
        parts.append(Note(_cut(told["closed"].format(sources=", ".join(map(one_line, closed))), STATEMENT)))
    return Message(told["receipt title"], tuple(parts))


# ---- parts


def _summary(answer: Answer, told: Mapping[str, str]) -> str:
    first = next((each.text for each in answer.statements), "") or told["nothing"]
    return _cut(one_line(first), SNIPPET)


def _statement(statement: Statement, links: Mapping[int, str]) -> Line:
    text = _cut(one_line(statement.text), STATEMENT)
    if statement.part is Part.LEAD:
        return (TextRun(text, bold=True),)
    if statement.part is Part.REMARK:
        return (TextRun(text, italic=True),)
    cited = frozenset(statement.numbers)
    runs = [TextRun("• ")]
    for n, piece in enumerate(CITED.split(text)):
        number = int(piece) if n % 2 else 0  # a number that a source wrote into its own text is no citation
        if number in cited:
            runs += [TextRun(f"[{number}]", url=links.get(number, "")), TextRun(" ")]
        elif piece:
            runs.append(TextRun(f"[{piece}]" if n % 2 else piece))
    return tuple(runs)


def _first(answer: Answer) -> tuple[Statement, ...]:
    """What introduces the answer and its first claims; where nothing is claimed, what is said of that."""
    told = [each for each in answer.statements if each.part is not Part.REMARK]
    return tuple(told or answer.statements)[:LINES]


def _conflicts(answer: Answer, told: Mapping[str, str]) -> list[Line]:
    return [said("⚠ " + _cut(told["conflict"].format(told=each), STATEMENT)) for each in answer.conflicts]


def _top(answer: Answer, most: int, cited: frozenset[int]) -> list[Result]:
    """What is cited, filled up with the best, in the order of their numbers' places."""
    order = sorted(answer.results, key=lambda each: each.number not in cited)
    chosen = {each.number for each in order[:most]}
    return [each for each in answer.results if each.number in chosen]


def _listed(results: Iterable[Result], titles: Mapping[str, str], zone: tzinfo | None) -> Iterator[Line]:
    for result in results:
        yield (*_named(result), TextRun(_about(result, titles.get(result.hit.source, result.hit.source), zone)))
        if result.hit.title and (snippet := _cut(one_line(result.hit.snippet), SNIPPET)):
            yield (TextRun("      " + snippet, italic=True),)


def _named(result: Result) -> Line:
    hit = result.hit
    title = _cut(one_line(hit.title) or one_line(hit.snippet) or one_line(hit.id), TITLE)
    return TextRun(f"[{result.number}] "), TextRun(title, bold=True, url=safe_link(hit.url) or "")


def _titles(answer: Answer) -> dict[str, str]:
    return {step.source: step.title for step in answer.plan.steps}


def _about(result: Result, source: str, zone: tzinfo | None) -> str:
    hit = result.hit
    when = hit.updated or hit.created
    parts = (
        source,
        str(hit.container) if hit.container else "" if hit.url else one_line(hit.address),
        str(hit.author) if hit.author else "",
        when.astimezone(zone).date().isoformat() if when else "",
    )
    return "".join(f" · {_cut(one_line(part), TITLE)}" for part in parts if part and not BARE_ID.fullmatch(part))


def _notes(answer: Answer, carried: Carried, scope: Sequence[str], told: Mapping[str, str]) -> Iterator[str]:
    confidence = said_in(VALUES[answer.confidence], carried.language)
    wide = f" · {told['asked wide']}" if carried.wide else ""
    yield told["took"].format(count=len(answer.results), seconds=answer.took) + f" · {confidence}" + wide
    yield from scope


def _asked_back(answer: Answer, carried: Carried) -> list[Lines | Note | Buttons]:
    asked = answer.clarification
    if asked is None:
        return []
    labels = [each.label for each in asked.readings] or list(asked.options)
    pairs = list(zip(labels, asked.options, strict=False))[:OPTIONS]
    found = [
        _button(actions.ASK, one_line(label), type(carried)(option, language=carried.language), str(n))
        for n, (label, option) in enumerate(pairs)
    ]
    buttons = tuple(each for each in found if each)
    return [Lines((said(_cut(one_line(asked.question), STATEMENT)),)), *([Buttons(buttons)] if buttons else [])]


def _buttons(carried: Carried, told: Mapping[str, str]) -> list[Buttons]:
    asking = [] if carried.wide else [_button(actions.WIDER, told["wider"], carried)]
    asking.append(_button(actions.MORE, told["more"], carried))
    judging = [_button(actions.GOOD, told["good"], carried), _button(actions.BAD, told["bad"], carried)]
    rows = (tuple(each for each in row if each) for row in (asking, judging))
    return [Buttons(row) for row in rows if row]


def _button(action: str, label: str, carried: Carried, place: str = "") -> Button | None:
    value = actions.packed(carried)
    name = f"{action}.{place}" if place else action  # in one message each is called differently
    return Button(name, _cut(label, LABEL), value) if value else None


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
