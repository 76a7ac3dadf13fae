"""The four pictures and their numbers as one self-contained page."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence

from pipeline.characters import in_page
from pipeline.corpus_profile.model import Picture

_STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 1.5rem auto; max-width: 84rem; padding: 0 1rem;
  color: #222; background: #f3f4f6; }
h1 { font-size: 1.3rem; overflow-wrap: anywhere; }
main { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 38rem), 1fr)); gap: 1rem;
  align-items: start; }
figure, section { margin: 0; background: #fff; border: 1px solid #dcdfe3; border-radius: 6px;
  padding: .6rem; }
img { display: block; max-width: 100%; }
table { border-collapse: collapse; font-size: 13px; width: 100%; }
th, td { text-align: left; font-weight: normal; padding: .15rem .5rem; border-bottom: 1px solid #eceef0; }
td { text-align: right; font-variant-numeric: tabular-nums; }
"""


def data_uri(picture: Picture) -> str:
    """The picture as an address that holds all of it."""
    return "data:image/png;base64," + base64.b64encode(picture.png).decode("ascii")


def render_page(title: str, pictures: Sequence[Picture], numbers: Mapping[str, int | float]) -> str:
    """One HTML file: no script, no font, no link."""
    figures = [
        f"<figure><img src='{data_uri(picture)}' alt='{in_page(picture.description)}'></figure>"
        for picture in pictures
    ]
    rows = [f"<tr><th>{in_page(name)}</th><td>{value:,}</td></tr>" for name, value in numbers.items()]
    return "\n".join(
        (
            "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>",
            "<meta name='viewport' content='width=device-width, initial-scale=1'>",
            f"<title>{in_page(title)}</title><style>{_STYLE}</style></head><body>",
            f"<h1>{in_page(title)}</h1><main>",
            *figures,
            f"<section><table>{''.join(rows)}</table></section>",
            "</main></body></html>\n",
        )
    )
