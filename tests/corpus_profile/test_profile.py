"""The corpus in numbers and pictures, on a real home, an empty one, and on extremes."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from pipeline.chunk_plans.settings import TierStrategy
from pipeline.corpus_profile.model import (
    CorpusProfile,
    OrphanProfile,
    RunTotals,
    SeamProfile,
    Share,
    TokenProfile,
)
from pipeline.corpus_profile.numbers import key_numbers
from pipeline.corpus_profile.page import render_page
from pipeline.corpus_profile.pictures import draw
from pipeline.corpus_profile.queries import LATEST_RUNS, read_profile
from pipeline.corpus_profile.style import percent
from pipeline.home import Home
from pipeline.orchestration.ingest import ingest
from pipeline.run_costs import RunCost, record_cost
from pipeline.storage.store import Store
from pipeline.workers import Workers

FACTS = "Vantor Rail owns Brack Mill. Orsan Depot uses Gate One.\n"
LONG = "# Lines\n\n" + "".join(
    f"Station {number} belongs to Vantor Rail. It was built by Orsan Depot. " for number in range(40)
)
CONFIG = "chunking:\n  fallback: {whole_max: 40, sentence_max: 3000}\n"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A home of two documents in two tiers, ingested twice."""
    base = tmp_path_factory.mktemp("profile")
    docs, home = base / "docs", Home(base / "home")
    docs.mkdir()
    home.folder.mkdir()
    home.config_file.write_text(CONFIG)
    (docs / "short.md").write_text(FACTS)
    assert ingest(home, [docs], workers=Workers(0)).succeeded
    (docs / "long.txt").write_text(LONG)
    assert ingest(home, [docs], workers=Workers(0)).succeeded
    return home.store()


def _sizes(pictures: tuple) -> set[tuple[str, int]]:
    """Name and width of each picture, from its own header."""
    for picture in pictures:
        assert picture.png.startswith(b"\x89PNG") and len(picture.png) < 40_000
    return {(picture.name, struct.unpack(">I", picture.png[16:20])[0]) for picture in pictures}


ALL = {("tokens", 640), ("seams", 640), ("orphans", 640), ("costs", 640)}


def test_a_profile_counts_what_is_in_the_tables(store: Store) -> None:
    profile = read_profile(store)
    assert profile.tokens.borders == (40, 3000, TierStrategy().section_max)
    assert {tier: len(sizes) for tier, sizes in profile.tokens.by_tier.items()} == {"whole": 1, "sentence": 1}
    assert profile.tokens.bordered == 2
    assert profile.seams.band == (0.15, 0.2)
    assert sum(profile.seams.reasons.values()) == len(profile.seams.in_band) + sum(
        count for reason, count in profile.seams.reasons.items() if reason
    )
    assert all(0.15 <= ratio <= 0.2 for ratio in profile.seams.in_band) and profile.seams.in_band
    assert [share.label for share in profile.seams.dangling] == ["whole", "sentence"]
    assert {share.label for share in profile.orphans.by_format} == {"markdown", "text"}
    overall = profile.orphans.overall
    assert overall.whole >= 4 and all(share.whole <= overall.whole for share in profile.orphans.by_tier)
    assert [(run.documents, run.reason) for run in profile.runs] == [(1, "ingest"), (1, "ingest")]
    assert profile.runs[0].calls_made == 1 and profile.runs[0].seconds.keys() > {"chunks", "graph_edges"}


def test_the_numbers_are_those_of_the_profile(store: Store) -> None:
    profile = read_profile(store)
    numbers = key_numbers(profile)
    sizes = [size for members in profile.tokens.by_tier.values() for size in members]
    assert numbers["documents"] == 2 and numbers["tokens"] == sum(sizes)
    assert numbers["tokens of a document, largest"] == max(sizes)
    assert numbers["orphans"] == profile.orphans.overall.part
    assert numbers["latest run: calls made"] == profile.runs[-1].calls_made


def test_the_same_profile_gives_the_same_bytes(store: Store) -> None:
    profile = read_profile(store)
    first, second = draw(profile), draw(profile)
    assert first == second and _sizes(first) == ALL


def test_an_empty_home_has_pictures_too(tmp_path: Path) -> None:
    store = Store(tmp_path / "empty.duckdb")
    store.create()
    profile = read_profile(store)
    assert profile == CorpusProfile(
        TokenProfile({}, None, 0),
        SeamProfile((), (), None, {}, ()),
        OrphanProfile(Share("all", 0, 0), (), ()),
        (),
    )
    assert _sizes(draw(profile)) == ALL
    assert key_numbers(profile)["documents"] == 0


def test_extremes_are_drawn() -> None:
    """Sizes of nothing and of a library, borders that fall together or are zero, a reason like a formula."""
    run = RunTotals("r", "01 Jan\n00:00", "$\\frac{$ because", 10**9, 0, 10**12, 0, 10**15, {"chunks": 1e-9})
    profile = CorpusProfile(
        TokenProfile({"whole": (0, 0, 1), "hierarchical": (10**9,)}, (0, 0, 5), 1),
        SeamProfile((0.0, 0.2), (7.5,), (0.0, 0.2), {"": 2, "section_start": 1}, (Share("whole", 3, 3),)),
        OrphanProfile(
            Share("all", 1, 1), (Share("whole", 1, 1),), tuple(Share(f"f{n}", 0, 1) for n in range(20))
        ),
        (run,) * LATEST_RUNS,
    )
    assert _sizes(draw(profile)) == ALL


def test_only_the_latest_runs_with_work_are_shown(tmp_path: Path) -> None:
    store = Store(tmp_path / "runs.duckdb")
    store.create()
    for number in range(LATEST_RUNS + 3):
        for asset in ("documents", "chunks"):
            record_cost(store, RunCost(f"run{number:02}", asset, "sensor", 0.5, processed=number, fresh=1))
    record_cost(store, RunCost("idle", "documents", "sensor", 0.5, processed=0, fresh=9))
    runs = read_profile(store).runs
    assert [run.run_id for run in runs] == [f"run{n:02}" for n in range(3, LATEST_RUNS + 3)]
    assert runs[-1].documents == LATEST_RUNS + 2 and runs[-1].seconds == {"chunks": 0.5, "documents": 0.5}


def test_the_page_holds_everything_and_asks_for_nothing(store: Store) -> None:
    profile = read_profile(store)
    page = render_page("Profile of <b>&'\"", draw(profile), key_numbers(profile))
    assert page.count("data:image/png;base64,") == 4 and "orphan rate" in page
    assert "<b>" not in page and "&lt;b&gt;&amp;" in page
    assert not re.search(r"(?:src|href)=['\"](?!data:)|<script|url\(", page)


@pytest.mark.parametrize(
    ("rate", "shown"),
    [(0, "0 %"), (0.0004, "< 0.1 %"), (0.005, "0.5 %"), (0.5, "50 %"), (0.9996, "> 99 %"), (1, "100 %")],
)
def test_some_is_never_shown_as_none_nor_most_as_all(rate: float, shown: str) -> None:
    assert percent(rate) == shown
