"""The query language of fedsearch and its dialects: pure functions from a question's meaning to a source's own syntax."""
