"""Queries, plans and answers as JSON objects, the same on every surface; typed, so that an API can describe them."""
