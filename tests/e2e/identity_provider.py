"""An OpenID Connect provider on this machine: its two documents over a real socket, and tokens signed with real keys."""

import base64
import hashlib
import json
import time
from contextlib import asynccontextmanager
from urllib.parse import urlencode

from aiohttp import web
from joserfc import jwt
from joserfc.jwk import ECKey, RSAKey
from joserfc.util import urlsafe_b64encode

CLIENT, SECRET = "fedsearch-page", "p&ge secret"
CREDENTIALS = b"fedsearch-page:p%26ge%20secret"  # each part encoded (RFC 6749, 2.3.1)


class Provider:
    """Signs with the newest of its keys; what it publishes and how it answers can be changed while it runs."""

    def __init__(self):
        self.url = ""
        self.keys = [RSAKey.generate_key(2048, {"kid": "one", "use": "sig", "alg": "RS256"})]
        self.published = None
        self.status = 200
        self.asked = []
        self.said = {}
        self.person = {"sub": "alice", "name": "앨리스", "email": "alice@example.com"}
        self.codes = {}
        self.claims = {}  # of an ID token besides, or otherwise
        self.registered = {}  # public clients that have registered themselves (RFC 7591), with their names

    async def register(self, request):
        """Takes any program that says where it is to be sent back to."""
        said = await request.json()
        assert said["redirect_uris"]
        client = f"client-{len(self.registered)}"
        self.registered[client] = said.get("client_name", "")
        return web.json_response({**said, "client_id": client, "token_endpoint_auth_method": "none"}, status=201)

    async def authorize(self, request):
        """Signs in whoever comes, as a provider does that knows them already (RFC 6749, 4.1.1; RFC 7636, 4.3)."""
        asked = dict(request.query)
        assert (asked["response_type"], asked["code_challenge_method"]) == ("code", "S256")
        assert asked["client_id"] in {CLIENT, *self.registered}
        assert asked["client_id"] != CLIENT or "openid" in asked["scope"].split()
        code = f"code-{len(self.codes)}"
        self.codes[code] = asked
        back = urlencode({"code": code, "state": asked["state"], "iss": self.url})
        raise web.HTTPFound(f"{asked['redirect_uri']}?{back}")

    async def grant(self, request):
        """An ID token for a code, once, to the client alone that asked for it (RFC 6749, 4.1.3; RFC 7636, 4.6)."""
        form = await request.post()
        asked = self.codes.pop(form.get("code", ""), None)
        digest = hashlib.sha256(form.get("code_verifier", "").encode("ascii")).digest()
        page = f"Basic {base64.b64encode(CREDENTIALS).decode()}"
        known = request.headers.get("Authorization") == page or form.get("client_id") in self.registered
        good = (
            asked is not None
            and known
            and form.get("redirect_uri") == asked["redirect_uri"]
            and urlsafe_b64encode(digest).decode() == asked["code_challenge"]
        )
        if not good:
            return web.json_response({"error": "invalid_grant"}, status=400)
        said = {"aud": CLIENT, "nonce": asked.get("nonce"), **self.person, **self.claims}
        access = self.token(aud=asked.get("resource", "nobody"), **self.person)  # RFC 8707
        reply = {"access_token": access, "token_type": "Bearer", "expires_in": 300, "id_token": self.token(**said)}
        return web.json_response(reply)

    async def configuration(self, request):
        self.asked.append("configuration")
        ends = {
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "registration_endpoint": f"{self.url}/register",
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
        }
        found = {"issuer": self.url, "jwks_uri": f"{self.url}/keys", **ends, **self.said}
        return web.json_response(found, status=self.status)

    async def jwks(self, request):
        self.asked.append("keys")
        published = self.published if self.published is not None else [key.as_dict(private=False) for key in self.keys]
        return web.json_response({"keys": published}, status=self.status)

    def rotate(self):
        """A new key of another kind; the old ones are no longer published."""
        self.keys = [ECKey.generate_key("P-256", {"kid": f"ec-{len(self.asked)}", "use": "sig", "alg": "ES256"})]

    def token(self, key=None, header=(), **claims):
        """A token for somebody; a claim of ``None`` is left out."""
        key, now = key or self.keys[-1], int(time.time())
        usual = {"iss": self.url, "sub": "alice", "aud": "fedsearch", "exp": now + 300, "iat": now}
        said = {name: value for name, value in {**usual, **claims}.items() if value is not None}
        alg = "ES256" if key.key_type == "EC" else "RS256"
        return jwt.encode({"alg": alg, "kid": key.kid, "typ": "at+jwt", **dict(header)}, said, key)

    def settings(self, **more):
        """How fedsearch is told of it."""
        return {"issuer": self.url, "audience": "fedsearch", **more}


@asynccontextmanager
async def identity_provider():
    """A provider that listens for as long as the context lasts."""
    provider = Provider()
    app = web.Application()
    app.router.add_get("/.well-known/openid-configuration", provider.configuration)
    app.router.add_get("/keys", provider.jwks)
    app.router.add_get("/authorize", provider.authorize)
    app.router.add_post("/token", provider.grant)
    app.router.add_post("/register", provider.register)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    provider.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield provider
    finally:
        await runner.cleanup()


def unsigned(claims, alg="none", **header):
    """A token without a signature (RFC 8725, 3.1)."""
    parts = (json.dumps(each).encode() for each in ({"alg": alg, "kid": "one", **header}, claims))
    return ".".join([*(urlsafe_b64encode(part).decode() for part in parts), ""])
