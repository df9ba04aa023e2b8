"""The stack of what computes; it can be deleted and deployed again without loss."""

from __future__ import annotations

from aws_cdk import CfnOutput, Duration, Environment, Stack
from aws_cdk.aws_cloudwatch_actions import SnsAction
from aws_cdk.aws_lambda import Function, ILayerVersion
from aws_cdk.aws_sns import Topic
from constructs import Construct

from infra import grants, settings
from infra.constructs import web_adapter
from infra.constructs.evaluation import EvaluationStateMachine, EvaluationSteps
from infra.constructs.functions import FunctionFactory
from infra.constructs.ingestion import INBOX, Ingestion
from infra.constructs.layers import Layers
from infra.constructs.query_api import QueryApi
from infra.constructs.repair import Repair
from infra.stateful import StatefulStack
from ragstone.answering.calibration import PREFIX as CALIBRATIONS
from ragstone.chunking.context import PREFIX as CONTEXTS
from ragstone.ingestion.parsed import PREFIX as PARSED
from ragstone.models.compatible import SERVERS
from ragstone.parsing.ocr_textract import PREFIX as SCANS

# The dependency group of pyproject.toml that a model provider needs; boto3 is in every function.
PROVIDER_GROUPS = {"anthropic": "anthropic", "wordllama": "wordllama", **dict.fromkeys(SERVERS, "openai")}


class StatelessStack(Stack):
    """Functions with their layers and grants, the queue before them, the API and the evaluation."""

    def __init__(self, scope: Construct, id_: str, environment: settings.Environment, stateful: StatefulStack) -> None:
        deployment = environment.deployment
        place = Environment(account=deployment.account, region=deployment.region)
        super().__init__(scope, id_, env=place, termination_protection=deployment.termination_protection)
        self._environment = environment
        self._stateful = stateful
        self._retention = deployment.log_retention_days
        architecture = environment.functions.architecture
        bundled = environment.capabilities.dependency_layers
        self._layers = Layers(self, "Layers", architecture=architecture, bundled=bundled)
        self._functions = self._function_factory()
        self.ingest = self._ingest_function()
        self.query = self._query_function()
        self.steps = self._evaluation_steps()
        self.ingestion = self._ingestion()
        self.repair = self._repair()
        self.api = self._api()
        self.evaluation = self._evaluation()
        self._grant()
        self._grant_repair()
        self._notify()
        self._output()

    def _function_factory(self) -> FunctionFactory:
        search = self._stateful.search
        runtime = self._environment.runtime(
            documents_bucket=self._stateful.buckets.documents.bucket_name,
            reports_bucket=self._stateful.buckets.reports.bucket_name,
            registry_table=self._stateful.documents_table.table_name,
            embedding_cache_table=self._stateful.vector_cache.table_name,
            conversations_table=self._stateful.conversations_table.table_name,
            api_keys_secret=self._environment.functions.api_keys_secret_arn or "",
            index_url=search.url,
            index_auth=search.auth,
            index_profile=search.profile,
        )
        return FunctionFactory(
            architecture=self._environment.functions.architecture,
            log_level=self._environment.functions.log_level,
            log_retention_days=self._retention,
            environment=runtime.to_environment(),
        )

    def _dependencies(self, group: str, *more: str, evaluation: bool = False) -> list[ILayerVersion]:
        """Ragstone, and the packages of a function with those of the model providers that it may call."""
        providers = {spec.provider for spec in self._environment.models(evaluation=evaluation)}
        groups = [group, *sorted({*more, *(PROVIDER_GROUPS[name] for name in providers & PROVIDER_GROUPS.keys())})]
        return [self._layers.library, *self._layers.dependencies(*groups)]

    def _ingest_function(self) -> Function:
        ingest = self._environment.ingest
        return self._functions.make(
            self,
            "Ingest",
            folder="ingest",
            handler="handler.handler",
            layers=self._dependencies("ingest"),
            memory_mb=ingest.memory_mb,
            timeout=Duration.seconds(ingest.timeout_seconds),
        )

    def _query_function(self) -> Function:
        query, adapted = self._environment.query, self._environment.capabilities.web_adapter
        traced = ["otel"] if self._environment.runtime(index_url="-").otlp_endpoint else []
        layers = self._dependencies("query", *traced)
        if adapted:
            architecture = self._environment.functions.architecture
            layers.append(web_adapter.adapter_layer(self, architecture=architecture, arn=query.adapter_layer_arn))
        return self._functions.make(
            self,
            "Query",
            folder="query",
            handler="run.sh",
            layers=layers,
            memory_mb=query.memory_mb,
            timeout=Duration.seconds(query.timeout_seconds),
            environment=web_adapter.ENVIRONMENT if adapted else {},
        )

    def _evaluation_steps(self) -> EvaluationSteps:
        evaluation = self._environment.evaluation
        layers = self._dependencies("eval", evaluation=True)

        def step(name: str) -> Function:
            return self._functions.make(
                self,
                f"Evaluation{name.title()}",
                folder="eval",
                handler=f"{name}.handler",
                layers=layers,
                memory_mb=evaluation.memory_mb,
                timeout=Duration.seconds(evaluation.timeout_seconds),
            )

        return EvaluationSteps(plan=step("plan"), build=step("build"), evaluate=step("evaluate"), report=step("report"))

    def _ingestion(self) -> Ingestion:
        ingest = self._environment.ingest
        return Ingestion(
            self,
            "Ingestion",
            bucket=self._stateful.buckets.documents,
            function=self.ingest,
            timeout=Duration.seconds(ingest.timeout_seconds),
            batch_size=ingest.batch_size,
            max_concurrency=ingest.max_concurrency,
            max_receive_count=ingest.max_receive_count,
            oldest_message_alarm=Duration.minutes(ingest.oldest_message_alarm_minutes),
        )

    def _repair(self) -> Repair:
        ingest, reconcile = self._environment.ingest, self._environment.reconcile
        return Repair(
            self,
            "Repair",
            functions=self._functions,
            layers=self._dependencies("ingest"),
            queue=self.ingestion.queue,
            backfill=self.ingestion.backfill,
            dead_letters=self.ingestion.dead_letters,
            memory_mb=ingest.memory_mb,
            timeout=Duration.seconds(ingest.timeout_seconds),
            daily=reconcile.daily,
            fix=reconcile.fix,
        )

    def _api(self) -> QueryApi:
        query = self._environment.query
        return QueryApi(
            self,
            "Api",
            function=self.query,
            auth=query.auth,
            user_pool_arn=query.user_pool_arn,
            streaming=self._environment.capabilities.response_streaming,
            timeout=Duration.seconds(query.timeout_seconds),
            rate_limit=query.rate_limit,
            burst_limit=query.burst_limit,
            log_retention_days=self._retention,
        )

    def _evaluation(self) -> EvaluationStateMachine:
        evaluation = self._environment.evaluation
        return EvaluationStateMachine(
            self,
            "Evaluation",
            steps=self.steps,
            reports=self._stateful.buckets.reports,
            step_timeout=Duration.seconds(evaluation.timeout_seconds),
            timeout=Duration.hours(evaluation.timeout_hours),
            max_concurrency=evaluation.max_concurrency,
            tolerated_failure_percentage=evaluation.tolerated_failure_percentage,
            log_retention_days=self._retention,
        )

    def _grant(self) -> None:
        buckets, table = self._stateful.buckets, self._stateful.documents_table
        ingest, query = grants.role_of(self.ingest), grants.role_of(self.query)
        evaluators = [grants.role_of(step) for step in self.steps.all()]
        grants.read_objects(ingest, buckets.documents, prefix=INBOX)
        for kept in self._kept_by_ingestion():
            grants.read_objects(ingest, buckets.reports, prefix=kept)
            grants.write_objects(ingest, buckets.reports, prefix=kept)
        for queue in (self.ingestion.queue, self.ingestion.backfill):
            grants.send_messages(ingest, queue)
        grants.change_objects(query, buckets.documents, prefix=INBOX)
        grants.keep_conversations(query, self._stateful.conversations_table)
        for role in evaluators:
            grants.read_objects(role, buckets.documents)
            grants.read_objects(role, buckets.reports)
            grants.write_objects(role, buckets.reports)
            grants.invoke_models(role, self._environment.models(evaluation=True))
        for role in (ingest, query):
            grants.invoke_models(role, self._environment.models())
        for role in (ingest, *evaluators):
            grants.update_items(role, table)
            grants.keep_vectors(role, self._stateful.vector_cache)
        for role in (ingest, query, *evaluators):
            grants.read_items(role, table)
            grants.read_secret(role, self._environment.functions.api_keys_secret_arn)
        if self._environment.runtime(index_url="-").calibration.startswith("s3://"):
            grants.read_objects(query, buckets.reports, prefix=CALIBRATIONS)
        if self._environment.runtime(index_url="-").ocr == "textract":
            for role in (ingest, grants.role_of(self.steps.build)):
                grants.read_scans(role, buckets.reports, prefix=SCANS)
        repair = [grants.role_of(self.repair.reconcile), grants.role_of(self.repair.reindex)]
        self._stateful.search.admit(self, readers=[query], writers=[ingest, *repair, *evaluators])

    def _kept_by_ingestion(self) -> list[str]:
        """Prefixes of the reports bucket."""
        return [PARSED, *([CONTEXTS] if self._environment.runtime(index_url="-").contextual_prefix else [])]

    def _grant_repair(self) -> None:
        replay, reconcile = grants.role_of(self.repair.replay), grants.role_of(self.repair.reconcile)
        grants.move_messages(replay, source=self.ingestion.dead_letters, target=self.ingestion.queue)
        reindex = grants.role_of(self.repair.reindex)
        for role in (reconcile, reindex):
            grants.list_objects(role, self._stateful.buckets.documents, prefix=INBOX)
            grants.read_items(role, self._stateful.documents_table)
            grants.read_secret(role, self._environment.functions.api_keys_secret_arn)
        grants.send_messages(reconcile, self.ingestion.queue)
        grants.send_messages(reindex, self.ingestion.backfill)
        grants.update_items(reindex, self._stateful.documents_table)
        grants.invoke_models(reindex, self._environment.models())

    def _notify(self) -> None:
        topic_arn = self._environment.deployment.alarm_topic_arn
        if topic_arn:
            action = SnsAction(Topic.from_topic_arn(self, "AlarmTopic", topic_arn))
            for alarm in self.ingestion.alarms:
                alarm.add_alarm_action(action)  # pyright: ignore[reportArgumentType]

    def _output(self) -> None:
        outputs = {
            "IngestQueueUrl": self.ingestion.queue.queue_url,
            "IngestDlqUrl": self.ingestion.dead_letters.queue_url,
            "IngestFunction": self.ingest.function_name,
            "QueryFunction": self.query.function_name,
            "ReplayFunction": self.repair.replay.function_name,
            "ReconcileFunction": self.repair.reconcile.function_name,
            "ReindexFunction": self.repair.reindex.function_name,
            "ApiUrl": self.api.rest_api.url,
            "ApiId": self.api.rest_api.rest_api_id,
            "EvaluationStateMachine": self.evaluation.state_machine.state_machine_arn,
        }
        for name, value in outputs.items():
            CfnOutput(self, name, value=value)
