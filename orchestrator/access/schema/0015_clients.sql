-- Our registrations with vendors that describe themselves and take them by a request (RFC 7591), each sealed for its source: a grant is good
-- only for the registration that it was given to, so none is taken away.

CREATE TABLE vault_clients (
    id text PRIMARY KEY,
    source text NOT NULL,
    sealed bytea NOT NULL,
    made timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX vault_clients_newest ON vault_clients (source, made DESC);
COMMENT ON TABLE vault_clients IS 'registrations with authorization servers, sealed';
