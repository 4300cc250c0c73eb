"""Strings from a request, turned into what the domain understands. One file a subject."""
