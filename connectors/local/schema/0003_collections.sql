-- What was added from files: where each collection lies, and what became of each of its files.

CREATE TABLE collections (
    name text PRIMARY KEY,
    place text NOT NULL,
    given jsonb NOT NULL,
    finished timestamptz
);
COMMENT ON TABLE collections IS 'a folder or file that is kept up to date; the source of its documents is its name';
COMMENT ON COLUMN collections.finished IS 'when it was last read to its end';

CREATE TABLE files (
    collection text NOT NULL REFERENCES collections ON DELETE CASCADE,
    path text NOT NULL,
    size bigint NOT NULL,
    modified bigint NOT NULL,
    trusted boolean NOT NULL,
    digest bytea NOT NULL,
    given bytea NOT NULL,
    skipped jsonb NOT NULL DEFAULT '[]',
    PRIMARY KEY (collection, path)
);
COMMENT ON COLUMN files.trusted IS 'whether size and time alone tell that it did not change: not where it changed as it was read';
COMMENT ON COLUMN files.digest IS 'of its bytes';
COMMENT ON COLUMN files.given IS 'of what else its documents depend on: who may see them, what they are for, how files are read';
COMMENT ON COLUMN files.skipped IS 'what of it could not be read, and why';
