"""How environments differ: one typed, frozen value, read from infra/environments/NAME.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from layers.dependencies.build import Architecture
from ragstone.errors import SettingsError
from ragstone.metadata import MetadataField
from ragstone.settings import Settings
from ragstone.specs import Spec

REPOSITORY = Path(__file__).resolve().parent.parent
ENVIRONMENTS = REPOSITORY / "infra" / "environments"
MADE_BY_THE_STACK = frozenset(
    {"environment", "documents_bucket", "reports_bucket", "registry_table", "embedding_cache_table", "api_keys_secret"}
    | {"conversations_table"}
    | {"metadata_schema", "metadata_violations", "ingest_queue_url", "dead_letters_url", "editors"}
    | {"index_url", "index_auth", "index_profile"}
)

Auth = Literal["iam", "cognito", "none"]
RuntimeValue = bool | str | int | float


class Table(BaseModel):
    """One table of the file; a key that it doesn't know is refused with the keys that it does."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def keys_are_known(cls, table: object) -> object:
        unknown = set(table) - set(cls.model_fields) if isinstance(table, Mapping) else set[str]()
        if unknown:
            raise ValueError(_unknown(unknown, cls.model_fields))
        return table


class Deployment(Table):
    """Where and how to deploy; without account and region the templates fit wherever the CLI is signed in."""

    account: Annotated[str | None, Field(pattern=r"^\d{12}$")] = None
    region: str | None = None
    termination_protection: bool = True
    log_retention_days: Literal[1, 3, 7, 14, 30, 90, 180, 365] = 90
    alarm_topic_arn: str | None = None

    @model_validator(mode="after")
    def account_and_region_go_together(self) -> Self:
        if (self.account is None) != (self.region is None):
            raise ValueError("set account and region together, or neither")
        return self


class Data(Table):
    """With `retain`, buckets, table and index outlive their stack; without, nothing does."""

    retain: bool = True
    point_in_time_recovery: bool = True
    deletion_protection: bool = True


class ServerlessSearch(Table):
    """OpenSearch Serverless NextGen: nothing to pay for compute while idle, at most `max_ocus` each way."""

    kind: Literal["serverless"]
    max_ocus: Literal[1, 2, 4, 8, 16, 32, 48, 64, 80, 96] = 2


class DomainSearch(Table):
    """A managed OpenSearch domain."""

    kind: Literal["domain"]
    version: Literal["3.5", "3.7"] = "3.7"
    instance_type: str = "r7g.large.search"
    instances: Annotated[int, Field(ge=1)] = 2
    zones: Literal[1, 2, 3] = 2
    manager_instance_type: str = "m7g.large.search"
    managers: Literal[0, 3] = 3
    volume_gib: Annotated[int, Field(ge=10)] = 50

    @model_validator(mode="after")
    def every_zone_has_an_instance(self) -> Self:
        if self.instances % self.zones:
            raise ValueError(f"instances must be a multiple of zones ({self.zones})")
        return self


class UrlSearch(Table):
    """An OpenSearch service that is there already; `arn` of its domain or collection if callers sign requests."""

    kind: Literal["url"]
    url: Annotated[str, Field(pattern=r"^https?://\S+$")]
    auth: Literal["none", "es", "aoss"] = "none"
    profile: Literal["domain", "serverless", "lucene"] = "domain"
    arn: str | None = None

    @model_validator(mode="after")
    def signed_requests_name_their_target(self) -> Self:
        if (self.auth == "none") != (self.arn is None):
            raise ValueError(
                'auth = "es" or "aoss" needs the arn to grant access to, and auth = "none" has no use for it'
            )
        return self


class EmbeddedSearch(Table):
    """An index in a folder of the repository that all functions share: only where they run on one machine."""

    kind: Literal["embedded"]
    folder: str = ".ragstone/index"


Search = Annotated[ServerlessSearch | DomainSearch | UrlSearch | EmbeddedSearch, Field(discriminator="kind")]


class Functions(Table):
    """What all functions have in common.

    `models` are the specs that they may call besides the environment's own: those of an index that is to be built with
    another embedder, or that is kept from before.
    """

    models: tuple[str, ...] = ()
    architecture: Architecture = "arm64"
    log_level: Literal["DEBUG", "INFO", "WARN", "ERROR"] = "INFO"
    api_keys_secret_arn: str | None = None


class Ingest(Table):
    memory_mb: Annotated[int, Field(ge=128, le=10_240)] = 2048
    timeout_seconds: Annotated[int, Field(ge=1, le=900)] = 900
    batch_size: Annotated[int, Field(ge=1, le=10)] = 1
    max_concurrency: Annotated[int, Field(ge=2, le=1000)] = 10
    max_receive_count: Annotated[int, Field(ge=1)] = 5
    oldest_message_alarm_minutes: Annotated[int, Field(ge=1)] = 60


class Reconcile(Table):
    """With `daily`, bucket, registry and index are compared every night; with `fix`, what differs is ingested anew."""

    daily: bool = False
    fix: bool = False


class Query(Table):
    """`timeout_seconds` bounds the function and the streamed response; `rate_limit` is requests a second.

    `editors` are the groups, or with IAM the principals and roles, that may change documents; without, all callers may.
    """

    auth: Auth = "iam"
    user_pool_arn: str | None = None
    editors: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    memory_mb: Annotated[int, Field(ge=128, le=10_240)] = 1024
    timeout_seconds: Annotated[int, Field(ge=1, le=900)] = 120
    rate_limit: Annotated[int, Field(ge=1)] = 20
    burst_limit: Annotated[int, Field(ge=1)] = 40
    adapter_layer_arn: str | None = None

    @model_validator(mode="after")
    def cognito_has_its_pool(self) -> Self:
        if (self.auth == "cognito") != (self.user_pool_arn is not None):
            raise ValueError('user_pool_arn belongs to auth = "cognito": set both or neither')
        return self


class Evaluation(Table):
    """`models` are the specs that variants and judges may use besides the environment's own."""

    models: tuple[str, ...] = ()
    memory_mb: Annotated[int, Field(ge=128, le=10_240)] = 2048
    timeout_seconds: Annotated[int, Field(ge=1, le=900)] = 900
    max_concurrency: Annotated[int, Field(ge=1, le=10_000)] = 20
    tolerated_failure_percentage: Annotated[int, Field(ge=0, le=100)] = 0
    timeout_hours: Annotated[int, Field(ge=1)] = 12


class Capabilities(Table):
    """What the target can do; AWS can do all of it, an emulator's file says what it can't."""

    auto_delete_objects: bool = True
    dependency_layers: bool = True
    response_streaming: bool = True
    web_adapter: bool = True


class Metadata(Table):
    """The metadata that documents may carry; what does not fit is a warning, or rejects the document."""

    violations: Literal["warn", "reject"] = "warn"
    fields: dict[str, MetadataField] = {}


class Environment(Table):
    """One environment; `ragstone` holds the functions' own settings, those that the stack doesn't make."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9]{1,11}$")]
    search: Search
    ragstone: dict[str, RuntimeValue]
    deployment: Deployment = Deployment()
    data: Data = Data()
    functions: Functions = Functions()
    ingest: Ingest = Ingest()
    reconcile: Reconcile = Reconcile()
    query: Query = Query()
    evaluation: Evaluation = Evaluation()
    capabilities: Capabilities = Capabilities()
    metadata: Metadata = Metadata()

    @field_validator("ragstone")
    @classmethod
    def functions_understand_it(cls, table: dict[str, RuntimeValue]) -> dict[str, RuntimeValue]:
        known = set(Settings.model_fields) - MADE_BY_THE_STACK
        if not set(table) <= known:
            raise ValueError(_unknown(set(table) - known, known))
        Settings.from_environment(
            {f"RAGSTONE_{key.upper()}": str(value) for key, value in {**table, "index_url": "-"}.items()}
        )
        return table

    @model_validator(mode="after")
    def only_a_laptop_is_open(self) -> Self:
        if self.name == "local":
            return self
        if self.query.auth == "none":
            raise ValueError('query.auth = "none" lets everybody ask; only the local environment may have it')
        if isinstance(self.search, EmbeddedSearch):
            raise ValueError('search.kind = "embedded" needs one shared disk; only the local environment has it')
        return self

    @model_validator(mode="after")
    def what_reads_scans_fits_into_functions(self) -> Self:
        if self.ragstone.get("ocr") == "rapidocr" and self.capabilities.dependency_layers:
            raise ValueError(
                'ragstone.ocr = "rapidocr" brings 260 MB of packages, more than functions from zip files may have: '
                'take "textract"; rapidocr is for the local environment and for containers'
            )
        return self

    def runtime(self, **made: str) -> Settings:
        """What a function is told: the file's `ragstone` table with what the stack made."""
        schema = {"metadata_schema": self.metadata.fields, "metadata_violations": self.metadata.violations}
        given = {**self.ragstone, **schema, "editors": self.query.editors, **made, "environment": self.name}
        return Settings.model_validate(given)

    def models(self, *, evaluation: bool = False) -> tuple[Spec, ...]:
        """The models that functions may call, each once."""
        runtime = self.runtime(index_url="-")
        texts = (*runtime.models, *self.functions.models, *(self.evaluation.models if evaluation else ()))
        return tuple(dict.fromkeys(Spec.parse(text) for text in texts))


def load(name: str) -> Environment:
    """Read an environment's file; raises SettingsError that names each wrong key and what is allowed."""
    path = ENVIRONMENTS / f"{name}.toml"
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in ENVIRONMENTS.glob("*.toml")))
        raise SettingsError(f"there is no environment {name!r}; known are {known}, and {path} would add it")
    return parse(name, path.read_text())


def parse(name: str, text: str) -> Environment:
    try:
        return Environment.model_validate({**tomllib.loads(text), "name": name})
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{name}.toml: {error}") from error
    except ValidationError as error:
        problems = (f"[{'.'.join(map(str, problem['loc']))}] {problem['msg']}" for problem in error.errors())
        raise SettingsError(f"{name}.toml: {'; '.join(problems)}") from error


def _unknown(keys: set[str], known: Mapping[str, object] | set[str]) -> str:
    return f"unknown key {', '.join(sorted(keys))}; known are {', '.join(sorted(known))}"
