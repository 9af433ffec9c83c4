"""A digest or an alert as it is sent: the same content in every form that somebody may want."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from orchestrator.digests.alerts import outline_of
from orchestrator.digests.content import Alert, Digest
from orchestrator.digests.rendering import as_html, as_markdown, as_plain, outline
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import TypeAdapter

    from orchestrator.digests.rendering import Outline

KIND = "kind"
KINDS: Mapping[str, type[Any]] = {"digest": Digest, "alert": Alert}


@record
class DigestMessage:
    """``data`` is JSON with the whole content; ``name`` is what it is called in the settings, without its kind."""

    name: str
    title: str
    markdown: str
    html: str
    plain: str
    data: Mapping[str, Any]

    @property
    def json(self) -> str:
        """The content as text."""
        return json.dumps(self.data, ensure_ascii=False, indent=2) + "\n"


def as_data(content: Digest | Alert) -> dict[str, Any]:
    """What is kept of a run, and sent to programs."""
    kind = type(content).__name__.lower()
    return {KIND: kind, **_adapter(kind).dump_python(content, mode="json")}


def from_data(data: Mapping[str, Any]) -> Digest | Alert:
    """What :func:`as_data` was given."""
    said = {name: each for name, each in data.items() if name != KIND}
    content: Digest | Alert = _adapter(data[KIND]).validate_python(said)
    return content


def outline_for(message: DigestMessage) -> Outline:
    """What is shown of a message, for a medium of its own."""
    return outlined(from_data(message.data))


def message_of(content: Digest | Alert) -> DigestMessage:
    """Every form of a digest or an alert."""
    shown = outlined(content)
    return DigestMessage(
        content.name, shown.title, as_markdown(shown), as_html(shown), as_plain(shown), as_data(content)
    )


def outlined(content: Digest | Alert) -> Outline:
    """What is shown of a digest or an alert."""
    return outline(content) if isinstance(content, Digest) else outline_of(content)


@cache
def _adapter(kind: str) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(KINDS[kind])
