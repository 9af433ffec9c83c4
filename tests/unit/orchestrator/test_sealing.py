"""What is sealed opens for its owner alone, and a key that is none is refused."""

import pytest

from connectors.errors import Misconfigured
from orchestrator.access import CannotOpen, Seal, keys_of, new_key


@pytest.mark.parametrize("bound", [("vault", "b", "slack"), ("vault", "a", "gmail"), ("vault", "a"), ()])
def test_what_is_sealed_opens_for_its_owner_alone(bound):
    seal = Seal(keys_of(new_key()))
    sealed = seal.seal("비밀".encode(), "vault", "a", "slack")
    assert seal.open(sealed, "vault", "a", "slack").decode() == "비밀"
    with pytest.raises(CannotOpen):
        seal.open(sealed, *bound)
    with pytest.raises(CannotOpen):
        seal.open(sealed[:-1] + bytes([sealed[-1] ^ 1]), "vault", "a", "slack")
    with pytest.raises(CannotOpen):
        seal.open(b"", "vault", "a", "slack")
    assert seal.seal(b"x", "a") != seal.seal(b"x", "a")


@pytest.mark.parametrize("secret", ["", "short", "한글", "A" * 44, "//////////"])
def test_a_key_that_is_none_is_refused_without_being_quoted(secret):
    with pytest.raises(Misconfigured) as raised:
        Seal(keys_of(secret))
    assert not secret or secret not in str(raised.value)
