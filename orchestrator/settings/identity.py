"""Settings of who may ask beside the holders of API keys, and of where people's own credentials are kept."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, IPvAnyNetwork, NonNegativeFloat, SecretStr, field_validator

from connectors.manifest import by_commas


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    _lists = field_validator("algorithms", "scopes", "ask_for", "addresses", mode="before", check_fields=False)(
        by_commas
    )


class Oidc(_Section):
    """People's own tokens. ``issuer``: whose are taken, empty for nobody's; ``audience``: what they must be made for.

    ``leeway``: seconds that clocks may differ. ``groups``: the claim that names a person's groups. ``scopes``: what
    everybody with a token may do; ``grants``: what the members of a group may do besides. ``client_id``: of this program at the provider,
    so that people sign in on the page (empty: they do not); ``ask_for``: the scopes that are asked for then; ``hours`` that a browser stays signed in.
    """

    issuer: str
    audience: str
    algorithms: tuple[str, ...]
    leeway: NonNegativeFloat = Field(le=600)
    groups: str
    scopes: tuple[str, ...]
    grants: dict[str, tuple[str, ...]]
    client_id: str
    client_secret: SecretStr | None = None
    ask_for: tuple[str, ...] = Field(min_length=1)
    hours: float = Field(gt=0, le=168, allow_inf_nan=False)


class Proxy(_Section):
    """A proxy that signs people in. ``header``: where it names them, empty for none; ``addresses`` (CIDR): where it is.

    ``scopes``: what they may do.
    """

    header: str = Field(pattern=r"^[A-Za-z0-9-]*$")
    addresses: tuple[IPvAnyNetwork, ...]
    scopes: tuple[str, ...]


class AccountsSettings(_Section):
    """People's own credentials for the sources. ``address``: how browsers reach this server; ``secret``: the keys.

    ``secret`` holds keys of ``fedsearch accounts key``, apart by commas or lines, the newest first: it encrypts, all decrypt.
    ``client_document``: where vendors that read who we are are sent to read it, rather than asked to register us.
    ``people``: how many of them have their connections open at once; ``idle``: seconds after which one's are closed.
    """

    address: str
    secret: SecretStr
    client_document: str
    people: int = Field(ge=1, le=100_000)
    idle: float = Field(gt=0)
