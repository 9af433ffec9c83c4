"""Notes on completeness that say how much could not be read: counted, so that of several the worst can stand for all."""

from __future__ import annotations

from typing import Self

from translators.said import ENGLISH, Said, filled_in, said_in

# What is counted, as the callers name it; of anything else other languages give the number alone.
COUNTED = {
    str(each): each
    for each in (
        Said("categories"),
        Said("channels"),
        Said("discussions"),
        Said("files"),
        Said("folders"),
        Said("hits"),
        Said("issues"),
        Said("mails"),
        Said("members"),
        Said("messages"),
        Said("pages"),
        Said("people"),
        Said("posts"),
        Said("projects"),
        Said("repositories"),
        Said("results"),
        Said("shared drives"),
        Said("sites"),
        Said("spaces"),
        Said("supports"),
        Said("tasks"),
        Said("teams"),
        Said("topics"),
        Said("types"),
        Said("users"),
        Said("workspaces"),
    )
}
NOT_READ = Said("{missing} of {everything} {what} could not be read")
TEXT_NOT_READ = Said("the text of {missing} of {everything} {what} could not be read")
WITH_REASON = Said("{told} ({why})")


class Unread(Said):
    """So many of so many things could not be read. ``kind``: the same for notes that count the same things."""

    __slots__ = ("kind", "missing")
    kind: str
    missing: int

    @classmethod
    def of(cls, missing: int, everything: int, what: str, why: str = "", *, text: bool = False) -> Self:
        """``what``: in English and the plural; ``text``: the things are there, and only what they say is not."""
        told = TEXT_NOT_READ if text else NOT_READ

        def tell(language: str) -> str:
            named = said_in(COUNTED[what], language) if what in COUNTED else what * (language == ENGLISH)
            counted = filled_in(told, language, missing=missing, everything=everything, what=named).lstrip()
            return filled_in(WITH_REASON, language, told=counted, why=why) if why else counted

        made = cls.in_each(tell)
        made.kind, made.missing = f"{text} {what} {why}", missing
        return made
