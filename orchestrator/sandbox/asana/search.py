"""Asana's task search: every word of the text, in names or descriptions, among what the parameters let through."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta

from orchestrator.sandbox.asana.parameters import Asked
from orchestrator.sandbox.asana.store import Task
from orchestrator.sandbox.index import Matches, TextIndex
from orchestrator.sandbox.tokens import is_hangul, words

LAG = timedelta(seconds=30)
"""How long a change takes to reach the search; Asana says 10 to 60 seconds."""

NAME_WEIGHT = 2.0
"""How much more a word in a name counts; Asana does not say."""


class TaskSearch:
    """Search over one workspace; the indexes are built once."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._tasks = tasks
        self._texts = TextIndex((task.name, task.notes) for task in tasks)
        self._names = TextIndex((task.name,) for task in tasks)

    def find(self, asked: Asked, now: datetime) -> Sequence[Task]:
        """The tasks that are found, in the order asked for; what changed just now is not among them."""
        scores = self._scores(asked.text)
        found = [
            (number, task)
            for number, task in enumerate(self._tasks)
            if (scores is None or number in scores) and task.modified_at <= now - LAG and asked.passes(task)
        ]
        if asked.sort == "relevance" and scores is not None:
            found.sort(key=lambda each: (-scores[each[0]], each[1].gid))
            return [task for _, task in found]
        return _ordered([task for _, task in found], asked)

    def _scores(self, text: str | None) -> Mapping[int, float] | None:
        """How well each task with all the words of the text fits; nothing where no text was given."""
        if text is None:
            return None
        wanted = list(dict.fromkeys(words(text)))
        matches = [_matches(self._texts, word) for word in wanted]
        numbers = set.intersection(*(set(each) for each in matches)) if matches else set()
        scores = self._texts.score(matches, numbers)
        named = self._names.score([_matches(self._names, word) for word in wanted], numbers)
        return {number: scores[number] + NAME_WEIGHT * named[number] for number in numbers}


def _matches(index: TextIndex, word: str) -> Matches:
    """Latin words match by their stem, Hangul words only as they stand."""
    return index.find(word, "exact" if is_hangul(word) else "stem")


def _ordered(tasks: Sequence[Task], asked: Asked) -> Sequence[Task]:
    """By a date, what has none at the end; of equal dates, by number."""
    dated = [(value, task) for task in tasks if (value := _held(task, asked.sort)) is not None]
    dated.sort(key=lambda each: (each[0], each[1].gid), reverse=not asked.ascending)
    return [*(task for _, task in dated), *(task for task in tasks if _held(task, asked.sort) is None)]


def _held(task: Task, sort: str) -> date | int | None:
    match sort:
        case "created_at":
            return task.created_at
        case "completed_at":
            return task.completed_at
        case "due_date":
            return task.due_on
        case "likes":
            return 0
        case _:
            return task.modified_at
