"""Keeps the index in step with S3: one change of one object at a time."""

from ragstone.ingestion.changes import change_of
from ragstone.ingestion.pipeline import Ingestion

__all__ = ["Ingestion", "change_of"]
