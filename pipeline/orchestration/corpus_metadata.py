"""What Dagster shows of the whole corpus: pictures, and the edges and orphans that matter most."""

from __future__ import annotations

from collections.abc import Mapping

import dagster as dg

from pipeline.corpus_profile.model import CorpusProfile
from pipeline.corpus_profile.numbers import key_numbers
from pipeline.corpus_profile.page import data_uri
from pipeline.corpus_profile.pictures import draw

Metadata = Mapping[str, dg.MetadataValue | int | float | bool | str]


def profile_metadata(profile: CorpusProfile) -> Metadata:
    """The four pictures, and their numbers."""
    pictures = {
        picture.title: dg.MetadataValue.md(f"![{picture.description}]({data_uri(picture)})")
        for picture in draw(profile)
    }
    return {**pictures, **key_numbers(profile)}
