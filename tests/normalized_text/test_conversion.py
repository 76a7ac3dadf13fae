"""The converter's process: it is reused, and its hanging or dying harms one file only."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from pipeline.normalized_text import LimitSettings, NormalizationSettings, normalize
from pipeline.normalized_text.conversion import ConversionWorker
from pipeline.normalized_text.drafts import Source
from pipeline.rejections import Rejected
from tests.normalized_text.made_files import make_outline, write_docx, write_pdf

pytest.importorskip("reportlab")

SETTINGS = NormalizationSettings()
SHORT = Source(write_pdf(make_outline(1, sections=2)), "", "a.pdf", "pdf")


@pytest.fixture
def worker() -> Iterator[ConversionWorker]:
    worker = ConversionWorker()
    yield worker
    worker.close()


def test_one_process_serves_many_files(worker: ConversionWorker) -> None:
    first = worker.convert("pdf", SHORT, SETTINGS)
    process = worker.process_id
    assert worker.convert("pdf", SHORT, SETTINGS) == first
    assert worker.process_id == process
    assert process not in (None, os.getpid())


def test_a_file_that_takes_too_long_is_rejected_and_the_next_is_read(worker: ConversionWorker) -> None:
    worker.convert("pdf", SHORT, SETTINGS)
    long = Source(write_pdf(make_outline(1, sections=120)), "", "a.pdf", "pdf")
    hasty = NormalizationSettings(limits=LimitSettings(seconds_per_file=0.05))
    with pytest.raises(Rejected) as rejection:
        worker.convert("pdf", long, hasty)
    assert rejection.value.reason == "timed_out"
    assert worker.process_id is None
    assert worker.convert("pdf", SHORT, SETTINGS).drafts


def test_a_file_of_which_every_process_dies_is_rejected_and_the_next_is_read(
    worker: ConversionWorker,
) -> None:
    worker.convert("pdf", SHORT, SETTINGS)
    done = threading.Event()

    def kill_whatever_serves() -> None:
        while not done.wait(0.1):
            process = worker.process_id
            if process is not None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)

    killer = threading.Thread(target=kill_whatever_serves)
    killer.start()
    with pytest.raises(Rejected) as rejection:
        worker.convert("pdf", Source(write_pdf(make_outline(1, sections=120)), "", "a.pdf", "pdf"), SETTINGS)
    done.set()
    killer.join()
    assert rejection.value.reason == "damaged"
    assert worker.convert("pdf", SHORT, SETTINGS).drafts


def test_a_dead_idle_process_is_replaced_without_harm(worker: ConversionWorker) -> None:
    worker.convert("pdf", SHORT, SETTINGS)
    process = worker.process_id
    assert process is not None
    os.kill(process, signal.SIGKILL)
    assert worker.convert("pdf", SHORT, SETTINGS).drafts


def test_whatever_a_converter_raises_is_a_damaged_file(worker: ConversionWorker) -> None:
    with pytest.raises(Rejected) as rejection:
        worker.convert("office", Source(b"PK\x03\x04 no package", "", "a.docx", "docx"), SETTINGS)
    assert rejection.value.reason == "damaged"


def _convert_in_child(data: bytes) -> int:
    return len(normalize(data, document_id="d", file_name="a.docx", settings=SETTINGS).blocks)


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_conversion_works_in_daemonic_pool_processes(method: str) -> None:
    data = write_docx(make_outline(1, sections=2))
    expected = _convert_in_child(data)
    with multiprocessing.get_context(method).Pool(1) as pool:
        assert pool.apply(_convert_in_child, (data,)) == expected


def test_conversion_works_in_executor_processes() -> None:
    data = write_docx(make_outline(1, sections=2))
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as executor:
        assert executor.submit(_convert_in_child, data).result() == _convert_in_child(data)


def test_secrets_do_not_reach_the_converter(
    worker: ConversionWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "secret")
    worker.convert("pdf", SHORT, SETTINGS)
    environment = Path(f"/proc/{worker.process_id}/environ")
    if not environment.exists():
        pytest.skip("no /proc")
    assert b"SOME_API_KEY" not in environment.read_bytes()


def test_text_formats_import_no_converter() -> None:
    program = (
        "import sys\n"
        "from pipeline.normalized_text import NormalizationSettings, normalize\n"
        "s = NormalizationSettings()\n"
        "for name in ('a.md', 'a.txt', 'a.html', 'a.adoc', 'a.csv'):\n"
        "    normalize(b'a,b\\n<p>words</p>,x\\n', document_id='d', file_name=name, settings=s)\n"
        "print([name for name in sys.modules if name.split('.')[0].startswith(('docling', 'pypdfium'))])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
