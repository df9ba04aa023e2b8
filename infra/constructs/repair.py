"""What mends ingestion: dead letters on their way back, a comparison of bucket, registry and index, a new index."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import Duration
from aws_cdk.aws_events import Rule, RuleTargetInput, Schedule
from aws_cdk.aws_events_targets import LambdaFunction
from aws_cdk.aws_lambda import Function, ILayerVersion
from aws_cdk.aws_sqs import IQueue
from constructs import Construct

from infra.constructs.functions import FunctionFactory

NIGHT = Schedule.cron(hour="2", minute="30")


class Repair(Construct):
    """Functions to be invoked by hand or by the command; with `daily`, the comparison also runs every night."""

    def __init__(
        self,
        scope: Construct,
        id_: str,
        *,
        functions: FunctionFactory,
        layers: Sequence[ILayerVersion],
        queue: IQueue,
        backfill: IQueue,
        dead_letters: IQueue,
        memory_mb: int,
        timeout: Duration,
        daily: bool,
        fix: bool,
    ) -> None:
        super().__init__(scope, id_)

        def function(name: str, sends_to: IQueue = queue) -> Function:
            return functions.make(
                self,
                name.title(),
                folder=name,
                handler="handler.handler",
                layers=layers,
                memory_mb=memory_mb,
                timeout=timeout,
                environment={
                    "RAGSTONE_INGEST_QUEUE_URL": sends_to.queue_url,
                    "RAGSTONE_DEAD_LETTERS_URL": dead_letters.queue_url,
                },
            )

        self.replay = function("replay")
        self.reconcile = function("reconcile")
        self.reindex = function("reindex", backfill)
        if daily:
            self._compare_every_night(fix=fix)

    def _compare_every_night(self, *, fix: bool) -> None:
        target = LambdaFunction(
            self.reconcile,  # pyright: ignore[reportArgumentType]
            event=RuleTargetInput.from_object({"fix": fix}),
        )
        Rule(self, "EveryNight", schedule=NIGHT, targets=[target])  # pyright: ignore[reportArgumentType]
