-- Who may see a document, as numbers that stand in each of its chunks and vectors: the searches see by themselves, and
-- the index over words before it looks at a row, what they may show.

CREATE TABLE audiences (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    digest bytea NOT NULL UNIQUE,
    members text[] NOT NULL
);
CREATE INDEX audiences_members ON audiences USING gin (members);
COMMENT ON TABLE audiences IS 'one principal, or those of a document that has many';
COMMENT ON COLUMN audiences.digest IS 'of members, which may be too many for an index';

INSERT INTO audiences (digest, members)
SELECT sha256(convert_to(array_to_json(members)::text, 'UTF8')), members FROM (
    SELECT DISTINCT ARRAY[each] AS members FROM documents, unnest(principals) AS each WHERE cardinality(principals) <= 32
    UNION SELECT DISTINCT principals FROM documents WHERE cardinality(principals) > 32
) known;

ALTER TABLE chunks ADD COLUMN readers integer[] NOT NULL DEFAULT '{}';
ALTER TABLE embeddings ADD COLUMN readers integer[] NOT NULL DEFAULT '{}';
DO $$  -- every row is written anew below: an index over them is made quicker afterwards
DECLARE known record;
BEGIN
    FOR known IN SELECT id FROM models LOOP
        EXECUTE format('DROP INDEX IF EXISTS embeddings_near_%s', known.id);
    END LOOP;
END $$;
DROP INDEX chunks_terms;
CREATE TEMPORARY TABLE seen ON COMMIT DROP AS
SELECT d.id AS document, array_agg(a.id ORDER BY a.id) AS readers FROM documents d JOIN audiences a
    ON CASE WHEN cardinality(d.principals) <= 32 THEN cardinality(a.members) = 1 AND a.members <@ d.principals
    ELSE a.members = d.principals END
GROUP BY d.id;
UPDATE chunks c SET readers = seen.readers FROM seen WHERE seen.document = c.document;
UPDATE embeddings e SET readers = seen.readers FROM seen WHERE seen.document = e.document;
ALTER TABLE chunks ALTER COLUMN readers DROP DEFAULT;
ALTER TABLE embeddings ALTER COLUMN readers DROP DEFAULT;
COMMENT ON COLUMN chunks.readers IS 'the audiences of its document; as embeddings.readers in step with documents.principals';

CREATE INDEX chunks_terms_readers ON chunks USING gin (terms, readers);
CREATE INDEX documents_moments ON documents (id) INCLUDE (source, happened, address);

-- Half as many bits find the same neighbours in three fifths of the memory; what was found is measured whole.
DO $$
DECLARE known record;
BEGIN
    FOR known IN SELECT id, dimension FROM models WHERE dimension <= 4000 LOOP
        EXECUTE format(
            'CREATE INDEX embeddings_half_%s ON embeddings USING hnsw ((vector::halfvec(%s)) halfvec_cosine_ops) WHERE model = %s',
            known.id, known.dimension, known.id
        );
    END LOOP;
END $$;
