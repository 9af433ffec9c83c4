"""Understanding: text in Korean or English to :class:`translators.query.Query`, without a language model, I/O or clock."""

from orchestrator.understand.directory import Directory, DirectoryPerson, DirectoryProject
from orchestrator.understand.draft import KnownSources
from orchestrator.understand.korean import warm
from orchestrator.understand.lexicon import BadLexicon, Lexicon, load_lexicon
from orchestrator.understand.rows import to_row, understand_rows
from orchestrator.understand.understanding import understand

__all__ = [
    "BadLexicon",
    "Directory",
    "DirectoryPerson",
    "DirectoryProject",
    "KnownSources",
    "Lexicon",
    "load_lexicon",
    "to_row",
    "understand",
    "understand_rows",
    "warm",
]
