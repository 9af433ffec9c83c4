"""Understanding: text in Korean or English to :class:`translators.query.Query`, without a language model, I/O or clock."""

from orchestrator.understand.directory import Directory, DirectoryPerson, DirectoryProject
from orchestrator.understand.korean import warm
from orchestrator.understand.lexicon import BadLexicon, Lexicon, load_lexicon
from orchestrator.understand.rows import to_row, understand_rows
from orchestrator.understand.sounds import NamesBySound
from orchestrator.understand.typos import is_known, known_beginning, nearest, vocabulary_of
from orchestrator.understand.understanding import is_in_no_language, understand

__all__ = [
    "BadLexicon",
    "Directory",
    "DirectoryPerson",
    "DirectoryProject",
    "Lexicon",
    "NamesBySound",
    "is_in_no_language",
    "is_known",
    "known_beginning",
    "load_lexicon",
    "nearest",
    "to_row",
    "understand",
    "understand_rows",
    "vocabulary_of",
    "warm",
]
