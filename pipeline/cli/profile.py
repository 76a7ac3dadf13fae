"""``edgekeeper profile``: the corpus in pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.output import HomeOption, JsonOption, console, existing_home, fail, print_json, shown


def profile(
    out: Annotated[Path, typer.Option("--out", help="Folder to write to; it is made if needed.")],
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write pictures of sizes, seams, orphans and costs, and a page that holds them all.

    The same pictures are in Dagster, at the asset corpus_profile.
    """
    from pipeline.corpus_profile.numbers import key_numbers
    from pipeline.corpus_profile.page import render_page
    from pipeline.corpus_profile.pictures import draw
    from pipeline.corpus_profile.queries import read_profile

    place = existing_home(home, as_json=as_json)
    corpus = read_profile(place.store())
    pictures, numbers = draw(corpus), key_numbers(corpus)
    page = out / "profile.html"
    try:
        out.mkdir(parents=True, exist_ok=True)
        for picture in pictures:
            (out / f"{picture.name}.png").write_bytes(picture.png)
        page.write_text(render_page(f"Profile of {place.folder}", pictures, numbers), encoding="utf-8")
    except OSError as error:
        fail(f"{error.filename or out}: cannot be written: {error.strerror}", as_json=as_json, code=2)
    if as_json:
        files = [str(out / f"{picture.name}.png") for picture in pictures]
        print_json({"page": str(page), "pictures": files, "numbers": numbers})
    else:
        console().print(f"wrote {shown(str(page))} and {len(pictures)} pictures beside it", soft_wrap=True)
