"""Answers of the ResourceManager over time: a line of JSON a sample, in a file that grows."""

import argparse
import json
import os
import sys
import time
from typing import Any

from engine.collect.anonymiser import Anonymiser
from engine.collect.rest_client import FatalError, RestClient, Unavailable


class Sampler:
    """Appends samples to a file until a time, or until it is interrupted. LINE_START: of each line, by which
    a file of its own is known.
    """

    LINE_START = ""

    def __init__(
        self, options: argparse.Namespace, client: RestClient, names: Anonymiser, interval_s: float
    ) -> None:
        self.options, self.client, self.names, self.interval_s = options, client, names, interval_s
        self.count = self.missed = 0
        self.fault = ""

    def sample(self, now: int) -> "dict[str, Any]":
        """The next line's object. Unavailable where it can't be had. now: ms since 1970."""
        raise NotImplementedError

    def run(self, until_ms: "int | None") -> None:
        """until_ms: since 1970; None for no end. FatalError where the first sample can't be had, or the file
        holds something else.
        """
        path, start = self.options.out, self.LINE_START
        if os.path.exists(path):
            with open(path, errors="replace") as stream:
                if not (stream.read(len(start)) or start).startswith(start):
                    raise FatalError(f"{path} is no file of samples: give another --out")
        with open(path, "a") as stream:
            next_ms = time.time() * 1000
            try:
                while until_ms is None or next_ms <= until_ms:
                    self.wait_until(next_ms)
                    self.append_sample(stream)
                    next_ms += 1000 * self.interval_s
            except KeyboardInterrupt:
                pass
        missed = f", {self.missed} missing, such as: {self.fault}" if self.missed else ""
        sys.stderr.write(f"{path}: {self.count} samples more{missed}\n")

    def wait_until(self, wanted_ms: float) -> None:
        time.sleep(max(0.0, wanted_ms / 1000 - time.time()))

    def append_sample(self, stream: "Any") -> None:
        try:
            line = self.sample(int(time.time() * 1000))
        except Unavailable as error:
            if not self.count:
                raise FatalError(f"nothing can be sampled: {error}") from None
            self.missed += 1
            self.fault = str(error)
            return
        stream.write(json.dumps(line, separators=(",", ":")) + "\n")
        stream.flush()
        self.count += 1
