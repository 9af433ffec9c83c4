-- What the chat bots of one installation remember together; ids are digests, so that the tables tell nobody who asked where.

CREATE TABLE bot_heard (id bytea PRIMARY KEY, claim bytea NOT NULL, until timestamptz NOT NULL);
CREATE INDEX bot_heard_until ON bot_heard (until);
COMMENT ON TABLE bot_heard IS 'events that some bot works on or has answered; the claim tells whose it is';

CREATE TABLE bot_threads (id bytea PRIMARY KEY, subject text NOT NULL, until timestamptz NOT NULL);
CREATE INDEX bot_threads_until ON bot_threads (until);
COMMENT ON TABLE bot_threads IS 'what was asked about last in a thread';

CREATE TABLE bot_owed (
    team text NOT NULL, place text NOT NULL, id text NOT NULL, language text NOT NULL, until timestamptz NOT NULL,
    PRIMARY KEY (team, place, id)
);
COMMENT ON TABLE bot_owed IS 'messages that promise an answer, until they hold it';
