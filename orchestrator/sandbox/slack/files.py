"""Files that were shared in messages, found by their names."""

from collections.abc import Sequence
from dataclasses import dataclass

from orchestrator.sandbox.index import TextIndex
from orchestrator.sandbox.slack.grammar import Modifier, Needle
from orchestrator.sandbox.slack.search import MessageSearch, Reader, joined
from orchestrator.sandbox.slack.store import Message, Workspace


@dataclass(frozen=True, slots=True, eq=False)
class SharedFile:
    """One file and the message it came with."""

    message: Message
    place: int
    name: str

    @property
    def id(self) -> str:
        """Slack's id."""
        return f"F{self.message.number}N{self.place}"


class FileSearch:
    """Search over the names of files; whoever may see the message may see the file."""

    def __init__(self, workspace: Workspace, messages: MessageSearch) -> None:
        self._messages = messages
        self._files = [
            SharedFile(message, place, name)
            for message in workspace.messages
            for place, name in enumerate(message.row.listed("files"))
        ]
        self._index = TextIndex((file.name,) for file in self._files)

    def find_clauses(
        self,
        clauses: Sequence[Sequence[Needle]],
        unwanted: Sequence[Needle],
        modifiers: Sequence[Modifier],
        reader: Reader,
    ) -> Sequence[tuple[SharedFile, float]]:
        """The files of which every clause has a word in the name, with their score, in no particular order."""
        wanted = [joined(self._index, clause) for clause in clauses]
        never = joined(self._index, unwanted)
        passes = self._messages.test(modifiers, reader)
        found = [
            number
            for number, file in enumerate(self._files)
            if number not in never and all(number in each for each in wanted) and passes(file.message)
        ]
        scores = self._index.score(wanted, found)
        return [(self._files[number], score) for number, score in scores.items()]
