"""Words beside which a name is a person: titles, what persons own, do and are; and names without such titles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.letters import HANGUL

if TYPE_CHECKING:
    from collections.abc import Iterable

AGES = frozenset({"latest", "last", "new", "old", "recent", "first"})
HONORIFICS = frozenset({"mr", "mrs", "ms", "dr", "prof", "professor"})
RANKS = frozenset({"Mx", "Miss", "Sir", "Sister", "Nurse", "Captain", "Capt", "Judge", "Rev"})
"""Titles only where they have a capital too: a captain is none."""
ROLES = frozenset({"candidate", "applicant", "colleague", "intern", "trainee", "starter", "joiner", "hire", "secondee"})
"""Words for persons, before their names."""
OWNED = frozenset({
    "manager", "team", "boss", "pr", "prs", "write-up", "email", "opinion", "thoughts", "surname", "extension", "birthday", "replacement",
    "successor", "backup", "mentor", "buddy", "desk", "title", "assistant", "resignation", "leave", "probation", "calendar", "idea", "laptop",
    "view", "views", "role", "farewell", "reference", "handover", "trip", "shift", "visa", "salary", "payslip", "holiday", "holidays", "badge",
    "promotion", "question", "comment", "comments", "suggestion", "talk", "retirement", "wedding", "expenses", "availability",
})  # fmt: skip
"""What a person has and a project has not."""
SENT = frozenset("mail mails email emails e-mail e-mails message messages memo memos letter letters".split())
"""Mail from Anneliese: she wrote it."""
SUBJECTS_DO = frozenset({
    "sign", "resign", "quit", "retire", "insist", "object", "volunteer", "apologise", "apologize", "reply", "replied", "answer", "answered", "see",
    "seen", "hear", "heard", "know", "speak", "tell", "told", "say", "said", "ask", "asked", "agree", "mention", "complain", "think",
})  # fmt: skip
"""What only persons did or have done."""
VIEWS = frozenset({
    "view", "views", "opinion", "opinions", "take", "stance", "position", "thoughts", "feedback", "reaction", "comments", "remarks", "words",
})  # fmt: skip
"""What somebody thinks, behind their name in the possessive."""
SAYS = frozenset({
    "say", "said", "says", "saying", "think", "thinks", "thought", "mention", "mentioned", "mentions", "comment", "commented", "reply",
    "replied", "answer", "answered", "respond", "responded", "explain", "explained", "tell", "told",
})  # fmt: skip
"""What only the words of that person themselves can answer, where it is asked for: what did Dana say."""
ASKED = frozenset({"did", "does", "has", "had"})
ALL_OF_IT = frozenset({"what", "whatever", "everything", "anything", "something", "things", "stuff", "all", "where"})
"""Before *Dana said*: what she said is looked for. "The vendor that Dana mentioned" is not hers."""
BY = frozenset({"by", "cc", "@"})
BESIDE = frozenset({
    "from", "with", "and", "ask", "asked", "by", "for", "to", "between", "or", "about", "not", "besides", "except", "via", "of", "is", "@",
    "than",
})  # fmt: skip
AUXILIARY = frozenset({
    "did", "has", "have", "had", "does", "is", "was", "that", "which", "what", "when", "where", "why", "how", "and", "or", "something",
    "anything", "thing", "one",
})  # fmt: skip
ABSENT = frozenset({"leave", "sick", "maternity", "paternity", "absent", "retiring", "resigning", "pregnant"})
"""What only persons are on, or are."""
ADVERBS = frozenset({
    "already", "just", "also", "originally", "recently", "ever", "last", "first", "finally", "kindly", "has", "had", "have", "did",
})  # fmt: skip
RESPECT = ("님", "씨")
SHORTEST = 2  # syllables of a name that stands alone: of 김 팀장 the family name is left, which is too little to go by


def without_titles(name: str, titles: Iterable[str]) -> str:
    """오재훈 for 오재훈님, 오재훈 팀장님 and 오재훈매니저; Sarah Kim for Dr. Sarah Kim. The name itself where nothing would be left."""
    if "@" in name:
        return name
    if not HANGUL.search(name):
        first, _, rest = name.partition(" ")
        return rest.strip() if first.rstrip(".").casefold() in HONORIFICS and rest.strip() else name
    bare = name.strip()
    for ending in (RESPECT, sorted(titles, key=len, reverse=True)):
        behind = next((each for each in ending if bare.endswith(each)), "")
        left = bare.removesuffix(behind).rstrip()
        bare = left if len(left) >= SHORTEST else bare
    return bare
