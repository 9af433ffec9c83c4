-- What came of jobs: the queue itself is procrastinate's (storage/jobs/schema.py), which keeps no results.

CREATE TABLE outcomes (
    job bigint PRIMARY KEY,
    task text NOT NULL,
    report jsonb,
    code text,
    problem text,
    happened timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX outcomes_happened ON outcomes (happened);
COMMENT ON COLUMN outcomes.code IS 'of the error that the last attempt ended with, and its message for people; null where it went well';
