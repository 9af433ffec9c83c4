"""The chat bot: questions from a chat platform, answered there, to each audience what all of it may see."""

from orchestrator.surfaces.bot.bot import Bot, Desk
from orchestrator.surfaces.bot.rights import Right

__all__ = ["Bot", "Desk", "Right"]
