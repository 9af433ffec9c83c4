"""What is said to people in both languages: one value, written once, so that no reason can lack its Korean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Said(str):
    """A sentence for people. As text it is the English one, which logs and JSON keep; ``korean`` says the same.

    Where the type asks for it, a plain string does not pass. What becomes of it by ``+``, ``join`` or an f-string is
    plain text: :meth:`filled` and :func:`joined` keep both languages.
    """

    __slots__ = ("korean",)
    korean: str

    def __new__(cls, english: str, korean: str) -> Self:
        made = super().__new__(cls, english)
        made.korean = korean
        return made

    def __reduce__(self) -> tuple[type[Said], tuple[str, str]]:
        return Said, (str(self), self.korean)

    def mapped(self, change: Callable[[str], str]) -> Said:
        """Both sentences changed alike: cut, masked, without the full stop."""
        return Said(change(str(self)), change(self.korean))

    def filled(self, **parts: object) -> Said:
        """Both sentences as templates of :meth:`str.format`; a part that is said in both languages stands in its own."""
        korean = {name: said_in(part, "ko") if isinstance(part, str) else part for name, part in parts.items()}
        return Said(self.format(**parts), self.korean.format(**korean))


UNSAID = Said("", "")


def quoting(text: str) -> Said:
    """What a vendor or a person wrote themselves: the same in every language."""
    return text if isinstance(text, Said) else Said(text, text)


def said_in(text: str, language: str) -> str:
    """``text`` in this language, as far as it is ours; what is not stays as it was written."""
    return text.korean if isinstance(text, Said) and language == "ko" else str(text)


def joined(separator: str, parts: Iterable[str]) -> Said:
    """Several sentences in one, in both languages."""
    listed = tuple(parts)
    return Said(separator.join(listed), separator.join(said_in(each, "ko") for each in listed))
