"""What the use cases need from the outside: small Protocols that adapters and fakes fulfil alike."""

from ragstone.ports.answering import AnswerCache, Answerer, AnswerObserver, Retriever
from ragstone.ports.index import ChunkIndex, ChunkReader, GenerationPointer, IndexAliases
from ragstone.ports.models import ChatModel, Embedder, Reranker, Tokenizer, VectorCache
from ragstone.ports.parsing import Keep, Parser, ResumableParser
from ragstone.ports.registry import EVERYTHING, CurrentVersions, DocumentRegistry
from ragstone.ports.storage import ChangeQueue, Inbox, ObjectStore

__all__ = [
    "EVERYTHING",
    "AnswerCache",
    "AnswerObserver",
    "Answerer",
    "ChangeQueue",
    "ChatModel",
    "ChunkIndex",
    "ChunkReader",
    "CurrentVersions",
    "DocumentRegistry",
    "Embedder",
    "GenerationPointer",
    "Inbox",
    "IndexAliases",
    "Keep",
    "ObjectStore",
    "Parser",
    "Reranker",
    "ResumableParser",
    "Retriever",
    "Tokenizer",
    "VectorCache",
]
