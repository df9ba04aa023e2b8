"""OCR by Amazon Textract: few pages one by one, more of them as a job that reads them from S3."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from ragstone.aws.failures import code_of
from ragstone.errors import PermanentError, TransientError
from ragstone.parsing.ocr import OcrLine, Point
from ragstone.parsing.pdf_excerpt import page_sizes, pages_alone

PREFIX = "ocr/"
FEW_PAGES = 3
LARGEST_CALL = 10_000_000
"""Bytes of a page that Textract takes with a call."""
LONGEST_JOB_SECONDS = 300
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 1.0, 10.0

PERMANENT = {
    "AccessDenied": "grant s3:PutObject, s3:GetObject and s3:DeleteObject on the bucket's OCR prefix",
    "AccessDeniedException": "grant textract:DetectDocumentText, textract:StartDocumentTextDetection and "
    "textract:GetDocumentTextDetection",
    "InvalidS3ObjectException": "the bucket must be in Textract's Region, and the function must be allowed to read it",
    "NoSuchBucket": "there is no such bucket; check RAGSTONE_REPORTS_BUCKET",
    "UnrecognizedClientException": "the AWS credentials are not valid",
}
"""Error codes that no retry mends, with what to do; all others pass."""
UNREADABLE = {"UnsupportedDocumentException", "BadDocumentException", "DocumentTooLargeException"}
"""Error codes that are about the pages: they stay without text, as they were."""

Lines = Mapping[int, Sequence[OcrLine]]


class TextractOcr:
    """`textract` and `s3` are boto3 clients; jobs read from `bucket` under `prefix`, and leave nothing there."""

    name = "textract"
    pages_at_once = 100
    seconds = LONGEST_JOB_SECONDS + 60
    """With the calls around a job."""

    def __init__(
        self, textract: Any, s3: Any, *, bucket: str, prefix: str = PREFIX, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._textract = textract
        self._s3 = s3
        self._bucket = bucket
        self._prefix = prefix
        self._sleep = sleep

    def read(self, content: bytes, pages: Sequence[int]) -> Lines:
        """Up to FEW_PAGES take a second or two each, a job some ten seconds whatever it holds."""
        sizes = page_sizes(content, pages)
        with _failures():
            if len(sizes) > FEW_PAGES:
                return self._read_job(content, [*sizes], sizes)
            return {page: self._read_page(content, page, sizes) for page in sizes}

    def _read_page(self, content: bytes, page: int, sizes: Mapping[int, Point]) -> Sequence[OcrLine]:
        alone = pages_alone(content, [page])
        if len(alone) > LARGEST_CALL:
            return self._read_job(content, [page], sizes).get(page, ())
        lines: list[OcrLine] = []
        with _unreadable_skipped():
            reply = self._textract.detect_document_text(Document={"Bytes": alone})
            lines += [_line(block, sizes[page]) for block in reply["Blocks"] if block["BlockType"] == "LINE"]
        return lines

    def _read_job(self, content: bytes, pages: Sequence[int], sizes: Mapping[int, Point]) -> Lines:
        """The job is known by what it reads: a retry finds the one that is under way."""
        token = sha256(content + repr([*pages]).encode()).hexdigest()
        key = f"{self._prefix}{token}.pdf"
        alone = pages_alone(content, pages)
        self._s3.put_object(Bucket=self._bucket, Key=key, Body=alone, ContentType="application/pdf")
        lines: defaultdict[int, list[OcrLine]] = defaultdict(list)
        with _unreadable_skipped():
            place = {"S3Object": {"Bucket": self._bucket, "Name": key}}
            job = self._textract.start_document_text_detection(DocumentLocation=place, ClientRequestToken=token)
            for block in self._blocks(job["JobId"]):
                if block["BlockType"] == "LINE":
                    page = pages[int(block["Page"]) - 1]
                    lines[page].append(_line(block, sizes[page]))
        self._s3.delete_object(Bucket=self._bucket, Key=key)
        return lines

    def _blocks(self, job: str) -> Iterator[Mapping[str, Any]]:
        reply = self._finished(job)
        while True:
            yield from reply.get("Blocks", ())
            if "NextToken" not in reply:
                return
            reply = self._textract.get_document_text_detection(JobId=job, NextToken=reply["NextToken"])

    def _finished(self, job: str) -> Mapping[str, Any]:
        """The first part of a job's result, once it is there."""
        pause, waited = FIRST_PAUSE_SECONDS, 0.0
        while waited < LONGEST_JOB_SECONDS:
            reply = self._textract.get_document_text_detection(JobId=job)
            if reply["JobStatus"] == "FAILED":
                return {}
            if reply["JobStatus"] != "IN_PROGRESS":
                return reply
            self._sleep(pause)
            waited += pause
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
        raise TransientError(f"Textract has not finished in {LONGEST_JOB_SECONDS} seconds; a retry asks for the result")


def _line(block: Mapping[str, Any], size: Point) -> OcrLine:
    """Textract's places are parts of the page's width and height, from its upper left corner."""
    width, height = size
    upper_left, upper_right, lower_right, lower_left = (
        (point["X"] * width, (1 - point["Y"]) * height) for point in block["Geometry"]["Polygon"]
    )
    return OcrLine(block["Text"], (upper_left, upper_right, lower_right, lower_left))


@contextmanager
def _unreadable_skipped() -> Generator[None]:
    try:
        yield
    except ClientError as error:
        if code_of(error) not in UNREADABLE:
            raise


@contextmanager
def _failures() -> Generator[None]:
    try:
        yield
    except ClientError as error:
        if advice := PERMANENT.get(code_of(error)):
            raise PermanentError(f"Textract can't be used: {advice}") from error
        raise TransientError(f"Textract does not answer ({error}); try again") from error
    except BotoCoreError as error:
        raise TransientError(f"Textract can't be reached ({error}); try again") from error
