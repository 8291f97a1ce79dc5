"""A client of the REST servers that keeps to a rate and retries."""

import argparse
import http.client
import json
import random
import re
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib
from collections.abc import Iterable
from typing import Any

VERSION = 1
JSON_TYPE = "application/json"
MAX_RESPONSE_BYTES = 256 * 2**20  # of one answer, decompressed
MAX_SILENT_REQUESTS = 10  # requests in a row that got no answer at all
RETRY_STATUSES = (408, 425, 429, 500, 502, 503, 504)
MAX_WAIT_S = 60.0


class FatalError(Exception):
    """The call is wrong, or can't go on; its text is a sentence."""


class Unavailable(Exception):
    """A response that can't be obtained; its text is a sentence. status: what the server answered with."""

    status = 0


class NoResponse(Unavailable):
    """The server did not answer at all."""


class SameClusterRedirects(urllib.request.HTTPRedirectHandler):
    """A standby ResourceManager sends on to the active one; what --header says goes to the hosts of the call
    alone, and not in the clear where the call is encrypted.
    """

    def __init__(self, hosts: "set[str | None]", private: "Iterable[str]") -> None:
        self.hosts = hosts
        self.private = private

    def redirect_request(
        self, req: "Any", fp: "Any", code: int, msg: str, headers: "Any", newurl: str
    ) -> "urllib.request.Request | None":
        request = super().redirect_request(req, fp, code, msg, headers, newurl)
        is_bared = req.type == "https" and urllib.parse.urlsplit(newurl).scheme != "https"
        if request is not None and (is_bared or urllib.parse.urlsplit(newurl).hostname not in self.hosts):
            for name in self.private:
                request.headers.pop(name.capitalize(), None)
        return request


class RestClient:
    """Requests no faster than the rate, and retries where that may help."""

    def __init__(self, options: argparse.Namespace, headers: "dict[str, str]") -> None:
        context = ssl.create_default_context(cafile=options.cacert)
        if options.insecure:
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        servers = options.rm + options.jhs + options.spark
        hosts = {urllib.parse.urlsplit(url).hostname for url in servers}
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPSHandler(context=context), SameClusterRedirects(hosts, headers)
        )
        self.headers = dict(
            {
                "Accept-Encoding": "gzip",
                "User-Agent": f"gantry-collect/{VERSION}",
            },
            **headers,
        )
        self.options = options
        self.next = 0.0
        self.count = self.bytes = self.silent = 0

    def get_json(self, bases: "list[str]", path: str, **values: "Any") -> "Any":
        """The answer as JSON, of the first server that gives one. Unavailable, as a sentence, when none
        does.
        """
        return self._get(
            bases, path + ("?" + urllib.parse.urlencode(values) if values else ""), path, JSON_TYPE
        )

    def get_bytes(self, bases: "list[str]", path: str) -> bytes:
        """The same for an answer of any type, as it comes."""
        return self._get(bases, path, path, "*/*")

    def _get(self, bases: "list[str]", query: str, path: str, accepted: str) -> "Any":
        fault = Unavailable(f"{path}: there is no server to ask")
        for base in list(bases):
            try:
                answer = self._get_with_retries(base + query, path, accepted)
                if base != bases[0]:
                    bases.remove(base)
                    bases.insert(0, base)  # the active one of two
                self.silent = 0
                return answer
            except Unavailable as error:
                fault = fault if fault.status else error
        self.silent = self.silent + 1 if isinstance(fault, NoResponse) else 0
        if self.silent >= MAX_SILENT_REQUESTS:
            raise FatalError(
                f"{self.silent} requests in a row got no answer, at last: {fault}; the same call goes on "
                "from here later"
            )
        raise fault

    def _get_with_retries(self, url: str, path: str, accepted: str) -> "Any":
        backoff_s = 1.0
        for attempt in range(self.options.retries + 1):
            pause = max(0.0, self.next - time.monotonic())
            time.sleep(pause)
            self.next = time.monotonic() + 1.0 / self.options.rate
            self.count += 1
            delay_s = backoff_s * random.uniform(0.75, 1.25)
            try:
                return self._get_once(url, path, accepted)
            except urllib.error.HTTPError as error:
                after = error.headers.get("Retry-After", "")
                error.close()
                if error.code in (401, 403):
                    raise Unavailable(
                        f"{path}: the server refuses with {error.code}: it wants to know who asks; see "
                        "--header"
                    ) from None
                fault = Unavailable(f"{path}: the server answers with {error.code}")
                fault.status = error.code
                if error.code not in RETRY_STATUSES:
                    raise fault from None
                delay_s = max(delay_s, float(after)) if re.fullmatch("[0-9]{1,4}", after) else delay_s
            except (
                OSError,
                EOFError,
                ValueError,
                zlib.error,
                http.client.HTTPException,
            ) as error:  # timeouts, cut and broken answers among them
                reason = getattr(error, "reason", None) or error
                if isinstance(reason, ssl.SSLError) and "CERTIFICATE_VERIFY_FAILED" in str(reason):
                    raise FatalError(
                        "the server's certificate can't be verified: give --cacert FILE, or --insecure "
                        "where you accept that"
                    ) from None
                fault = NoResponse(f"{path}: no answer: {str(reason)[:200] or type(reason).__name__}")
            if attempt < self.options.retries:
                time.sleep(min(delay_s, MAX_WAIT_S))
                backoff_s *= 2
        raise fault

    def _get_once(self, url: str, path: str, accepted: str) -> "Any":
        request = urllib.request.Request(url, headers=dict({"Accept": accepted}, **self.headers))
        with self.opener.open(request, timeout=self.options.timeout) as answer:
            data = answer.read(MAX_RESPONSE_BYTES + 1)
            if answer.headers.get("Content-Encoding", "").lower() == "gzip":
                unpack = zlib.decompressobj(wbits=31)
                data = unpack.decompress(data, MAX_RESPONSE_BYTES + 1)
                if len(data) <= MAX_RESPONSE_BYTES and not unpack.eof:
                    raise EOFError("the answer is cut off")
            content_type = answer.headers.get("Content-Type", "")
        self.bytes += len(data)
        if len(data) > MAX_RESPONSE_BYTES:
            raise Unavailable(f"{path}: the answer is larger than {MAX_RESPONSE_BYTES >> 20} MB")
        if "html" in content_type.lower():
            raise Unavailable(f"{path}: a page comes back, not JSON: is somebody to log in? see --header")
        if accepted != JSON_TYPE:
            return data
        try:
            return json.loads(data.decode("utf-8", "replace"))
        except RecursionError:
            raise Unavailable(f"{path}: the answer is nested too deeply") from None
