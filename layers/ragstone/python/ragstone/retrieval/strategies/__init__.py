"""The strategies by name, one a file; importing this package registers them all."""

from ragstone.retrieval.strategies import (
    agentic,
    dense,
    graph,
    hierarchical,
    hybrid,
    lexical,
    multilingual,
    neighbours,
)

__all__ = ["agentic", "dense", "graph", "hierarchical", "hybrid", "lexical", "multilingual", "neighbours"]
