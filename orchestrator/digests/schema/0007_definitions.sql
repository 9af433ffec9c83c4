-- Digests and saved searches that people define themselves, beside those of the settings.

CREATE TABLE digest_definitions (
    digest text PRIMARY KEY,
    name text NOT NULL,
    person text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('digest', 'search')),
    told jsonb NOT NULL,
    sealed bytea,
    changed timestamptz NOT NULL DEFAULT now(),
    UNIQUE (person, name)
);
COMMENT ON COLUMN digest_definitions.digest IS 'what its runs, marks and deliveries are kept under';
COMMENT ON COLUMN digest_definitions.sealed IS 'what signs its webhooks, sealed with accounts.secret for this definition';
