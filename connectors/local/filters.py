"""Conditions of the dialect ``hybrid`` as SQL: every value a parameter, so that there is nothing to break out of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from connectors.errors import Rejected
from connectors.local.documents import place_name
from translators.hybrid.verdicts import forms
from translators.match import HANGUL, WORD, bare_address, fold, words
from translators.said import Said

if TYPE_CHECKING:
    from translators.translator import Json

MOMENTS = {"time": "d.happened", "created": "d.created", "updated": "coalesce(d.updated, d.created)"}
BOUNDS = {"since": ">=", "until": "<"}
DEEPEST = 50


@dataclass
class Conditions:
    """SQL over a document ``d``, and the values of its parameters, which are numbered from ``len(values) + 1``.

    ``own``: the ids and addresses of whoever asks.
    """

    values: list[Any]
    own: Sequence[str] = ()
    _depth: int = field(default=0, repr=False)

    def value(self, value: object) -> str:
        """A parameter that stands for ``value``."""
        self.values.append(value)
        return f"${len(self.values)}"

    def of(self, condition: Json) -> str:
        """The SQL for one condition; ``true`` for none. Raises :class:`Rejected` on what the dialect does not have."""
        self._depth += 1
        try:
            if condition is None or condition == {}:
                return "true"
            if not isinstance(condition, Mapping) or len(condition) != 1 or self._depth > DEEPEST:
                raise _strange(condition)
            ((name, value),) = condition.items()
            return self._made(name, value, condition)
        finally:
            self._depth -= 1

    def _made(self, name: str, value: Json, condition: Json) -> str:
        if name in {"all", "any"} and isinstance(value, Sequence) and not isinstance(value, str):
            parts = [self.of(part) for part in value]
            joined = (" AND " if name == "all" else " OR ").join(parts)
            return f"({joined})" if parts else "true" if name == "all" else "false"
        if name == "not":
            return self._not(value)
        make = LEAVES.get(name)
        if make is None:
            raise _strange(condition)
        try:
            return make(self, name, value)
        except (TypeError, KeyError, ValueError, AttributeError):
            raise _strange(condition) from None

    def _not(self, condition: Json) -> str:
        """What is not known is kept neither for a condition nor for its opposite; but for words too many to keep."""
        if isinstance(condition, Mapping) and "words" in condition:
            return f"(d.words IS NULL OR NOT d.words @@ {self._lexemes(condition['words'], ' & ')})"
        return f"NOT ({self.of(condition)})"

    # ---- leaves

    def words(self, _: str, found: Any) -> str:
        """All of the words; of a document with too many words to keep, nobody can say."""
        return f"(d.words IS NULL OR d.words @@ {self._lexemes(found, ' & ')})"

    def without(self, _: str, found: Any) -> str:
        """None of the words in any of their forms."""
        spelled = [f"{each}*" if HANGUL.match(each[-1]) else each for word in found for each in forms(word)]
        return f"(d.words IS NULL OR NOT d.words @@ {self._lexemes(spelled, ' | ')})"

    def _lexemes(self, found: Any, joined: str) -> str:
        if not found or not all(WORD.fullmatch(word.removesuffix("*")) for word in found):
            raise ValueError
        spelled = (f"{word[:-1]}:*" if word.endswith("*") else word for word in found)
        return f"{self.value(joined.join(spelled))}::text::tsquery"

    def person(self, name: str, who: Any) -> str:
        """By id or address where both have one, else by name: whole, by its words, or a Korean given name.

        One without an id is no unknown one, of whom neither the condition nor its opposite would hold, where the name tells.
        """
        if who.get("me"):
            mine = self.value([each.casefold() for each in self.own])
            return f"(lower(d.{name}->>'email') = ANY({mine}) OR lower(d.{name}->>'native_id') = ANY({mine}))"
        known: list[str] = []
        unknown: list[str] = []
        for key, stored in (("id", "native_id"), ("email", "email")):
            if said := who.get(key):
                place = f"d.{name}->>'{stored}'"
                there = [f"{place} IS NOT NULL"] if who.get("name") else []
                known.append(" AND ".join([*unknown, *there, f"lower({place}) = {self.value(said.casefold())}"]))
                unknown.append(f"{place} IS NULL")
        if said := who.get("name"):
            known.append(" AND ".join([*unknown, f"({self._named(name, said)})"]))
        if not known:
            raise ValueError
        return "(" + " OR ".join(f"({each})" for each in known) + ")"

    def _named(self, name: str, said: str) -> str:
        folded, parts = fold(said), words(said.replace("_", " "))
        options = [f"d.{name}_words[1] = {self.value(folded)}"]
        if parts:
            options.append(f"d.{name}_words[2:] @> {self.value(parts)}::text[]")
        if HANGUL.search(folded) and len(folded) > 1:
            options.append(f"right(d.{name}_words[1], {len(folded)}) = {self.value(folded)}")
        return " OR ".join(options)

    def container(self, _: str, where: Any) -> str:
        """By id where both have one, else by name."""
        by_name = f"d.container_names @> ARRAY[{self.value(place_name(where.get('name') or where['id']))}]"
        if not (known := where.get("id")):
            return by_name
        stored = "d.container->>'native_id'"
        return f"(({stored} IS NOT NULL AND {stored} = {self.value(known)}) OR ({stored} IS NULL AND {by_name}))"

    def kind(self, _: str, kinds: Any) -> str:
        return f"d.kind = ANY({self.value([str(each) for each in kinds])}::text[])"

    def state(self, _: str, state: Any) -> str:
        return f"d.state = {self.value(str(state))}"

    def thing(self, _: str, text: Any) -> str:
        return f"d.addresses @> ARRAY[{self.value(bare_address(text))}]"

    def moment(self, name: str, bound: Any) -> str:
        ((side, instant),) = bound.items()
        return f"{MOMENTS[name]} {BOUNDS[side]} {self.value(datetime.fromisoformat(instant))}"


LEAVES: Mapping[str, Callable[[Conditions, str, Any], str]] = {
    "words": Conditions.words,
    "without": Conditions.without,
    "author": Conditions.person,
    "assignee": Conditions.person,
    "container": Conditions.container,
    "kind": Conditions.kind,
    "state": Conditions.state,
    "id": Conditions.thing,
    "time": Conditions.moment,
    "created": Conditions.moment,
    "updated": Conditions.moment,
}


def _strange(condition: object) -> Rejected:
    return Rejected(Said("the local index does not know this condition"), str(condition)[:200])
