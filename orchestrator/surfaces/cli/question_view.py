"""Shows a question taken apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from orchestrator.surfaces.cli.screen import QUIET, STRONG, WARN, Clipped, hanging, styled
from orchestrator.surfaces.cli.words import frame, reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rich.console import RenderableType

    from translators.query import Query, TypeScore, Window


QUESTION_LINES = 3


def question_view(query: Query) -> Iterator[RenderableType]:
    """Everything that was read out of the question; what was not there is left out."""
    words = frame(query.language)
    yield Clipped(styled(query.text, STRONG), QUESTION_LINES)
    yield ""
    facts = [(name, text) for name, text in _facts(query, words) if text]
    yield hanging((styled(words[name], QUIET), text) for name, text in facts)
    if query.doubts:
        yield ""
        yield hanging((styled(words["doubt"], WARN), styled(reason(doubt.message, words))) for doubt in query.doubts)


def _facts(query: Query, words: Mapping[str, str]) -> Iterator[tuple[str, Text]]:
    yield "type", _type(query, words)
    yield "keywords", _list(query.keywords)
    yield "lesser", _list(f"{word} ({weight:.1f})" for word, weight in query.lesser)
    yield "variants", _list(f"{word} = {', '.join(others)}" for word, others in query.variants if others)
    yield "phrases", _list(f"“{phrase}”" for phrase in query.phrases)
    yield "projects", _list(f"{entity.name} ({entity.kind})" for entity in query.entities)
    yield "ids", _list(found.text for found in query.ids)
    yield "hints", _list(query.hints)
    yield "only", _list([f"{query.only.words} ({query.only.strength:.1f})"] if query.only else ())
    yield "sources", _list(query.sources)
    yield "author", styled(str(query.author)) if query.author else Text()
    yield "container", styled(str(query.container)) if query.container else Text()
    yield "kinds", _list(query.kinds)
    yield "window", styled(_window(query.window, words)) if query.window else Text()
    yield "negated", _list(query.negated)
    yield "mine", styled(words["yes"] if query.mine else "")
    yield "ambiguous", styled(words["yes"] if query.ambiguous else "")
    yield "meaning", styled(str(query.where), QUIET)
    yield "implied", _list(f"{each.clause} ({each.strength:.1f}: “{each.words}”)" for each in query.implied)


def _type(query: Query, words: Mapping[str, str]) -> Text:
    shown = styled(words[query.type], STRONG)
    if scores := [score for score in query.scores if score.score > 0][:3]:
        shown.append("  ")
        shown.append_text(styled(" · ".join(_score(score, words) for score in scores), QUIET))
    return shown


def _score(score: TypeScore, words: Mapping[str, str]) -> str:
    reasons = f" ({', '.join(score.words)})" if score.words else ""
    return f"{words[score.type]} {score.score:.2f}{reasons}"


def _window(window: Window, words: Mapping[str, str]) -> str:
    start = words["from"].format(start=window.start) if window.start else ""
    end = words["until"].format(end=window.end) if window.end else ""
    said = f" “{window.words}”" if window.words else ""
    return f"{start} {end}".strip() + said


def _list(items: Iterable[str]) -> Text:
    return styled(", ".join(map(str, items)))
