"""The reasons that ranking gives, in the asker's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.capabilities import TIMES
from translators.query import Clause, Compare, Field, Not
from translators.said import UNSAID, Said, filled_in

if TYPE_CHECKING:
    from orchestrator.rank.stage import RankContext

MESSAGES = {
    "found": Said("{source}: number {rank} of its list"),
    "agreed": Said("found by {count} sources"),
    "broadened": Said("found after broadening: without {dropped}"),
    "outside": Said("outside what was asked: {conditions}"),
    "unlike": Said("not as it seems to be asked: {conditions}"),
    "fails": Said("does not satisfy: {conditions}"),
    "named": Said("what the question names"),
    "strays": Said("does not hold {things}"),
    "matches": Said("matches {words}"),
    "titled": Said("matches {words} (title: {titled})"),
    "today": Said("today"),
    "days": Said("{count} days old"),
    "day": Said("1 day old"),
    "months": Said("{count} months old"),
    "years": Said("{count} years old"),
    "undated": Said("no date"),
    "role": Said("{role}"),
    "same": Said("also in {sources}"),
    "around": Said("part of a conversation about it"),
    "learned_names_held": Said("holds the names in the question"),
    "learned_place_named": Said("stands in a place named for it"),
    "learned_talk": Said("what was said around it holds the question's words"),
    "learned_coverage": Said("holds more of the question's words than most"),
    "learned_precise": Said("its title is about little else"),
    "learned_best_in_source": Said("among the best matches of its source"),
    "purpose": Said("it is for: “{purpose}”"),
    "ahead": Said("ahead of its place in {source}: {cause}"),
    "behind": Said("behind its place in {source}: {cause}"),
    "ahead_named": Said("the question names it"),
    "behind_named": Said("the question names another"),
    "ahead_asked": Said("it meets the conditions"),
    "behind_asked": Said("it does not meet all conditions"),
    "ahead_words": Said("it holds more of the question"),
    "behind_words": Said("it holds less of the question"),
    "ahead_freshness": Said("it is newer"),
    "behind_freshness": Said("it is older"),
    "ahead_authority": Said("it settles such questions sooner"),
    "behind_authority": Said("others settle such questions sooner"),
    "ahead_completeness": Said("it says more"),
    "behind_completeness": Said("it says less"),
    "ahead_others": Said("other sources speak for it"),
    "behind_others": Said("other sources speak for others"),
    "not": Said("not {condition}"),
    "author": Said("from {value}"),
    "assignee": Said("assigned to {value}"),
    "container": Said("in {value}"),
    "kind": Said("type {value}"),
    "state": Said("state {value}"),
    "since": Said("since {value}"),
    "until": Said("before {value}"),
    "exactly": Said("at {value}"),
    "due_since": Said("due on {value} or later"),
    "due_until": Said("due before {value}"),
    "due_exactly": Said("due on {value}"),
    "meeting_notes": Said("meeting notes"),
    "conclusion": Said("a conclusion in a conversation"),
    "confirmation": Said("a confirmation by mail"),
    "announcement": Said("an announcement"),
    "official": Said("an official page"),
    "status_report": Said("a status report"),
    "status_mail": Said("a status report by mail"),
    "recent_chat": UNSAID,
    "notice": Said("an announcement"),
}


BOUNDS = {">=": "since", "<": "until", "=": "exactly"}


def say(context: RankContext, key: str, **values: object) -> str:
    """One phrase in the asker's language; a role that only the configuration knows is shown by its name."""
    return filled_in(MESSAGES.get(key, key.replace("_", " ")), context.query.language, **values)


def condition(clause: Clause, context: RankContext) -> str:
    """A condition as a person would say it."""
    match clause:
        case Compare(field, op, value) if field in TIMES:
            shown = value.strftime("%Y-%m-%d %H:%M").removesuffix(" 00:00") if hasattr(value, "strftime") else value
            return say(context, BOUNDS[op], value=shown)
        case Compare(Field.DUE, op, value):
            return say(context, f"due_{BOUNDS[op]}", value=value)
        case Compare(field, _, value):
            return say(context, field.value, value=value)
        case Not(part):
            return say(context, "not", condition=condition(part, context))
        case _:
            return str(clause)
