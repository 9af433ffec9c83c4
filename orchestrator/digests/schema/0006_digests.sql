-- Digests and saved searches: how far each has read, what it has told, when it is due, what is still to be delivered.

CREATE TABLE digest_marks (
    digest text NOT NULL,
    source text NOT NULL,
    covered timestamptz NOT NULL,
    PRIMARY KEY (digest, source)
);
COMMENT ON COLUMN digest_marks.covered IS 'everything of the source that happened before has been told';

CREATE TABLE digest_plans (
    digest text PRIMARY KEY,
    schedule text NOT NULL,
    due timestamptz NOT NULL
);
COMMENT ON TABLE digest_plans IS 'the next run of each; one that is due at another moment is of an old plan';

CREATE TABLE digest_runs (
    digest text NOT NULL,
    due timestamptz NOT NULL,
    person text NOT NULL,
    since timestamptz NOT NULL,
    until timestamptz NOT NULL,
    made timestamptz NOT NULL DEFAULT now(),
    content jsonb NOT NULL,
    PRIMARY KEY (digest, due)
);

CREATE TABLE digest_events (
    digest text NOT NULL,
    source text NOT NULL,
    id text NOT NULL,
    happened timestamptz NOT NULL,
    due timestamptz NOT NULL,
    PRIMARY KEY (digest, source, id, happened),
    FOREIGN KEY (digest, due) REFERENCES digest_runs ON DELETE CASCADE
);
CREATE INDEX digest_events_run ON digest_events (digest, due);
COMMENT ON TABLE digest_events IS 'what was told in which run: the key lets nothing be told twice';

CREATE TABLE outbox (
    key text PRIMARY KEY,
    digest text NOT NULL,
    due timestamptz NOT NULL,
    place text NOT NULL,
    target text NOT NULL,
    status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'sent', 'dead')),
    attempts integer NOT NULL DEFAULT 0,
    problem text NOT NULL DEFAULT '',
    changed timestamptz NOT NULL DEFAULT now(),
    FOREIGN KEY (digest, due) REFERENCES digest_runs ON DELETE CASCADE
);
CREATE INDEX outbox_run ON outbox (digest, due);
COMMENT ON COLUMN outbox.target IS 'a digest of the address, which may hold a secret; place is what people are told of it';
