"""What one source has said so far to one question, and what of it was left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from connectors.contract import LeftOut
from translators.match import matches
from translators.query import NEARLY_TYPED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from connectors.contract import Hit, HitPage
    from orchestrator.model import HitList
    from translators.said import Said
    from translators.translator import Loss, NativeQuery


@dataclass(slots=True)
class Tally:
    """What has happened so far. It outlives a cancelled climb, so that what had arrived is not lost.

    ``losses``: of all that was sent, each once, in order. ``notes``: all that is told. ``left_out``: parts of what the
    source searches that it was not asked about; ``doubts``: of the notes what leaves it open, where nothing was found,
    whether there is anything. ``asked``: whether it was sent anything, by whomever. ``searching``: of ``requests``
    those that count as searches with the source. ``scarce``: whether there were next to no turns for them. ``passes``: of ``requests``, by their buckets; ``queued``: what waits for a turn, by its bucket;
    ``waited``: seconds that the longest wait for one took. ``silence``: seconds that a request
    had been out when it was given up, 0 once the source has answered another.
    """

    lists: list[HitList] = field(default_factory=list)
    sent: list[NativeQuery] = field(default_factory=list)
    losses: dict[Loss, None] = field(default_factory=dict)
    notes: list[Said] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    doubts: list[LeftOut] = field(default_factory=list)
    asked: bool = False
    requests: int = 0
    searching: int = 0
    scarce: bool = False
    passes: Counter[str] = field(default_factory=Counter)
    queued: list[str] = field(default_factory=list)
    waited: float = 0.0
    hedged: int = 0
    silence: float = 0.0
    age: float | None = None

    def doubt(self, said: Said, code: str = "left_out") -> None:
        """Note what leaves it open whether a source that found nothing has nothing."""
        self.notes.append(said)
        self.doubts.append(LeftOut(said, code))

    def read(self, page: HitPage) -> None:
        """Take down what a page says of its completeness. One that took no request is in no doubt: it does not count."""
        self.notes += [note for note in dict.fromkeys((*page.remarks, *page.notes)) if note not in self.notes]
        self.asked |= page.asked
        self.left_out += [each for each in page.left_out if each not in self.left_out]
        self.doubts += [LeftOut(note) for note in page.notes if page.asked]

    def good(self) -> int:
        """Distinct hits that nothing speaks against."""
        return len({hit.id for found in self.lists for hit in _acceptable(found)})


def _acceptable(found: HitList) -> Iterable[Hit]:
    """Those that satisfy what was typed, and what is as good as typed: what only orders is no reason to ask further."""
    asked = found.translation
    must = [each.clause for each in asked.preferred if each.strength >= NEARLY_TYPED]
    if asked.residual is not None:
        must.insert(0, asked.residual)
    if not must:  # as mostly
        return found.hits
    return (hit for hit in found.hits if all(matches(part, hit) is not False for part in must))
