"""What Notion's exports put into names and first lines: https://www.notion.com/help/export-your-content."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from connectors.local.ingest.purpose import described
from translators.query import Container, Kind, Person

if TYPE_CHECKING:
    from connectors.local.ingest.drafts import DocumentDraft
    from connectors.passages import DocumentSection

PAGE = re.compile(r"(?:^|/)([^/]*?)[ _]([0-9a-f]{32})(_all)?\.(md|csv|html)$")
FOLDER = re.compile(r"[ _][0-9a-f]{32}$")
PROPERTY = re.compile(
    r"^(Created by|Created time|Created|Last edited time|Last edited by|Owner|Author|Description|Summary|설명|요약): (.+)$"
)
MOMENTS = ("%B %d, %Y %I:%M %p", "%B %d, %Y %H:%M", "%B %d, %Y", "%Y/%m/%d %H:%M", "%Y/%m/%d")
CREATED, EDITED, PEOPLE = ("Created time", "Created"), ("Last edited time",), ("Created by", "Author", "Owner")
PURPOSES = ("Description", "Summary", "설명", "요약")
LINES = 20  # properties stand at the top


def page_id(name: str) -> str:
    """The id that Notion put into a file's name, else nothing."""
    found = PAGE.search(name)
    return found[2] if found else ""


def is_double(name: str, names: set[str]) -> bool:
    """Whether a database's view is exported beside the whole of it."""
    return name.endswith(".csv") and f"{name.removesuffix('.csv')}_all.csv" in names


def as_page(draft: DocumentDraft, name: str) -> DocumentDraft:
    """A draft of a file that Notion exported, with its page's title, address, place and properties."""
    found = PAGE.search(name)
    if found is None:
        return draft
    title, page, _, ending = found.groups()
    told = _properties(draft.sections)
    above = name.rsplit("/", 2)[-2:-1] if "/" in name else []
    place = FOLDER.sub("", above[0]) if above else ""
    who = next((told[key] for key in PEOPLE if key in told), "")
    return replace(
        draft,
        title=title.strip() or draft.title,
        kind=Kind.DATABASE if ending == "csv" else Kind.PAGE,
        url=f"https://www.notion.so/{page}",
        container=Container(place) if place and not place.startswith("Export") else None,
        author=Person(who) if who else draft.author,
        created=_moment(told, CREATED) or draft.created,
        updated=_moment(told, EDITED) or draft.updated,
        description=described(next((told[key] for key in PURPOSES if key in told), "")) or draft.description,
    )


def _properties(sections: tuple[DocumentSection, ...]) -> dict[str, str]:
    lines = next((each.text for each in sections if each.text.strip()), "").splitlines()[:LINES]
    return {found[1]: found[2].strip() for line in lines if (found := PROPERTY.match(line.strip()))}


def _moment(told: dict[str, str], names: tuple[str, ...]) -> datetime | None:
    said = next((told[name] for name in names if name in told), "")
    for form in MOMENTS:
        try:
            return datetime.strptime(said, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None
