from __future__ import annotations

import pytest

from infra.settings import ENVIRONMENTS, Environment, load, parse
from ragstone.errors import SettingsError

MINIMAL = """
[search]
kind = "serverless"

[ragstone]
embedder = "bedrock:amazon.titan-embed-text-v2:0"
"""


@pytest.mark.parametrize("name", sorted(path.stem for path in ENVIRONMENTS.glob("*.toml")))
def test_each_environment_file_is_read(name: str) -> None:
    assert load(name).name == name


def test_an_unknown_environment_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match=r"no environment 'qa'; known are dev, local, prod"):
        load("qa")


@pytest.mark.parametrize(
    ("table", "key", "known"),
    [
        ("[ingest]", "batchsize = 2", "batch_size"),
        ("[query]", "authorizer = 'iam'", "auth"),
        ("[capabilities]", "streaming = false", "response_streaming"),
        ("[deployment]", "log_retention = 7", "log_retention_days"),
        ("[serach]", "kind = 'url'", "search"),
    ],
)
def test_an_unknown_key_is_refused_with_the_known_ones(table: str, key: str, known: str) -> None:
    with pytest.raises(SettingsError) as caught:
        parse("qa", f"{MINIMAL}\n{table}\n{key}\n")
    wrong = "serach" if table == "[serach]" else key.partition(" ")[0]
    assert f"unknown key {wrong}" in str(caught.value)
    assert known in str(caught.value).partition("known are")[2]


def test_an_unknown_key_of_the_search_engine_is_refused() -> None:
    with pytest.raises(SettingsError, match="unknown key max_ocu; known are kind, max_ocus"):
        parse("qa", MINIMAL.replace('kind = "serverless"', 'kind = "serverless"\nmax_ocu = 4'))


def test_a_setting_that_functions_do_not_know_is_refused_with_those_they_do() -> None:
    with pytest.raises(SettingsError, match=r"unknown key chunksize; known are .*chunk_size"):
        parse("qa", MINIMAL + "chunksize = 900\n")


def test_a_setting_that_functions_would_refuse_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"RAGSTONE_TOP_K \(it is '900'\)"):
        parse("qa", MINIMAL + "top_k = 900\n")


@pytest.mark.parametrize("key", ["index_url", "documents_bucket", "api_keys_secret"])
def test_what_the_stack_makes_cannot_be_set(key: str) -> None:
    with pytest.raises(SettingsError, match=f"unknown key {key}"):
        parse("qa", f"{MINIMAL}{key} = 'x'\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[query]\nauth = "none"', "only the local environment may have it"),
        ('[query]\nauth = "cognito"', "set both or neither"),
        ('[deployment]\nregion = "eu-west-1"', "account and region together"),
        ("[ingest]\ntimeout_seconds = 901", "less than or equal to 900"),
    ],
)
def test_what_would_hurt_is_refused(text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        parse("qa", f"{MINIMAL}\n{text}\n")


def test_an_index_on_disk_is_refused_where_functions_share_none() -> None:
    with pytest.raises(SettingsError, match="one shared disk"):
        parse("qa", MINIMAL.replace("serverless", "embedded"))


def test_ocr_that_fits_into_no_zip_file_is_refused() -> None:
    with pytest.raises(SettingsError, match='take "textract"'):
        parse("qa", f'{MINIMAL}ocr = "rapidocr"\n')
    environment = parse("qa", f'{MINIMAL}ocr = "rapidocr"\n[capabilities]\ndependency_layers = false\n')
    assert environment.runtime(index_url="-").ocr == "rapidocr"


def test_broken_toml_is_refused_with_its_place() -> None:
    with pytest.raises(SettingsError, match=r"qa.toml: .*line 2, column 8"):
        parse("qa", "[search]\nkind = serverless\n")


def test_models_are_those_of_the_environment_and_of_its_evaluations() -> None:
    environment = parse("qa", MINIMAL + '[evaluation]\nmodels = ["openai:gpt-5-mini", "extractive"]\n')
    assert [spec.provider for spec in environment.models()] == ["bedrock", "extractive"]
    assert [spec.provider for spec in environment.models(evaluation=True)] == ["bedrock", "extractive", "openai"]


def test_settings_are_frozen() -> None:
    environment: Environment = parse("qa", MINIMAL)
    with pytest.raises(ValueError, match="frozen"):
        environment.query.memory_mb = 1  # pyright: ignore[reportAttributeAccessIssue]


def test_editors_are_told_to_the_functions() -> None:
    assert parse("qa", MINIMAL).runtime(index_url="-").editors == ()
    environment = parse("qa", f'{MINIMAL}\n[query]\neditors = ["desk"]\n')
    assert environment.runtime(index_url="-").editors == ("desk",)


def test_an_editor_has_a_name() -> None:
    with pytest.raises(SettingsError, match=r"query\.editors\.0"):
        parse("qa", f'{MINIMAL}\n[query]\neditors = [""]\n')
