"""The receipt in words, the same on every surface: what each source was sent, what came of it, what was given up. Each surface puts it into its own markup."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from orchestrator.documents.plain import one_line
from orchestrator.documents.words import VALUES, said_notes
from translators.records import record
from translators.said import Phrasebook, Said, filled_in, said_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from orchestrator.documents.answer import AnswerDocument, SourceDocument
    from orchestrator.documents.plan import LossDocument, NativeDocument

UNASKED = frozenset({"skipped", "not connected"})
ONE_HIT, HITS = Said("1 hit"), Said("{count} hits")
WORDS: Mapping[str, Said] = {
    "receipt": Said("What was asked, and what came back"),
    "listed": Said("{count} listed"),
    "took": Said("{seconds} s"),
    "requests": Said("{count} requests"),
    "problem": Said("problem"),
    "sent": Said("sent"),
    "everything": Said("(everything)"),
    "seen": Said("seen"),
    "of": Said("{returned} of {total}"),
    "covers": Said("from – to"),
    "remembered": Said("remembered"),
    "ago": Said("asked {seconds} s ago"),
    "widened": Said("widened"),
    "left out": Said("left out"),
    "note": Said("note"),
}


class ReceiptFact(NamedTuple):
    """What is told of a source under a ``name``; ``aside``: why. ``is_loss``: what was asked for was given up."""

    name: str
    text: str
    aside: str = ""
    is_loss: bool = False


@record
class ShownSource:
    """How one source took part. ``status`` is a value, ``word`` what it is called; ``counts``: what it brought, and what that took."""

    title: str
    status: str
    word: str
    counts: tuple[str, ...]
    problem: str
    sent: tuple[NativeDocument, ...]
    facts: tuple[ReceiptFact, ...]


def shown_receipt(answer: AnswerDocument, language: str = "") -> tuple[ShownSource, ...]:
    """Every configured source, asked or not; ``language``: by default that of the question."""
    words = Phrasebook({**VALUES, **WORDS}, language or answer["question"]["language"])
    return tuple(
        ShownSource(
            title=one_line(each["title"]),
            status=each["status"],
            word=words[each["status"]],
            counts=tuple(_counts(each, words)),
            problem=one_line(said_in(each["problem"]["message"], words.language)) if each["problem"] else "",
            sent=tuple(each["sent"]),
            facts=tuple(_facts(each, words)),
        )
        for each in answer["sources"]
    )


def said_hits(count: int, language: str) -> str:
    """So many hits, in words."""
    return said_in(ONE_HIT, language) if count == 1 else filled_in(HITS, language, count=count)


def said_losses(losses: Iterable[LossDocument], words: Phrasebook) -> Iterator[ReceiptFact]:
    """What became of conditions that a source cannot take as they are meant; those of one fate stand together, each once.

    >>> lost = [{"kind": "dropped", "what": each, "why": "no states"} for each in ("state", "kind", "state")]
    >>> [(each.text, each.aside) for each in said_losses(lost, Phrasebook(VALUES, "en"))]
    [('state, kind', 'no states')]
    """
    found: dict[tuple[str, str], dict[str, None]] = {}
    for each in losses:
        found.setdefault((each["kind"], each["why"]), {})[each["what"]] = None
    for (kind, why), named in found.items():
        yield ReceiptFact(words[kind], ", ".join(named), said_in(why, words.language), kind == "dropped")


def _counts(entry: SourceDocument, words: Phrasebook) -> Iterator[str]:
    if entry["status"] in UNASKED:
        return
    if entry["returned"]:
        yield said_hits(entry["returned"], words.language)
        yield words["listed"].format(count=entry["shown"])
    yield words["took"].format(seconds=f"{entry['took']:.2f}")
    if entry["requests"] > 1:
        yield words["requests"].format(count=entry["requests"])


def _facts(entry: SourceDocument, words: Phrasebook) -> Iterator[ReceiptFact]:
    if entry["total"] is not None and entry["total"] > entry["returned"]:
        yield ReceiptFact(words["seen"], words["of"].format(returned=entry["returned"], total=entry["total"]))
    if entry["covers"]:
        yield ReceiptFact(words["covers"], " – ".join(dict.fromkeys(entry["covers"])))
    if entry["age"] is not None:
        yield ReceiptFact(words["remembered"], words["ago"].format(seconds=f"{entry['age']:.0f}"))
    for given_up, found in _widened(entry).items():
        yield ReceiptFact(words["widened"], f"{said_in(given_up, words.language)} · {said_hits(found, words.language)}")
    for left in entry["left_out"]:
        yield ReceiptFact(words["left out"], f"{left['count']} × {said_in(left['reason'], words.language)}")
    yield from said_losses(entry["losses"], words)
    for note in said_notes(entry["notes"], words.language):
        yield ReceiptFact(words["note"], note)


def _widened(entry: SourceDocument) -> dict[str, int]:
    """Hits by what was given up for them, those of all variants together."""
    found: dict[str, int] = {}
    for each in entry["asked"]:
        if each["rung"]:
            found[each["label"]] = found.get(each["label"], 0) + each["returned"]
    return found
