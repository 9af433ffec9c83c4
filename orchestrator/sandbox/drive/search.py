"""Evaluate a query of `q` over the files that an account sees."""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from orchestrator.sandbox.drive.grammar import Condition, Leaf, Member, Node, parse
from orchestrator.sandbox.drive.store import File, Library
from orchestrator.sandbox.index import Matches, TextIndex, composed, words
from orchestrator.sandbox.logic import Tree

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
