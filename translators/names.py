"""Whether two names may be one person's, as people compare them: by parts, without case, width, accents and honorifics.

How vendors write a person or a place in their own texts, so that what is pasted from there is whom it names.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from translators.letters import HANGUL, WORD
from translators.query import Container, Person
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Callable

LABEL = r"(?:\|(?P<label>[^<>|]{0,80}))?"


@record
class MentionForm:
    """One way to write somebody or a place. ``dialects``: those whose native ids it holds, in the group ``id``.

    ``alone``: so plain that it counts as the value of a filter only.
    """

    pattern: re.Pattern[str]
    dialects: tuple[str, ...]
    place: bool = False
    alone: bool = False


SLACK = ("slack", "slack_rts")
ATLASSIAN = ("jql", "cql")
FORMS = (
    # https://docs.slack.dev/messaging/formatting-message-text/#advanced
    MentionForm(re.compile(rf"<@(?P<id>[UW][A-Z0-9]{{2,20}}){LABEL}>"), SLACK),
    MentionForm(re.compile(rf"<#(?P<id>[CGD][A-Z0-9]{{2,20}}){LABEL}>"), SLACK, place=True),
    MentionForm(re.compile(r"(?P<id>[UW](?=[A-Z]{0,20}[0-9])[A-Z0-9]{6,20})"), SLACK, alone=True),
    MentionForm(re.compile(r"(?P<id>[CG](?=[A-Z]{0,20}[0-9])[A-Z0-9]{6,20})"), SLACK, place=True, alone=True),
    # https://developer.atlassian.com/cloud/jira/platform/deprecation-notice-user-privacy-api-migration-guide/
    MentionForm(re.compile(r"\[~accountid:(?P<id>[\w:-]{1,128})\]"), ATLASSIAN),
    MentionForm(re.compile(r"accountid:(?P<id>[\w:-]{1,128})"), ATLASSIAN, alone=True),
    # https://developers.google.com/workspace/chat/format-messages
    MentionForm(re.compile(r"<users/(?P<id>[\w.-]{1,64})>"), ("gchat",)),
    MentionForm(re.compile(r"users/(?P<id>[\w.-]{1,64})"), ("gchat",), alone=True),
)


# Of GitHub. Underscores end the names of accounts that a company manages.
LOGIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,38}[A-Za-z0-9])?(?:_[A-Za-z0-9]{2,12})?")


def handle_mentioned(text: str) -> Person | None:
    """Whom ``@name`` as a whole may be where nobody is known by that name: at GitHub the account, elsewhere the name."""
    name = text.removeprefix("@")
    is_handle = name != text and LOGIN.fullmatch(name)
    return Person(name, native_id=name, dialects=("github",)) if is_handle else None


def person_mentioned(text: str) -> Person | None:
    """Whom ``text`` as a whole mentions, with the id and what a mention says of the name; None for anything else."""
    form, found = _form_of(text, place=False)
    if form is None or found is None:
        return None
    return Person(_label(found), native_id=found["id"], dialects=form.dialects)


def place_mentioned(text: str) -> Container | None:
    """The same of a channel."""
    form, found = _form_of(text, place=True)
    if form is None or found is None:
        return None
    return Container(_label(found).lstrip("#"), native_id=found["id"], dialects=form.dialects)


def with_people_named(text: str, name_of: Callable[[str], str | None]) -> str:
    """``text`` with the names of those whom it mentions: by ``name_of`` their id, else as the mention says; else as it is."""
    if not any(mark in text for mark in ("<@", "[~", "<users/")):
        return text
    for form in FORMS:
        if not (form.place or form.alone):
            text = form.pattern.sub(lambda found: name_of(found["id"]) or _label(found) or found[0], text)
    return text


def at_home(value: Person | Container, dialect: str) -> Person | Container:
    """``value`` as one source may be asked for it: its id only where it is one of that source's, and as a name where no other is known."""
    if not value.dialects:
        return value
    if dialect in value.dialects:
        return replace(value, dialects=())
    return replace(value, name=value.name or value.native_id or "", native_id=None, dialects=())


def _form_of(text: str, *, place: bool) -> tuple[MentionForm | None, re.Match[str] | None]:
    matched = ((form, form.pattern.fullmatch(text)) for form in FORMS if form.place is place)
    return next(((form, found) for form, found in matched if found), (None, None))


def _label(found: re.Match[str]) -> str:
    return (found.groupdict().get("label") or "").lstrip("@").strip()


# https://www.unicode.org/charts/PDF/U0300.pdf: the marks of Latin, Greek and Cyrillic letters. Those of other scripts
# make another letter of one (か, が) and stay.
MARKS = re.compile(r"[\u0300-\u036f]")
# Letters that Unicode takes for no other with a mark, though those who lack them on their keyboards do.
LETTERS = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ı": "i"})
# How they are spelled out where they are not to be had: Mueller is Müller, who is also Muller.
SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
HONORIFICS = ("님", "씨")  # behind a name, without a blank
SHORTEST = 2  # syllables of a name that an honorific stands behind, or of a given name without its family name

Forms = frozenset[str]


@lru_cache(maxsize=4096)
def folded(name: str) -> str:
    """``name`` without case, width and accents: ``ＪＯＳÉ`` and ``José`` are ``jose``."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    if plain.isascii():
        return plain
    marked = unicodedata.normalize("NFD", plain.translate(LETTERS))
    return unicodedata.normalize("NFC", MARKS.sub("", marked))


def same_name(wanted: str, actual: str) -> bool | None:
    """Whether all that is said of ``wanted`` is part of ``actual``: its words in any order, a Korean given name.

    ``None`` for names in different scripts, of which letters tell nothing.
    """
    if folded(wanted).strip() == folded(actual).strip():
        return True
    mine, theirs = parts(wanted), parts(actual)
    if mine and all(any(forms & each for each in theirs) for forms in mine):
        return True
    if bool(HANGUL.search(wanted)) != bool(HANGUL.search(actual)):
        return None
    return _is_korean_part(mine, theirs)


def is_named_by(wanted: str, address: str) -> bool:
    """Whether a mail address names somebody: ``jose`` and ``jose.garcia`` in ``jose.garcia@partner.example``."""
    mine, theirs = parts(wanted), parts(address.partition("@")[0])
    return bool(mine) and all(any(forms & each for each in theirs) for forms in mine)


@lru_cache(maxsize=4096)
def parts(name: str) -> tuple[Forms, ...]:
    """The words of a name (``sarah_kim`` has two), each in all forms in which it may be written."""
    text = unicodedata.normalize("NFKC", name).casefold().replace("_", " ")
    return tuple(_forms(word) for word in WORD.findall(unicodedata.normalize("NFC", text)))


def _forms(word: str) -> Forms:
    if word.isascii():
        return frozenset({word})
    forms = {folded(word), folded(word.translate(SPELLED_OUT))}
    honoured = HANGUL.match(word) and word.endswith(HONORIFICS) and len(word) > SHORTEST
    return frozenset(forms | {word[:-1]} if honoured else forms)


def _is_korean_part(wanted: tuple[Forms, ...], actual: tuple[Forms, ...]) -> bool:
    """민수 or 김 민수 of 김민수: a family name has one syllable, or two, and may stand apart."""
    whole = _joined(wanted) | _joined(wanted[::-1])
    there = _joined(actual) | _joined(actual[::-1]) | frozenset().union(*actual)
    return any(each.endswith(name) for name in whole for each in there if len(name) >= SHORTEST and HANGUL.match(name))


def _joined(words: tuple[Forms, ...]) -> Forms:
    """The words of a name written together, with an honorific behind the last and without."""
    *first, last = words or (frozenset({""}),)
    before = "".join(max(forms, key=len) for forms in first)
    return frozenset(before + form for form in last)
