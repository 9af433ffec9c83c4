"""The English names of months, of which a Korean one is ``10월``: how questions and texts name a time."""

MONTH_NAMES = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
