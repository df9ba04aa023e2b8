"""Finds the passages that an answer may rest on: a strategy by name, then the stages that all have in common."""

from ragstone.retrieval import strategies
from ragstone.retrieval.base import Tools
from ragstone.retrieval.building import staged_retriever
from ragstone.retrieval.candidates import Candidates
from ragstone.retrieval.retriever import StagedRetriever

__all__ = ["Candidates", "StagedRetriever", "Tools", "staged_retriever", "strategies"]
