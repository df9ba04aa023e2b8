"""The evaluation's state machine: plan, index each variant, ask every question of every variant, report, gate."""

from __future__ import annotations

from dataclasses import dataclass

from aws_cdk import Arn, ArnFormat, Duration, Stack
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_s3 import IBucket
from aws_cdk.aws_stepfunctions import (
    Chain,
    Choice,
    Condition,
    DefinitionBody,
    DistributedMap,
    Errors,
    Fail,
    IChainable,
    JitterType,
    JsonPath,
    LogLevel,
    LogOptions,
    Map,
    OutputType,
    Pass,
    ResultWriterV2,
    S3JsonLItemReader,
    StateMachine,
    StateMachineType,
    Succeed,
    TaskInput,
    Timeout,
    Transformation,
    WriterConfig,
)
from aws_cdk.aws_stepfunctions_tasks import LambdaInvoke
from constructs import Construct

from infra.acknowledge import acknowledge, acknowledge_wildcard, shown
from infra.constructs.logs import log_group

BUILDS_AT_A_TIME = 2
LAMBDA_ERRORS = [
    "Lambda.ClientExecutionTimeoutException",
    "Lambda.ServiceException",
    "Lambda.AWSLambdaException",
    "Lambda.SdkClientException",
    "Lambda.TooManyRequestsException",
]


@dataclass(frozen=True, kw_only=True)
class EvaluationSteps:
    """The functions of an evaluation, in the order in which they run."""

    plan: Function
    build: Function
    evaluate: Function
    report: Function

    def all(self) -> tuple[Function, ...]:
        return (self.plan, self.build, self.evaluate, self.report)


class EvaluationStateMachine(Construct):
    """JSONPath throughout; the questions come from a manifest in `reports`, and so do not count against state size."""

    def __init__(
        self,
        scope: Construct,
        id_: str,
        *,
        steps: EvaluationSteps,
        reports: IBucket,
        step_timeout: Duration,
        timeout: Duration,
        max_concurrency: int,
        tolerated_failure_percentage: int,
        log_retention_days: int,
    ) -> None:
        super().__init__(scope, id_)
        self._steps = steps
        # A function's own time-out says more than its task's, so it may come first.
        self._step_timeout = Timeout.duration(step_timeout.plus(Duration.minutes(1)))
        self._reports = reports
        definition = (
            self._with_execution()
            .next(self._invoke("Plan", steps.plan))
            .next(self._build_indexes())
            .next(self._evaluate(max_concurrency, tolerated_failure_percentage))
            .next(self._invoke("Report", steps.report, "run_id"))
            .next(self._gate())
        )
        self.state_machine = StateMachine(
            self,
            "StateMachine",
            definition_body=DefinitionBody.from_chainable(definition),
            timeout=timeout,
            tracing_enabled=True,
            logs=LogOptions(
                destination=log_group(self, "Logs", retention_days=log_retention_days),
                level=LogLevel.ALL,
                include_execution_data=False,
            ),
        )
        self._acknowledge_wildcards()

    def _with_execution(self) -> Chain:
        """The input with the execution's name and start, from which a run without an id gets one."""
        name = Pass(self, "NameRun", input_path="$$.Execution.Name", result_path="$.execution")
        return name.next(Pass(self, "DateRun", input_path="$$.Execution.StartTime", result_path="$.started_at"))

    def _build_indexes(self) -> Map:
        """A large corpus takes more than one invocation: each returns a cursor for the next until it is done."""
        build = self._invoke("Build", self._steps.build, "run_id", "variant", "cursor")
        built = Choice(self, "IsBuilt").when(Condition.boolean_equals("$.done", True), Succeed(self, "Built"))
        variants = Map(
            self,
            "BuildIndexes",
            items_path="$.variants",
            max_concurrency=BUILDS_AT_A_TIME,
            result_path=JsonPath.DISCARD,
        )
        variants.item_processor(_retried(build).next(built.otherwise(build)))
        return variants

    def _evaluate(self, max_concurrency: int, tolerated_failure_percentage: int) -> DistributedMap:
        """Each question writes its own result; what the map returns goes to S3, since it may outgrow a state."""
        questions = DistributedMap(
            self,
            "Evaluate",
            label="Evaluate",
            map_execution_type=StateMachineType.STANDARD,
            max_concurrency=max_concurrency,
            tolerated_failure_percentage=tolerated_failure_percentage,
            item_reader=S3JsonLItemReader(bucket=self._reports, key=JsonPath.string_at("$.manifest_key")),
            result_writer_v2=ResultWriterV2(
                bucket=self._reports,
                prefix="map-results",
                writer_config=WriterConfig(output_type=OutputType.JSONL, transformation=Transformation.COMPACT),
            ),
            result_path=JsonPath.DISCARD,
        )
        questions.item_processor(_retried(self._invoke("EvaluateQuestion", self._steps.evaluate)))
        return questions

    def _gate(self) -> IChainable:
        cause = JsonPath.format("A metric is below its gate; the report is at {}.", JsonPath.string_at("$.report"))
        failed = Fail(self, "GateFailed", error="GateFailed", cause_path=cause)
        passed = Condition.boolean_equals("$.passed", True)
        return Choice(self, "Gate").when(passed, Succeed(self, "Passed")).otherwise(failed)

    def _acknowledge_wildcards(self) -> None:
        machine = self.state_machine
        acknowledge(machine, {"IAM5[Resource::*]": "Log delivery and X-Ray take no resource."})
        for function in self._steps.all():
            reason = "CDK lets a state machine invoke all versions of its functions."
            acknowledge_wildcard(machine, function.function_arn, ":*", owner=function, reason=reason)
        reports = shown(self._reports.bucket_name, scope=machine, owner=self._reports)
        runs = shown(_executions_of(machine), scope=machine, owner=machine)
        acknowledge(
            machine,
            {
                f"IAM5[Resource::arn:<AWS::Partition>:s3:::{reports}/*]": "Each run has its own manifest and results.",
                f"IAM5[Resource::{runs}:*]": "Each question is an execution of its own.",
                f"IAM5[Resource::{runs}/Evaluate:*]": "Each map run can be redriven.",
            },
        )

    def _invoke(self, id_: str, function: Function, *keys: str) -> LambdaInvoke:
        """Call a function with some keys of the state, or with all of it; Lambda's own hiccups are retried."""
        payload = TaskInput.from_object({key: JsonPath.string_at(f"$.{key}") for key in keys}) if keys else None
        task = LambdaInvoke(
            self,
            id_,
            lambda_function=function,  # pyright: ignore[reportArgumentType]
            payload=payload,
            output_path="$.Payload",
            task_timeout=self._step_timeout,
            retry_on_service_exceptions=False,
        )
        return _retry(task, LAMBDA_ERRORS, attempts=6)


def _executions_of(machine: StateMachine) -> str:
    name = Arn.split(machine.state_machine_arn, ArnFormat.COLON_RESOURCE_NAME).resource_name
    return Stack.of(machine).format_arn(
        service="states", resource="execution", resource_name=name, arn_format=ArnFormat.COLON_RESOURCE_NAME
    )


def _retried(task: LambdaInvoke) -> LambdaInvoke:
    """Steps that call models and search engines are repeated on any error; what is done already they skip."""
    return _retry(task, [Errors.TASKS_FAILED], attempts=3)


def _retry(task: LambdaInvoke, errors: list[str], *, attempts: int) -> LambdaInvoke:
    task.add_retry(
        errors=errors,
        interval=Duration.seconds(2),
        max_attempts=attempts,
        backoff_rate=2,
        max_delay=Duration.minutes(1),
        jitter_strategy=JitterType.FULL,
    )
    return task
