"""The judge of a run. It shares no code with the product: it goes by the journal, the database by its own SQL, and the files that were kept."""

from __future__ import annotations

import json
import tomllib
from bisect import bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.chaos.journal import of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.chaos.journal import Entry

ROOT = Path(__file__).resolve().parents[2]
RECOVERY = 60.0  # seconds after a fault within which all is well again
LATE = 1.0  # seconds by which an answer may be later than its budget
JITTER = 2.0  # seconds by which a request may arrive later than it was let through, beside what held its process up
LATEST = 60.0
DOORS = "doors"
START = "the start"
EXPECTED = ("gmail", "linear", "local", "notion", "slack")
STATUSES = {"ok", "partial", "empty", "timed out", "throttled", "denied", "failed", "skipped", "not connected"}
FINE = {"ok", "empty"}
BEHIND = {"failed", "timed out", "denied", "throttled"}
BUCKETS = {  # methods that Slack counts apart from its searches
    **{("slack", name): "conversations" for name in
       ("conversations.replies", "conversations.history", "conversations.info", "chat.getPermalink")},
    **{("slack", name): "lists" for name in ("users.list", "conversations.list", "auth.test")},
}  # fmt: skip
LIVED = 420.0  # seconds after which a process says whether it grows
SETTLING = 180.0  # seconds in which it gets ready
GROWTH = {  # what grows by a factor at most, and so many beside it
    "memory": ("memory", 1.25, 40),
    "threads": ("threads", 1.0, 8),
    # A process of PostgreSQL keeps the files of each relation open that it has read, and there is one for each connection: as many as there
    # are relations, in as many as the pools hold, which fill as many ask at once. Both are bounded, their product is seen late.
    "handles of one process": ("most", 1.25, 16),
    "processes": ("processes", 1.0, 24),
    "sockets": ("sockets", 1.0, 24),
}


@dataclass(frozen=True)
class Verdict:
    """``law``: what must hold. ``counted``: how often it was looked at. ``broken``: what broke it, a line each."""

    law: str
    counted: int
    broken: tuple[str, ...]
    remark: str = ""

    @property
    def holds(self) -> bool:
        return not self.broken and self.counted > 0


def judged(entries: list[Entry], kept: dict[str, Any]) -> list[Verdict]:
    """``kept``: what is in the database and the files at the end."""
    return [
        answered(entries),
        with_receipts(entries),
        accounted(entries, kept["audit"]),
        in_budget(entries),
        *within_limits(entries),
        judgments(entries, kept["feedback"]),
        definitions(entries, kept["definitions"]),
        documents(entries, kept["documents"]),
        counts(kept),
        *delivered(entries, kept),
        recovered(entries),
        unasked(entries),
        *flat(entries),
    ]


# ---- faults, in time


def spans(entries: Iterable[Entry], *, after: float = 0.0) -> list[tuple[float, float, Entry]]:
    """From when to when each fault lasted, and so long ``after``."""
    open_, found = [], []
    for each in entries:
        if each["what"] == "strike":
            open_.append(each)
        elif each["what"] == "over":
            begun = next(one for one in open_ if (one["kind"], one["target"]) == (each["kind"], each["target"]))
            open_.remove(begun)
            found.append((begun["at"], each["at"] + after, begun))
    return found


def troubled(entries: Iterable[Entry]) -> list[tuple[float, float]]:
    """From when to when something was wrong: a fault, and until the world was well again."""
    begun, found = None, []
    for each in entries:
        if each["what"] == "round":
            begun = each["at"]
        elif each["what"] in {"recovered", "not recovered"} and begun is not None:
            found.append((begun, each["at"]))
            begun = None
    return found


def touches(begun: float, ended: float, times: Iterable[tuple[float, float]]) -> bool:
    return any(first <= ended and begun <= last for first, last in times)


# ---- answers


def answered(entries: list[Entry]) -> Verdict:
    calm, quiet = troubled(entries), of(entries, "question")
    asked = [each for each in quiet if not touches(each["sent"], each["at"], calm)]
    broken = [
        f"{each['at']:.0f} s: {each['api']} said {each['status']} {each['code']}"
        for each in asked
        if each["status"] != 200
    ]
    got = sum(each["status"] == 200 for each in quiet)
    return Verdict("while nothing is wrong every question is answered", len(asked), tuple(broken),
                   f"of all {len(quiet)}, {got} were; one that got no answer says so by a status or a broken connection")  # fmt: skip


def with_receipts(entries: list[Entry]) -> Verdict:
    answers = [each for each in of(entries, "question") if each["status"] == 200]
    broken = []
    for each in answers:
        told = each["sources"]
        if sorted(told) != sorted(EXPECTED):
            broken.append(f"{each['at']:.0f} s: the receipt names {sorted(told)}")
        for source, (status, code) in told.items():
            if status not in STATUSES or (status not in FINE | {"partial", "skipped"} and not code):
                broken.append(f"{each['at']:.0f} s: {source} is {status!r} for no reason")
        if not each["cited"]:
            broken.append(f"{each['at']:.0f} s: a citation is of no source that was asked")
    return Verdict(
        "no answer without its receipt: every source, its status and the reason", len(answers), tuple(broken)
    )


def accounted(entries: list[Entry], audit: list[dict[str, Any] | None]) -> Verdict:
    lines = Counter(each["request"] for each in audit if each is not None)
    answers = [each for each in (*of(entries, "question"), *of(entries, "probe")) if each["status"] == 200]
    broken = [
        f"{each['at']:.0f} s: {lines[each['request']]} lines of the audit log"
        for each in answers
        if lines[each["request"]] != 1
    ]
    torn = sum(each is None for each in audit)
    return Verdict(
        "every answer that was given stands in the audit log once",
        len(answers),
        tuple(broken),
        f"{torn} lines are torn",
    )


def in_budget(entries: list[Entry]) -> Verdict:
    """Beside the seconds in which the server's processes were ready to run and this machine, which others use too, let them wait."""
    stopped = [(first, last, it) for first, last, it in spans(entries) if it["kind"] in {"frozen", "clock"}]
    waited: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for each in of(entries, "waited"):
        waited[each["part"]].append((each["at"], each["seconds"]))
    broken, counted, whole, worst = [], 0, 0, 0.0
    for each in of(entries, "question"):
        spells = [(first, last) for first, last, it in stopped if it["target"] == each["api"]]
        if each["status"] != 200 or touches(each["sent"], each["at"], spells):
            continue
        counted += 1
        late = each["seconds"] - each["budget"]
        whole += late <= 0
        starved = sum(seconds for at, seconds in waited[each["api"]] if each["sent"] <= at <= each["at"] + 1)
        worst = max(worst, late - starved)
        if late > LATE + starved:
            broken.append(
                f"{each['at']:.0f} s: {each['api']} took {each['seconds']:.1f} s of {each['budget']:.0f}, {starved:.1f} of them waiting for a core"
            )
    remark = f"{whole} within their seconds, at worst {worst:+.1f} s beside what the server waited for a core"
    return Verdict("the budget is kept", counted, tuple(broken), remark)


# ---- vendors


def within_limits(entries: list[Entry]) -> Iterable[Verdict]:
    """Counted at the vendor's door, by what the vendor's manifest says it allows.

    A request arrives some moments after it was let through: :data:`JITTER`, beside what its process had to wait for a core or was frozen.
    The law is broken by what cannot have been let through within the limit at any moment of these.
    """
    lateness = Lateness(entries)
    came: dict[tuple[str, str], list[float]] = defaultdict(list)
    for each in of(entries, "asked"):
        method = each["path"].partition("?")[0].rpartition("/")[2]
        came[each["vendor"], BUCKETS.get((each["vendor"], method), "")].append(each["at"])
    for (vendor, bucket), times in sorted(came.items()):
        limits = tomllib.loads((ROOT / "connectors" / vendor / "manifest.toml").read_text("utf-8"))["limits"]
        limit = limits["buckets"][bucket] if bucket else limits
        rate, period = limit["rate"], limit["period"]
        most = max(sum(at <= each < at + period for each in times) for at in times)
        over = too_soon([(at - lateness.of(at), at) for at in times], rate, period)
        name = " ".join(filter(None, (vendor, bucket)))
        yield Verdict(
            f"{name} is asked {rate} times in {period:.0f} s at most",
            len(times),
            tuple(f"{at:.0f} s: {seconds:.1f} s too soon" for at, seconds in over),
            f"at most {most} arrived in {period:.0f} s",
        )


def too_soon(spans: Iterable[tuple[float, float]], rate: int, period: float) -> list[tuple[float, float]]:
    """Of requests that were let through from one moment to another at most, those that were so too early: when, and by how much.

    A pass occupies one of ``rate`` places for a ``period``; each takes the place that has been free for the shortest time.
    """
    free, found = [float("-inf")] * rate, []
    for earliest, at in sorted(spans, key=lambda each: each[1]):
        place = max((each for each in free if each <= earliest), default=min(free))
        passed = max(earliest, place)
        if passed > at:
            found.append((at, passed - at))
            passed = at
        free.remove(place)
        free.append(passed + period)
    return found


class Lateness:
    """By how much a request may be late that arrived at some moment: :data:`JITTER`, and what its process was held up meanwhile."""

    def __init__(self, entries: list[Entry]) -> None:
        held_up: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
        for each in of(entries, "waited"):
            over = each.get("over", 1.0)
            held_up[each["part"]].append((each["at"] - over, each["at"], min(1.0, each["seconds"] / over)))
        for first, last, it in spans(entries):
            if it["kind"] == "frozen":
                held_up[it["target"]].append((first, last, 1.0))
        self._until = {part: _added_up(times) for part, times in held_up.items()}

    def of(self, at: float) -> float:
        """The longest of any process, each with what the doors, through which it went, were held up."""
        return max(self._of(at, {part, DOORS} & self._until.keys()) for part in (*self._until, DOORS))

    def _of(self, at: float, parts: Iterable[str]) -> float:
        late = 0.0
        while late < LATEST:
            held_up = sum(_at(self._until[part], at) - _at(self._until[part], at - late) for part in parts)
            if JITTER + held_up <= late:
                break
            late = min(LATEST, JITTER + held_up + 1e-6)
        return late


def _added_up(times: list[tuple[float, float, float]]) -> list[tuple[float, float, float]]:
    """Moments, what had been added up by then, and how much is added a second from then on."""
    steps = sorted([(first, share) for first, _, share in times] + [(last, -share) for _, last, share in times])
    found, total, pace, before = [], 0.0, 0.0, 0.0
    for moment, change in steps:
        total += pace * (moment - before)
        pace, before = pace + change, moment
        found.append((moment, total, pace))
    return found


def _at(added: list[tuple[float, float, float]], moment: float) -> float:
    place = bisect_right(added, moment, key=lambda each: each[0]) - 1
    if place < 0:
        return 0.0
    since, total, pace = added[place]
    return total + pace * (moment - since)


# ---- accepted work


def judgments(entries: list[Entry], lines: list[dict[str, Any] | None]) -> Verdict:
    kept = Counter(each["comment"] for each in lines if each is not None)
    accepted = {each["mark"] for each in of(entries, "feedback") if each["accepted"]}
    lost = [f"{mark} was accepted and is lost" for mark in accepted if not kept[mark]]
    twice = [f"{mark} was kept {count} times" for mark, count in kept.items() if count > 1]
    return Verdict("a judgment that was accepted is kept, once", len(accepted), (*lost, *twice))


def definitions(entries: list[Entry], rows: list[str]) -> Verdict:
    accepted = {each["mark"] for each in of(entries, "definition") if each["accepted"]}
    kept = Counter(rows)
    broken = [f"{mark} is kept {kept[mark]} times" for mark in accepted if kept[mark] != 1]
    return Verdict("a digest that was defined is kept, once", len(accepted), tuple(broken))


def documents(entries: list[Entry], rows: list[str]) -> Verdict:
    accepted = {mark for each in of(entries, "ingest") if each["ended"] == 0 for mark in each["given"]}
    kept = Counter(rows)
    broken = [f"{mark} is there {kept[mark]} times" for mark in accepted if kept[mark] != 1]
    return Verdict("a document that was taken in is there, once", len(accepted), tuple(broken))


def counts(kept: dict[str, Any]) -> Verdict:
    broken = (
        [] if kept["counted"] == kept["chunks"] else [f"{kept['counted']} are counted and {kept['chunks']} are there"]
    )
    return Verdict("what ranking counts is what is there", kept["chunks"], tuple(broken))


def delivered(entries: list[Entry], kept: dict[str, Any]) -> Iterable[Verdict]:
    came = of(entries, "delivered")
    runs, sent = kept["runs"], kept["outbox"]
    keys = Counter(each["key"] for each in came)
    lost = [f"{key} ({status}) never came" for key, status in sent.items() if keys[key] == 0]
    yield Verdict("every digest that was made is delivered", len(sent), tuple(lost), f"{runs} runs")
    faults = [(first - 1, last + RECOVERY) for first, last, _ in spans(entries)]
    first: dict[str, Entry] = {}
    broken, repeated = [], 0
    for each in came:
        before = first.setdefault(each["key"], each)
        if before is each:
            continue
        repeated += 1
        if before["body"] != each["body"]:
            broken.append(f"{each['key']} came with another content")
        if not touches(before["at"], each["at"], faults):
            broken.append(f"{each['key']} came twice while nothing was wrong")
    due = Counter((each["name"], each["due"]) for each in first.values())
    broken += [f"{name} of {moment} came under {count} keys" for (name, moment), count in due.items() if count > 1]
    yield Verdict("no digest is delivered twice", len(came), tuple(broken),
                  f"{repeated} came again under the same key, as is promised where a worker is killed in between")  # fmt: skip
    told = Counter(event for each in first.values() for event in each["ids"])
    marks = {mark: [event for event in told if mark in event] for mark in
             {mark for each in of(entries, "ingest") if each["ended"] == 0 for mark in each["given"]}}  # fmt: skip
    twice = [f"{mark} was told {sum(told[event] for event in events)} times" for mark, events in marks.items()
             if sum(told[event] for event in events) > 1]  # fmt: skip
    heard = sum(bool(events) for events in marks.values())
    yield Verdict(
        "nothing is told in two digests", len(told), tuple(twice), f"{heard} of {len(marks)} new documents were told of"
    )


# ---- the world


def recovered(entries: list[Entry]) -> Verdict:
    rounds = [each for each in (*of(entries, "recovered"), *of(entries, "not recovered")) if each["after"] != START]
    took = sorted((_without_waiting(entries, each), each["seconds"]) for each in rounds)
    late = [
        f"{each['at']:.0f} s: {each['seconds']:.0f} s after {each['after']} ({each['why']})"
        for each in rounds
        if _without_waiting(entries, each) > RECOVERY
    ]
    middle, longest = (took[len(took) // 2], took[-1]) if took else ((0.0, 0.0), (0.0, 0.0))
    remark = f"half within {middle[0]:.0f} s, the longest {longest[0]:.0f} s ({longest[1]:.0f} s with what the servers waited for a core)"
    return Verdict("all is well within a minute after a fault", len(rounds), tuple(late), remark)


def _without_waiting(entries: list[Entry], each: Entry) -> float:
    """Seconds of a recovery beside those in which the server that waited more for a core waited for one."""
    waited: Counter[str] = Counter()
    for one in of(entries, "waited"):
        if each["at"] - each["seconds"] <= one["at"] <= each["at"]:
            waited[one["part"]] += one["seconds"]
    return float(max(0.0, each["seconds"] - max(waited.values(), default=0.0)))


def unasked(entries: list[Entry]) -> Verdict:
    ends = {"killed", "full"}  # a server whose disk is full may go; it is to come back
    killed = [(first - 1, last + RECOVERY, it["target"]) for first, last, it in spans(entries) if it["kind"] in ends]
    started = of(entries, "started")
    broken = [
        f"{each['at']:.0f} s: {each['part']} ended by itself ({each.get('ended')})"
        for each in started
        if not any(first <= each["at"] <= last and part == each["part"] for first, last, part in killed)
    ]
    return Verdict("nothing ends that was not killed", max(1, len(started)), tuple(broken))


def flat(entries: list[Entry]) -> Iterable[Verdict]:
    lives: dict[tuple[str, int], list[Entry]] = defaultdict(list)
    for each in of(entries, "sample"):
        lives[each["part"], each["pid"]].append(each)
    long = {who: seen for who, seen in lives.items() if seen[-1]["at"] - seen[0]["at"] > LIVED}
    for law, (what, factor, beside) in GROWTH.items():
        broken = []
        for (part, pid), seen in long.items():
            ready = [each[what] for each in seen if each["at"] - seen[0]["at"] > SETTLING]
            early, late = _middle(ready[: len(ready) // 3]), _middle(ready[-len(ready) // 3 :])
            if late > early * factor + beside:
                broken.append(f"{part} ({pid}) from {early} to {late} in {seen[-1]['at'] - seen[0]['at']:.0f} s")
        yield Verdict(f"{law} {'stays' if law == 'memory' else 'stay'} flat", len(long), tuple(broken))


def _middle(numbers: list[int]) -> int:
    return sorted(numbers)[len(numbers) // 2] if numbers else 0


def lines_of(path: Path) -> list[dict[str, Any] | None]:
    """Each line of a file that only grows; ``None`` for one that is torn."""
    found: list[dict[str, Any] | None] = []
    for line in path.read_text("utf-8", "replace").splitlines() if path.exists() else ():
        try:
            found.append(json.loads(line))
        except ValueError:
            found.append(None)
    return found
