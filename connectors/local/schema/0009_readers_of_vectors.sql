-- Whoever may see little is compared with all of that: the walk through the graph would pass by many vectors for each of his.

CREATE INDEX embeddings_readers ON embeddings USING gin (readers);
