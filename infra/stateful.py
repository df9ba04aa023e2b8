"""The stack of what holds data; its logical ids never change."""

from __future__ import annotations

from aws_cdk import CfnOutput, Environment, Stack
from constructs import Construct

from infra import settings
from infra.constructs.buckets import Buckets
from infra.constructs.conversations_table import ConversationsTable
from infra.constructs.documents_table import DocumentsTable
from infra.constructs.domain_search import DomainSearch
from infra.constructs.kept_table import Keeping
from infra.constructs.search import ExternalSearch, SearchEngine
from infra.constructs.serverless_search import ServerlessSearch
from infra.constructs.vector_cache import VectorCache


class StatefulStack(Stack):
    """Buckets, the tables of documents and conversations, the vector cache and the search engine."""

    def __init__(self, scope: Construct, id_: str, environment: settings.Environment) -> None:
        deployment, data = environment.deployment, environment.data
        place = Environment(account=deployment.account, region=deployment.region)
        super().__init__(scope, id_, env=place, termination_protection=deployment.termination_protection)
        emptied = not data.retain and environment.capabilities.auto_delete_objects
        self.buckets = Buckets(self, "Buckets", retain=data.retain, auto_delete_objects=emptied)
        keeping = Keeping(
            retain=data.retain,
            point_in_time_recovery=data.point_in_time_recovery,
            deletion_protection=data.deletion_protection,
        )
        self.documents_table = DocumentsTable(self, "Documents", keeping=keeping).table
        self.conversations_table = ConversationsTable(self, "Conversations", keeping=keeping).table
        self.vector_cache = VectorCache(self, "VectorCache").table
        self.search = self._search(environment)
        CfnOutput(self, "DocumentsBucket", value=self.buckets.documents.bucket_name)
        CfnOutput(self, "ReportsBucket", value=self.buckets.reports.bucket_name)
        CfnOutput(self, "DocumentsTable", value=self.documents_table.table_name)

    def _search(self, environment: settings.Environment) -> SearchEngine:
        retain = environment.data.retain
        match environment.search:
            case settings.ServerlessSearch(max_ocus=max_ocus):
                name = f"ragstone-{environment.name}"
                return ServerlessSearch(self, "Search", name=name, max_ocus=max_ocus, retain=retain)
            case settings.DomainSearch() as domain:
                return DomainSearch(
                    self,
                    "Search",
                    **domain.model_dump(exclude={"kind"}),
                    log_retention_days=environment.deployment.log_retention_days,
                    retain=retain,
                )
            case settings.UrlSearch() as service:
                return ExternalSearch(**service.model_dump(exclude={"kind"}))
            case settings.EmbeddedSearch(folder=folder):
                return ExternalSearch(url=f"lancedb://{settings.REPOSITORY / folder}")
