"""Log groups that forget after a set time and go with their stack."""

from __future__ import annotations

from aws_cdk import RemovalPolicy
from aws_cdk.aws_logs import LogGroup, RetentionDays
from constructs import Construct

DAYS = {
    1: RetentionDays.ONE_DAY,
    3: RetentionDays.THREE_DAYS,
    7: RetentionDays.ONE_WEEK,
    14: RetentionDays.TWO_WEEKS,
    30: RetentionDays.ONE_MONTH,
    90: RetentionDays.THREE_MONTHS,
    180: RetentionDays.SIX_MONTHS,
    365: RetentionDays.ONE_YEAR,
}


def log_group(scope: Construct, id_: str, *, retention_days: int) -> LogGroup:
    return LogGroup(scope, id_, retention=DAYS[retention_days], removal_policy=RemovalPolicy.DESTROY)
