"""What people are told, in every language: English stands where it is said, each other language in one file (a catalogue).

A message is written as ``Said("no answer within {seconds:.1f} s")`` (the *msgid* of gettext) and told by :func:`said_in`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from importlib.resources.abc import Traversable


class Language(NamedTuple):
    """What a language is called in English, and by those who speak it."""

    name: str
    own_name: str


ENGLISH = "en"
# One more entry here and one more file ``messages.<code>.toml`` beside this module is one more language.
LANGUAGES: dict[str, Language] = {"ko": Language("Korean", "한국어"), ENGLISH: Language("English", "English")}

if TYPE_CHECKING:
    LanguageCode = str
else:
    LanguageCode = Literal[tuple(sorted(LANGUAGES))]

ANYWHERE = "anywhere"  # what messages without a context stand under in a catalogue
Catalogue = dict[tuple[str, str], str]
NO_PARTS: Mapping[str, object] = MappingProxyType({})
KEPT = (str, int, float)
_BROUGHT: list[Traversable] = []


class Said(str):
    """A message for people. As text it is the English one, which logs and JSON keep; :func:`said_in` tells it in another.

    Where the type asks for it, a plain string does not pass. What becomes of it by ``+``, ``join`` or an f-string is
    plain text: :meth:`filled` and :func:`joined` keep all languages. ``context`` sets one message apart from another that
    has the same English and is said otherwise elsewhere. ``template`` and ``parts``: what it was filled from. ``texts``: in other
    languages, where it stands in no catalogue.
    """

    __slots__ = ("context", "parts", "template", "texts")
    context: str
    template: Said | None
    parts: Mapping[str, object]
    texts: Mapping[str, str] | None

    def __new__(cls, english: str, *, context: str = "") -> Self:
        made = super().__new__(cls, english)
        made.context, made.template, made.parts, made.texts = context, None, NO_PARTS, None
        return made

    @classmethod
    def given(cls, texts: Mapping[str, str]) -> Self:
        """Said in each language by whoever wrote it, and nowhere else: in a setting, or by what was put together."""
        made = cls(texts[ENGLISH])
        made.texts = {language: text for language, text in texts.items() if language != ENGLISH}
        return made

    @classmethod
    def in_each(cls, tell: Callable[[str], str]) -> Self:
        """What ``tell`` makes of each language."""
        return cls.given({language: tell(language) for language in LANGUAGES})

    def __reduce__(self) -> tuple[Callable[[Mapping[str, str]], Said], tuple[Mapping[str, str]]]:
        return Said.given, (in_every_language(self),)

    def mapped(self, change: Callable[[str], str]) -> Said:
        """The sentence changed alike in each language: cut, masked, without the full stop."""
        return Said.in_each(lambda language: change(said_in(self, language)))

    def filled(self, /, **parts: object) -> Said:
        """The sentence as a template of :meth:`str.format`; a part that is a message is told in the language of the whole.

        Of what is neither text nor a number only what it is called is kept: it may change before it is read.
        """
        kept = {name: part if isinstance(part, KEPT) else str(part) for name, part in parts.items()}
        made = Said(filled_in(self, ENGLISH, **kept))
        made.template, made.parts = self, kept
        return made


def quoting(text: str) -> Said:
    """What a vendor or a person wrote themselves: the same in every language."""
    return text if isinstance(text, Said) else Said.given({ENGLISH: text})


def of_data(value: object) -> Said:
    """A message of a file or a setting: one text, which a catalogue may have in other languages, or one by language.

    >>> said_in(of_data({"en": "partner", "ko": "협력사"}), "ko")
    '협력사'
    """
    match value:
        case Said():
            return value
        case str():
            return Said(value)
        case dict() if {ENGLISH} < value.keys() <= LANGUAGES.keys() and all(
            isinstance(value[each], str) for each in value
        ):
            return Said.given(value)
        case _:
            raise ValueError("write one text, or one for each language: { en = …, ko = … }")


UNSAID = quoting("")


def said_in(text: str, language: str) -> str:
    """``text`` in this language, as far as it is ours; what is not, or has not been put into it, stays as it was written."""
    if not isinstance(text, Said) or language == ENGLISH:
        return str(text)
    if text.texts is not None:
        return text.texts.get(language, str(text))
    if text.template is not None:
        return filled_in(text.template, language, **text.parts)
    return catalogue(language).get((text.context, str(text)), str(text))


def failure_message(failure: BaseException) -> str:
    """The message of an error, which may be told in other languages."""
    return next((each for each in failure.args if isinstance(each, Said)), str(failure))


def filled_in(text: str, language: str, /, **parts: object) -> str:
    """:meth:`Said.filled` in one language."""
    told = {name: said_in(part, language) if isinstance(part, str) else part for name, part in parts.items()}
    return said_in(text, language).format(**told)


def in_every_language(text: str) -> dict[str, str]:
    """``text`` by language, as :meth:`Said.given` takes it: to be kept, or sent to a process that has other catalogues."""
    return {language: said_in(text, language) for language in LANGUAGES}


def joined(separator: str, parts: Iterable[str]) -> Said:
    """Several sentences in one, in every language."""
    listed = tuple(parts)
    return Said.in_each(lambda language: said_in(separator, language).join(said_in(each, language) for each in listed))


def preferred(accepted: str) -> str:
    """The language that an ``Accept-Language`` header likes best of ours; English where it names neither."""
    liked = sorted(map(_quality, enumerate(accepted.split(",")[:20])))
    return next((name for _, _, name in liked if name in LANGUAGES), "en")


def _quality(entry: tuple[int, str]) -> tuple[float, int, str]:
    """For sorting: what is liked more comes first, then what is named first. What cannot be read counts as not liked."""
    place, text = entry
    name, _, weight = text.strip().partition(";q=")
    try:
        quality = float(weight or 1)
    except ValueError:
        quality = 0.0
    return (-quality, place, name.partition("-")[0].strip().lower() if quality else "")


class Phrasebook(dict[str, str]):
    """Messages by a key of their own, told in one language: what a surface puts around an answer."""

    def __init__(self, messages: Mapping[str, Said], language: str) -> None:
        super().__init__({key: said_in(message, language) for key, message in messages.items()})
        self.language = language


@cache
def catalogue(language: str) -> Mapping[tuple[str, str], str]:
    """By context and English; read at the first use. Of what several bring, ours counts, and then what came first."""
    here = (Path(__file__).parent, *_BROUGHT)
    found: Catalogue = {}
    for folder in reversed(here):
        found |= read_catalogue(folder / f"messages.{language}.toml")
    return found


def read_catalogue(file: Traversable) -> Catalogue:
    """Lines ``"English" = "…"`` below ``[anywhere]`` or the context they are said in. Of no file, nothing; ``""`` is none yet."""
    import tomllib

    tables = tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}
    return {
        (context * (context != ANYWHERE), english): text
        for context, row in tables.items()
        for english, text in row.items()
        if text
    }


def load_catalogues() -> None:
    """Read them now, so that no question waits for a file."""
    for language in LANGUAGES.keys() - {ENGLISH}:
        catalogue(language)


def bring(folder: Traversable) -> None:
    """Know the messages that lie beside a source or a dialect, in files ``messages.<code>.toml``, if there are any."""
    if folder not in _BROUGHT and any((folder / f"messages.{each}.toml").is_file() for each in LANGUAGES):
        _BROUGHT.append(folder)
        catalogue.cache_clear()
