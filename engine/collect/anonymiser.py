"""Names of users, jobs, hosts and queues as they are, or as keyed hashes."""

import hashlib
import hmac
import re
from typing import Any

from engine.collect.kept_fields import ADDRESS, PLAIN, QUEUE, RACK, USER


class Anonymiser:
    """Names as they are, or keyed hashes of them. Letters alone, so that digits of a job's name stay what
    differs between its runs.
    """

    def __init__(self, key: "bytes | None" = None, queues: bool = False) -> None:
        self.key = key
        self.queues = queues

    def hash_name(self, name: str) -> str:
        assert self.key is not None  # or names stay as they are
        digest = hmac.new(self.key, name.encode("utf-8", "replace"), hashlib.sha256).hexdigest()
        return "".join("abcdefghijklmnop"[int(digit, 16)] for digit in digest[:12])

    def fingerprint(self) -> "str | None":
        """Tells archives of one key from those of another; None where names stay."""
        return None if self.key is None else self.hash_name("gantry-collect")[:6]

    def anonymise(self, kind: str, value: "Any") -> "Any":
        """The value of this kind as it goes into the archive; None for what is no plain value."""
        if isinstance(value, (dict, list)):
            return None
        if not isinstance(value, str):
            return value if kind == PLAIN else None
        value = value[:1000]
        if (
            kind == PLAIN
            or not value
            or not (self.key or kind == PLAIN)
            or (kind == QUEUE and not self.queues)
        ):
            return value
        if kind == ADDRESS:
            address = re.fullmatch(r"(.*?)((?::[0-9]+)?)", value, re.DOTALL)
            assert address is not None  # every text is one
            host, port = address.groups()
            return value if host in ("", "null", "N/A") else "host-" + self.hash_name(host.lower()) + port
        if kind == RACK:
            return "/".join(
                part if part in ("", "default-rack") else "rack-" + self.hash_name(part)
                for part in value.split("/")
            )
        if kind == QUEUE:
            return ".".join(
                part if part in ("root", "default") else "queue-" + self.hash_name(part)
                for part in value.split(".")
            )
        if kind == USER:
            return "user-" + self.hash_name(value)
        # ids such as those of a UUID
        template = re.sub(r"\b(?=[0-9a-fA-F-]*[0-9])(?=[0-9-]*[a-fA-F])[0-9a-fA-F-]{8,}\b", "#", value)
        numbers = re.findall(r"[0-9]+", template)
        return "-".join(["job-" + self.hash_name(re.sub(r"[0-9]+", "#", template))] + numbers[:8])
