"""OpenSearch Serverless, second generation: a vector collection that scales to zero."""

from __future__ import annotations

import json
from collections.abc import Sequence

from aws_cdk import RemovalPolicy, Stack
from aws_cdk.aws_iam import IRole
from aws_cdk.aws_opensearchserverless import (
    CfnAccessPolicy,
    CfnCollection,
    CfnCollectionGroup,
    CfnSecurityPolicy,
)
from constructs import Construct

from infra.constructs.search import admit_to_collection

READ_INDEX = ["aoss:DescribeIndex", "aoss:ReadDocument"]
WRITE_INDEX = ["aoss:CreateIndex", "aoss:UpdateIndex", "aoss:DeleteIndex", "aoss:WriteDocument"]
WRITE_COLLECTION = ["aoss:CreateCollectionItems", "aoss:DescribeCollectionItems", "aoss:UpdateCollectionItems"]


class ServerlessSearch(Construct):
    """One collection in its own group; the service wants physical names, so they carry the environment's."""

    auth = "aoss"
    profile = "serverless"

    def __init__(self, scope: Construct, id_: str, *, name: str, max_ocus: int, retain: bool) -> None:
        super().__init__(scope, id_)
        self._name = name
        group = CfnCollectionGroup(
            self,
            "Group",
            name=name,
            generation="NEXTGEN",
            standby_replicas="ENABLED",
            capacity_limits=CfnCollectionGroup.CapacityLimitsProperty(
                min_indexing_capacity_in_ocu=0,
                min_search_capacity_in_ocu=0,
                max_indexing_capacity_in_ocu=max_ocus,
                max_search_capacity_in_ocu=max_ocus,
            ),
        )
        self._collection = CfnCollection(
            self, "Collection", name=name, type="VECTORSEARCH", collection_group_name=group.name
        )
        self._collection.add_resource_dependency(group)
        for policy in (self._encryption(), self._network()):
            self._collection.add_resource_dependency(policy)
        self._collection.apply_removal_policy(RemovalPolicy.RETAIN if retain else RemovalPolicy.DESTROY)
        self.url = self._collection.attr_collection_endpoint

    def admit(self, scope: Construct, *, readers: Sequence[IRole], writers: Sequence[IRole]) -> None:
        admit_to_collection(self._collection.attr_arn, roles=[*readers, *writers])
        rules = [
            self._rule(readers, index=READ_INDEX),
            self._rule(writers, index=READ_INDEX + WRITE_INDEX, collection=WRITE_COLLECTION),
        ]
        CfnAccessPolicy(
            scope, "SearchAccess", name=self._name, type="data", policy=Stack.of(scope).to_json_string(rules)
        )

    def _rule(
        self, roles: Sequence[IRole], *, index: Sequence[str], collection: Sequence[str] = ()
    ) -> dict[str, object]:
        grants = [{"ResourceType": "index", "Resource": [f"index/{self._name}/*"], "Permission": index}]
        if collection:
            name = f"collection/{self._name}"
            grants.append({"ResourceType": "collection", "Resource": [name], "Permission": collection})
        return {"Principal": [role.role_arn for role in roles], "Rules": grants}

    def _encryption(self) -> CfnSecurityPolicy:
        policy = {"Rules": [self._this_collection()], "AWSOwnedKey": True}
        return CfnSecurityPolicy(self, "Encryption", name=self._name, type="encryption", policy=json.dumps(policy))

    def _network(self) -> CfnSecurityPolicy:
        """Reachable without a VPC endpoint; each request still has to be signed by an admitted role."""
        policy = [{"Rules": [self._this_collection()], "AllowFromPublic": True}]
        return CfnSecurityPolicy(self, "Network", name=self._name, type="network", policy=json.dumps(policy))

    def _this_collection(self) -> dict[str, object]:
        return {"ResourceType": "collection", "Resource": [f"collection/{self._name}"]}
