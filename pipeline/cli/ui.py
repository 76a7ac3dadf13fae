"""``edgekeeper ui``: Dagster's user interface on a home."""

from __future__ import annotations

import os
import signal
import socket
import sys
from typing import Annotated

import typer

from pipeline.cli.output import HomeOption, JsonOption, console, existing_home, fail, print_json
from pipeline.home import HOME_VARIABLE


def ui(
    home: HomeOption = None,
    port: Annotated[int, typer.Option(help="Port of the web server.", min=1, max=65535)] = 3000,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    as_json: JsonOption = False,
) -> None:
    """Start ``dagster dev`` (web server and daemon) with the instance inside the home. Ctrl-C ends it."""
    place = existing_home(home, as_json=as_json)
    from pipeline.orchestration.instance import open_instance

    with open_instance(place):
        pass  # what cannot be used is said here, not by each of Dagster's processes
    if not _is_free(host, port):
        fail(f"port {port} of {host} is in use; choose another with --port", as_json=as_json, code=2)
    url = f"http://{host}:{port}"
    if as_json:
        print_json({"url": url, "home": str(place.folder), "dagster_home": str(place.dagster)})
    else:
        console().print(f"Dagster on {place.folder}: {url} (up in half a minute; Ctrl-C ends it)")
    command = [sys.executable, "-m", "dagster", "dev", "-m", "pipeline.orchestration.definitions"]
    environment = {
        **os.environ,
        "DAGSTER_HOME": str(place.dagster),
        HOME_VARIABLE: str(place.folder),
    }
    # A shell that starts a command in the background lets it ignore interrupts; Dagster would inherit that.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    os.chdir(place.folder)
    sys.stdout.flush()
    if as_json:  # Dagster logs to standard output, where programs expect the object alone
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    # This process becomes Dagster's, so that whoever ends it ends Dagster and all of its services.
    os.execve(sys.executable, [*command, "-h", host, "-p", str(port)], environment)


def _is_free(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True
