"""Indexes that replace each other: built beside the live one, kept in step with it, and swapped at once."""
