"""The chat bot: questions from a chat platform, answered there, to each audience what all of it may see."""

from orchestrator.surfaces.bot.kept import DatabaseMemory
from orchestrator.surfaces.bot.rights import Right
from orchestrator.surfaces.bot.services import BotServices

__all__ = ["BotServices", "DatabaseMemory", "Right"]
