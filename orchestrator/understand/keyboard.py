"""Words typed with the wrong keyboard on (ㅏ묘ㅜㅑ, rufwp), turned back only where the result is a word we know."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from translators.letters import is_syllable
from translators.patterns import regex

if TYPE_CHECKING:
    from orchestrator.understand.lexicon import Lexicon

# The two-set Korean layout (KS X 5002): one key a letter, shift for doubled consonants.
KEYS = dict(
    zip(
        "rRseEfaqQtTdwWczxvgkoiOjpuPhynbml",
        "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎㅏㅐㅑㅒㅓㅔㅕㅖㅗㅛㅜㅠㅡㅣ",
        strict=True,
    )
)
LETTERS = {jamo: key for key, jamo in KEYS.items()}
TYPED = {key.upper(): jamo for key, jamo in KEYS.items()} | KEYS
"""The keys with their capitals: where shift changes nothing, it is the same letter."""
INITIALS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
MEDIALS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
FINALS = " ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"
PAIRS = {
    "ㅗㅏ": "ㅘ", "ㅗㅐ": "ㅙ", "ㅗㅣ": "ㅚ", "ㅜㅓ": "ㅝ", "ㅜㅔ": "ㅞ", "ㅜㅣ": "ㅟ", "ㅡㅣ": "ㅢ", "ㄱㅅ": "ㄳ", "ㄴㅈ": "ㄵ", "ㄴㅎ": "ㄶ",
    "ㄹㄱ": "ㄺ", "ㄹㅁ": "ㄻ", "ㄹㅂ": "ㄼ", "ㄹㅅ": "ㄽ", "ㄹㅌ": "ㄾ", "ㄹㅍ": "ㄿ", "ㄹㅎ": "ㅀ", "ㅂㅅ": "ㅄ",
}  # fmt: skip
SPLIT = {joined: pair for pair, joined in PAIRS.items()}
SYLLABLE = regex(
    r"([ㄱ-ㅎ])(ㅗ[ㅏㅐㅣ]|ㅜ[ㅓㅔㅣ]|ㅡㅣ|[ㅏ-ㅣ])((?:ㄱㅅ|ㄴ[ㅈㅎ]|ㄹ[ㄱㅁㅂㅅㅌㅍㅎ]|ㅂㅅ|[ㄱ-ㅎ])(?![ㅏ-ㅣ])|[ㄱ-ㅎ](?=[ㄱ-ㅎ][ㅏ-ㅣ]))?"
)
CONSONANTS = frozenset(key for key, jamo in TYPED.items() if jamo in INITIALS)
VOWELS = frozenset(key for key, jamo in TYPED.items() if jamo in MEDIALS)
RUN = regex(r"(?<![^\s])[A-Za-z]{2,}(?: [A-Za-z]{2,})+(?![^\s?!.,])")
"""Words of letters side by side."""
JAMO = regex(r"[ㄱ-ㅣ]")
HANGUL_BASE = 0xAC00


def as_typed_in_english(text: str) -> str:
    """The Latin letters of the keys that gave this Hangul."""
    return "".join(_keys(char) for char in text)


def _keys(char: str) -> str:
    jamo = char
    if is_syllable(char):
        index = ord(char) - HANGUL_BASE
        jamo = INITIALS[index // 588] + MEDIALS[index % 588 // 28] + FINALS[index % 28].strip()
    return "".join(LETTERS.get(part, part) for one in jamo for part in SPLIT.get(one, one))


def as_typed_in_korean(text: str) -> str | None:
    """The Hangul of these keys, or ``None`` where they make no whole syllables."""
    if text[:1] not in CONSONANTS or text[1:2] not in VOWELS:
        return None  # as most English words: no syllable begins so
    jamo = "".join([TYPED.get(char, "?") for char in text])
    syllables: list[str] = []
    end = 0
    while match := SYLLABLE.match(jamo, end):
        initial, medial, final = match[1], PAIRS.get(match[2], match[2]), PAIRS.get(match[3] or " ", match[3] or " ")
        if initial not in INITIALS or medial not in MEDIALS or final not in FINALS:
            return None
        syllables.append(
            chr(HANGUL_BASE + INITIALS.index(initial) * 588 + MEDIALS.index(medial) * 28 + FINALS.index(final))
        )
        end = match.end()
    return "".join(syllables) if end == len(jamo) and syllables else None


@lru_cache(maxsize=256)
def repair(text: str, lexicon: Lexicon) -> str | None:
    """The word that was meant, where it is surely another keyboard's: what was typed is none, what comes out is known."""
    if not text.isascii() and JAMO.search(text):
        meant = as_typed_in_english(text)
        return meant if meant.isascii() and _known_english(meant.lower(), lexicon) else None
    if len(text) < 4 or not text.isascii() or not text.isalpha() or _known_english(text.lower(), lexicon):  # noqa: PLR2004
        return None
    found = as_typed_in_korean(text)
    return found if found and len(found) > 1 and _known_korean(found, lexicon) else None


def repaired_runs(text: str, lexicon: Lexicon) -> str:
    """``text`` with words side by side that were all typed with the wrong keyboard turned back together.

    One word that is known vouches for its neighbours (dhszhf wjdcor), if each of them makes whole syllables and none is English.
    """
    return RUN.sub(lambda run: _whole_run(run.group(), lexicon), text) if RUN.search(text) else text


def _whole_run(run: str, lexicon: Lexicon) -> str:
    words = run.split(" ")
    meant = [as_typed_in_korean(word) for word in words]
    vouched = any(repair(word, lexicon) for word in words)
    english = any(_known_english(word.lower(), lexicon) for word in words)
    return " ".join(map(str, meant)) if vouched and not english and all(meant) else run


def _known_english(word: str, lexicon: Lexicon) -> bool:
    return any(
        word in words
        for words in (lexicon.tools, lexicon.ordinary, lexicon.variants, lexicon.categories, lexicon.generic)
    )


def _known_korean(word: str, lexicon: Lexicon) -> bool:
    return any(
        word in words
        for words in (
            lexicon.tools,
            lexicon.variants,
            lexicon.generic,
            lexicon.beside,
            lexicon.asking_ko,
            lexicon.categories,
        )
    )
