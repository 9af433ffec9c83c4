"""Gmail's search box as a tree, for which nothing is a syntax error; and its evaluation over a mailbox, dates as moments.

https://support.google.com/mail/answer/7190 (see docs/reference/sandbox.md for the source of each rule).
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from orchestrator.sandbox.gmail.store import Address, Mail, Mailbox
from orchestrator.sandbox.index import Text, TextIndex, composed, words
from orchestrator.sandbox.logic import All, Any, Not, Tree, months_after

OPERATORS = frozenset(
    {
        "from", "to", "cc", "bcc", "subject", "label", "category", "has", "list", "filename", "in", "is", "after", "before",
        "older", "newer", "older_than", "newer_than", "deliveredto", "rfc822msgid", "size", "larger", "smaller",
    }
)  # fmt: skip
MAX_DEPTH = 40
"""Brackets nested deeper than this are read as punctuation."""

_TOKEN = re.compile(
    r'\s*(?:(?P<open>-?[({])|(?P<close>[)}])|(?P<dash>-?)"(?P<phrase>[^"]*)"?'
    r'|(?P<operator>-?\w+:)(?=[^\s)}])|(?P<word>[^\s(){}"]+))',
)
_RUN = re.compile(r'[^\s(){}"]+')


@dataclass(frozen=True, slots=True)
class Field:
    """`operator:value`, or `operator:(…)`."""

    name: str
    value: "Node"


Leaf = Text | Field
Node = Leaf | Not[Leaf] | All[Leaf] | Any[Leaf]


def parse(text: str) -> All[Leaf]:
    """Read a query."""
    return All(_Parser(composed(text)).units(closer=None))


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self._depth = 0

    def units(self, closer: str | None) -> Sequence[Node]:
        """Units up to the closing bracket; `OR` joins its two neighbours, closer than a space does."""
        found: list[Node] = []
        joining = False
        while (token := self._next()) is not None:
            if token["close"]:
                if token["close"] == closer:
                    break
                continue
            if token["word"] in ("OR", "AND"):
                joining = token["word"] == "OR" and bool(found)
                continue
            unit = self._unit(token)
            if unit is None:
                continue
            if joining:
                found.append(_either(found.pop(), unit))
            else:
                found.append(unit)
            joining = False
        return tuple(dict.fromkeys(found))

    def _next(self) -> re.Match[str] | None:
        token = _TOKEN.match(self._text, self._place)
        if token is None or token.end() == self._place:
            return None
        self._place = token.end()
        return token

    def _unit(self, token: re.Match[str]) -> Node | None:
        if token["open"]:
            return self._group(token["open"])
        if token["operator"]:
            return self._field(token["operator"])
        if token["phrase"] is not None:
            return _negated(_text(token["phrase"], quoted=True), token["dash"])
        word = token["word"]
        dash = "-" if word.startswith("-") and len(word) > 1 else ""
        return _negated(_text(word.removeprefix("-")), dash)

    def _group(self, opener: str) -> Node | None:
        if self._depth >= MAX_DEPTH:
            return None
        self._depth += 1
        bracket = opener[-1]
        nodes = self.units(")" if bracket == "(" else "}")
        self._depth -= 1
        group: Node = All(nodes) if bracket == "(" else Any(nodes)
        return _negated(group, opener[:-1]) if nodes else None

    def _field(self, operator: str) -> Node | None:
        dash = "-" if operator.startswith("-") else ""
        written = operator.removeprefix("-")
        name = written[:-1].casefold()
        plain = self._run()
        if name not in OPERATORS:  # what is no operator is looked for as text, value and all
            return _negated(_text(written + plain), dash)
        value = Text(plain) if plain else self._bracketed()
        return _negated(Field(name, value), dash) if value is not None else None

    def _run(self) -> str:
        """What stands right here up to a space, bracket or quote: a second colon belongs to the value."""
        run = _RUN.match(self._text, self._place)
        if run is None:
            return ""
        self._place = run.end()
        return run[0]

    def _bracketed(self) -> Node | None:
        token = self._next()
        if token is not None and token["open"]:
            return self._group(token["open"])
        return Text(token["phrase"], quoted=True) if token is not None and token["phrase"] is not None else None


def _text(text: str, *, quoted: bool = False) -> Text | None:
    return Text(text.removeprefix("+"), quoted) if words(text) else None


def _negated(node: Node | None, dash: str) -> Node | None:
    return Not(node) if dash and node is not None else node


def _either(left: Node, right: Node) -> Node:
    return replace(left, nodes=(*left.nodes, right)) if isinstance(left, Any) else Any((left, right))


PACIFIC = ZoneInfo("America/Los_Angeles")
"""Where the days of `after:` and `before:` begin, whoever asks."""
_YEAR_FIRST = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})", re.ASCII)
_YEAR_LAST = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})", re.ASCII)
_EPOCH = re.compile(r"\d{6,11}", re.ASCII)
_AGE = re.compile(r"(\d{1,5})([dmy])", re.ASCII)
_SIZE = re.compile(r"(\d{1,12})([kKmM]?)[bB]?", re.ASCII)
_UNITS = {"": 1, "k": 1024, "m": 1024 * 1024}
_LINKS = {
    "drive": re.compile(r"https://(?:drive|docs)\.google\.com/"),
    "document": re.compile(r"https://docs\.google\.com/document/"),
    "spreadsheet": re.compile(r"https://docs\.google\.com/spreadsheets/"),
    "presentation": re.compile(r"https://docs\.google\.com/presentation/"),
    "youtube": re.compile(r"https://(?:www\.)?(?:youtube\.com|youtu\.be)/"),
}
_PEOPLE = frozenset({"from", "to", "cc", "bcc", "deliveredto"})
_PLACES = frozenset({"in", "label"})
_HIDDEN = frozenset({"SPAM", "TRASH"})
Numbers = frozenset[int]
Test = Callable[[Mail], bool]


def boundary(text: str) -> int | None:
    """Milliseconds since 1970 of `2026/03/01`, `03/01/2026` (midnight in California) or epoch seconds, else nothing."""
    if _EPOCH.fullmatch(text):
        return int(text) * 1000
    try:
        if found := _YEAR_FIRST.fullmatch(text):
            day = datetime(int(found[1]), int(found[2]), int(found[3]), tzinfo=PACIFIC)
        elif found := _YEAR_LAST.fullmatch(text):
            day = datetime(int(found[3]), int(found[1]), int(found[2]), tzinfo=PACIFIC)
        else:
            return None
        return int(day.timestamp() * 1000)
    except (ValueError, OverflowError):  # a day the calendar does not have
        return None


def age(text: str, now: datetime) -> int | None:
    """Milliseconds since 1970 of `2d`, `3m` or `1y` before now, else nothing."""
    found = _AGE.fullmatch(text)
    if found is None:
        return None
    number, unit = int(found[1]), found[2]
    try:
        moment = (
            now - timedelta(days=number) if unit == "d" else months_after(now, -number * (12 if unit == "y" else 1))
        )
    except (ValueError, OverflowError):  # before the first year: older than everything
        return -(10**15)
    return int(moment.timestamp() * 1000)


class MailSearch:
    """Search over one mailbox; the indexes are built once."""

    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox
        self._mails = mailbox.mails
        self._all = frozenset(range(len(self._mails)))
        self._anything = TextIndex(_everything(mail) for mail in self._mails)
        self._fields: Mapping[str, TextIndex] = {
            "subject": TextIndex((mail.subject,) for mail in self._mails),
            "filename": TextIndex(mail.attachments for mail in self._mails),
            "from": TextIndex(_named([mail.sender]) for mail in self._mails),
            "to": TextIndex(_named(mail.to) for mail in self._mails),
            "cc": TextIndex(_named(mail.cc) for mail in self._mails),
            "bcc": TextIndex(_named(mail.bcc) for mail in self._mails),
            "deliveredto": TextIndex(_named([*mail.to, *mail.cc, *mail.bcc]) for mail in self._mails),
        }

    def find(self, text: str, *, labels: Iterable[str], hidden: bool, now: datetime) -> Sequence[Mail]:
        """Mail that matches, newest first; spam and trash only if `hidden` or the query names them."""
        query = parse(text)
        found = _Evaluation(self, now).numbers(query)
        wanted = set(labels)
        skipped = frozenset() if hidden or _names_hidden(query) else _HIDDEN - wanted
        mails = (self._mails[number] for number in sorted(found))
        return [mail for mail in mails if wanted <= mail.labels and not skipped & mail.labels]

    @property
    def all(self) -> Numbers:
        """Every mail."""
        return self._all

    def having(self, test: Test) -> Numbers:
        """The mails that pass a test."""
        return frozenset(number for number, mail in enumerate(self._mails) if test(mail))

    def holding(self, text: Text, field: str) -> Numbers:
        """The mails whose field (or, without one, any part) holds the words."""
        index = self._fields.get(field, self._anything)
        found = index.find_text(text)
        return frozenset(found)

    def me(self, field: str) -> Numbers:
        """The mails that have the account's owner in an address field."""
        email = self._mailbox.owner.email
        return self.having(lambda mail: any(address.email == email for address in _addresses(mail, field)))

    def label(self, name: str) -> Numbers:
        """The mails under a label."""
        label = self._mailbox.label(name)
        return self.having(lambda mail: label in mail.labels)


class _Evaluation:
    """One query at one time."""

    def __init__(self, search: MailSearch, now: datetime) -> None:
        self._search = search
        self._now = now

    def numbers(self, node: Node, field: str = "") -> Numbers:
        """The mails a node matches; inside `operator:( )` every text is one of that operator's values."""

        def meeting(leaf: Leaf) -> Numbers:
            return self._value(field, leaf) if isinstance(leaf, Text) else self.numbers(leaf.value, leaf.name)

        return Tree[Leaf](node).satisfying(self._search.all, meeting)

    def _value(self, field: str, text: Text) -> Numbers:
        value = text.text.strip()
        if field in _PEOPLE and value.casefold() == "me":
            return self._search.me(field)
        match field:
            case "" | "subject" | "filename" | "from" | "to" | "cc" | "bcc" | "deliveredto":
                return self._search.holding(text, field) if words(value) else frozenset()
            case "label" | "in":
                return self._place(field, value)
            case _:
                return self._search.having(self._test(field, value))

    def _place(self, field: str, value: str) -> Numbers:
        if field == "in" and value.casefold() == "anywhere":
            return self._search.all
        names = {"drafts": "draft", "chats": "chat"} if field == "in" else {}
        return self._search.label(names.get(value.casefold(), value))

    def _test(self, field: str, value: str) -> Test:
        makers: Mapping[str, Callable[[], Test]] = {
            "after": lambda: _later(boundary(value)),
            "newer": lambda: _later(boundary(value)),
            "newer_than": lambda: _later(age(value, self._now)),
            "before": lambda: _earlier(boundary(value)),
            "older": lambda: _earlier(boundary(value)),
            "older_than": lambda: _earlier(age(value, self._now)),
            "size": lambda: _sized(field, value),
            "larger": lambda: _sized(field, value),
            "smaller": lambda: _sized(field, value),
            "rfc822msgid": lambda: lambda mail: mail.message_id == value.strip("<>"),
            "has": lambda: _has(value.casefold()),
            "is": lambda: _is(value.casefold()),
            "category": lambda: _in_category(value.casefold()),
            "list": lambda: _never,  # no corpus row comes from a mailing list
        }
        return makers[field]()


def _later(moment: int | None) -> Test:
    return _never if moment is None else lambda mail: mail.date > moment


def _earlier(moment: int | None) -> Test:
    return _never if moment is None else lambda mail: mail.date < moment


def _never(_: Mail) -> bool:
    return False


def _everything(mail: Mail) -> Sequence[str]:
    people = _named([mail.sender, *mail.to, *mail.cc, *mail.bcc])
    return [mail.subject, mail.body, *people, *mail.attachments]


def _named(addresses: Iterable[Address]) -> Sequence[str]:
    return [text for address in addresses for text in (address.name, address.email)]


def _addresses(mail: Mail, field: str) -> Sequence[Address]:
    match field:
        case "from":
            return [mail.sender]
        case "to":
            return mail.to
        case "cc":
            return mail.cc
        case "bcc":
            return mail.bcc
        case _:
            return [*mail.to, *mail.cc, *mail.bcc]


def _sized(field: str, value: str) -> Test:
    found = _SIZE.fullmatch(value)
    if found is None:
        return _never
    limit = int(found[1]) * _UNITS[found[2].casefold()]
    return (lambda mail: mail.size < limit) if field == "smaller" else (lambda mail: mail.size > limit)


def _has(value: str) -> Test:
    if value == "attachment":
        return lambda mail: bool(mail.attachments)
    if value in ("userlabels", "nouserlabels"):
        return lambda mail: any(label.startswith("Label_") for label in mail.labels) is (value == "userlabels")
    pattern = _LINKS.get(value)
    return (lambda mail: pattern.search(mail.body) is not None) if pattern else _never


def _is(value: str) -> Test:
    if value == "read":
        return lambda mail: "UNREAD" not in mail.labels
    if value in ("unread", "starred", "important", "sent", "draft", "chat"):
        return lambda mail: value.upper() in mail.labels
    return _never


def _in_category(value: str) -> Test:
    if value != "primary":
        return lambda mail: f"CATEGORY_{value.upper()}" in mail.labels
    return lambda mail: "CATEGORY_PERSONAL" in mail.labels or not any(x.startswith("CATEGORY_") for x in mail.labels)


def _names_hidden(node: Node) -> bool:
    places = [
        leaf.value
        for leaf, wanted in Tree[Leaf](node).leaves()
        if wanted and isinstance(leaf, Field) and leaf.name in _PLACES
    ]
    return any(isinstance(each, Text) and each.text.casefold() in ("anywhere", "spam", "trash") for each in places)
