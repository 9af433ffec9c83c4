"""The language of `q` as a tree, in which what Google does not know is an error; and its evaluation over the files of an account.

https://developers.google.com/workspace/drive/api/guides/ref-search-terms (see docs/reference/sandbox.md for each rule).
"""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from orchestrator.sandbox.drive.store import File, Library
from orchestrator.sandbox.index import Matches, TextIndex, composed, words
from orchestrator.sandbox.logic import END, All, Any, Junctions, Not, Tokens, Tree

MAX_DEPTH = 40
"""Parentheses and negations nested deeper than this are refused."""

_EQUAL = frozenset({"=", "!="})
_ORDERED = frozenset({"<", "<=", "=", "!=", ">", ">="})
TERMS: Mapping[str, frozenset[str]] = {
    "name": frozenset({"contains", "=", "!="}),
    "fullText": frozenset({"contains"}),
    "mimeType": frozenset({"contains", "=", "!="}),
    "modifiedTime": _ORDERED,
    "viewedByMeTime": _ORDERED,
    "createdTime": _ORDERED,
    "trashed": _EQUAL,
    "starred": _EQUAL,
    "sharedWithMe": _EQUAL,
    "visibility": _EQUAL,
}
"""The terms of files, and the operators of each."""

FLAGS = frozenset({"trashed", "starred", "sharedWithMe"})
TIMES = frozenset({"modifiedTime", "viewedByMeTime", "createdTime"})
COLLECTIONS = frozenset({"parents", "owners", "writers", "readers"})

_TOKEN = re.compile(
    r"\s*(?:'(?P<value>(?:[^'\\]|\\.)*)'|(?P<word>[A-Za-z]\w*)|(?P<operator><=|>=|!=|=|<|>)|(?P<bracket>[()]))",
    re.DOTALL | re.ASCII,
)
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})?)?", re.ASCII)


class QueryError(ValueError):
    """A query that Drive does not understand."""


@dataclass(frozen=True, slots=True)
class Condition:
    """`term operator value`; a flag's value is a truth value, a time's an instant."""

    term: str
    operator: str
    value: str | bool | datetime


@dataclass(frozen=True, slots=True)
class Member:
    """`'value' in collection`."""

    value: str
    collection: str


Leaf = Condition | Member
Node = Leaf | Not[Leaf] | All[Leaf] | Any[Leaf]


def parse(text: str) -> Node:
    """Read a query; an empty one holds for everything. Raises `QueryError`."""
    return _Parser(Tokens(composed(text), _TOKEN, QueryError)).whole()


class _Parser(Junctions[Leaf]):
    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self._depth = 0

    def whole(self) -> Node:
        if self._tokens.here == END:
            return All(())
        node = self.alternatives()
        self._tokens.end()
        return node

    def takes_or(self) -> bool:
        return self._tokens.skip("word", "or")

    def takes_and(self) -> bool:
        return self._tokens.skip("word", "and")

    def unit(self) -> Node:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise QueryError("(")
        node = self._unnested()
        self._depth -= 1
        return node

    def _unnested(self) -> Node:
        if self._tokens.skip("word", "not"):
            node = self.unit()
            if node == Condition("sharedWithMe", "=", value=True):  # there is no search for what is one's own
                raise QueryError("sharedWithMe")
            return Not(node)
        if self._tokens.skip("bracket", "("):
            node = self.alternatives()
            if not self._tokens.skip("bracket", ")"):
                raise QueryError("(")
            return node
        if self._tokens.here[0] == "value":
            return self._member()
        return self._condition()

    def _value(self) -> str:
        return re.sub(r"\\(.)", r"\1", self._tokens.take("value"), flags=re.DOTALL)

    def _member(self) -> Node:
        value = self._value()
        if self._tokens.take("word") != "in":
            raise QueryError(value)
        collection = self._tokens.take("word")
        if collection not in COLLECTIONS:
            raise QueryError(collection)
        return Member(value, collection)

    def _condition(self) -> Node:
        term = self._tokens.take("word")
        if term in FLAGS and self._tokens.here not in {("operator", "="), ("operator", "!=")}:
            return Condition(term, "=", value=True)
        operator = self._tokens.take("word", "operator")
        if operator not in TERMS.get(term, ()):
            raise QueryError(term)
        if term in FLAGS:
            return self._flag(term, operator)
        value = self._value()
        return Condition(term, operator, _moment(value) if term in TIMES else value)

    def _flag(self, term: str, operator: str) -> Node:
        value = self._tokens.take("word")
        if value not in ("true", "false") or (term == "sharedWithMe" and (operator, value) != ("=", "true")):
            raise QueryError(value)
        return Condition(term, "=", value=(value == "true") is (operator == "="))


def _moment(text: str) -> datetime:
    if not _TIME.fullmatch(text):
        raise QueryError(text)
    try:
        moment = datetime.fromisoformat(text)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise QueryError(text) from error


ORDER_KEYS: Mapping[str, Callable[[File], tuple[float | str, ...]]] = {
    "createdTime": lambda file: (file.created.timestamp(),),
    "folder": lambda file: (not file.mime.endswith(".folder"),),
    "modifiedTime": lambda file: (file.modified.timestamp(),),
    "modifiedByMeTime": lambda file: (file.modified.timestamp(),),
    "viewedByMeTime": lambda file: (file.modified.timestamp(),),
    "recency": lambda file: (file.modified.timestamp(),),
    "sharedWithMeTime": lambda file: (file.created.timestamp(),),
    "name": lambda file: (file.name.casefold(),),
    "name_natural": lambda file: tuple(part.zfill(20) for part in re.split(r"(\d+)", file.name.casefold())),
    "quotaBytesUsed": lambda file: (file.size,),
    "starred": lambda file: (file.starred,),
}
"""What files can be ordered by."""

_COMPARED: Mapping[str, Callable[[datetime, datetime], bool]] = {
    "<": operator.lt, "<=": operator.le, "=": operator.eq, "!=": operator.ne, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_FLAGS: Mapping[str, Callable[[File], bool]] = {
    "trashed": lambda file: file.trashed,
    "starred": lambda file: file.starred,
    "sharedWithMe": lambda file: file.shared,
}
_QUOTED = re.compile(r'"([^"]*)"')

Numbers = frozenset[int]


class FileSearch:
    """Search over one account's files; the indexes are built once."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._files = library.files
        self._all = frozenset(range(len(self._files)))
        self._texts = TextIndex((file.name, file.description, file.text) for file in self._files)
        self._names = TextIndex((file.name,) for file in self._files)

    def find(self, text: str, within: Callable[[File], bool], order: Sequence[tuple[str, bool]]) -> Sequence[File]:
        """Files that match: by the keys of `order` (each with whether it descends), else by relevance or the latest.

        Raises `QueryError`.
        """
        query = parse(text)
        found = [
            number
            for number in sorted(Tree[Leaf](query).satisfying(self._all, self._meeting))
            if within(self._files[number])
        ]
        sought = [matches for part in full_texts(query, negated=False) for matches in self._matches(part)]
        if sought:
            scores = self._texts.score(sought, found)
            found.sort(key=lambda number: -scores[number])
        files = [self._files[number] for number in found]
        for key, descending in reversed(order):
            files.sort(key=ORDER_KEYS[key], reverse=descending)
        return files

    def _meeting(self, leaf: Leaf) -> Numbers:
        match leaf:
            case Member():
                return self._having(self._membership(leaf))
            case Condition(term="fullText", value=str() as value):
                return self._holding(self._matches(value))
            case Condition(term="name", operator="contains", value=str() as value):
                return self._holding([self._names.find(word, "prefix") for word in words(value)])
            case _:
                return self._having(_test(leaf))

    def _having(self, test: Callable[[File], bool]) -> Numbers:
        return frozenset(number for number in self._all if test(self._files[number]))

    def _holding(self, matches: Sequence[Matches]) -> Numbers:
        """What holds every one of the words; without a word, nothing."""
        return frozenset(set.intersection(*map(set, matches))) if matches else frozenset()

    def _matches(self, value: str) -> Sequence[Matches]:
        """Whole tokens, wherever they stand; in double quotes side by side."""
        phrases = [self._texts.find(phrase, "exact") for phrase in _QUOTED.findall(value) if words(phrase)]
        return phrases + [self._texts.find(word, "exact") for word in words(_QUOTED.sub(" ", value))]

    def _membership(self, member: Member) -> Callable[[File], bool]:
        value = member.value
        if member.collection == "parents":
            parent = self._library.root if value == "root" else value
            return lambda file: parent in file.parents
        email = self._library.account.email if value == "me" else value
        who = email.casefold()
        match member.collection:
            case "owners":
                return lambda file: file.owner is not None and file.owner.email.casefold() == who
            case "writers":
                return lambda file: who in {name.casefold() for name in file.writers}
            case _:
                return lambda file: who in {name.casefold() for name in file.readers}


def full_texts(node: Node, *, negated: bool = True) -> Sequence[str]:
    """The values of `fullText contains`, wherever in a query they stand, under a `not` only if `negated`."""
    return [
        str(leaf.value)
        for leaf, wanted in Tree[Leaf](node).leaves()
        if isinstance(leaf, Condition) and leaf.term == "fullText" and (wanted or negated)
    ]


def _test(condition: Condition) -> Callable[[File], bool]:
    value, equal = condition.value, condition.operator == "="
    if isinstance(value, datetime):
        compare = _COMPARED[condition.operator]
        created = condition.term == "createdTime"
        return lambda file: compare(file.created if created else file.modified, value)
    match condition.term:
        case "trashed" | "starred" | "sharedWithMe":
            return lambda file: _FLAGS[condition.term](file) is value
        case "visibility":
            return lambda _: (value == "limited") is equal
        case "mimeType" if condition.operator == "contains":
            return lambda file: str(value) in file.mime
        case term:
            kept = composed(str(value))
            return lambda file: ((file.name if term == "name" else file.mime) == kept) is equal
