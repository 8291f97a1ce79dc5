"""python -m webapp: the dashboard on this machine; python -m webapp links and classes:
what it keeps."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import socket
import sys

from werkzeug.serving import make_server

from engine import GantryError
from webapp import settings
from webapp.commands import class_commands, link_commands
from webapp.jobs.supervisor_handle import SupervisorHandle
from webapp.messages import msg
from webapp.monitoring import logs, metric_files


def main() -> int:
    """Serve until interrupted, or do what a command says; 2 when that can't be."""
    if sys.argv[1:2] == ["links"]:
        return link_commands.main(sys.argv[2:])
    if sys.argv[1:2] == ["classes"]:
        return class_commands.main(sys.argv[2:])
    more = (
        "python -m webapp links --help: the links it keeps, listed and deleted; all it keeps, backed up, "
        "restored and moved. "
        "python -m webapp classes --help: its classes, listed, deleted and expired."
    )
    return serve(parser("python -m webapp", more).parse_args())


def parser(prog: str, epilog: str | None = None) -> argparse.ArgumentParser:
    """Of what serving is told; prog: how it was called."""
    options = argparse.ArgumentParser(
        prog=prog, description=msg("top.main.gantry_dashboard_in_browser"), epilog=epilog
    )
    host, port = msg("top.main.address_to_listen_at"), msg("top.main.port_to_listen_at_default")
    options.add_argument("--host", default="127.0.0.1", help=host)
    options.add_argument("--port", type=int, default=8050, help=port)
    return options


def serve(chosen: argparse.Namespace) -> int:
    """Serve until interrupted, at the host and port that were chosen; 2 when that can't be."""
    os.environ[settings.HAS_WORKERS_VARIABLE] = "1"
    try:
        logs.start()
        metric_files.start()
        metric_files.join("web")
        from webapp.app import app
        from webapp.jobs.job_manager import job_manager
    except GantryError as error:
        print(error, file=sys.stderr)
        return 2
    family = socket.AF_INET6 if ":" in chosen.host else socket.AF_INET
    try:
        listening = socket.create_server((chosen.host, chosen.port), family=family)
    except (OSError, OverflowError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        fault = msg("top.main.port_cant_be_listened_at_port", port=chosen.port, host=chosen.host, why=why)
        print(fault, file=sys.stderr)
        return 2
    print(msg("top.main.gantry_at_http", host=chosen.host, port=listening.getsockname()[1]), flush=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
    supervisor = SupervisorHandle(settings.workers())
    if settings.workers():
        supervisor.start()
    with contextlib.suppress(KeyboardInterrupt):
        handle = listening.fileno()
        make_server(chosen.host, chosen.port, app.server, threaded=True, fd=handle).serve_forever()
    job_manager.stop()
    supervisor.stop()
    os._exit(0)  # whatever still runs


if __name__ == "__main__":
    sys.exit(main())
