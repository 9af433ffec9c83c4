"""GitHub's searches of things and of files, by the rules of each, and what each qualifier asks of them."""

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TypeVar

from orchestrator.sandbox.github.grammar import Leaf, Node, Qualifier, QueryError, added_up, parse, satisfying
from orchestrator.sandbox.github.store import File, Forge, Thing, User
from orchestrator.sandbox.index import Text, TextIndex
from orchestrator.sandbox.logic import Span, Tree

_COMPARED = re.compile(r"(>=|<=|>|<)?(.+)")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
KINDS = {"issue": "issue", "pr": "pull", "pull-request": "pull"}


def dated(value: str, moment: datetime) -> bool:
    """Whether a moment is what `created:` and its like ask for. Raises `QueryError` for what is no date."""
    if ".." in value:
        first, _, last = value.partition("..")
        ends = ((">=", first), ("<=", last))
        return all(at == "*" or _span(at).meets(operator, moment) for operator, at in ends)
    operator, at = _COMPARED.fullmatch(value).groups(default="=")  # type: ignore[union-attr]
    return _span(at).meets(operator, moment)


def _span(text: str) -> Span:
    """The day or the second that is meant, in UTC unless an offset says otherwise."""
    try:
        if _DAY.fullmatch(text):
            day = date.fromisoformat(text)
            start = datetime(day.year, day.month, day.day, tzinfo=UTC)
            return Span(start, start + timedelta(days=1))
        parsed = datetime.fromisoformat(text)
        start = (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC)
        return Span(start, start + timedelta(seconds=1))
    except (ValueError, OverflowError) as error:
        raise QueryError(f"'{text[:60]}' is not a recognized date/time format.") from error


def thing_is(thing: Thing, name: str, value: str) -> bool:
    """Whether a thing satisfies a qualifier; one that is for code or for the order says nothing of it."""
    test = _THINGS.get(name)
    return test is None or test(thing, name, value.casefold())


def file_is(file: File, name: str, value: str) -> bool:
    """Whether a file satisfies a qualifier; none satisfies one that is for things only."""
    if name in ("in", "sort", "language"):
        return True
    test = _FILES.get(name)
    return test is not None and test(file, value.casefold())


def _stands_in(repository: str, name: str, wanted: str) -> bool:
    held = repository.casefold()
    return held == wanted if name == "repo" else held.partition("/")[0] == wanted


def _is(thing: Thing, _: str, wanted: str) -> bool:
    match wanted:
        case "issue" | "pr" | "pull-request":
            return thing.kind == KINDS[wanted]
        case "open" | "closed":
            return thing.closed is (wanted == "closed")
        case "merged" | "unmerged":
            return thing.kind == "pull" and thing.merged is (wanted == "merged")
        case _:
            return wanted == "draft" and thing.draft


def _by(thing: Thing, name: str, wanted: str) -> bool:
    people: dict[str, Iterable[User | None]] = {
        "author": [thing.author],
        "assignee": thing.assignees,
        "commenter": [comment.author for comment in thing.comments],
    }
    named = people[name] if name in people else [user for users in people.values() for user in users]
    return wanted in {user.login.casefold() for user in named if user}


def _labelled(thing: Thing, _: str, wanted: str) -> bool:
    return bool({each.strip('"') for each in wanted.split(",")} & {label.casefold() for label in thing.labels})


def _lacks(thing: Thing, _: str, wanted: str) -> bool:
    return not {"assignee": thing.assignees, "label": thing.labels, "milestone": thing.milestone}.get(wanted, "there")


def _happened(thing: Thing, name: str, wanted: str) -> bool:
    """GitHub keeps seconds."""
    moments: Mapping[str, datetime | None] = {
        "created": thing.created,
        "updated": thing.updated,
        "closed": thing.completed,
    }
    moment = moments[name]
    return dated(wanted.upper(), moment.replace(microsecond=0)) if moment else False


_THINGS: Mapping[str, Callable[[Thing, str, str], bool]] = {
    **dict.fromkeys(("repo", "org", "user"), lambda thing, name, wanted: _stands_in(thing.repository, name, wanted)),
    **dict.fromkeys(("is", "type", "state"), _is),
    **dict.fromkeys(("author", "assignee", "commenter", "involves"), _by),
    **dict.fromkeys(("created", "updated", "closed"), _happened),
    "label": _labelled,
    "no": _lacks,
    "milestone": lambda thing, _, wanted: thing.milestone.casefold() == wanted,
    "category": lambda thing, _, wanted: thing.category.casefold() == wanted,
}


_FILES: Mapping[str, Callable[[File, str], bool]] = {
    "repo": lambda file, wanted: _stands_in(file.repository, "repo", wanted),
    "org": lambda file, wanted: _stands_in(file.repository, "org", wanted),
    "user": lambda file, wanted: _stands_in(file.repository, "user", wanted),
    "path": lambda file, wanted: file.path.casefold().startswith(wanted.strip("/")),
    "filename": lambda file, wanted: file.path.casefold().rpartition("/")[2].startswith(wanted),
    "extension": lambda file, wanted: file.path.casefold().endswith(f".{wanted}"),
}


UNSEARCHABLE = (
    "The listed users and repositories cannot be searched either because the resources do not exist or you do not have "
    "permission to view them."
)
FIELDS = ("title", "body", "comments")
TITLE_WEIGHT = 2.0
MAX_FILE = 384 * 1024
ItemT = TypeVar("ItemT")
_PEOPLE = ("author", "assignee", "commenter", "involves")
_ORDERS: Mapping[str, Callable[[Thing], float]] = {
    "created": lambda thing: thing.created.timestamp(),
    "updated": lambda thing: thing.updated.timestamp(),
    "comments": lambda thing: float(len(thing.comments)),
}


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found, best first, and the words it looked for."""

    items: Sequence[Thing | File]
    words: Sequence[Text]


class ForgeSearch:
    """Searches over one forge; the indexes are built once."""

    def __init__(self, forge: Forge) -> None:
        self._forge = forge
        self._things = forge.things
        self._indexes = {
            "title": TextIndex((thing.title,) for thing in forge.things),
            "body": TextIndex((thing.body,) for thing in forge.things),
            "comments": TextIndex([comment.body for comment in thing.comments] for thing in forge.things),
        }
        self._files = [file for file in forge.files if len(file.text.encode()) <= MAX_FILE]
        self._contents = TextIndex((file.text,) for file in self._files)

    def issues(self, query: str, sort: str = "", order: str = "desc", *, must_say_kind: bool = False) -> Found:
        """Issues and pull requests. Raises `QueryError`."""
        tree = parse(query, advanced=True)
        if must_say_kind and not any(_says_kind(leaf) for leaf, wanted in Tree[Leaf](tree).leaves() if wanted):
            raise QueryError("Query must include 'is:issue' or 'is:pull-request'")
        return self._found(tree, ("issue", "pull"), sort, order)

    def discussions(self, query: str) -> Found:
        """Discussions; their order stands in the query. Raises `QueryError`."""
        tree = added_up(parse(query, advanced=False))
        sort, _, order = next(iter(_values(tree, "sort")), "").partition("-")
        return self._found(tree, ("discussion",), sort, order)

    def code(self, query: str) -> Found:
        """Files by their content. Raises `QueryError`, for a query without a word too."""
        tree = added_up(parse(query, advanced=False))
        self._check_names(tree)
        if not _texts(tree):
            raise QueryError("Must include at least one search term")
        matches = {
            leaf: self._contents.find_text(leaf) for leaf, _ in Tree[Leaf](tree).leaves() if isinstance(leaf, Text)
        }
        numbers = self._satisfying(tree, range(len(self._files)), matches, self._files, file_is)
        scores = self._contents.score([matches[text] for text in _texts(tree)], numbers)
        best = sorted(numbers, key=lambda number: (-scores.get(number, 0.0), self._files[number].url))
        return Found([self._files[number] for number in best], _texts(tree))

    def _found(self, tree: Node, kinds: Sequence[str], sort: str, order: str) -> Found:
        self._check_names(tree)
        named = [field for value in _values(tree, "in") for field in value.split(",")]
        fields = [field for field in FIELDS if field in named] or FIELDS
        matches = {leaf: self._holding(leaf, fields) for leaf, _ in Tree[Leaf](tree).leaves() if isinstance(leaf, Text)}
        ours = (number for number, thing in enumerate(self._things) if thing.kind in kinds)
        numbers = self._satisfying(tree, ours, matches, self._things, thing_is)
        return Found(
            [self._things[number] for number in self._ordered(numbers, _texts(tree), sort, order)], _texts(tree)
        )

    def _satisfying(
        self,
        tree: Node,
        among: Iterable[int],
        matches: Mapping[Text, Container[int]],
        items: Sequence[ItemT],
        item_is: Callable[[ItemT, str, str], bool],
    ) -> list[int]:
        """The numbers of those items, in order: by their words, and by what they are."""

        def which(leaf: Text | Qualifier, left: set[int]) -> set[int]:
            if isinstance(leaf, Text):
                return {number for number in left if number in matches[leaf]}
            value = self._forge.viewer.login if leaf.value == "@me" else leaf.value
            return {number for number in left if item_is(items[number], leaf.name, value)}

        return sorted(satisfying(tree, set(among), which))

    def _holding(self, text: Text, fields: Iterable[str]) -> set[int]:
        return {number for field in fields for number in self._indexes[field].find_text(text)}

    def _ordered(self, numbers: Sequence[int], texts: Sequence[Text], sort: str, order: str) -> Sequence[int]:
        if sort in _ORDERS:
            sign = 1 if order == "asc" else -1
            return sorted(numbers, key=lambda n: (sign * _ORDERS[sort](self._things[n]), self._things[n].name))
        scores = self._scores(texts, numbers)
        return sorted(numbers, key=lambda n: (-scores[n], -self._things[n].updated.timestamp(), self._things[n].name))

    def _scores(self, texts: Sequence[Text], numbers: Sequence[int]) -> Mapping[int, float]:
        total = dict.fromkeys(numbers, 0.0)
        for field, index in self._indexes.items():
            weight = TITLE_WEIGHT if field == "title" else 1.0
            for number, score in index.score([index.find_text(text) for text in texts], numbers).items():
                total[number] += weight * score
        return total

    def _check_names(self, tree: Node) -> None:
        """Whoever and whatever is named must be there: https://docs.github.com/en/rest/search/search ."""
        known: Mapping[str, Mapping[str, object]] = {
            "repo": self._forge.repositories,
            "org": self._forge.owners,
            "user": {**self._forge.owners, **self._forge.users},
            **dict.fromkeys(_PEOPLE, self._forge.users),
        }
        for leaf, wanted in Tree[Leaf](tree).leaves():
            if isinstance(leaf, Qualifier) and wanted and leaf.name in known:
                value = leaf.value.casefold()
                if value != "@me" and not value.startswith("app/") and value not in known[leaf.name]:
                    raise QueryError(UNSEARCHABLE)


def _says_kind(leaf: Text | Qualifier) -> bool:
    return isinstance(leaf, Qualifier) and leaf.name in ("is", "type") and leaf.value.casefold() in KINDS


def _values(tree: Node, name: str) -> list[str]:
    """What a qualifier is given, where it is wanted."""
    named = (
        leaf
        for leaf, wanted in Tree[Leaf](tree).leaves()
        if wanted and isinstance(leaf, Qualifier) and leaf.name == name
    )
    return [leaf.value.casefold() for leaf in named]


def _texts(tree: Node) -> Sequence[Text]:
    return [leaf for leaf, wanted in Tree[Leaf](tree).leaves() if isinstance(leaf, Text) and wanted]
