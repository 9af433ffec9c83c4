"""What is said of the parts of a question that cannot be taken at their word."""

from __future__ import annotations

from translators.said import Said

EMPTY = Said("there is no question; type a few words")
TOO_LONG = Said("only the first {read} of {given} characters were read; ask in fewer words")
INVISIBLE = Said("invisible control characters were left out")
WRONG_KEYBOARD = Said("this looks typed with the English keyboard on, so it was read as: {meant}")
NO_PARTNER = Said("a quotation mark has no partner, so what follows was read as plain words")
ANY_ISSUE = Said("sources are not asked for bugs apart from other issues, so issues of all sorts are listed")
NO_SUCH_DAY = Said("{said} is no day of the calendar, so it was left out; check the date")

# ---- of filters

NO_FILTER = Said("{name}: is no filter, so it was read as plain words; {hint}")
MEANT = Said("did you mean {near}:?")
KNOWN = Said("known filters are {known}")
NO_DAY = Said("{name}:{value} is no day of the calendar; write it as {name}:2025-03-31")
NEVER = Said("nothing is after {start} and before {end}; both limits were left out, please check them")
NO_TYPE = Said("type:{value} is no type; known types are {known}")
NO_STATE = Said("is:{value} is no state; known states are {known}")
NO_SOURCE = Said("source:{value} is not configured; configured sources: {names}")
NONE = Said("none")
NOT_WITHOUT = Said(
    "-source:{value} is not supported, so {value} was searched too; name the sources wanted with source:"
)
