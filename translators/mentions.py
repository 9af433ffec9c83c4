"""How vendors write a person or a place in their own texts, so that what is pasted from there is whom it names."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

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
