"""What becomes of a condition that a source is asked by."""

from connectors.contract import Hit
from orchestrator.documents.filters import filter_probes
from orchestrator.model import HitList, Outcome, Status
from tests.rows import each_row
from translators.query import Category, Kind, Person
from translators.translator import NativeQuery, Translation

HITS = tuple(Hit("wiki", str(n), Kind.PAGE, author=Person(name)) for n, name in enumerate(("Dana", "Dana", "Jake")))
ASKED = NativeQuery("wiki", "rota", {"author": "Dana"})


def outcome(status, hits):
    lists = (HitList(Translation(ASKED), hits),)
    return Outcome("wiki", "Wiki", Category.WIKI, status, lists, sent=(ASKED,))


@each_row(
    ("status", "hits", "verdict", "kept"),
    [
        (Status.OK, HITS[:2], "exact", "exact"),
        (Status.PARTIAL, HITS, "unheeded", "none"),
        (Status.EMPTY, (), "narrower", "none"),
        # Whoever does not answer leaves nothing out, and nothing of it may be kept.
        (Status.TIMED_OUT, (), "unanswered", ""),
        (Status.FAILED, (), "unanswered", ""),
    ],
)
def test_a_condition_is_judged_by_what_comes(status, hits, verdict, kept):
    (probe,) = filter_probes(HITS)
    judged = probe.judged(outcome(Status.OK, HITS), outcome(status, hits))
    assert (judged.verdict, judged.fidelity, judged.power) == (verdict, kept, "author")
