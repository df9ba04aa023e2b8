"""The DynamoDB table behind the document registry."""

from __future__ import annotations

from constructs import Construct

from infra.constructs.kept_table import Keeping, add_index, kept_table


class DocumentsTable(Construct):
    """One item a document, found by `pk`, listed by source within a namespace through `by_source`."""

    def __init__(self, scope: Construct, id_: str, *, keeping: Keeping) -> None:
        super().__init__(scope, id_)
        self.table = kept_table(self, keeping, partition="pk")
        add_index(self.table, "by_source", partition="namespace", sort="source")
