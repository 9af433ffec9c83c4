-- What questions a document says it answers: embedded and found since long, and now kept, to be shown.

ALTER TABLE documents ADD COLUMN examples text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN documents.examples IS 'questions that it answers, as it or its collection says';
