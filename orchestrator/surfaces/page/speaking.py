"""Which language a reader is spoken to in, and how a refusal is said in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.said import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Mapping


def said_problem(words: Mapping[str, str], code: str, detail: str, request: str, retry: str = "1") -> str:
    """A problem in our words, else as the server has said it: that may repeat what was typed, and is no pattern."""
    ours = words.get(f"problem {code}")
    return ours.format(request=request, retry=retry) if ours is not None else detail


def preferred(accepted: str) -> str:
    """The language that an ``Accept-Language`` header likes best of ours; English where it names neither."""
    liked = sorted(map(_quality, enumerate(accepted.split(",")[:20])))
    return next((name for _, _, name in liked if name in LANGUAGES), "en")


def _quality(entry: tuple[int, str]) -> tuple[float, int, str]:
    """For sorting: what is liked more comes first, then what is named first. What cannot be read counts as not liked."""
    place, text = entry
    name, _, weight = text.strip().partition(";q=")
    try:
        quality = float(weight or 1)
    except ValueError:
        quality = 0.0
    return (-quality, place, name.partition("-")[0].strip().lower() if quality else "")
