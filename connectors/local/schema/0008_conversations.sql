-- Which conversation a message is part of, as a number beside what else the searches read of a document without its row.
-- Documents are written anew, once, and nobody reads them meanwhile.

ALTER TABLE documents ADD COLUMN talk bigint GENERATED ALWAYS AS (
    CASE WHEN kind = 'message' THEN hashtextextended(source || ' ' || container_names[1], 0) END
) STORED;
COMMENT ON COLUMN documents.talk IS 'the same for messages of one place; null for what is no message, or nowhere';
DROP INDEX documents_moments;
CREATE INDEX documents_moments ON documents (id) INCLUDE (source, happened, address, talk);
