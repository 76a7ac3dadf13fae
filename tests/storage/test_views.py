"""The views over texts read exactly what the spans say."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.storage.schema import schema


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute(schema())
        yield connection


def _texts() -> st.SearchStrategy[str]:
    """Texts around the sizes of pages, of characters of one to four bytes."""
    return st.builds(
        lambda seed, times: seed * times,
        st.text(alphabet="aß€\U0001f600 \n", min_size=1),
        st.integers(1, 900),
    )


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), text=_texts())
def test_a_chunks_text_is_its_slice(
    connection: duckdb.DuckDBPyConnection, data: st.DataObject, text: str
) -> None:
    ends = st.integers(0, len(text))
    spans = data.draw(st.lists(st.tuples(ends, ends).filter(lambda pair: pair[0] < pair[1]), min_size=1))
    connection.execute("delete from normalized_text; delete from chunks")
    connection.execute(
        "insert into normalized_text (document_id, version, text) values ('d', 'v', ?), ('none', 'v', null)",
        [text],
    )
    columns = [row[0] for row in connection.execute("describe chunks").fetchall() if row[2] == "NO"]
    for number, (start, end) in enumerate(spans):
        known = {"document_id": "d", "chunk_id": str(number), "body_start": start, "body_end": end}
        connection.execute(
            f"insert into chunks ({', '.join(columns)}) values ({', '.join('?' * len(columns))})",
            [known.get(column, [] if column in ("section_path", "antecedents") else 0) for column in columns],
        )
    found = dict(connection.execute("select chunk_id, text from chunk_texts").fetchall())
    assert found == {str(number): text[start:end] for number, (start, end) in enumerate(spans)}


def test_a_text_is_its_pages(connection: duckdb.DuckDBPyConnection) -> None:
    text = "äöü \U0001f600" * 3000
    connection.execute("delete from normalized_text")
    connection.execute(
        "insert into normalized_text (document_id, version, text) values ('d', 'v', ?), ('e', 'v', 'x')",
        [text],
    )
    pages = connection.execute(
        "select document_id, text, page from text_pages order by document_id, page"
    ).fetchall()
    assert "".join(page for key, page, _ in pages if key == "d") == text
    assert [number for key, _, number in pages if key == "d"] == list(range(-(-len(text) // 2048)))
    assert [page for key, page, _ in pages if key == "e"] == ["x"]
