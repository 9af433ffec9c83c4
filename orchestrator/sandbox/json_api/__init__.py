"""One's own search over HTTP: the plain JSON API that `connectors/json_api/README.md` describes, over any rows."""

from .api import JsonApiEmulator

EMULATOR = JsonApiEmulator
