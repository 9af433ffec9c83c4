"""Answers grounded on a Google search: citations at their places, and the tool that language models call."""
