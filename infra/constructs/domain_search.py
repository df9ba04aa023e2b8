"""A managed OpenSearch domain that only signed requests of admitted roles reach."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from aws_cdk import RemovalPolicy
from aws_cdk.aws_ec2 import EbsDeviceVolumeType
from aws_cdk.aws_iam import IRole, PolicyDocument, PolicyStatement
from aws_cdk.aws_logs import ResourcePolicy
from aws_cdk.aws_opensearchservice import (
    CapacityConfig,
    CfnDomain,
    Domain,
    EbsOptions,
    EncryptionAtRestOptions,
    EngineVersion,
    LoggingOptions,
    TLSSecurityPolicy,
    ZoneAwarenessConfig,
)
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.constructs.logs import log_group
from infra.constructs.search import admit_to_domain


class DomainSearch(Construct):
    """Encrypted at rest, between nodes and to clients; access is by IAM alone, no passwords."""

    auth = "es"
    profile = "domain"

    def __init__(
        self,
        scope: Construct,
        id_: str,
        *,
        version: str,
        instance_type: str,
        instances: int,
        zones: int,
        manager_instance_type: str,
        managers: int,
        volume_gib: int,
        log_retention_days: int,
        retain: bool,
    ) -> None:
        super().__init__(scope, id_)
        self._domain = Domain(
            self,
            "Domain",
            version=EngineVersion.open_search(version),
            capacity=CapacityConfig(
                data_nodes=instances,
                data_node_instance_type=instance_type,
                master_nodes=managers or None,
                master_node_instance_type=manager_instance_type if managers else None,
                multi_az_with_standby_enabled=False,
            ),
            zone_awareness=ZoneAwarenessConfig(enabled=zones > 1, availability_zone_count=zones if zones > 1 else None),
            ebs=EbsOptions(volume_size=volume_gib, volume_type=EbsDeviceVolumeType.GP3),
            encryption_at_rest=EncryptionAtRestOptions(enabled=True),
            node_to_node_encryption=True,
            enforce_https=True,
            tls_security_policy=TLSSecurityPolicy.TLS_1_2_PFS,
            logging=self._logging(log_retention_days),
            suppress_logs_resource_policy=True,
            removal_policy=RemovalPolicy.RETAIN if retain else RemovalPolicy.DESTROY,
        )
        self._domain.node.add_dependency(self._logs_policy)
        self.url = f"https://{self._domain.domain_endpoint}"
        self._let_iam_decide()
        if not managers:
            acknowledge(self._domain, {"OS4": "The environment's settings do without dedicated managers."})
        if zones == 1:
            acknowledge(self._domain, {"OS7": "The environment's settings say that one zone is enough."})

    def _logging(self, retention_days: int) -> LoggingOptions:
        """Slow requests and errors; the L2 would add a Lambda function to let OpenSearch write them."""
        logs = {
            kind: log_group(self, f"{kind}Logs", retention_days=retention_days) for kind in ("Search", "Index", "App")
        }
        arns = [group.log_group_arn for group in logs.values()]
        writer = PolicyStatement(actions=["logs:PutLogEvents", "logs:CreateLogStream"], resources=arns)
        writer.add_service_principal("es.amazonaws.com")
        self._logs_policy = ResourcePolicy(self, "LogsPolicy", policy_statements=[writer])
        return LoggingOptions(
            slow_search_log_enabled=True,
            slow_search_log_group=logs["Search"],
            slow_index_log_enabled=True,
            slow_index_log_group=logs["Index"],
            app_log_enabled=True,
            app_log_group=logs["App"],
        )

    def _let_iam_decide(self) -> None:
        """Requests must be signed by this account; set on the resource, since the L2 would add a Lambda for it."""
        statement = PolicyStatement(actions=["es:ESHttp*"], resources=["*"])
        statement.add_account_root_principal()
        cast(CfnDomain, self._domain.node.default_child).access_policies = PolicyDocument(statements=[statement])
        acknowledge(
            self._domain,
            {
                "OS1": "Functions sign their requests and use TLS; a VPC would put all of them behind NAT.",
                "OS3": "Lambda has no fixed addresses; IAM admits roles instead.",
            },
        )

    def admit(self, scope: Construct, *, readers: Sequence[IRole], writers: Sequence[IRole]) -> None:
        admit_to_domain(self._domain.domain_arn, owner=self._domain, readers=readers, writers=writers)
