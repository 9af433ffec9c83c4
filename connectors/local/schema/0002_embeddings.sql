-- Meaning. Every vector says by which model it was made: vectors of different models cannot be compared. The index over
-- the vectors of a model is made when the model is first used, since it has a dimension.

CREATE TABLE models (
    id smallint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    dimension integer NOT NULL,
    UNIQUE (name, dimension)
);

CREATE TABLE embeddings (
    chunk bigint PRIMARY KEY REFERENCES chunks ON DELETE CASCADE,
    document bigint NOT NULL,
    model smallint NOT NULL REFERENCES models,
    vector vector NOT NULL
) WITH (toast_tuple_target = 8160);
ALTER TABLE embeddings ALTER COLUMN vector SET STORAGE EXTERNAL;
CREATE INDEX embeddings_document ON embeddings (document);
CREATE INDEX embeddings_model ON embeddings (model);

CREATE TABLE places (
    address text NOT NULL,
    model smallint NOT NULL REFERENCES models,
    vector vector NOT NULL,
    PRIMARY KEY (address, model)
);
COMMENT ON TABLE places IS 'a vector for each address (domain or site) that documents have';
