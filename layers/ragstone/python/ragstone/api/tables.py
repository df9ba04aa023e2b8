"""What the API takes and gives of tables, as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, Field, model_validator

from ragstone.api.schemas import WELL_FORMED, Text, example
from ragstone.structured.commit import Committed
from ragstone.structured.preview import Preview
from ragstone.structured.proposal import Choices

LARGEST = 1_000_000
SAMPLE_ROWS = 5
MOST_BAD = 20


class PreviewBody(BaseModel):
    """A table in the body, or by the source of a document in the inbox."""

    model_config = example({"content": "stop,zone\nKelp Pier,A\n"}, strip=False)

    content: Annotated[str, Field(max_length=LARGEST), WELL_FORMED] | None = None
    source: Text | None = None

    @model_validator(mode="after")
    def there_is_one_table(self) -> Self:
        if (self.content is None) == (self.source is None):
            raise ValueError("send either content or source; a longer table is uploaded first, by POST /v1/documents")
        return self


class CommitBody(PreviewBody):
    """`name` is the rows' folder in the inbox, or the file's name; columns that are not named are as proposed.

    An empty `id` calls rows by their number, an empty `title` gives them none. `keep_original` leaves the document
    that the rows come from beside them.
    """

    name: Text
    mode: Literal["rows", "file"] = "rows"
    template: Annotated[str, Field(max_length=10_000), WELL_FORMED] | None = None
    metadata: list[Text] | None = None
    id: Text | None = None
    title: Text | None = None
    acl: list[Text] | None = None
    prune: bool = False
    keep_original: bool = False

    def choices(self, acl: tuple[str, ...]) -> Choices:
        return Choices(
            template=self.template,
            metadata=None if self.metadata is None else tuple(self.metadata),
            id_column=self.id,
            title_column=self.title,
            acl=acl,
        )


def preview_json(found: Preview) -> dict[str, Any]:
    proposal = found.proposal
    return {
        "format": found.format,
        "encoding": found.encoding,
        "columns": [asdict(column) for column in found.columns],
        "rows": [dict(row.cells) for row in found.rows[:SAMPLE_ROWS]],
        "rows_looked_at": len(found.rows) + len(found.bad),
        "bad_rows": [asdict(row) for row in found.bad[:MOST_BAD]],
        "proposal": {
            "template": proposal.template,
            "metadata": list(proposal.metadata),
            "id": proposal.id_column,
            "title": proposal.title_column,
        },
    }


def committed_json(done: Committed) -> dict[str, Any]:
    return asdict(done)
