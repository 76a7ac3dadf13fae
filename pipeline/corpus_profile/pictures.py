"""Four pictures of a corpus."""

from __future__ import annotations

from pipeline.corpus_profile.costs_picture import draw_costs
from pipeline.corpus_profile.model import CorpusProfile, Picture
from pipeline.corpus_profile.orphans_picture import draw_orphans
from pipeline.corpus_profile.seams_picture import draw_seams
from pipeline.corpus_profile.style import STYLE, to_png
from pipeline.corpus_profile.tokens_picture import draw_tokens


def draw(profile: CorpusProfile) -> tuple[Picture, ...]:
    """Sizes of documents, seams, orphans and costs. What a corpus lacks is said in the picture."""
    import matplotlib as mpl

    with mpl.rc_context(STYLE):
        return (
            Picture(
                "tokens",
                "Documents by size",
                "Tokens of each document, with the borders of the tiers.",
                to_png(draw_tokens(profile.tokens)),
            ),
            Picture(
                "seams",
                "Seams between chunks",
                "Overlap ratios with the band, exemptions by reason, dangling openings by tier.",
                to_png(draw_seams(profile.seams)),
            ),
            Picture(
                "orphans",
                "Entities in no edge",
                "Share of the entities that no edge joins, by tier and by source format.",
                to_png(draw_orphans(profile.orphans)),
            ),
            Picture(
                "costs",
                "What runs did and cost",
                "Documents, extraction calls, tokens read and seconds of the latest runs.",
                to_png(draw_costs(profile.runs)),
            ),
        )
