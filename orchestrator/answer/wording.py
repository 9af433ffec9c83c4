"""The words around quotes, in the asker's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.answer.sound import is_firm, sound_of
from orchestrator.model import Status
from translators.query import QueryType
from translators.said import Said, filled_in, said_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.answer.quote import Quote
    from translators.query import Query

MESSAGES = {
    "lead_decision": Said("What was decided:"),
    "lead_status": Said("Where it stands:"),
    "lead_document": Said("The closest document:"),
    "lead_person": Said("People, with what shows it:"),
    "lead_factual": Said("The rule, as the sources put it:"),
    "lead_temporal": Said("When:"),
    "lead_reason": Said("Why, as the sources put it:"),
    "lead_amount": Said("How much, as the sources put it:"),
    "lead_count": Said("How many, as the sources put it:"),
    "lead_span": Said("How long, as the sources put it:"),
    "lead_measure": Said("The measure, as the sources put it:"),
    "lead_place": Said("Where, as the sources put it:"),
    "lead_period": Said("What was decided, finished or held up in that time, as far as it was found:"),
    "lead_said": Said(
        "Nothing that was found was decided, finished or held up in that time; what was said and changed last:"
    ),
    "lead_flag": Said("Open work that is so, as far as it was found:"),
    "lead_exploratory": Said("What is known:"),
    "why_sentence": Said("holds what reads most like the answer"),
    "why_sentences_elsewhere": Said("others hold what reads more like the answer"),
    "claim_yes": Said("Yes"),
    "claim_no": Said("No"),
    "claim_document": Said("{title}: {url}"),
    "claim_was": Said("was {old}, until {day}"),
    "claim_was_why": Said("was {old}, until {day}, because “{reason}”"),
    "claim_named": Said("{name} ({counts})"),
    "claim_assigned": Said("assigned {count}"),
    "claim_written": Said("wrote {count}"),
    "claim_open": Said("Open: {titles}"),
    "due": Said("due {day}"),
    "claim_left": Said("Open: {titles} — {origin}"),
    "tally": Said("{done} of {every} done"),
    "claim_done": Said("Closed: {titles} — {origin}"),
    "claim_blocked": Said("Blocked: {titles}"),
    "claim_blocking": Said("Holding up other work: {titles}"),
    "blocked_by": Said("waits for {keys}"),
    "blocks": Said("holds up {keys}"),
    "subtasks": Said("left of it: {keys}"),
    "claim_overdue": Said("Overdue: {titles}"),
    "claim_changed": Said("Changed: {titles}"),
    "claim_due": Said("Due: {titles}"),
    "claim_urgent": Said("The most urgent first: {titles}"),
    "claim_finished": Said("Finished: {titles}"),
    "claim_reply": Said("{text}, in reply to: {begun}"),
    "claim_theme": Said("On {label}: {count} of the results"),
    "claim_place": Said("In {label}: {count} of the results"),
    "weak_decision": Said("No decision was found in so many words. The nearest passages:"),
    "weak_status": Said("No plain statement of where it stands was found. The latest passages:"),
    "weak_person": Said("No sentence names an owner. People and passages that come nearest:"),
    "weak_temporal": Said("No sentence names a date. The nearest passages:"),
    "weak_reason": Said("No sentence gives a reason. The nearest passages:"),
    "weak_amount": Said("No sentence names an amount. The nearest passages:"),
    "weak_span": Said("No sentence says how long. The nearest passages:"),
    "weak_measure": Said("No sentence gives the value that was asked for. The nearest passages:"),
    "weak_place": Said("No sentence says where. The nearest passages:"),
    "weak_count": Said("No sentence says how many, and nothing was counted here. The nearest passages:"),
    "lead_asked": Said("{name} asked this on {day}, and no answer to it was found. What comes nearest:"),
    "lead_asked_by_somebody": Said("Somebody asked this on {day}, and no answer to it was found. What comes nearest:"),
    "lead_unsaid": Said("Nobody says anything of this in so many words ({words}). What comes nearest:"),
    "unadded": Said("Nobody says anything of this in so many words ({words})."),
    "then": Said("As of {day}: what is later is left aside."),
    "none_then": Said("Nothing that was found says this as of {day}."),
    "outside": Said("Nothing satisfies all that was asked; this lies outside it:"),
    "weak_factual": Said("No sentence states a rule. The nearest passages:"),
    "untold": Said("{hits} came back without any text to quote."),
    "unheld": Said("{hits} came back, and none of them holds a word of the question."),
    "none_blocked": Said("None of the open work that was found is marked as blocked."),
    "none_blocking": Said("None of the open work that was found is marked as holding up other work."),
    "none_overdue": Said("None of the open work that was found is past its due date."),
    "none_due": Said("None of the open work that was found is due then."),
    "none_urgent": Said("None of the open work that was found has a priority or a due date."),
    "flag_more": Said("Not listed here: {count} more."),
    "flag_whole": Said("All open work in {sources} was asked for."),
    "flag_part": Said(
        "{source} has more open work than it returned, and of that others may be so, too; looked at: {count}."
    ),
    "commanding": Said("{hits} with orders to whoever reads: these are not repeated."),
    "gap": Said("Not included: {sources}."),
    "partly": Said("Only part of: {sources}."),
    "busy": Said("it may be asked only so often"),
    "shut_out": Said("it no longer takes our sign-in; whoever connected it has to connect it anew"),
    "stood_in": Said(
        "{sources} may be asked only so often and had to be left out this time; what was found there lately, or is kept of it, was looked through instead."
    ),
    "spared": Said(
        "Less than usual was looked up in {sources}, which may be asked only so often; ask again in a minute for more."
    ),
    "absent": Said("There is no {thing} in {sources}, or none that may be seen here."),
    "none_found": Said("Nothing was found in {sources}."),
    "none_fit": Said("{hits} came back, and none of them satisfies what was asked."),
    "none_answered": Said("No source could answer: {sources}. This says nothing about whether there is an answer."),
    "none_in_full": Said("Nothing came back, but no source answered in full: {sources}. There may still be an answer."),
    "incomplete": Said("So this is no proof that there is nothing: {sources}."),
    "conflict": Said("These statements differ: {told}. Which one holds is not settled here."),
    "replaced": Said("Changed: {told}. The last one replaces what stands before it."),
    "tried": Said("Tried already: {tried}."),
    "without": Said("without {dropped}"),
    "without_window": Said("Ask without the dates ({value})."),
    "without_author": Said("Ask without from:{value}."),
    "without_place": Said("Ask without in:{value}."),
    "without_kind": Said("Ask without type:{value}."),
    "without_phrase": Said("Ask without the quotation marks around “{value}”."),
    "without_negated": Said("Ask without -{value}."),
    "fewer_words": Said("Ask for fewer words: {value}."),
    "other_name": Said("Try another name: {value}."),
    "was_dropped": Said("{hits} left out ({reason})."),
    "failed_source": Said("{source} did not answer ({reason})."),
    "partial_source": Said("{source} answered only in part ({reason})."),
    "connect": Said("{source} is not connected: {reason}."),
    "not_asked": Said("{source} was not asked: {reason}."),
    "none_asked": Said("{source} were not asked: {reason}."),
    "unsupported": Said("nothing that the model wrote was supported by what it cites"),
    "no_time": Said("no time was left"),
    "unworded": Said("Not worded by a model: {reason}."),
    "which": Said("“{word}” means several things here: {readings}. Which one do you mean?"),
    "no_outcome": Said("no outcome was reported for it; this is a bug in fedsearch, please report it"),
    "retry": Said("ask again in {seconds} s"),
    "one_hit": Said("1 hit"),
    "many_hits": Said("{count} hits"),
    "found_line": Said("{hits} in {took}"),
    "partial_line": Said("{hits} in {took}, then: {problem}"),
    "empty_line": Said("asked, no hits, in {took}"),
    "problem_line": Said("{status}: {problem}"),
    "skipped_line": Said("{status}: {reason}"),
}


# What the frames of claims say, and words that only report: they claim nothing that a source would have to hold.
FRAME = frozenset(
    {
        "assigned",
        "wrote",
        "open",
        "blocked",
        "due",
        "기한",
        "said",
        "says",
        "written",
        "according",
        "noted",
        "stated",
        "states",
        "reads",
        "results",
        "관련",
        "source",
        "sources",
        "담당",
        "작성",
        "건",
        "진행",
        "중",
        "막힘",
        "남은",
        "끝난",
        "closed",
        "yes",
        "예",
        "아니요",
        "because",
        "까지는",
        "바뀐",
        "이유",
        "따르면",
        "적었",
        "적혀",
        "말했",
        "밝혔",
        "있습니다",
        "있다",
        "합니다",
        "했습니다",
        "됩니다",
        "입니다",
        "이다",
        "것",
        "수",
        "년",
        "월",
        "일",
    }
)

STATUSES = {
    Status.OK: Said("ok", context="status"),
    Status.PARTIAL: Said("partial", context="status"),
    Status.EMPTY: Said("empty", context="status"),
    Status.TIMED_OUT: Said("timed out", context="status"),
    Status.THROTTLED: Said("throttled", context="status"),
    Status.DENIED: Said("denied", context="status"),
    Status.FAILED: Said("failed", context="status"),
    Status.SKIPPED: Said("skipped", context="status"),
    Status.NOT_CONNECTED: Said("not connected", context="status"),
}


def say(query: Query, key: str, **values: object) -> str:
    """One phrase in the asker's language; what is put into it is said in it as well, where it can be."""
    return filled_in(MESSAGES[key], query.language, **values)


def say_hits(query: Query, count: int) -> str:
    """So many hits, in the asker's language."""
    return say(query, "one_hit" if count == 1 else "many_hits", count=count)


def status_word(query: Query, status: Status) -> str:
    """A status in the asker's language."""
    return said_in(STATUSES[status], query.language)


def is_plain(query: Query, quotes: Sequence[Quote]) -> bool:
    """Whether something sounds like what was asked for, or nothing need to: a document is its link, a theme anything.

    Whoever waits for the outcome that is asked for tells that there is none.
    """
    sound = sound_of(query)
    name = sound.name
    # What reads as nothing in particular is taken for a factual question: that one is never in doubt about its type.
    doubtful = name == query.type and query.type is not QueryType.FACTUAL and not is_firm(query)
    awaited = any(sound.awaits(quote.words) for quote in quotes)
    needless = f"weak_{name}" not in MESSAGES or (doubtful and not awaited)
    return needless or any(quote.signal for quote in quotes)


def lead(query: Query, quotes: Sequence[Quote]) -> str:
    """What introduces the quotes; where nothing sounds like an answer of the kind that was clearly asked for, it says so."""
    name = sound_of(query).name
    if not is_plain(query, quotes):
        return say(query, f"weak_{name}")
    told = f"weak_{name}" not in MESSAGES or any(quote.signal for quote in quotes)
    return say(query, f"lead_{name}" if told else "lead_exploratory")
