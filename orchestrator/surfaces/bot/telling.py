"""An answer as a message, and what the bot says of itself. What sources said is only ever plain text here."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.documents.answer import answer_document
from orchestrator.documents.plain import one_line, shortened
from orchestrator.documents.receipt import shown_receipt
from orchestrator.documents.view import view_of
from orchestrator.documents.words import VALUES
from orchestrator.surfaces.bot import actions
from orchestrator.surfaces.bot.platform import Button, Buttons, Lines, Message, Note, TextRun, said
from orchestrator.surfaces.bot.words import words
from translators.said import said_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import tzinfo

    from orchestrator.documents.receipt import ShownSource
    from orchestrator.documents.view import ShownAnswer, ShownLine, ShownResult
    from orchestrator.model import Answer
    from orchestrator.surfaces.bot.actions import Carried
    from orchestrator.surfaces.bot.inquiring import AskingProgress
    from orchestrator.surfaces.bot.platform import Line
    from orchestrator.surfaces.bot.services import BotServices

LINES = 3  # of an answer in a message; the rest of it stands in its details
DOUBTS = 2  # of a question that are told before them
TOP = 3  # results in a message, those that it cites first; every citation is a link by itself
REASONED = 5  # results of which it is told why they stand where they do
ALL = 20  # results where all are wanted
SUGGESTIONS = 3
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


def noting(message: Message, notes: Sequence[str]) -> Message:
    """The same with what else is to be known of it before everything else."""
    return replace(message, parts=(*(Note(shortened(each, STATEMENT)) for each in notes), *message.parts))


def waiting(language: str) -> Message:
    """What is shown at once."""
    return plainly(words(language)["reading"])


def plainly(text: str) -> Message:
    """A message of one line."""
    return Message(shortened(text, STATEMENT), (Lines((said(shortened(text, STATEMENT)),)),))


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
    view = view_of(answer_document(answer))
    first = _first(view)
    parts: list[Lines | Note | Buttons] = [Note(shortened(each, STATEMENT)) for each in view.doubts[:DOUBTS]]
    parts.append(Lines(tuple(_line(each, view.links, told) for each in first) or (said(told["nothing"]),)))
    if top := _top(view, frozenset(number for each in first for number in each.numbers)):
        parts.append(Lines(((TextRun(told["results"], bold=True),), *_listed(top, zone))))
    if progress is not None:
        waited = ", ".join(map(one_line, progress.awaited))
        every = progress.done + len(progress.awaited)
        parts.append(Note(shortened(told["progress"].format(done=progress.done, all=every, awaited=waited), STATEMENT)))
        return Message(_summary(view, told), tuple(parts))
    remarks = (each.text for each in view.lines if each.part == "remark" and each not in first)
    parts += [Note(shortened(each, STATEMENT)) for each in (*remarks, *_notes(answer, carried, scope, told))]
    parts[:0] = _asked_back(answer, carried)
    parts += _buttons(carried, told)
    return Message(_summary(view, told), tuple(parts))


def for_you(answer: Answer, places: Sequence[int], carried: Carried, zone: tzinfo | None) -> Message:
    """The results that only the asker may see."""
    told = words(carried.language)
    title = told["for you one"] if len(places) == 1 else told["for you"].format(count=len(places))
    results = view_of(answer_document(answer)).results
    listed = _listed([results[place] for place in places[:TOP]], zone)
    more = _button(actions.MORE, told["more"], carried)
    return Message(title, (Lines(((TextRun(title, bold=True),), *listed)), *([Buttons((more,))] if more else [])))


def everything(answer: Answer, carried: Carried, zone: tzinfo | None) -> Message:
    """The whole answer, with every result that somebody may see by themselves, and the way to its reasons and its receipt."""
    told = words(carried.language)
    view = view_of(answer_document(answer))
    title = told["all results"].format(count=len(view.results))
    whole = tuple(_line(each, view.links, told) for each in view.lines)
    listed = tuple(_listed(view.results[:ALL], zone)) or (said(told["nothing"]),)
    notes = [Note(shortened(one_line(each), STATEMENT)) for each in (*view.doubts, *view.suggestions[:SUGGESTIONS])]
    pressed = (_button(actions.WHY, told["why"], carried), _button(actions.RECEIPT, told["receipt"], carried))
    buttons = tuple(each for each in pressed if each)
    parts: list[Lines | Note | Buttons] = [Lines(whole)] if whole else []
    parts += [Lines(((TextRun(title, bold=True),), *listed)), *notes]
    return Message(title, (*parts, Buttons(buttons)) if buttons else tuple(parts))


def reasons(answer: Answer, carried: Carried) -> Message:
    """Why the best results stand where they do."""
    told = words(carried.language)
    lines = [
        (*_named(result), TextRun(" — " + shortened("; ".join(map(one_line, result.why)), STATEMENT)))
        for result in view_of(answer_document(answer)).results[:REASONED]
    ]
    listed = lines or [said(told["nothing"])]
    return Message(told["why title"], (Lines(((TextRun(told["why title"], bold=True),), *listed)),))


def receipts(answer: Answer, carried: Carried, closed: Sequence[str]) -> Message:
    """What was asked of every source and what came back."""
    told = words(carried.language)
    lines: list[Line] = [
        (TextRun(each.title, bold=True), TextRun(": " + shortened(_fared(each), STATEMENT)))
        for each in shown_receipt(answer_document(answer), carried.language)
    ]
    parts: list[Lines | Note | Buttons] = [Lines(((TextRun(told["receipt title"], bold=True),), *lines))]
    if closed:
        parts.append(Note(shortened(told["closed"].format(sources=", ".join(map(one_line, closed))), STATEMENT)))
    return Message(told["receipt title"], tuple(parts))


# ---- parts


def _fared(source: ShownSource) -> str:
    """How a source took part, on one line."""
    return " · ".join((source.word, *source.counts)) + (f" — {source.problem}" if source.problem else "")


def _summary(view: ShownAnswer, told: Mapping[str, str]) -> str:
    return shortened(view.lines[0].text if view.lines else told["nothing"], SNIPPET)


def _line(told: ShownLine, links: Mapping[int, str], words: Mapping[str, str]) -> Line:
    """Cut between pieces, so that a long one loses no citation."""
    text = shortened("".join(each.text for each in told.pieces), STATEMENT)
    if told.part in ("lead", "remark"):
        return (TextRun(text, bold=told.part == "lead", italic=told.part == "remark"),)
    runs = [TextRun(shortened(each.text, STATEMENT), url=links.get(each.cites, "")) for each in told.pieces]
    if told.part == "conflict":
        before, _, after = words["conflict"].partition("{told}")
        return (TextRun(f"⚠ {before}"), *runs, TextRun(after)) if after else (TextRun(f"⚠ {before}"), *runs)
    return (TextRun("• "), *runs)


def _first(view: ShownAnswer) -> tuple[ShownLine, ...]:
    """What introduces the answer and its first claims; where nothing is claimed, what is said of that.

    Of what is told first the reader must know that something else is said as well.
    """
    told = [each for each in view.lines if each.part in ("lead", "claim")] or list(view.lines)
    differs = [each for each in view.lines if each.part == "conflict" and each not in told][:1]
    return (*told[: LINES - len(differs)], *differs)


def _top(view: ShownAnswer, cited: frozenset[int]) -> list[ShownResult]:
    """What is cited, filled up with the best, in the order of their numbers."""
    chosen = sorted(view.results, key=lambda each: each.number not in cited)[:TOP]
    return [each for each in view.results if each in chosen]


def _listed(results: Iterable[ShownResult], zone: tzinfo | None) -> Iterator[Line]:
    for result in results:
        day = result.happened.astimezone(zone).date().isoformat() if result.happened else ""
        about = (result.source, result.place, result.author, day)
        yield (*_named(result), TextRun("".join(f" · {shortened(each, TITLE)}" for each in about if each)))
        if result.title and (snippet := shortened(one_line(result.snippet), SNIPPET)):
            yield (TextRun("      " + snippet, italic=True),)


def _named(result: ShownResult) -> Line:
    name = shortened(result.name or result.source, TITLE)
    return TextRun(f"[{result.number}] "), TextRun(name, bold=True, url=result.link)


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
        _button(actions.ASK, one_line(label), replace(carried, question=option, wide=False), str(n))
        for n, (label, option) in enumerate(pairs)
    ]
    buttons = tuple(each for each in found if each)
    return [Lines((said(shortened(one_line(asked.question), STATEMENT)),)), *([Buttons(buttons)] if buttons else [])]


def _buttons(carried: Carried, told: Mapping[str, str]) -> list[Buttons]:
    asking = [] if carried.wide else [_button(actions.WIDER, told["wider"], carried)]
    asking.append(_button(actions.MORE, told["more"], carried))
    judging = [_button(actions.GOOD, told["good"], carried), _button(actions.BAD, told["bad"], carried)]
    rows = (tuple(each for each in row if each) for row in (asking, judging))
    return [Buttons(row) for row in rows if row]


def _button(action: str, label: str, carried: Carried, place: str = "") -> Button | None:
    value = actions.packed(carried)
    name = f"{action}.{place}" if place else action  # in one message each is called differently
    return Button(name, shortened(label, LABEL), value) if value else None
