"""Starts an evaluation in an environment, follows it, and brings its report home."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ragstone.cli.environment import Environment
from ragstone.errors import RagstoneError

POLL_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Evaluations:
    """Evaluation runs of one environment; reports are copied under `home`."""

    environment: Environment
    home: Path

    def run(self, file: Path, progress: Callable[[str], None]) -> Finished:
        """Upload the dataset if it is a local file, start the execution, wait for its end, fetch the report.

        Raises RagstoneError when the file can't be read, its dataset isn't there, or the run ended without a report.
        """
        asked = _read(file)
        run_id = asked.setdefault("run_id", datetime.now(UTC).strftime("run-%Y%m%d-%H%M%S"))
        asked["dataset"] = self._uploaded(asked["dataset"], file.parent, run_id)
        states = self.environment.client("stepfunctions")
        machine = self.environment.outputs["EvaluationStateMachine"]
        execution = states.start_execution(stateMachineArn=machine, name=run_id, input=json.dumps(asked))
        ended = self._followed(states, execution["executionArn"], run_id, progress)
        return self._fetched(run_id, ended)

    def _uploaded(self, dataset: str, folder: Path, run_id: str) -> str:
        if dataset.startswith("s3://"):
            return dataset
        path = next((place for place in (Path(dataset), folder / dataset) if place.is_file()), None)
        if path is None:
            raise RagstoneError(f"the dataset {dataset} was found neither here nor beside the evaluation's file")
        bucket, key = self.environment.outputs["ReportsBucket"], f"datasets/{run_id}/{path.name}"
        self.environment.client("s3").upload_file(str(path), bucket, key)
        return f"s3://{bucket}/{key}"

    def _followed(self, states: Any, arn: str, run_id: str, progress: Callable[[str], None]) -> Mapping[str, Any]:
        done = -1
        while True:
            execution = states.describe_execution(executionArn=arn)
            if execution["status"] != "RUNNING":
                return execution
            if (count := self._items(run_id)) != done:
                done = count
                progress(f"{done} answers scored")
            time.sleep(POLL_SECONDS)

    def _items(self, run_id: str) -> int:
        pages = self.environment.client("s3").get_paginator("list_objects_v2")
        found = pages.paginate(Bucket=self.environment.outputs["ReportsBucket"], Prefix=f"reports/{run_id}/items/")
        return sum(page["KeyCount"] for page in found)

    def _fetched(self, run_id: str, execution: Mapping[str, Any]) -> Finished:
        s3, bucket = self.environment.client("s3"), self.environment.outputs["ReportsBucket"]
        folder = self.home / run_id
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("report.json", "report.html"):
            try:
                s3.download_file(bucket, f"reports/{run_id}/{name}", str(folder / name))
            except s3.exceptions.ClientError as error:
                cause = execution.get("cause") or execution.get("error") or error
                raise RagstoneError(f"run {run_id} ended {execution['status']} without a report: {cause}") from error
        return Finished(
            run_id=run_id,
            passed=execution["status"] == "SUCCEEDED",
            report=json.loads((folder / "report.json").read_text(encoding="utf-8")),
            location=f"s3://{bucket}/reports/{run_id}/",
            folder=folder,
        )


def _read(file: Path) -> dict[str, Any]:
    try:
        asked: Any = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise RagstoneError(f"{file} is not JSON: {error}") from error
    match asked:
        case {"dataset": str()}:
            return asked
        case _:
            raise RagstoneError(f'{file} names no dataset; write {{"dataset": "gold.jsonl", "variants": […], …}}')


@dataclass(frozen=True, slots=True)
class Finished:
    """A run that ended with a report; `passed` says whether its gates held."""

    run_id: str
    passed: bool
    report: Mapping[str, Any]
    location: str
    folder: Path
