"""An answer worded by a language model: what every writer can do, and how one is configured. Off by default.

A writer is handed a finished prompt and returns text; what of that text may be shown is decided elsewhere
(:mod:`orchestrator.answer.rewording`), so no writer has to be trusted.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, PositiveFloat, PositiveInt, SecretStr

from translators.records import record


@record
class Prompt:
    """``instructions`` are ours and go where a service keeps them apart; ``material`` is data: the question, the evidence."""

    instructions: str
    material: str


@runtime_checkable
class Writer(Protocol):
    """``name``: maker and model, as it stands in receipts."""

    name: str

    async def write(self, prompt: Prompt, patience: float) -> str:
        """The model's text, not checked. ``patience``: seconds. Raises :class:`connectors.errors.SourceError`."""
        ...

    async def aclose(self) -> None:
        """Release connections; safe to call twice."""
        ...


class WriterSettings(BaseModel):
    """Which model words answers, and where it is.

    ``model``: ``none``, ``openai/MODEL`` (any service that speaks OpenAI's chat completions, at ``base_url``) or
    ``gemini/MODEL``. ``timeout``: seconds of a question's budget that are kept for it. ``tokens``: it may write so many.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    model: str = "none"
    base_url: str = ""
    api_key: SecretStr | None = None
    timeout: PositiveFloat = 1.5
    tokens: PositiveInt = 600

    @property
    def wanted(self) -> bool:
        """Whether a model is to word answers at all."""
        return self.model.strip() != "none"
