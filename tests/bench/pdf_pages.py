"""Pages a second and peak memory of reading PDFs, beside the bare libraries on the same files, which are made here.

Each reading has a process of its own (on Linux, which tells how much memory that took). Times are of the processor, so
that whatever else runs on the machine doesn't count, and begin after a first page has loaded the libraries.
"""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.unit.parsing.made_pdf import handbook

SIZES = (16, 1_600)
NAME = "handbook.pdf"


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds of the processor, and megabytes at the most, of the largest process."""

    seconds: float
    memory_mb: float


def with_pypdfium2(content: bytes) -> None:
    import pypdfium2

    with pypdfium2.PdfDocument(content) as document:
        for page in document:
            page.get_textpage().get_text_bounded()


def with_pypdf(content: bytes) -> None:
    from pypdf import PdfReader

    for page in PdfReader(BytesIO(content)).pages:
        page.extract_text()


def with_ragstone(content: bytes) -> None:
    from ragstone.parsing import parse

    parse(content, source=NAME)


def with_ragstone_isolated(content: bytes) -> None:
    """As ingestion does it: in a worker, and a long file in parts."""
    from ragstone.parsing.isolated import IsolatedParser, Limits

    with IsolatedParser(Limits()) as parse:
        parse(content, source=NAME)


READERS: dict[str, Callable[[bytes], None]] = {
    "pypdfium2": with_pypdfium2,
    "pypdf": with_pypdf,
    "ragstone": with_ragstone,
    "ragstone, isolated": with_ragstone_isolated,
}


def main() -> None:
    with TemporaryDirectory() as folder:
        for pages in SIZES:
            file = Path(folder) / NAME
            file.write_bytes(handbook(pages))
            found = {reader: in_own_process(reader, file) for reader in READERS}
            write(f"{pages} pages, {file.stat().st_size / 1e6:.1f} MB")
            for reader, measured in found.items():
                ratios = (f"{found[bare].seconds / measured.seconds:6.2f} x {bare}" for bare in ("pypdfium2", "pypdf"))
                speed = f"{pages / measured.seconds:8.1f} pages/s"
                write(f"  {reader:<20} {speed} {' '.join(ratios)} {measured.memory_mb:6.0f} MB")


def in_own_process(reader: str, file: Path) -> Measured:
    command = [sys.executable, "-m", "tests.bench.pdf_pages", reader, str(file)]
    return Measured(**json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def measure(reader: str, file: Path) -> Measured:
    read, content = READERS[reader], file.read_bytes()
    read(handbook(pages=1))
    started = processor_seconds()
    read(content)
    return Measured(processor_seconds() - started, max(memory_mb(), children().ru_maxrss / 1e3))


def processor_seconds() -> float:
    """Of this process and of its children that have ended."""
    return sum(usage.ru_utime + usage.ru_stime for usage in (resource.getrusage(resource.RUSAGE_SELF), children()))


def children() -> resource.struct_rusage:
    return resource.getrusage(resource.RUSAGE_CHILDREN)


def memory_mb() -> float:
    """The most that this process has held; the system's own count begins with what its parent held."""
    (kilobytes,) = re.findall(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())
    return int(kilobytes) / 1e3


def write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        write(json.dumps(asdict(measure(sys.argv[1], Path(sys.argv[2])))))
    else:
        main()
