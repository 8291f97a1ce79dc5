#!/usr/bin/env python3
r"""Collects a Hadoop cluster's history over REST into one archive that Gantry opens.

It asks the ResourceManager, the MapReduce JobHistory server and Spark's for a span of time, no faster than it
is told, and keeps what a simulation needs: times, sizes, names, queues, nodes. URLs, diagnostics, tokens,
ACLs, paths and all other properties are left out, but of event logs. Nothing is changed on the cluster. A
call that was interrupted goes on where it was when it is made again. This file is all that is needed: Python
3.6 or later, nothing installed.

  gantry-collect --rm http://rm:8088 --jhs http://history:19888 --from 24h
  gantry-collect --rm https://rm:8090 --jhs https://history:19890 --from 2026-11-01 --to 2026-11-02T06:00 \
    --anonymise key.txt --cacert ca.pem

Where no history is kept, the ResourceManager is asked again and again instead: --metrics for the metrics of
its queues, --applications for what each application holds. The second is read beside a history too.

  gantry-collect --rm http://rm:8088 --metrics 10 --to 2026-11-30T06:00
  gantry-collect --rm http://rm:8088 --applications 10 --to 2026-11-30T06:00

Exit codes: 0 all is in the archive; 1 the archive is there, and what it lacks was told; 2 the call is wrong
or the servers can't be asked: no archive.
"""

import argparse
import calendar
import getpass
import os
import re
import sys
import time
from typing import Any

from engine.collect.anonymiser import Anonymiser
from engine.collect.applications_sampler import ApplicationsSampler
from engine.collect.archive_folder import ArchiveFolder
from engine.collect.history_collector import HistoryCollector
from engine.collect.metrics_sampler import MetricsSampler
from engine.collect.rest_client import FatalError, RestClient

EXIT_OK, EXIT_INCOMPLETE, EXIT_USAGE, EXIT_INTERRUPTED = 0, 1, 2, 130
SECONDS = {"m": 60, "h": 3600, "d": 86400, "w": 604800}
ARCHIVE_NAME = "gantry-history.tar.gz"
SAMPLERS = {"metrics": MetricsSampler, "applications": ApplicationsSampler}  # by option
MIN_KEY_LENGTH = 8  # characters
EPILOG = """
names: --anonymise replaces users, jobs and hosts by a keyed hash (HMAC-SHA256). The same name and key give
the same hash, so that recurring jobs stay recurring: digits of a job's name stay, the rest of it is hashed.
Queues stay as they are, also those named after users, without --anonymise-queues.

secured clusters: the standard library speaks no SPNEGO. Get a cookie once and hand it over, best in a file:
  kinit; curl --negotiate -u : -c jar -o /dev/null http://rm:8088/ws/v1/cluster/info
  echo "Cookie: hadoop.auth=$(awk '$6 == "hadoop.auth" {print $7}' jar)" > header.txt
  gantry-collect --header @header.txt ...

event logs of Spark: --spark asks its history server for them, --history takes those of a local folder too,
such as a copy of spark.eventLog.dir. They are copied as they are, with users, hosts, paths and queries.

job history files: --history takes .jhist and _conf.xml of a local folder, such as a copy of
mapreduce.jobhistory.done-dir (hdfs dfs -get). They say more than the servers (when tasks were asked for,
bytes of each task), in one read instead of a request a task: then --attempts none is enough. .jhist are
copied as they are, with users, hosts and diagnostics; of _conf.xml what a simulation needs.
"""


def main(arguments: "list[str] | None" = None, prog: str = "gantry-collect") -> int:
    """Does what the arguments (default: the process's) say; returns the exit code. prog: its name."""
    options = parser(prog).parse_args(arguments)
    try:
        return collect(options)
    except FatalError as error:
        fault = str(error)
    except KeyboardInterrupt:
        sys.stderr.write("\ninterrupted: the same call goes on from here\n")
        return EXIT_INTERRUPTED
    except OSError as error:
        fault = f"{error.filename or options.out} can't be read or written: {error.strerror or error}"
    except MemoryError:
        fault = "not enough memory for an answer of this size"
    sys.stderr.write(f"\n{fault}\n" if sys.stderr.isatty() else f"{fault}\n")
    return EXIT_USAGE


def parser(prog: str) -> argparse.ArgumentParser:
    argument_parser = argparse.ArgumentParser(
        prog=prog,
        description=__doc__.partition("Exit codes")[0],
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = argument_parser.add_argument
    add(
        "--rm",
        metavar="URL",
        action="append",
        default=[],
        help="the ResourceManager's web address, such as http://rm:8088; again for a second one of the pair",
    )
    add(
        "--jhs",
        metavar="URL",
        action="append",
        default=[],
        help="the JobHistory server's, such as http://history:19888",
    )
    add(
        "--spark",
        metavar="URL",
        action="append",
        default=[],
        help="the Spark history server's, such as http://history:18080: its event logs",
    )
    add("--history", metavar="FOLDER", help="take job history files and event logs of a local folder too")
    add(
        "--from",
        metavar="TIME",
        dest="begin",
        help="2026-11-24, 2026-11-24T03:00, with Z or +01:00 of another zone, seconds or ms since 1970, 24h",
    )
    add(
        "--to",
        metavar="TIME",
        dest="end",
        help="likewise; default: now, with --metrics or --applications until it is interrupted",
    )
    add(
        "--metrics",
        metavar="S",
        type=float,
        help="no history: the queues' metrics every S seconds; the ResourceManager renews them every 10",
    )
    add(
        "--applications",
        metavar="S",
        type=float,
        help="no history: what each application holds every S seconds",
    )
    add(
        "--out",
        metavar="FILE",
        help=f"the file to write; default: {ARCHIVE_NAME}, with --metrics gantry-metrics.jsonl, with "
        "--applications gantry-applications.jsonl",
    )
    add(
        "--attempts",
        choices=("all", "none"),
        default="all",
        help="none: no request a task; nodes, failures and shuffles of tasks are then not known",
    )
    add(
        "--rate",
        metavar="N",
        type=float,
        default=10.0,
        help="requests a second at most; default: %(default)s",
    )
    add(
        "--timeout",
        metavar="S",
        type=float,
        default=60.0,
        help="seconds to wait for an answer; default: %(default)s",
    )
    add(
        "--retries",
        metavar="N",
        type=int,
        default=4,
        help="how often a request is made again that got no answer; default: %(default)s",
    )
    add(
        "--anonymise",
        metavar="KEYFILE",
        nargs="?",
        const="",
        help="hash users, jobs and hosts with the key in a file, or one that is asked for",
    )
    add("--anonymise-queues", action="store_true", help="hash queues too")
    add(
        "--header",
        metavar="TEXT",
        action="append",
        default=[],
        help="'Name: value' to send with each request, or @FILE that holds it, such as a cookie",
    )
    add("--cacert", metavar="FILE", help="certificates that sign the servers'")
    add("--insecure", action="store_true", help="do not verify the servers' certificates")
    add("--quiet", action="store_true", help="do not tell how far it is")
    return argument_parser


def collect(options: argparse.Namespace) -> int:
    """Collects everything. FatalError where the options can't be met."""
    sampled = [name for name in SAMPLERS if getattr(options, name) is not None]
    options.out = options.out or (f"gantry-{sampled[0]}.jsonl" if sampled else ARCHIVE_NAME)
    check_options(options, sampled)
    for name in ("rm", "jhs", "spark"):
        setattr(options, name, [address(url) for url in getattr(options, name)])
    headers = dict(header(text) for text in options.header)
    names = Anonymiser(read_key(options.anonymise), options.anonymise_queues)
    try:
        client = RestClient(options, headers)
    except (OSError, ValueError) as error:
        raise FatalError(f"--cacert {options.cacert} can't be used: {error}") from None
    now = int(time.time() * 1000)
    if sampled:
        sampler = SAMPLERS[sampled[0]](options, client, names, getattr(options, sampled[0]))
        sampler.run(parse_time(options.end, now) if options.end else None)
        return EXIT_INCOMPLETE if sampler.missed else EXIT_OK
    options.end = options.end or "now"
    span = [max(0, parse_time(options.begin, now)), parse_time(options.end, now)]
    if span[0] > span[1]:
        raise FatalError("--from lies after --to")
    if os.path.exists(options.out):
        raise FatalError(f"{options.out} is there already: give another --out")
    folder = ArchiveFolder(re.sub(r"\.(tar\.gz|tgz)$", "", options.out) + ".unfinished")
    request = [
        options.rm,
        options.jhs,
        options.spark,
        options.history,
        options.begin,
        options.end,
        options.attempts,
        names.fingerprint(),
        names.queues,
    ]
    span = resume(folder, request, span)
    collector = HistoryCollector(options, client, folder, names, span)
    collector.collect_all()
    folder.pack(options.out)
    collector.print_summary(options.out, os.path.getsize(options.out))
    return EXIT_INCOMPLETE if collector.missing else EXIT_OK


def check_options(options: argparse.Namespace, sampled: "list[str]") -> None:
    """FatalError where options are out of range, missing, or do not go together. sampled: those of SAMPLERS
    that are given.
    """
    if sampled:
        check_sampling(options, sampled)
    elif not options.begin:
        raise FatalError("since when? give --from TIME, such as --from 24h")
    elif not (options.rm or options.jhs or options.spark or options.history):
        raise FatalError("nothing to ask: give --rm URL and --jhs URL, --spark URL, or --history FOLDER")
    if (
        not 0.01 <= options.rate <= 1000
        or not 0.1 <= options.timeout <= 3600
        or not 0 <= options.retries <= 100
    ):
        raise FatalError(
            "--rate must be from 0.01 to 1000, --timeout from 0.1 to 3600, --retries from 0 to 100"
        )
    if options.history and not os.path.isdir(options.history):
        raise FatalError(
            f"--history {options.history}: this is not a local folder; copy it with hdfs dfs -get"
        )
    if options.anonymise is not None and (options.history or options.spark):
        raise FatalError(
            "--history and --spark can't go with --anonymise: job history files and event logs are copied as "
            "they are; the other servers' answers are anonymised"
        )
    if options.anonymise_queues and options.anonymise is None:
        raise FatalError("--anonymise-queues needs --anonymise")


def check_sampling(options: argparse.Namespace, sampled: "list[str]") -> None:
    """FatalError where several are sampled, or with what collects a history."""
    if len(sampled) > 1:
        raise FatalError("--metrics and --applications are two calls, each with its own --out")
    name = "--" + sampled[0]
    if not options.rm or options.jhs or options.spark or options.history or options.begin:
        raise FatalError(f"{name} goes with --rm URL, without --jhs, --spark, --history and --from")
    if not 1 <= getattr(options, sampled[0]) <= 3600:
        raise FatalError(f"{name} must be from 1 to 3600 seconds")


def resume(folder: ArchiveFolder, request: "list[Any]", span: "list[int]") -> "list[int]":
    """The span of time to collect: that of an interrupted call of the same request where the folder holds
    one. FatalError where it holds what another call collected.
    """
    previous = folder.read("call.json")
    if previous is None or (previous.get("asked") != request and folder.is_empty()):
        folder.write("call.json", {"asked": request, "span": span})
        return span
    if previous.get("asked") != request:
        raise FatalError(f"{folder.path} is left of another call: remove it, or give another --out")
    sys.stderr.write(f"going on with {folder.path}\n")
    return previous["span"]


def address(url: str) -> str:
    """A server's address without what follows the port."""
    match = re.match(
        r"(https?://(?:[^/@\s]*@)?)([A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?(?=/|$)",
        url if "//" in url else "http://" + url,
    )
    if not match or "@" in match.group(1):
        raise FatalError(
            "{} must be an address such as http://host:8088{}".format(
                url.rpartition("@")[2], "; who asks goes into --header" if "@" in url else ""
            )
        )
    return match.group()


def header(text: str) -> "tuple[str, str]":
    """Name and value of "Name: value", or of the file's first line."""
    if text.startswith("@"):
        with open(text[1:]) as stream:
            text = stream.readline()
    match = re.match(r"\s*([A-Za-z0-9-]{1,100})\s*:\s*([ -~]*?)\s*$", text)
    if not match:
        raise FatalError("--header must be 'Name: value', or @FILE whose first line is that")
    return match.group(1), match.group(2)


def read_key(key_path: "str | None") -> "bytes | None":
    """The key's bytes; None where names stay."""
    if key_path is None:
        return None
    if key_path:
        with open(key_path, "rb") as stream:
            key = stream.read(4096).strip()
    else:
        key = getpass.getpass("key to hash names with: ").strip().encode()
    if len(key) < MIN_KEY_LENGTH:
        raise FatalError(
            f"the key must have at least {MIN_KEY_LENGTH} characters; such as: openssl rand -hex 16 > key.txt"
        )
    return key


def parse_time(text: str, now: int) -> int:
    """Milliseconds since 1970 of a time as the help says."""
    text = text.strip()
    if text == "now":
        return now
    duration_match = re.match(r"([0-9]{1,6})([mhdw])$", text)
    if duration_match:
        return now - int(duration_match.group(1)) * SECONDS[duration_match.group(2)] * 1000
    if re.match(r"[0-9]{9,14}(\.[0-9]*)?$", text):
        return int(float(text) * (1 if float(text) >= 1e11 else 1000))
    match = re.match(
        r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$", text, re.ASCII
    )
    try:
        if match is None:
            raise ValueError
        parts = time.strptime(
            "{} {}{}".format(match.group(1), match.group(2) or "00:00", match.group(3) or ":00"),
            "%Y-%m-%d %H:%M:%S",
        )
        zone = match.group(4)
        if zone is None:
            return int(time.mktime(parts)) * 1000
        offset = 0 if zone == "Z" else int(zone[0] + "1") * (int(zone[1:3]) * 60 + int(zone[-2:]))
        return (calendar.timegm(parts) - offset * 60) * 1000
    except (ValueError, OverflowError):
        raise FatalError(
            f"{text} is not a time; use 2026-11-24, 2026-11-24T03:00, seconds or ms since 1970, or 24h"
        ) from None


if __name__ == "__main__":
    sys.exit(main())
