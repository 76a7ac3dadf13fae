"""Document ids: reversible, distinct, and made of characters that a partition key may have."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.documents.keys import (
    Location,
    decode_path,
    document_id,
    encode_path,
    locate,
    record_id,
    storable,
)
from pipeline.documents.sources import Source, scan

NAMES = st.binary(min_size=1, max_size=60).filter(lambda b: b"\0" not in b and b"/" not in b).map(os.fsdecode)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
SAFE = re.compile(r"[A-Za-z0-9_.\-%/]+")


@given(PATHS)
def test_a_key_leads_back_to_its_path(path: str) -> None:
    assert decode_path(encode_path(path)) == path
    assert locate(document_id("src", path)) == Location("src", path, is_record=False)


@given(PATHS, PATHS)
def test_distinct_paths_have_distinct_keys(one: str, other: str) -> None:
    assert (encode_path(one) == encode_path(other)) == (one == other)


@given(PATHS)
def test_a_key_has_only_safe_characters(path: str) -> None:
    key = encode_path(path)
    assert SAFE.fullmatch(key)
    assert ".." not in key


@given(PATHS, st.text(min_size=1), st.text(min_size=1))
def test_a_record_has_an_id_of_its_own(path: str, one: str, other: str) -> None:
    file_id = document_id("src", path)
    key = record_id(file_id, one)
    assert locate(key) == Location("src", path, is_record=True)
    assert SAFE.fullmatch(key.replace("#", "").replace("~", "")) and ".." not in key
    assert (key == record_id(file_id, other)) == (one == other)


def test_a_long_record_key_stays_short_and_distinct() -> None:
    keys = {record_id("s/f.csv", "x" * 5000 + end) for end in "abc"}
    assert len(keys) == 3 and max(map(len, keys)) < 200


@given(st.lists(PATHS, min_size=1, max_size=5, unique=True))
def test_dagster_takes_every_key(paths: list[str]) -> None:
    with dg.DagsterInstance.ephemeral() as instance:
        keys = [document_id("src", path) for path in paths]
        instance.add_dynamic_partitions("documents", keys)
        assert sorted(instance.get_dynamic_partitions("documents")) == sorted(keys)


@given(PATHS)
def test_a_storable_path_is_valid_unicode(path: str) -> None:
    storable(path).encode("utf-8")


def test_odd_file_names_become_distinct_keys(cases_dir: Path, tmp_path: Path) -> None:
    """Names with commas, dots, quotes, controls, brackets, or bytes that are not UTF-8."""
    script = cases_dir / "035-odd-file-names" / "make_files.py"
    subprocess.run([sys.executable, str(script), str(tmp_path)], check=True)
    files = scan(Source("files", tmp_path, watched=True)).files
    on_disk = {
        Path(folder, name).relative_to(tmp_path).as_posix()
        for folder, _, names in os.walk(tmp_path)
        for name in names
    }
    assert {file.path for file in files} == on_disk
    assert len({file.document_id for file in files}) == len(on_disk) >= 13


@pytest.mark.parametrize("path", ["a..b", "...", "a....md", "%2E%2E", "~", "a~b", "a,b", "[x]", '"q"'])
def test_awkward_names_survive(path: str) -> None:
    key = encode_path(path)
    assert decode_path(key) == path
    assert not set(key) & set(',[]"~') and "..." not in key
