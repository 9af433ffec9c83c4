"""Source text made fit to quote: one line, nothing invisible that could act on a terminal or reorder a sentence."""

from __future__ import annotations

import unicodedata

from translators.patterns import regex
from translators.plain import is_printable

# Control characters, and the marks that reorder what stands around them (Unicode Bidirectional Algorithm, UAX #9).
CONTROL = regex(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
REORDERING = regex(r"[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
LINE_ENDS = regex(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
JOINER = "\u200d"
ADDRESS = regex(r"https?://\S+")
HOST = regex(r"https?://(?:[^\s/?#@]*@)?([\w.-]+)")


# Words that hold sentences together: they name no group of results, and a sentence is not proved by them.
STOP = frozenset(
    "a an the of to in on at by for from with and or but is are was were be been has have had will would can could "
    "should may might must do does did not no nor so as if than then that this these those it its our your their we you "
    "they he she his her my me us about into over under after before between during per via re fwd new old more most "
    "one some any all each every other another next last first please let now also only just how what when where who why "
    "which there here up out off until since full complete entire big final our whole current latest "
    "그 이 저 및 등 또는 그리고 하지만 위해 대한 관련 위한 통해 지금 이번 다음 지난 전체 모든 각 새 우리 저희 있는 없는 하는 되는 같은 대해".split()
)


def clean(text: str) -> str:
    """Without control and reordering characters; every kind of line end becomes a line feed."""
    if is_printable(text.replace("\n", "")):  # none of these characters is, so that most texts are taken as they are
        return text
    return CONTROL.sub(" ", REORDERING.sub("", LINE_ENDS.sub("\n", text)))


def quotable_line(text: str) -> str:
    """Cleaned, with every run of white space a single blank."""
    return single_spaced(clean(text))


def single_spaced(text: str) -> str:
    """With every run of white space a single blank, and none around it. What is printable holds no other white space than blanks, and mostly single ones."""
    return text.strip() if "  " not in text and is_printable(text) else " ".join(text.split())


def hosts(text: str) -> set[str]:
    """Where the addresses in a text lead."""
    return {host.casefold() for host in HOST.findall(text)}


def shorten(text: str, most: int) -> str:
    """At most ``most`` characters, ended at a word, then ``…``. For names and titles in frame sentences."""
    line = quotable_line(text)
    return line if len(line) <= most else f"{cut_at_word(line, most - 1)}…"


def cut_at_word(text: str, most: int) -> str:
    """The longest beginning of whole words within ``most`` characters; a run without blanks is cut between characters."""
    if len(text) <= most:
        return text
    head = text[: most + 1].rpartition(" ")[0].rstrip()
    return head or _whole_characters(text, most)


def _whole_characters(text: str, most: int) -> str:
    """Never between a letter and its combining marks."""
    end = most
    while end > 0 and (unicodedata.category(text[end]).startswith("M") or JOINER in text[end - 1 : end + 1]):
        end -= 1
    return text[: end or most]
