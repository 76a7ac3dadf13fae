"""How fast and how exactly files become text: Markdown speed, gold structure, recovery of made files.

``python -m benchmarks.normalization [speed|gold|made|all] [--files N]``. Speed is CPU time of one core; the
corpus and the gold data are those of ``../shared`` (``EDGEKEEPER_SHARED`` names another folder).
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import re
import resource
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline.normalized_text import LimitSettings, NormalizationSettings, normalize, normalize_text
from tests.normalized_text import made_files
from tests.normalized_text.recovery import NOTHING, measure

SHARED = Path(os.environ.get("EDGEKEEPER_SHARED", Path(__file__).resolve().parents[2] / "shared"))
SETTINGS = NormalizationSettings(limits=LimitSettings(file_bytes=100_000_000))
ROUNDS = 3
TARGET_BYTES = 50_000_000


@dataclass(frozen=True, slots=True)
class Found:
    """A heading, table or code block: kind, span, and for headings level and title."""

    kind: str
    start: int
    end: int
    level: int = 0
    title: str = ""


def megabytes_per_second(size: int, run: Callable[[], object]) -> float:
    """Best of three runs, in 10^6 bytes a second of CPU time."""
    seconds = []
    for _ in range(ROUNDS):
        gc.collect()
        begin = time.process_time()
        run()
        seconds.append(time.process_time() - begin)
    return size / 1e6 / min(seconds)


def speed() -> None:
    """Many files, then one file of growing size."""
    files = [path.read_bytes() for path in sorted((SHARED / "corpora" / "kep").rglob("*.md"))]
    total = sum(map(len, files))
    _normalize(files[0])

    def every_file() -> None:
        for data in files:
            _normalize(data)

    print(f"{len(files)} files, {total / 1e6:.2f} MB: {megabytes_per_second(total, every_file):.1f} MB/s")
    joined = b"\n\n".join(files)
    for copies in (1, 4, TARGET_BYTES // len(joined)):
        data = joined * copies
        rate = megabytes_per_second(len(data), lambda data=data: _normalize(data))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"one file of {len(data) / 1e6:.1f} MB: {rate:.1f} MB/s, peak memory {peak:.0f} MB")


def _normalize(data: bytes) -> object:
    return normalize(data, document_id="d", file_name="a.md", settings=SETTINGS)


def gold() -> None:
    """Headings, tables and code of real Markdown against gold counts and spans."""
    matched = expected = found = 0
    for line in (SHARED / "bench" / "data" / "kep" / "dev.jsonl").open(encoding="utf-8"):
        record = json.loads(line)
        own, theirs = set(_own(record["text"])), set(_gold(record))
        matched += len(own & theirs)
        expected += len(theirs)
        found += len(own)
        for label, group in (("missing", theirs - own), ("extra", own - theirs)):
            for item in sorted(group, key=lambda item: item.start):
                source = record["text"][item.start : item.end]
                print(f"{record['doc_id']} {label} {item.kind} [{item.start}, {item.end}) {source[:70]!r}")
    print(f"matched {matched} of {expected} gold blocks ({matched / expected:.2%}); {found} were found")


def _own(text: str) -> Iterator[Found]:
    for block in normalize_text(text, document_id="d", settings=SETTINGS).blocks:
        if block.kind == "heading":
            yield Found("heading", block.span.start, block.span.end, block.level, _plain(block.title or ""))
        elif block.kind in ("table", "code"):
            yield Found(block.kind, block.span.start, block.span.end)


def _gold(record: dict) -> Iterator[Found]:
    for section in record["sections"]:
        start, end = section["heading"]
        yield Found("heading", start, end, section["level"], _plain(section["title"]))
    for block in record["blocks"]:
        yield Found(block["kind"], block["start"], block["end"])


def _plain(title: str) -> str:
    """Letters and digits: gold titles keep backticks, brackets and double spaces."""
    return re.sub(r"[\W_]+", "", title)


def made(count: int) -> None:
    """Recovery of office, HTML and PDF files made from known outlines."""
    writers: dict[str, tuple[str, Callable[[made_files.Outline], bytes], dict]] = {
        "HTML": ("a.html", made_files.write_html, {}),
        "DOCX": ("a.docx", made_files.write_docx, {}),
        "PPTX": ("a.pptx", made_files.write_pptx, {"levels": False}),
        "XLSX": ("a.xlsx", made_files.write_xlsx, {"levels": False, "prose": False, "title_length": 31}),
        "PDF": ("a.pdf", made_files.write_pdf, {}),
        "PDF, two columns": ("a.pdf", lambda outline: made_files.write_pdf(outline, columns=2), {}),
    }
    for label, (name, write, options) in writers.items():
        sum_of, seconds, pages = NOTHING, 0.0, 0
        for seed in range(count):
            outline = made_files.make_outline(seed)
            data = write(outline)
            begin = time.perf_counter()
            document = normalize(data, document_id="d", file_name=name, settings=SETTINGS)
            seconds += time.perf_counter() - begin if seed else 0.0
            pages += max((block.place.page or 0 for block in document.blocks), default=0)
            sum_of = sum_of + measure(document, outline, **options)
        print(
            f"{label}: headings {sum_of.headings_found}/{sum_of.headings}, "
            f"cells {sum_of.cells_found}/{sum_of.cells}, texts {sum_of.texts_found}/{sum_of.texts}, "
            f"in order {'yes' if sum_of.in_order else 'no'}; "
            f"{count / max(seconds, 1e-9):.1f} files/s, {pages} pages"
        )


def main() -> None:
    """Run one part or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="?", default="all", choices=("speed", "gold", "made", "all"))
    parser.add_argument("--files", type=int, default=60, help="made files of each format")
    arguments = parser.parse_args()
    if arguments.part in ("speed", "all"):
        speed()
    if arguments.part in ("gold", "all"):
        gold()
    if arguments.part in ("made", "all"):
        made(arguments.files)


if __name__ == "__main__":
    main()
