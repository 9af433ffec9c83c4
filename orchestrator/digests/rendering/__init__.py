"""Outlines as text for one medium each; all text of sources is escaped for it."""

from orchestrator.digests.rendering.html import as_html
from orchestrator.digests.rendering.markdown import as_markdown
from orchestrator.digests.rendering.plain import as_plain

__all__ = ["as_html", "as_markdown", "as_plain"]
