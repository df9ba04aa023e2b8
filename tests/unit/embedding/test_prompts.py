import pytest

from ragstone.embedding.prompts import Prompts, prompts_of

REPRESENT = "Represent this sentence for searching relevant passages: "


@pytest.mark.parametrize(
    ("model", "document", "query"),
    [
        ("nomic-embed-text", "search_document: ", "search_query: "),
        ("text-embedding-nomic-embed-text-v1.5", "search_document: ", "search_query: "),
        ("intfloat/multilingual-e5-large", "passage: ", "query: "),
        ("google/gemini-embedding-2-preview", "title: none | text: ", "task: search result | query: "),
        ("embeddinggemma:300m", "title: none | text: ", "task: search result | query: "),
        ("BAAI/bge-small-en-v1.5", "", REPRESENT),
        ("snowflake-arctic-embed:335m", "", REPRESENT),
        ("snowflake-arctic-embed2", "", "query: "),
        ("Snowflake/snowflake-arctic-embed-l-v2.0", "", "query: "),
    ],
)
def test_a_model_gets_the_words_of_its_card(model: str, document: str, query: str) -> None:
    assert prompts_of(model) == Prompts(document, query)


@pytest.mark.parametrize("model", ["intfloat/multilingual-e5-large-instruct", "qwen3-embedding:0.6b"])
def test_a_model_that_follows_instructions_gets_one_for_queries_only(model: str) -> None:
    document, query = prompts_of(model)
    assert document == ""
    assert query.startswith("Instruct: ")
    assert query.rstrip().endswith("\nQuery:")


@pytest.mark.parametrize(
    "model", ["text-embedding-3-small", "voyage-4", "gemini-embedding-001", "bge-m3", "all-minilm"]
)
def test_other_models_get_texts_as_they_are(model: str) -> None:
    assert prompts_of(model) == Prompts("", "")
