"""People's own tokens before the API: a real provider on this machine, real signatures, real sockets."""

import asyncio
import hmac
import json
import time

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from joserfc.jwk import RSAKey
from joserfc.util import urlsafe_b64encode

from connectors.errors import BadReply, Misconfigured, Unavailable
from orchestrator.access import SigningKeys, TokenRules
from orchestrator.assembly.accounts import proxy_of, tokens_of
from orchestrator.settings import load_settings
from tests.e2e.identity_provider import identity_provider, unsigned


async def ask(api, token, path="/v1/understand", **headers):
    """The status, the document and the headers of one request."""
    sent = {"Authorization": f"Bearer {token}", **headers} if token else headers
    if path == "/metrics":
        request = api.http.get(api.url + path, headers=sent)
    else:
        request = api.http.post(api.url + path, json={"question": "배포 일정"}, headers=sent)
    async with request as reply:
        text = await reply.text()
        return reply.status, json.loads(text) if text.startswith("{") else text, reply.headers


async def test_a_person_enters_with_a_token_and_a_program_with_a_key(serve, tmp_path):
    async with identity_provider() as provider, serve(tmp_path, more={"oidc": provider.settings()}) as api:
        token = provider.token(name="앨리스", email="alice@example.com")
        async with api.http.post(
            api.url + "/v1/search", json={"question": "okta"}, headers={"Authorization": f"Bearer {token}"}
        ) as reply:
            assert reply.status == 200
        assert (await ask(api, api.key))[0] == 200
        line = json.loads((tmp_path / "audit.jsonl").read_text("utf-8").splitlines()[0])
        assert line["principal"] == f"{provider.url}#alice"
        assert provider.asked == ["configuration", "keys"]
        _, document, _ = await ask(api, "")
        assert "token" in document["detail"]


async def test_what_a_token_may_do(serve, tmp_path):
    rules = {"scopes": ["search"], "grants": {"운영팀": ["metrics"]}}
    async with identity_provider() as provider, serve(tmp_path, more={"oidc": provider.settings(**rules)}) as api:

        async def allowed(**claims):
            return [(await ask(api, provider.token(**claims), path))[0] for path in ("/v1/understand", "/metrics")]

        assert await allowed() == [200, 403]
        assert await allowed(groups=["운영팀", 7, "x" * 900]) == [200, 200]
        assert await allowed(scope="openid fedsearch:metrics fedsearch:nonsense") == [200, 200]
        assert await allowed(scp=["fedsearch:metrics"]) == [200, 200]
        assert await allowed(scope="metrics", groups={"운영팀": True}) == [200, 403]


def hs256(provider):
    """Signed with the provider's public key as if it were a shared secret (RFC 8725, 2.1)."""
    claims = {"iss": provider.url, "sub": "alice", "aud": "fedsearch", "exp": int(time.time()) + 300}
    text = unsigned(claims, alg="HS256")
    signature = hmac.digest(provider.keys[0].as_pem(private=False), text.rstrip(".").encode(), "sha256")
    return text + urlsafe_b64encode(signature).decode()


def signed(provider, **header):
    """A token with a header that the library would not write, well signed."""
    claims = {"iss": provider.url, "sub": "alice", "aud": "fedsearch", "exp": int(time.time()) + 300}
    text = unsigned(claims, alg="RS256", **header)
    made = provider.keys[0].private_key.sign(text.rstrip(".").encode(), padding.PKCS1v15(), hashes.SHA256())
    return text + urlsafe_b64encode(made).decode()


STRANGER = RSAKey.generate_key(2048, {"kid": "one"})


def soon(seconds):
    """So many seconds from when the token is made: the module may have been read an hour ago."""
    return int(time.time()) + seconds


BAD = {
    "expired": (lambda p: p.token(exp=soon(-3600)), "expired_token"),
    "without an end": (lambda p: p.token(exp=None), "bad_token"),
    "an end that never comes": (lambda p: p.token(exp=float("inf")), "bad_token"),
    "an end in words": (lambda p: p.token(exp="tomorrow"), "bad_token"),
    "not yet": (lambda p: p.token(nbf=soon(3600)), "bad_token"),
    "from the future": (lambda p: p.token(iat=soon(3600)), "bad_token"),
    "for another program": (lambda p: p.token(aud="payroll"), "bad_token"),
    "for nobody": (lambda p: p.token(aud=None), "bad_token"),
    "of another issuer": (lambda p: p.token(iss="https://login.example.net"), "bad_token"),
    "of nobody": (lambda p: p.token(sub=None), "bad_token"),
    "of an empty name": (lambda p: p.token(sub=""), "bad_token"),
    "of a number": (lambda p: p.token(sub=7), "bad_token"),
    "signed by a stranger": (lambda p: p.token(key=STRANGER), "bad_token"),
    "unsigned": (
        lambda p: unsigned({"iss": p.url, "sub": "alice", "aud": "fedsearch", "exp": soon(300)}),
        "bad_token",
    ),
    "signed with the public key": (hs256, "bad_token"),
    "cut": (lambda p: p.token()[:-9], "bad_token"),
    "changed": (
        lambda p: ".".join([*p.token().split(".")[:1], "eyJzdWIiOiJib2IifQ", p.token().split(".")[2]]),
        "bad_token",
    ),
    "with a word that must be understood": (lambda p: signed(p, crit=["exp"], exp=1), "bad_token"),
    "with a senseless word": (lambda p: signed(p, crit=7), "bad_token"),
    "no JSON": (lambda p: "a.b.c", "bad_token"),
    "deep": (lambda p: "W1tb" * 500 + ".e30.e30", "bad_token"),
    "long": (lambda p: p.token(groups=["g" * 100] * 90), "bad_token"),
    "not a token": (lambda p: "fsk_1_2", "bad_key"),
}


async def test_the_hand_that_signs_here_signs_well(serve, tmp_path):
    async with identity_provider() as provider, serve(tmp_path, more={"oidc": provider.settings()}) as api:
        assert (await ask(api, signed(provider)))[0] == 200


async def test_what_opens_nothing_says_why_and_is_quoted_nowhere(serve, tmp_path, capfd):
    async with identity_provider() as provider, serve(tmp_path, more={"oidc": provider.settings()}) as api:
        for name, (make, code) in BAD.items():
            token = make(provider)
            status, document, headers = await ask(api, token)
            assert (status, document.get("code")) == (401, code), name
            assert "invalid_token" in headers["www-authenticate"], name
            assert document["detail"], name
            assert token not in json.dumps(document), name
        assert len(provider.asked) <= 4  # the keys are not read for each of them
    written = "".join(capfd.readouterr())
    assert all(make(provider).split(".")[0][:30] not in written for make, _ in list(BAD.values())[:3])


async def test_clocks_may_differ_a_little(serve, tmp_path):
    async with identity_provider() as provider, serve(tmp_path, more={"oidc": provider.settings(leeway=60)}) as api:
        now = int(time.time())
        assert (await ask(api, provider.token(exp=now - 30)))[0] == 200
        assert (await ask(api, provider.token(nbf=now + 30, iat=now + 30)))[0] == 200
        assert (await ask(api, provider.token(exp=now - 90)))[0] == 401


class Clock:
    """A clock that is set by hand."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


async def test_keys_are_read_once_and_again_when_they_change():
    async with identity_provider() as provider:
        clock = Clock()
        keys = SigningKeys(provider.url, clock)
        found = await asyncio.gather(*(keys.find("one") for _ in range(8)))
        assert [len(each.keys) for each in found] == [1] * 8
        assert provider.asked == ["configuration", "keys"]

        provider.rotate()
        new = provider.keys[0].kid
        assert (await keys.find(new)).keys == []  # read a moment ago: not again for an invented name
        assert len(provider.asked) == 2
        clock.now += 31
        assert [key.kid for key in (await keys.find(new)).keys] == [new]
        assert (await keys.find("one")).keys == []
        for _ in range(20):
            assert (await keys.find("invented")).keys == []
        assert len(provider.asked) == 4

        clock.now += 3601  # old enough to be read for nobody's sake: a key that was withdrawn ends
        provider.rotate()
        assert (await keys.find(new)).keys == []
        assert len(provider.asked) == 6


async def test_old_keys_hold_for_a_day_while_the_provider_is_away():
    async with identity_provider() as provider:
        clock = Clock()
        keys = SigningKeys(provider.url, clock)
        await keys.find("one")
        provider.status = 503
        clock.now += 2 * 3600
        assert len((await keys.find("one")).keys) == 1
        clock.now += 23 * 3600
        with pytest.raises(Unavailable):
            await keys.find("one")
        provider.status = 200
        with pytest.raises(Unavailable):
            await keys.find("one")  # it is left alone for a moment
        clock.now += 6
        assert len((await keys.find("one")).keys) == 1


async def test_a_provider_that_is_away_is_no_fault_of_the_token(serve, tmp_path):
    async with identity_provider() as provider, serve(tmp_path, more={"oidc": provider.settings()}) as api:
        provider.status = 500
        status, document, headers = await ask(api, provider.token())
        assert (status, document["code"]) == (503, "issuer_unavailable")
        assert headers["retry-after"]
        assert (await ask(api, api.key))[0] == 200


@pytest.mark.parametrize(
    "said",
    [
        {"issuer": "https://login.example.net"},
        {"jwks_uri": "http://login.example.net/keys"},
        {"jwks_uri": 7},
    ],
)
async def test_a_provider_that_lies_is_not_believed(said):
    async with identity_provider() as provider:
        provider.said = said
        with pytest.raises(BadReply):
            await SigningKeys(provider.url, Clock()).find("one")


async def test_shared_secrets_among_the_keys_are_left_out():
    async with identity_provider() as provider:
        provider.published = [
            {"kty": "oct", "kid": "one", "k": "c2VjcmV0"},
            {**provider.keys[0].as_dict(private=False), "kid": "for encryption", "use": "enc"},
            provider.keys[0].as_dict(private=False),
            "nonsense",
        ]
        found = await SigningKeys(provider.url, Clock()).find(None)
        assert [(key.key_type, key.kid) for key in found.keys] == [("RSA", "one")]


@pytest.mark.parametrize(
    ("oidc", "said"),
    [
        ({"issuer": "http://login.example.com", "audience": "a"}, "https://"),
        ({"issuer": "https://login.example.com"}, "audience"),
        ({"issuer": "https://login.example.com", "audience": "a", "algorithms": ["HS256"]}, "HS256"),
        ({"issuer": "https://login.example.com", "audience": "a", "algorithms": "none"}, "none"),
        ({"issuer": "https://login.example.com", "audience": "a", "scopes": ["everything"]}, "everything"),
        ({"issuer": "https://login.example.com", "audience": "a", "grants": {"ops": ["all"]}}, "grants.ops"),
    ],
)
def test_settings_that_would_open_too_much_are_refused(oidc, said):
    with pytest.raises(Misconfigured, match=said):
        tokens_of(load_settings({"oidc": oidc}, {}))


def test_nothing_is_taken_unless_it_is_set():
    settings = load_settings({}, {})
    assert tokens_of(settings) is None
    assert proxy_of(settings) is None
    assert TokenRules("https://login.example.com", "a").scopes == {"search", "sources"}


# ---- a proxy that has signed people in


PROXY = {"header": "X-Forwarded-User", "addresses": ["127.0.0.1/32"]}


async def test_a_trusted_proxy_names_people(serve, tmp_path):
    async with serve(tmp_path, more={"proxy": PROXY}) as api:
        assert (await ask(api, "", **{"X-Forwarded-User": "alice@example.com"}))[0] == 200
        assert (await ask(api, "", "/metrics", **{"X-Forwarded-User": "alice@example.com"}))[0] == 403
        assert (await ask(api, "fsk_1_2", **{"X-Forwarded-User": "alice"}))[0] == 401  # its own key goes first
        for name in ("", "two words", "앨리스".encode().decode("latin-1"), "a" * 201):
            assert (await ask(api, "", **{"X-Forwarded-User": name}))[0] == 401
        twice = [("X-Forwarded-User", "bob"), ("X-Forwarded-User", "alice")]
        async with api.http.post(api.url + "/v1/understand", json={"question": "okta"}, headers=twice) as reply:
            assert reply.status == 401


async def test_another_site_cannot_use_the_proxys_sign_in(serve, tmp_path):
    async with serve(tmp_path, more={"proxy": PROXY}) as api:
        who = {"X-Forwarded-User": "alice"}
        status, document, _ = await ask(api, "", **who, **{"Sec-Fetch-Site": "cross-site"})
        assert (status, document["code"]) == (403, "cross_site")
        assert (await ask(api, "", **who, **{"Sec-Fetch-Site": "same-site"}))[0] == 403
        assert (await ask(api, "", **who, **{"Sec-Fetch-Site": "same-origin"}))[0] == 200
        assert (await ask(api, api.key, **{"Sec-Fetch-Site": "cross-site"}))[0] == 200  # a key is not sent by itself


@pytest.mark.parametrize("more", [{}, {"proxy": {**PROXY, "addresses": ["10.0.0.0/8"]}}])
async def test_nobody_else_is_believed(serve, tmp_path, more):
    async with serve(tmp_path, more=more) as api:
        status, document, _ = await ask(api, "", **{"X-Forwarded-User": "alice", "X-Forwarded-For": "10.0.0.5"})
        assert (status, document["code"]) == (401, "no_key")


def test_a_header_without_addresses_is_refused():
    with pytest.raises(Misconfigured, match="addresses"):
        proxy_of(load_settings({"proxy": {"header": "X-User"}}, {}))
