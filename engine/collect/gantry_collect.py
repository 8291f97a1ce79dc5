#!/usr/bin/env python3
"""Collects a Hadoop cluster's history over REST into one archive that Gantry opens.

It asks the ResourceManager and the MapReduce JobHistory server for a span of time, no faster than it is told, and keeps what a simulation needs:
times, sizes, names, queues, nodes. URLs, diagnostics, tokens, ACLs, paths and all other properties are left out. Nothing is changed on the cluster.
A call that was interrupted goes on where it was when it is made again. This file is all that is needed: Python 3.6 or later, nothing installed.

  gantry-collect --rm http://rm:8088 --jhs http://history:19888 --from 24h
  gantry-collect --rm https://rm:8090 --jhs https://history:19890 --from 2026-11-01 --to 2026-11-02T06:00 --anonymise key.txt --cacert ca.pem

Exit codes: 0 all is in the archive; 1 the archive is there, and what it lacks was told; 2 the call is wrong or the servers can't be asked: no archive.
"""

import argparse
import calendar
import getpass
import os
import re
import sys
import time

from engine.collect.archive_folder import Folder
from engine.collect.collection import Collection
from engine.collect.keyed_names import Names
from engine.collect.rest_server import Server, Wrong

DONE, LACKING, WRONG, INTERRUPTED = 0, 1, 2, 130
SECONDS = {"m": 60, "h": 3600, "d": 86400, "w": 604800}
LEAST_KEY = 8  # characters
EPILOG = """
names: --anonymise replaces users, jobs and hosts by a keyed hash (HMAC-SHA256). The same name and key give the same hash, so that recurring jobs stay
recurring: digits of a job's name stay, the rest of it is hashed. Queues stay as they are, also those named after users, without --anonymise-queues.

secured clusters: the standard library speaks no SPNEGO. Get a cookie once and hand it over, best in a file:
  kinit; curl --negotiate -u : -c jar -o /dev/null http://rm:8088/ws/v1/cluster/info
  echo "Cookie: hadoop.auth=$(awk '$6 == "hadoop.auth" {print $7}' jar)" > header.txt; gantry-collect --header @header.txt ...

job history files: --history takes .jhist and _conf.xml of a local folder, such as a copy of mapreduce.jobhistory.done-dir (hdfs dfs -get). They say more than
the servers (when tasks were asked for, bytes of each task), in one read instead of a request a task: then --attempts none is enough. .jhist are copied as they
are, with users, hosts and diagnostics; of _conf.xml what a simulation needs.
"""


def main(arguments=None):
    """Does what the arguments (default: the process's) say; returns the exit code."""
    call = parser().parse_args(arguments)
    try:
        return collect(call)
    except Wrong as error:
        fault = str(error)
    except KeyboardInterrupt:
        sys.stderr.write("\ninterrupted: the same call goes on from here\n")
        return INTERRUPTED
    except OSError as error:
        fault = f"{error.filename or call.out} can't be read or written: {error.strerror or error}"
    except MemoryError:
        fault = "not enough memory for an answer of this size"
    sys.stderr.write(f"\n{fault}\n" if sys.stderr.isatty() else f"{fault}\n")
    return WRONG


def parser():
    found = argparse.ArgumentParser(
        prog="gantry-collect", description=__doc__.partition("Exit codes")[0], epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    say = found.add_argument
    say(
        "--rm", metavar="URL", action="append", default=[], help="the ResourceManager's web address, such as http://rm:8088; again for a second one of the pair"
    )
    say("--jhs", metavar="URL", action="append", default=[], help="the JobHistory server's, such as http://history:19888")
    say("--history", metavar="FOLDER", help="take job history files of a local folder too")
    say(
        "--from",
        metavar="TIME",
        dest="begin",
        required=True,
        help="2026-11-24, 2026-11-24T03:00, with Z or +01:00 of another zone, seconds or ms since 1970, 24h",
    )
    say("--to", metavar="TIME", dest="end", default="now", help="likewise; default: now")
    say("--out", metavar="FILE", default="gantry-history.tar.gz", help="the archive; default: %(default)s")
    say("--attempts", choices=("all", "none"), default="all", help="none: no request a task; nodes, failures and shuffles of tasks are then not known")
    say("--rate", metavar="N", type=float, default=10.0, help="requests a second at most; default: %(default)s")
    say("--timeout", metavar="S", type=float, default=60.0, help="seconds to wait for an answer; default: %(default)s")
    say("--retries", metavar="N", type=int, default=4, help="how often a request is made again that got no answer; default: %(default)s")
    say("--anonymise", metavar="KEYFILE", nargs="?", const="", help="hash users, jobs and hosts with the key in a file, or one that is asked for")
    say("--anonymise-queues", action="store_true", help="hash queues too")
    say("--header", metavar="TEXT", action="append", default=[], help="'Name: value' to send with each request, or @FILE that holds it, such as a cookie")
    say("--cacert", metavar="FILE", help="certificates that sign the servers'")
    say("--insecure", action="store_true", help="do not verify the servers' certificates")
    say("--quiet", action="store_true", help="do not tell how far it is")
    return found


def collect(call):
    """The whole of it. Wrong where the call can't be done."""
    if not (call.rm or call.jhs or call.history):
        raise Wrong("nothing to ask: give --rm URL and --jhs URL, or --history FOLDER")
    if not 0.01 <= call.rate <= 1000 or not 0.1 <= call.timeout <= 3600 or not 0 <= call.retries <= 100:
        raise Wrong("--rate must be from 0.01 to 1000, --timeout from 0.1 to 3600, --retries from 0 to 100")
    if call.history and not os.path.isdir(call.history):
        raise Wrong(f"--history {call.history}: that is no folder here; hdfs dfs -get brings one")
    if call.anonymise is not None and call.history:
        raise Wrong("--history can't go with --anonymise: job history files are copied as they are; the servers' answers are anonymised")
    if call.anonymise_queues and call.anonymise is None:
        raise Wrong("--anonymise-queues needs --anonymise")
    call.rm, call.jhs = ([address(url) for url in urls] for urls in (call.rm, call.jhs))
    headers = dict(header(text) for text in call.header)
    names = Names(key_of(call.anonymise), call.anonymise_queues)
    now = int(time.time() * 1000)
    span = [max(0, instant(call.begin, now)), instant(call.end, now)]
    if span[0] > span[1]:
        raise Wrong("--from lies after --to")
    if os.path.exists(call.out):
        raise Wrong(f"{call.out} is there already: give another --out")
    try:
        server = Server(call, headers)
    except (OSError, ValueError) as error:
        raise Wrong(f"--cacert {call.cacert} can't be used: {error}") from None
    folder = Folder(re.sub(r"\.(tar\.gz|tgz)$", "", call.out) + ".unfinished")
    asked = [call.rm, call.jhs, call.history, call.begin, call.end, call.attempts, names.fingerprint(), names.queues]
    before = folder.read("call.json")
    if before is None:
        folder.write("call.json", {"asked": asked, "span": span})
    elif before.get("asked") != asked:
        raise Wrong(f"{folder.path} is left of another call: remove it, or give another --out")
    else:
        span = before["span"]
        sys.stderr.write(f"going on with {folder.path}\n")
    collection = Collection(call, server, folder, names, span)
    collection.all()
    folder.pack(call.out)
    collection.tell_end(call.out, os.path.getsize(call.out))
    return LACKING if collection.missing else DONE


def address(url):
    """A server's address without what follows the port."""
    found = re.match(r"(https?://(?:[^/@\s]*@)?)([A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?(?=/|$)", url if "//" in url else "http://" + url)
    if not found or "@" in found.group(1):
        raise Wrong("{} must be an address such as http://host:8088{}".format(url.rpartition("@")[2], "; who asks goes into --header" if "@" in url else ""))
    return found.group()


def header(text):
    """Name and value of "Name: value", or of the file's first line."""
    if text.startswith("@"):
        with open(text[1:]) as stream:
            text = stream.readline()
    found = re.match(r"\s*([A-Za-z0-9-]{1,100})\s*:\s*([ -~]*?)\s*$", text)
    if not found:
        raise Wrong("--header must be 'Name: value', or @FILE whose first line is that")
    return found.groups()


def key_of(given):
    """The key's bytes; None where names stay."""
    if given is None:
        return None
    if given:
        with open(given, "rb") as stream:
            key = stream.read(4096).strip()
    else:
        key = getpass.getpass("key to hash names with: ").strip().encode()
    if len(key) < LEAST_KEY:
        raise Wrong(f"the key must have at least {LEAST_KEY} characters; such as: openssl rand -hex 16 > key.txt")
    return key


def instant(text, now):
    """Milliseconds since 1970 of a time as the help says."""
    text = text.strip()
    if text == "now":
        return now
    ago = re.match(r"([0-9]{1,6})([mhdw])$", text)
    if ago:
        return now - int(ago.group(1)) * SECONDS[ago.group(2)] * 1000
    if re.match(r"[0-9]{9,14}(\.[0-9]*)?$", text):
        return int(float(text) * (1 if float(text) >= 1e11 else 1000))
    found = re.match(r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$", text, re.ASCII)
    try:
        parts = time.strptime("{} {}{}".format(found.group(1), found.group(2) or "00:00", found.group(3) or ":00"), "%Y-%m-%d %H:%M:%S")
        zone = found.group(4)
        if zone is None:
            return int(time.mktime(parts)) * 1000
        away = 0 if zone == "Z" else int(zone[0] + "1") * (int(zone[1:3]) * 60 + int(zone[-2:]))
        return (calendar.timegm(parts) - away * 60) * 1000
    except (AttributeError, ValueError, OverflowError):
        raise Wrong(f"{text} is no time: 2026-11-24, 2026-11-24T03:00, seconds or ms since 1970, or 24h") from None


if __name__ == "__main__":
    sys.exit(main())
