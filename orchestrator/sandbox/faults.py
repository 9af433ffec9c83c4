"""Ways in which a served source can misbehave, and the words that ask for them."""

from dataclasses import dataclass, replace

from orchestrator.sandbox.corpus import SOURCES

FAULTS = (
    "delay:SECONDS",
    "status:CODE",
    "throttle:SECONDS",
    "every:N",
    "hang",
    "malformed",
    "disconnect",
    "parts",
)
MAX_DELAY = 3600.0
ERRORS = range(400, 600)


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong with each `every`-th request to a source.

    `delay` (seconds) comes before anything else. Then `hang` never answers, `disconnect` closes the connection without
    a word, `status` answers with the vendor's error of that HTTP status, `retry_after` (seconds) throttles in the
    vendor's way, and `malformed` cuts a good answer short. With `parts` the fault strikes each `every`-th part inside
    a Gmail batch and leaves other requests alone.
    """

    delay: float = 0.0
    status: int | None = None
    retry_after: float | None = None
    every: int = 1
    hang: bool = False
    malformed: bool = False
    disconnect: bool = False
    parts: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.delay <= MAX_DELAY:
            raise ValueError(f"a delay must be between 0 and {MAX_DELAY:.0f} seconds, not {self.delay}")
        if self.retry_after is not None and not 0 <= self.retry_after <= MAX_DELAY:
            raise ValueError(f"retry_after must be between 0 and {MAX_DELAY:.0f} seconds, not {self.retry_after}")
        if self.status is not None and self.status not in ERRORS:
            raise ValueError(f"a status must be an error, 400 to 599, not {self.status}")
        if self.every < 1:
            raise ValueError(f"every must be 1 or more, not {self.every}")

    @property
    def refusal(self) -> int | None:
        """The HTTP status it answers with instead of an answer; throttling is 429."""
        return 429 if self.status is None and self.retry_after is not None else self.status


@dataclass(slots=True)
class FaultSchedule:
    """When a fault strikes: at each `every`-th request; one that strikes inside of batches is for whoever reads those."""

    fault: Fault | None = None
    count: int = 0

    @property
    def of_parts(self) -> Fault | None:
        """The one for parts of a batch, if it is such a one."""
        return self.fault if self.fault is not None and self.fault.parts else None

    def due(self) -> Fault:
        """The fault that strikes now; one without effect if none does."""
        if self.fault is None or self.fault.parts:
            return Fault()
        self.count += 1
        return self.fault if self.count % self.fault.every == 0 else Fault()


def parse_fault(text: str) -> tuple[str, Fault]:
    """Read `slack=delay:30`, `linear=status:500`, `gmail=throttle:2` or several joined: `slack=status:503+every:2`.

    Raises `ValueError`, listing the choices.

    >>> source, fault = parse_fault("slack=delay:2")
    >>> source, fault.delay
    ('slack', 2.0)
    """
    source, equals, wishes = text.strip().partition("=")
    if not equals or source not in SOURCES or not wishes:
        raise ValueError(f"cannot read the fault {text!r}: write SOURCE=FAULT; {_choices()}")
    fault = Fault()
    for wish in wishes.split("+"):
        fault = _with(fault, wish.strip(), text)
    if fault == Fault(every=fault.every, parts=fault.parts):
        raise ValueError(f"the fault {text!r} says when but not what; {_choices()}")
    return source, fault


def _with(fault: Fault, wish: str, text: str) -> Fault:
    name, _, value = wish.partition(":")
    try:
        match name, value:
            case (("hang" | "malformed" | "disconnect" | "parts"), ""):
                return replace(fault, **{name: True})
            case "delay", _:
                return replace(fault, delay=float(value))
            case "status", _:
                return replace(fault, status=int(value))
            case "throttle", _:
                return replace(fault, retry_after=float(value))
            case "every", _:
                return replace(fault, every=int(value))
    except ValueError as error:
        raise ValueError(f"cannot read the fault {text!r}: {error}; {_choices()}") from error
    raise ValueError(f"cannot read the fault {text!r}: there is no {wish!r}; {_choices()}")


def _choices() -> str:
    return f"sources: {', '.join(SOURCES)}; faults: {', '.join(FAULTS)} (join several with '+')"
