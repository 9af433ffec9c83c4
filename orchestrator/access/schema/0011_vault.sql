-- What people have allowed us at the sources, each sealed for its owner and source; nothing here opens without a key that is elsewhere.
-- Where it was made before there was this migration, it is taken over as it is.

CREATE TABLE IF NOT EXISTS vault (
    principal text NOT NULL,
    source text NOT NULL,
    id text NOT NULL,
    version bigint NOT NULL DEFAULT 1,
    sealed bytea NOT NULL,
    connected timestamptz NOT NULL DEFAULT now(),
    renewed timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (principal, source)
);
COMMENT ON TABLE vault IS 'grants of people at sources, sealed; the id is of one signing in';
