"""Linear's issue search: any word of the term, ranked; titles weigh more than descriptions and comments."""

import re
from collections.abc import Mapping, Sequence

from orchestrator.sandbox.index import Matches, TextIndex, words
from orchestrator.sandbox.linear.nodes import Issue, Team

TITLE_WEIGHT = 2.0
TEAM_BOOST = 1.5
"""How much better results of the boosted team count; Linear does not say."""

_IDENTIFIER = re.compile(r"\b([A-Za-z][A-Za-z0-9]*-\d{1,9})\b", re.ASCII)


class IssueSearch:
    """Search over one workspace; the indexes are built once."""

    def __init__(self, issues: Sequence[Issue]) -> None:
        self._issues = issues
        self._numbers = {issue.identifier: number for number, issue in enumerate(issues)}
        self._titles = TextIndex((issue.title,) for issue in issues)
        self._texts = TextIndex((issue.description or "",) for issue in issues)
        self._comments = TextIndex([comment.body for comment in issue.comments] for issue in issues)

    def find(self, term: str, *, comments: bool = False, boosted: Team | None = None) -> Sequence[Issue]:
        """Issues with any word of the term, best first; an issue named by its identifier comes before all."""
        scores: dict[int, float] = {}
        for index, weight in ((self._titles, TITLE_WEIGHT), (self._texts, 1.0), (self._comments, float(comments))):
            if weight:
                for number, score in _scored(index, term).items():
                    scores[number] = scores.get(number, 0.0) + weight * score
        for number in scores if boosted else ():
            if self._issues[number].team is boosted:
                scores[number] *= TEAM_BOOST
        for name in _IDENTIFIER.findall(term):
            if (number := self._numbers.get(name.upper(), -1)) >= 0:
                scores[number] = float("inf")
        return [self._issues[number] for number in sorted(scores, key=lambda n: self._rank(n, scores))]

    def _rank(self, number: int, scores: Mapping[int, float]) -> tuple[float, float, str]:
        issue = self._issues[number]
        return -scores[number], -issue.updated_at.timestamp(), issue.id


def _scored(index: TextIndex, term: str) -> Mapping[int, float]:
    matches: list[Matches] = [index.find(word, "stem") for word in dict.fromkeys(words(term))]
    return index.score(matches, set().union(*matches))
