"""What may be said outside: a question without the names, places, keys and hosts that only exist inside. Pure.

It holds back too much rather than too little, and everything that it holds back is told.

Such names are known by the sources' directories, by the question itself, and by what a site says of its words.
"""

from __future__ import annotations

import ipaddress
import re
from collections import defaultdict
from dataclasses import field, replace
from typing import TYPE_CHECKING

from translators.emit import as_typed
from translators.match import HANGUL, WORD, fold
from translators.patterns import regex
from translators.query import (
    AllOf,
    AnyOf,
    Clause,
    Compare,
    Container,
    EntityKind,
    Field,
    IdKind,
    Not,
    Phrase,
    Prefix,
    Term,
    all_of,
    any_of,
    conjuncts,
    leaves,
)
from translators.records import record
from translators.said import UNSAID, Said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from connectors.contract import SourceDirectory
    from translators.query import Entity, Identifier, Query

Name = tuple[str, ...]

PERSON = Said("names of people stay inside")
PLACE = Said("names of channels, projects and other places stay inside")
NAMED = Said("it is a name that only exists inside")
SHORTEST = 2  # letters of a name


@record
class Vocabulary:
    """What a site says of its own words. ``words`` and ``hosts`` only exist inside; ``public`` words may be said anywhere.

    ``common``: words of the language, which are no names where they are written small.
    """

    words: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    public: tuple[str, ...] = ()
    common: frozenset[str] = frozenset()

    def knows(self, word: str) -> bool:
        """Whether a word, folded, is one of the language."""
        return word in self.common or word.removesuffix("s") in self.common


def of_person(name: str, email: str | None, native_id: str | None) -> Iterator[Name]:
    """The whole name in either order, each part of it, what stands before the @, and the id."""
    whole = words_of(name)
    others = (words_of((email or "").partition("@")[0]), words_of(native_id or ""))
    yield from filter(None, (whole, whole[::-1], *others))
    yield from ((part,) for part in whole if len(part) >= SHORTEST)
    joined = "".join(whole)
    if joined and len(whole) > 1:
        yield (joined,)
    if len(whole) == 1 and HANGUL.match(joined) and len(joined) in (3, 4):  # 김민수: 민수, and 김 민수
        yield (joined[1:],)
        yield (joined[0], joined[1:])


def of_question(query: Query, vocabulary: Vocabulary) -> Iterator[tuple[Name, Said]]:
    """People, projects and teams that the question names, and the filters for them, each with the reason to hold it."""
    author = query.author
    if author and not author.me:
        yield from dict.fromkeys(of_person(author.name, author.email, author.native_id), PERSON).items()
    if query.container and "." not in query.container.name and (place := words_of(query.container.name)):
        yield place, PLACE
    for entity in query.entities:
        yield from _of_entity(entity, vocabulary)


def _of_entity(entity: Entity, vocabulary: Vocabulary) -> Iterator[tuple[Name, Said]]:
    """A tool is known everywhere; and a project whose name is words of the language was guessed."""
    name = words_of(entity.name)
    if entity.kind is EntityKind.PERSON:
        yield from dict.fromkeys(of_person(entity.name, entity.email, None), PERSON).items()
    elif entity.kind is not EntityKind.TOOL and name and not all(map(vocabulary.knows, name)):
        yield name, NAMED


def spelled(line: str) -> list[str]:
    """Words as they are written."""
    return WORD.findall(line.replace("_", " "))


def words_of(text: str) -> Name:
    """The words of a name as they are compared; none for one that is too short to be told from anything else."""
    words = tuple(map(fold, spelled(as_typed(text))))
    return words if sum(map(len, words)) >= SHORTEST else ()


def beginnings(word: str) -> Iterator[str]:
    """Where a name may begin: the word, and what is left of a Hangul word without particles."""
    yield word
    if HANGUL.match(word):
        yield from (word[:size] for size in range(len(word) - 1, 0, -1))


KEY = Said("keys and ids of things inside stay inside")
HOST = Said("hosts that only exist inside stay inside")
KNOWN_INSIDE = Said("only sources inside know this")

# Korean follows a Latin word without a blank, so that a key or a host ends where Hangul begins: hence [A-Za-z0-9], not \w.
ADDRESS = regex(r"[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+")
MENTION = regex(r"<[@#!][^>]*>|(?<![A-Za-z0-9_/@])@[\w.-]+(?![\w/.-])|(?<![A-Za-z0-9_&/#])#[^\W\d][\w-]*")
NATIVE = regex(r"(?<![A-Za-z0-9])[UWCDGTB](?=[A-Z]*\d)[A-Z0-9]{8,11}(?![A-Za-z0-9])")  # Slack's
UUID = regex(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE)
TICKET = regex(r"(?<![A-Za-z0-9])([A-Z][A-Z0-9]{1,9})-\d+(?![A-Za-z0-9])")
KNOWN_KEY = regex(r"(?<![a-z0-9])([a-z][a-z0-9_]*|[가-힣]+)-\d+")
ISSUE = regex(r"[\w.-]+/[\w.-]+#\d+|(?<![A-Za-z0-9_])#\d+")
# What is written like the key of a ticket and is known everywhere.
STANDARDS = frozenset(
    "aes ansi arm bs cve covid cwe ddr din ecma en es fips ghsa gpt hdmi hmac http iec ieee iso jsr llama md mpeg pep pci "
    "rc rfc rs rsa sha soc ssl tls usb utf ucs wcag web".split()
)
LINK = regex(r"(?:[a-z][a-z0-9+.-]*://)(?:[^/\s@]*@)?(\[[^\]]+\]|[^/\s:?#\"')]+)", re.IGNORECASE)
DOTTED = regex(r"(?<![A-Za-z0-9_.-])(?:[A-Za-z0-9_-]+\.)+[A-Za-z0-9-]+")
ASCII = regex(r"[\x21-\x7e]*")
SHARE = regex(r"\\\\[\w.-]+")
LOCAL = (".local", ".internal", ".intranet", ".corp", ".lan", ".home.arpa", ".localdomain", ".test")
PAPER = regex(r".+\.(?:pdf|docx?|xlsx?|pptx?|hwpx?|odt|ods|odp|key|numbers|csv|zip)", re.IGNORECASE)
POINTING = frozenset({IdKind.TICKET, IdKind.PULL_REQUEST, IdKind.PERMALINK})


@record
class Released:
    """``where`` may be sent. ``held``: the conditions that may not, each with the reason."""

    where: Clause
    held: tuple[tuple[Clause, Said], ...] = ()


@record
class Inside:
    """All that must not be said outside. Build it with :meth:`of`."""

    names: Mapping[str, tuple[tuple[Name, Said], ...]]
    hosts: tuple[str, ...]
    keys: frozenset[str]
    ids: tuple[str, ...]
    said_names: frozenset[Name]
    vocabulary: Vocabulary = field(default_factory=Vocabulary)

    @staticmethod
    def of(
        query: Query, directories: Iterable[SourceDirectory], vocabulary: Vocabulary, hosts: Iterable[str] = ()
    ) -> Inside:
        """By the sources' directories, the site's own words, and what the question itself names. ``hosts``: the sources' own."""
        known: dict[Name, Said] = {}
        keys: set[str] = set()
        for directory in directories:
            for person in directory.people:
                known |= dict.fromkeys(of_person(person.name, person.email, person.native_id), PERSON)
            for place in directory.containers:
                known |= dict.fromkeys(filter(None, map(words_of, (place.name, place.native_id or ""))), PLACE)
                keys |= {fold(place.name), fold(place.native_id or "")}
        known |= dict.fromkeys(filter(None, map(words_of, vocabulary.words)), NAMED)
        said = dict(of_question(query, vocabulary))
        index: dict[str, list[tuple[Name, Said]]] = defaultdict(list)
        public = set(map(words_of, vocabulary.public))
        for name, reason in {**known, **said}.items():
            if name not in public:
                index[name[0]].append((name, reason))
        return Inside(
            {first: tuple(names) for first, names in index.items()},
            tuple({_bare(host) for host in (*vocabulary.hosts, *hosts) if _bare(host)}),
            frozenset(keys - {""}),
            tuple(fold(each.text).strip() for each in query.ids if _points_inside(each)),
            frozenset(said),
            vocabulary,
        )

    def finds(self, text: str) -> Said:
        """Why ``text`` may not be said outside; empty where it may."""
        line = as_typed(text)
        return self._key_in(line) or self._host_in(line) or self._name_in(line)

    def sayable(self, query: Query) -> Query:
        """``query`` with those of its lesser words that may be said outside, alone and beside its keywords."""
        words = [*query.keywords, *(word for word, _ in query.lesser)]
        spread = self.spanning(words)
        first = len(query.keywords)
        kept = (
            each for place, each in enumerate(query.lesser, first) if place not in spread and not self.finds(each[0])
        )
        return replace(query, lesser=tuple(kept))

    # ---- what is looked for

    def _key_in(self, line: str) -> Said:
        if ADDRESS.search(line):
            return PERSON
        patterns = (MENTION, NATIVE, UUID, ISSUE)
        if any(pattern.search(line) for pattern in patterns):
            return KEY
        if any(fold(found[1]) not in STANDARDS for found in TICKET.finditer(line)):
            return KEY
        folded = fold(line)
        if any(each and each in folded for each in self.ids) or self._known_key(folded):
            return KEY
        return UNSAID

    def _known_key(self, folded: str) -> bool:
        """``eng-12`` in small letters, where ENG is a project of ours."""
        return any(found[1] in self.keys for found in KNOWN_KEY.finditer(folded))

    def _host_in(self, line: str) -> Said:
        if SHARE.search(line):
            return HOST
        links = [found[1] for found in LINK.finditer(line)]
        linked = {host for link in links for host in (link, ASCII.match(link)[0]) if host}  # type: ignore[index]
        dotted = [found[0] for found in DOTTED.finditer(line)]
        return (
            HOST if any(self._is_inside(_bare(host), alone=host in linked) for host in (*linked, *dotted)) else UNSAID
        )

    def _is_inside(self, host: str, *, alone: bool) -> bool:
        try:
            return not ipaddress.ip_address(host.strip("[]")).is_global
        except ValueError:
            pass
        ours = any(host == each or host.endswith(f".{each}") for each in self.hosts)
        return ours or f".{host}".endswith(LOCAL) or (alone and "." not in host)

    def _name_in(self, line: str) -> Said:
        return next((reason for _, _, reason in self._names_in(spelled(line))), UNSAID)

    def spanning(self, texts: Sequence[str]) -> Mapping[int, Said]:
        """Which of ``texts``, side by side, are parts of a name that none of them holds alone, each with the reason."""
        tokens = [(place, token) for place, text in enumerate(texts) for token in spelled(as_typed(text))]
        found: dict[int, Said] = {}
        for at, size, reason in self._names_in([token for _, token in tokens]):
            found |= dict.fromkeys((place for place, _ in tokens[at : at + size]), reason)
        return found

    def _names_in(self, written: Sequence[str]) -> Iterator[tuple[int, int, Said]]:
        """Where a name begins among words, how many it has, and why it is held."""
        words = [fold(word) for word in written]
        for at, word in enumerate(words):
            for first in beginnings(word):
                for name, reason in self.names.get(first, ()):
                    if self._stands(name, words[at:]) and not self._ordinary(name, written[at]):
                        yield at, len(name), reason

    def _stands(self, name: Name, words: list[str]) -> bool:
        """Whether ``words`` begin with the name; a last Hangul word may carry a particle."""
        run = words[: len(name)]
        same = run[:-1] == list(name[:-1]) and len(run) == len(name)
        return same and (run[-1] == name[-1] or (HANGUL.match(name[-1]) is not None and run[-1].startswith(name[-1])))

    def _ordinary(self, name: Name, written: str) -> bool:
        """A word of the language, written small, though something is called so; not where the question means that."""
        small = written == written.lower()
        return len(name) == 1 and small and name not in self.said_names and self.vocabulary.knows(name[0])


def release(where: Clause, inside: Inside) -> Released:
    """``where`` without what must not be said; of alternatives, those that may be said stay."""
    kept: list[Clause] = []
    held: list[tuple[Clause, Said]] = []
    for part in conjuncts(where):
        reason = _why_held(part, inside)
        if not reason:
            kept.append(part)
            continue
        held.append((part, reason))
        if isinstance(part, AnyOf):
            sayable = [each for each in part.parts if not _why_held(each, inside)]
            kept += [any_of(sayable)] if sayable else []
    spread = inside.spanning([str(part) if isinstance(part, Term) else "\n" for part in kept])
    held += [(kept[place], reason) for place, reason in spread.items()]
    return Released(all_of(part for place, part in enumerate(kept) if place not in spread), tuple(held))


def _why_held(part: Clause, inside: Inside) -> Said:
    """A name may be spread over the words of an alternative, so they are looked at together as well."""
    each = next(filter(None, (_why(leaf, inside) for leaf in leaves(part))), UNSAID)
    whole = [" ".join(map(_text, leaves(group))) for group in _groups(part)]
    return each or next(filter(None, map(inside.finds, whole)), UNSAID)


def _groups(part: Clause) -> Iterator[Clause]:
    match part:
        case AllOf():
            yield part
        case AnyOf(parts):
            for each in parts:
                yield from _groups(each)
        case Not(each):
            yield from _groups(each)
        case _:
            return


def _text(leaf: Term | Phrase | Prefix | Compare) -> str:
    return "" if isinstance(leaf, Compare) else leaf.text


def _why(leaf: Term | Phrase | Prefix | Compare, inside: Inside) -> Said:
    match leaf:
        case Term(text) | Phrase(text) | Prefix(text):
            return inside.finds(text)
        case Compare(Field.CONTAINER, _, Container() as place):
            return inside.finds(place.native_id or place.name) if "." in (place.native_id or place.name) else PLACE
        case Compare(Field.AUTHOR | Field.ASSIGNEE):
            return PERSON
        case Compare(Field.ID):
            return KEY
        case Compare(Field.STATE | Field.DUE):
            return KNOWN_INSIDE
        case _:
            return UNSAID


def _bare(host: str) -> str:
    return fold(host).strip().strip(".").removeprefix("www.")


def _points_inside(thing: Identifier) -> bool:
    return thing.kind in POINTING or (thing.kind is IdKind.FILE_NAME and PAPER.fullmatch(thing.text) is not None)
