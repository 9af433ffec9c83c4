"""GitHub's search syntax as a tree: with AND, OR, NOT and parentheses for issues, without for the older searches.

https://docs.github.com/en/search-github/getting-started-with-searching-on-github/understanding-the-search-syntax
(see docs/reference/sandbox.md for the source of each rule).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from orchestrator.sandbox.index import Text, composed, words
from orchestrator.sandbox.logic import All, Any, Not

QUALIFIERS = frozenset(
    {
        "repo", "org", "user", "is", "type", "state", "author", "assignee", "commenter", "involves", "label", "milestone",
        "in", "no", "created", "updated", "closed", "comments", "category", "sort",
        "path", "filename", "extension", "language",
    }
)  # fmt: skip
PLACES = frozenset({"repo", "org", "user"})
MAX_CHARACTERS, MAX_OPERATORS, MAX_DEPTH = 256, 5, 5

_TOKEN = re.compile(
    r'\s*(?:(?P<bracket>[()])|(?P<qualifier>-?\w+:(?:"[^"]*"|[^\s()"]+))|"(?P<phrase>[^"]*)"?|(?P<word>[^\s()"]+))'
)


class QueryError(ValueError):
    """A query that GitHub refuses; the message is GitHub's."""


@dataclass(frozen=True, slots=True)
class Qualifier:
    """`name:value`."""

    name: str
    value: str


Leaf = Text | Qualifier
Node = Leaf | Not[Leaf] | All[Leaf] | Any[Leaf]


def parse(query: str, *, advanced: bool) -> All[Leaf]:
    """Read a query. Raises `QueryError` for what is too long, too deep or not closed."""
    parser = _Parser(composed(query), advanced=advanced)
    tree = parser.whole()
    if parser.characters > MAX_CHARACTERS:
        raise QueryError(f"The search is longer than {MAX_CHARACTERS} characters.")
    if parser.operators > MAX_OPERATORS:
        raise QueryError("More than five AND / OR / NOT operators were used.")
    return tree


def satisfying(node: Node, among: set[int], which: Callable[[Text | Qualifier, set[int]], set[int]]) -> set[int]:
    """Those of ``among`` that satisfy a tree; ``which`` says it of a leaf. Words first: they leave few to look at."""
    match node:
        case All(nodes):
            for inner in sorted(nodes, key=lambda each: isinstance(each, Qualifier)):
                among = satisfying(inner, among, which)
            return among
        case Any(nodes):
            return {number for inner in nodes for number in satisfying(inner, among, which)}
        case Not(inner):
            return among - satisfying(inner, among, which)
        case _:
            return which(node, among)


def added_up(tree: All[Leaf]) -> All[Leaf]:
    """In the older searches several places are alternatives, and of several other qualifiers of a name the last counts."""
    nodes = [node for inner in tree.nodes for node in (inner.nodes if isinstance(inner, All) else (inner,))]
    places = [node for node in nodes if isinstance(node, Qualifier) and node.name in PLACES]
    named = {node.name: node for node in nodes if isinstance(node, Qualifier) and node.name not in PLACES}
    others = [node for node in nodes if not isinstance(node, Qualifier)]
    return All((*others, *named.values(), *((Any(tuple(places)),) if places else ())))


class _Parser:
    """One pass over the tokens; counts what GitHub limits."""

    def __init__(self, text: str, *, advanced: bool) -> None:
        self._tokens = [token for token in _TOKEN.finditer(text) if token.end() > token.start() and token[0].strip()]
        self._advanced = advanced
        self._place = 0
        self.operators = 0
        self.characters = 0

    def whole(self) -> All[Leaf]:
        nodes = self._alternatives(0)
        if self._place < len(self._tokens):
            raise QueryError("The search has a parenthesis that was never opened.")
        return All((nodes,))

    def _alternatives(self, depth: int) -> Node:
        """OR binds less closely than a blank."""
        if depth > MAX_DEPTH:
            raise QueryError(f"The search nests deeper than {MAX_DEPTH} levels.")
        found = [self._sequence(depth)]
        while self._is_operator("OR"):
            self._count()
            found.append(self._sequence(depth))
        return found[0] if len(found) == 1 else Any(tuple(found))

    def _sequence(self, depth: int) -> All[Leaf]:
        found: list[Node] = []
        while (token := self._here()) is not None and token["bracket"] != ")" and not self._is_operator("OR"):
            if self._is_operator("AND"):
                self._count()
                continue
            node = self._unit(token, depth)
            found += [node] if node is not None else []
        return All(tuple(dict.fromkeys(found)))

    def _unit(self, token: re.Match[str], depth: int) -> Node | None:
        if self._is_operator("NOT") and (following := self._after()) is not None and following["word"]:
            self._count()
            return self._negated(self._text(following["word"], quoted=False))
        self._place += 1
        if token["bracket"]:
            return self._group(token["bracket"], depth)
        if token["qualifier"]:
            return self._qualifier(token["qualifier"])
        return self._text(
            token["phrase"] if token["phrase"] is not None else token["word"], quoted=token["phrase"] is not None
        )

    def _group(self, bracket: str, depth: int) -> Node | None:
        if not self._advanced:
            return None  # punctuation is ignored
        if bracket == ")":
            raise QueryError("The search has a parenthesis that was never opened.")
        inner = self._alternatives(depth + 1)
        if (token := self._here()) is None or token["bracket"] != ")":
            raise QueryError("The search has a parenthesis that was never closed.")
        self._place += 1
        return inner

    def _qualifier(self, written: str) -> Node | None:
        sign, name, value = re.fullmatch(r"(-?)(\w+):(.+)", written, re.DOTALL).groups()  # type: ignore[union-attr]
        if name.casefold() not in QUALIFIERS:
            return self._text(written, quoted=False)
        found = Qualifier(name.casefold(), value.strip('"'))
        return Not(found) if sign else found

    def _text(self, text: str, *, quoted: bool) -> Text | None:
        self.characters += len(text) + 2 * quoted + bool(self.characters)
        return Text(text, quoted) if words(text) else None

    def _negated(self, node: Node | None) -> Node | None:
        self._place += 1
        return None if node is None else Not(node)

    def _here(self) -> re.Match[str] | None:
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    def _after(self) -> re.Match[str] | None:
        return self._tokens[self._place + 1] if self._place + 1 < len(self._tokens) else None

    def _is_operator(self, name: str) -> bool:
        """In the older searches only NOT is one, and the others are words."""
        token = self._here()
        return token is not None and token["word"] == name and (self._advanced or name == "NOT")

    def _count(self) -> None:
        self.operators += 1
        self._place += 1
