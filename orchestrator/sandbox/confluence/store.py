"""The spaces, people and content that a corpus makes up in Confluence's terms."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha1
from urllib.parse import quote_plus
from uuid import NAMESPACE_URL, uuid5

from orchestrator.sandbox.corpus import Person, Row, moment
from orchestrator.sandbox.index import composed
from orchestrator.sandbox.wire import Situation

SITE = "https://acme.atlassian.net/wiki"
TYPES = ("page", "blogpost", "comment", "attachment", "whiteboard", "database", "folder")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_KINDS = {"blog": "blogpost", "file": "attachment", "message": "comment"}
_LINKED = re.compile(
    r"https://[\w.-]+\.atlassian\.net/wiki(/.*?/(?:pages|\d{4}/\d{2}/\d{2})/(\d{1,18})(?:[/?#].*)?)", re.ASCII
)
_ACCOUNT = re.compile(r"\d+:[0-9a-f-]{8,}", re.ASCII)
_KEY = re.compile(r"[A-Z][A-Z0-9]{0,9}", re.ASCII)
_SPACE_OF_ACCOUNTS = uuid5(NAMESPACE_URL, SITE)
_FIRST_NUMBER, _NUMBERS = 100_000_000, 900_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """A space; `number` is its id in the newer API."""

    key: str
    name: str
    number: int


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """One piece of content. `row` is the corpus id it comes from; `url` is relative to the site."""

    id: str
    row: str
    type: str
    title: str
    text: str
    space: Space
    author: Person | None
    created: datetime
    updated: datetime
    url: str
    labels: Sequence[str]
    parent: "Item | None" = None


class Site:
    """Everything on one site."""

    def __init__(self, situation: Situation) -> None:
        self.owner = situation.owner
        found = situation.corpus.people
        self.people: Sequence[Person] = [*found, *([] if found.find(self.owner.id) else [self.owner])]
        self._directory = found
        self._spaces: dict[str, Space] = {}
        self._taken: set[str] = set()
        self.items = [item for row in situation.corpus.of("confluence") for item in self._made(row)]

    @property
    def spaces(self) -> Sequence[Space]:
        """Spaces by number, as the newer API lists them."""
        return sorted(self._spaces.values(), key=lambda space: space.number)

    def origins(self) -> Mapping[str, str]:
        """The corpus id by content id and by address; of an address that several share, the page's."""
        by_url = {f"{SITE}{item.url}": item.row for item in reversed(self.items)}
        return by_url | {item.id: item.row for item in self.items}

    def _made(self, row: Row) -> Iterable[Item]:
        """A row, and the comments on it."""
        item = self._item(row)
        yield item
        for place, comment in enumerate(row.extra.get("comments", ())):
            yield self._comment(item, f"{row.id}:{place}", comment)

    def _item(self, row: Row) -> Item:
        kind = _KINDS.get(row.kind, row.kind)
        kind = kind if kind in TYPES else "page"
        linked = _LINKED.fullmatch(row.url)
        number = self._number(row.id, linked[2] if linked else "")
        space = self._space(row)
        title = composed(row.title) or _first_line(row.text) or number
        created = row.created or EPOCH
        return Item(
            id=f"att{number}" if kind == "attachment" else number,
            row=row.id,
            type=kind,
            title=title,
            text=composed(row.text),
            space=space,
            author=self._directory.find(row.author),
            created=created,
            updated=max(row.updated or created, created),
            url=linked[1] if linked and linked[2] == number else _url(kind, space, number, title, created),
            labels=[composed(label) for label in row.listed("labels")],
        )

    def _comment(self, on: Item, name: str, comment: Mapping[str, str]) -> Item:
        number = self._number(name, "")
        written = moment(comment.get("created") or "") or on.created
        return Item(
            id=number,
            row=on.row,
            type="comment",
            title=f"Re: {on.title}",
            text=composed(comment["text"]),
            space=on.space,
            author=self._directory.find(comment.get("author")),
            created=written,
            updated=written,
            url=f"{on.url}?focusedCommentId={number}",
            labels=(),
            parent=on,
        )

    def _number(self, name: str, wanted: str) -> str:
        """The number that a link gives, else one made of the corpus id; no two are the same."""
        number = int(wanted) if wanted else _FIRST_NUMBER + _hashed(name) % _NUMBERS
        while str(number) in self._taken:
            number += 1
        self._taken.add(str(number))
        return str(number)

    def _space(self, row: Row) -> Space:
        name = composed(row.container).strip() or "General"
        if name not in self._spaces:
            taken = {space.key for space in self._spaces.values()}
            key = base = name if _KEY.fullmatch(name) else _letters(name)
            number = 2
            while key in taken:
                key, number = f"{base}{number}", number + 1
            self._spaces[name] = Space(key, name, 65_536 + 2 * len(self._spaces))
        return self._spaces[name]


def account_id(person: Person) -> str:
    """The person's id in Atlassian's form: as in the corpus where it has that form, else derived from it."""
    return person.id if _ACCOUNT.fullmatch(person.id) else f"712020:{uuid5(_SPACE_OF_ACCOUNTS, person.id)}"


def _url(kind: str, space: Space, number: str, title: str, created: datetime) -> str:
    match kind:
        case "blogpost":
            return f"/spaces/{space.key}/blog/{created:%Y/%m/%d}/{number}/{quote_plus(title)}"
        case "page":
            return f"/spaces/{space.key}/pages/{number}/{quote_plus(title)}"
        case "attachment" | "comment":
            return f"/pages/viewpage.action?pageId={number}"
        case _:
            return f"/spaces/{space.key}/{kind}/{number}"


def _first_line(text: str) -> str:
    return composed(text).strip().partition("\n")[0][:80]


def _letters(name: str) -> str:
    """A key of the name's own letters, or for want of Latin ones a number that stands for it."""
    return re.sub(r"[^A-Z0-9]", "", name.upper())[:10] or f"S{_hashed(name) % 1_000_000:06d}"


def _hashed(name: str) -> int:
    return int.from_bytes(sha1(name.encode(), usedforsecurity=False).digest()[:8], "big")
