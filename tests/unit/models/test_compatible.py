import pytest

from ragstone.errors import SettingsError
from ragstone.models.compatible import SERVERS, Connection, connection

LOCAL = ("lmstudio", "ollama")
KEYLESS = ("compatible", *LOCAL)
HOSTED = sorted(set(SERVERS) - {*KEYLESS, "azure"})


@pytest.mark.parametrize("provider", HOSTED)
def test_a_hosted_server_needs_its_own_key_only(provider: str) -> None:
    server = SERVERS[provider]
    assert connection(f"{provider}:model", {server.key_variable: "key"}) == Connection(server.url, "key")
    assert server.url.startswith("https://")


@pytest.mark.parametrize("provider", sorted(set(SERVERS) - set(KEYLESS)))
def test_a_missing_key_is_named(provider: str) -> None:
    variable = SERVERS[provider].key_variable
    with pytest.raises(SettingsError, match=rf"^{provider}:model needs .*{variable}; set it"):
        connection(f"{provider}:model", {})


@pytest.mark.parametrize("provider", LOCAL)
def test_a_server_on_this_machine_needs_nothing(provider: str) -> None:
    url, key = connection(f"{provider}:model", {})
    assert url.startswith("http://localhost:")
    assert key  # the SDK sends none but takes no empty one


def test_a_server_behind_a_proxy_takes_another_address_and_a_key() -> None:
    environment = {"OLLAMA_BASE_URL": "https://proxy/v1/", "OLLAMA_API_KEY": "key"}
    assert connection("ollama:bge-m3", environment) == Connection("https://proxy/v1", "key")


def test_any_other_server_needs_its_address_and_no_key() -> None:
    address = {"COMPATIBLE_BASE_URL": "http://inference:8000/v1"}
    assert connection("compatible:our-model", address) == Connection("http://inference:8000/v1", "none")
    with pytest.raises(SettingsError, match="compatible:our-model needs COMPATIBLE_BASE_URL; set it"):
        connection("compatible:our-model", {})


@pytest.mark.parametrize("end", ["", "/", "/openai/v1", "/openai/v1/"])
def test_azure_s_endpoint_is_taken_as_the_portal_shows_it(end: str) -> None:
    environment = {"AZURE_OPENAI_ENDPOINT": f"https://team.openai.azure.com{end}", "AZURE_OPENAI_API_KEY": "key"}
    assert connection("azure:embed", environment) == Connection("https://team.openai.azure.com/openai/v1", "key")


def test_azure_s_missing_endpoint_is_named_with_the_key() -> None:
    with pytest.raises(SettingsError, match="azure:embed needs AZURE_OPENAI_ENDPOINT and AZURE_OPENAI_API_KEY"):
        connection("azure:embed", {})


def test_an_address_without_a_scheme_is_refused() -> None:
    with pytest.raises(SettingsError, match="OLLAMA_BASE_URL is 'localhost:11434'; write the whole address, http://"):
        connection("ollama:bge-m3", {"OLLAMA_BASE_URL": "localhost:11434"})
