"""Keeps the index in step with S3: one change of one object at a time."""

from ragstone.ingestion.budget import Budget, OutOfTime
from ragstone.ingestion.changes import change_of
from ragstone.ingestion.chunks import Chunking
from ragstone.ingestion.parsed import CachedParse
from ragstone.ingestion.pipeline import PARSER_GENERATION, Ingestion

__all__ = ["PARSER_GENERATION", "Budget", "CachedParse", "Chunking", "Ingestion", "OutOfTime", "change_of"]
