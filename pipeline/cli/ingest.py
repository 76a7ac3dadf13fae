"""``edgekeeper ingest``: from files to graph."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars
from rich.table import Table

from pipeline.cli.output import (
    ConfigOption,
    HomeOption,
    JsonOption,
    console,
    fail,
    print_json,
    shown,
)
from pipeline.config import Config, ConfigError, parse_config, read_config, require_regular
from pipeline.extractions.factory import missing_requirement
from pipeline.home import Home, find_home, is_default
from pipeline.orchestration.settings import missing_storage
from pipeline.progress import Progress
from pipeline.wording import count_of

if TYPE_CHECKING:
    from pipeline.checks import CheckResult
    from pipeline.orchestration.ingest import IngestReport
    from pipeline.summary import DocumentStatus, Summary


def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Folders, or single files.", show_default=False)],
    home: HomeOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Bring the graph up to date with some folders or files.

    Only what is new or changed is processed; files that are gone take their rows with them. With --config
    the file becomes the home's configuration, for the user interface and later ingests too. Exit code 0
    only if no document, run or check failed and none is in quarantine; files that are no documents are listed
    with the reason. What is interrupted goes on with the next ingest.
    """
    from pipeline.checks import CheckError, load_checks, run_checks

    place = find_home(home)
    try:
        if config is not None:
            adopt_config(place, config)
        require_usable(place.config(), place.config_file)
        known_checks = load_checks(place.checks)
    except (ConfigError, CheckError) as error:
        fail(str(error), as_json=as_json, code=2)
    report = _run(place, paths, as_json=as_json)

    from pipeline.summary import count_outcomes, document_statuses, summarize

    store = place.store()
    summary = summarize(store)
    checks = run_checks(store, known_checks)
    outcomes = count_outcomes(checks)
    failed = not report.succeeded or summary.has_failed or bool(outcomes["failed"])
    if as_json:
        for line in (*(f"skipped {item.path}: {item.reason}" for item in report.skipped), *report.errors):
            typer.echo(line.encode("utf-8", "backslashreplace").decode(), err=True)
        print_json(
            {
                "documents": {"total": sum(summary.documents.values()), **summary.documents},
                "chunks": summary.chunks,
                "extraction_calls": report.calls_made,
                "extractions_reused": summary.chunks - min(report.calls_made, summary.chunks),
                "claims": summary.claims,
                "entities": summary.entities,
                "edges": summary.edges,
                "orphans": summary.orphans,
                "checks": outcomes,
                "seconds": round(report.seconds, 2),
            }
        )
    else:
        _print(place, report, summary, document_statuses(store), checks)
    raise typer.Exit(1 if failed else 0)


def adopt_config(home: Home, config: Path) -> None:
    """Make a configuration file the home's own. Raises ConfigError where it cannot be used."""
    text = read_config(config)  # once: what a shell hands over as a file can be read only once
    require_usable(parse_config(text, config), config)
    home.folder.mkdir(parents=True, exist_ok=True)
    if config.resolve() != home.config_file:
        require_regular(home.config_file)
        home.config_file.write_text(text, encoding="utf-8")


def require_usable(config: Config, origin: Path) -> None:
    """Raise ConfigError where the configuration asks for something that is not installed or not set."""
    missing = missing_requirement(config.extraction) or missing_storage(config.orchestration)
    if missing is not None:
        raise ConfigError(f"{origin}: {missing}")


def _run(home: Home, paths: list[Path], *, as_json: bool) -> IngestReport:
    out = Console(stderr=True, quiet=as_json)
    with out.status("Looking at the files"):
        from pipeline.orchestration.ingest import HomeBusy, IngestError, ingest
    try:
        progress = ProgressBars(out)
        with progress.bars:
            return ingest(home, paths, progress=progress)
    except KeyboardInterrupt:
        fail(
            "interrupted; what was finished is kept, and the next ingest goes on from there",
            as_json=as_json,
            code=130,
        )
    except HomeBusy as error:
        fail(str(error), as_json=as_json, code=3)
    except IngestError as error:
        fail(str(error), as_json=as_json, code=2)


class ProgressBars(Progress):
    """A bar for each asset on a terminal's stderr, a line for each elsewhere."""

    def __init__(self, out: Console) -> None:
        self.bars = Bars(
            TextColumn("{task.description:>18}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=out,
            disable=out.quiet or not out.is_terminal,
        )
        self.out = out
        self.tasks: dict[str, TaskID] = {}

    def start(self, asset: str, total: int) -> None:
        self.tasks[asset] = self.bars.add_task(asset, total=total)
        if total and not self.out.is_terminal:
            self.out.print(f"{asset}: {count_of(total, 'document')}")

    def advance(self, asset: str, count: int) -> None:
        self.bars.advance(self.tasks[asset], count)


def _print(
    home: Home,
    report: IngestReport,
    summary: Summary,
    documents: list[DocumentStatus],
    checks: list[CheckResult],
) -> None:
    out = console()
    for item in report.skipped:
        out.print(f"[yellow]skipped[/] {shown(item.path)}: {shown(item.reason)}")
    for document in documents:
        if document.status != "ingested":
            colour = "red" if document.status in ("failed", "quarantined") else "yellow"
            detail = f": {shown(document.detail)}" if document.detail else ""
            out.print(f"[{colour}]{document.status}[/] {shown(document.document_id)}{detail}")
    for message in report.errors:
        out.print(f"[red]error[/] {shown(message)}")
    for result in checks:
        if result.outcome != "pass":
            colour = "red" if result.outcome == "error" else "yellow"
            out.print(
                f"[{colour}]check {result.outcome}[/] {result.check.name}: "
                f"{count_of(result.failing_rows, 'row')}. "
                f"{shown(result.problem or result.check.description)}"
            )
    out.print(summary_table(report, summary, checks))
    command = shown(sys.argv[0] if sys.argv[0].endswith("edgekeeper") else "edgekeeper")
    option = "" if is_default(home) else f" --home {shown(str(home.folder))}"
    out.print(f"Look at it:  {command} ui{option}", soft_wrap=True)
    out.print(f"Trace it:    {command} trace --subject NAME{option}", soft_wrap=True)


def summary_table(report: IngestReport, summary: Summary, checks: list[CheckResult]) -> Table:
    """The table that ends an ingest."""
    from pipeline.summary import count_outcomes

    statuses = ", ".join(f"{count} {status}" for status, count in summary.documents.items()) or "none"
    outcomes = count_outcomes(checks)
    reused = summary.chunks - min(report.calls_made, summary.chunks)
    table = Table(show_header=False)
    table.add_column(style="bold")
    table.add_column()
    for name, value in (
        ("documents", statuses),
        ("this run", _this_run(report)),
        ("chunks", f"{summary.chunks}"),
        ("extraction calls", f"{report.calls_made} made, {reused} reused"),
        ("claims", f"{summary.claims}"),
        ("entities", f"{summary.entities}"),
        ("edges", f"{summary.edges}"),
        ("orphans", f"{count_of(summary.orphans, 'entity')} in no edge"),
        ("checks", f"{outcomes['passed']} passed, {outcomes['warned']} warned, {outcomes['failed']} failed"),
        ("seconds", f"{report.seconds:.1f}"),
    ):
        table.add_row(name, value)
    return table


def _this_run(report: IngestReport) -> str:
    others = {
        "for changed settings": report.due["settings"],
        "for changed checks": report.due["unchecked"],
        "tried again": report.due["failed"],
    }
    parts = [f"{report.due['new']} new", f"{report.due['changed']} changed", f"{report.removed} gone"]
    return ", ".join([*parts, *(f"{count} {what}" for what, count in others.items() if count)])
