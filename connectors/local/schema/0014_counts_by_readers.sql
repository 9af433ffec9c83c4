-- What BM25 counts, for each set of readers that chunks have, so that a question is weighed by what its asker may see and
-- by nothing else: how rare a word is may not tell of documents that are not theirs. Counted anew from the chunks, once.

DROP TABLE totals;
DROP TABLE frequencies;

CREATE TABLE reader_sets (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    readers integer[] NOT NULL UNIQUE,
    chunks bigint NOT NULL,
    terms bigint NOT NULL
) WITH (fillfactor = 50);
INSERT INTO reader_sets (readers, chunks, terms)
SELECT readers, count(*), sum(length) FROM chunks GROUP BY readers ORDER BY readers;
CREATE INDEX reader_sets_readers ON reader_sets USING gin (readers);
COMMENT ON TABLE reader_sets IS 'each chunks.readers that there is, with how many chunks and terms it has';

CREATE TABLE frequencies (
    term text COLLATE "C" NOT NULL,
    reader_set integer NOT NULL,
    chunks integer NOT NULL
) WITH (fillfactor = 70);
INSERT INTO frequencies (term, reader_set, chunks)
SELECT lexeme COLLATE "C", s.id, count(*) FROM chunks c JOIN reader_sets s USING (readers), unnest(c.terms) GROUP BY 1, 2 ORDER BY 1, 2;
ALTER TABLE frequencies ADD PRIMARY KEY (term, reader_set);
COMMENT ON COLUMN frequencies.chunks IS 'of those with this set of readers, how many hold the term';

-- How many have a vector, counted for each set of readers from the index alone.
DROP INDEX embeddings_model;
CREATE INDEX embeddings_model_readers ON embeddings (model, readers);
