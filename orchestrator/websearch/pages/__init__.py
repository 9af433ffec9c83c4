"""Reads single pages of the public web, safely: who asks for a page may be led anywhere by it."""
