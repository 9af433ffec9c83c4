-- What a document is stands beside when it happened, since both together say how recent it is: the searches read them without its row.

DROP INDEX documents_moments;
CREATE INDEX documents_moments ON documents (id) INCLUDE (source, kind, happened, address, talk);
