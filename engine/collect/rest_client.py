"""The servers, asked with patience."""

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

VERSION = 1
MOST_BYTES = 256 * 2**20  # of one answer, decompressed
GIVE_UP = 10  # requests in a row that got no answer at all
AGAIN = (408, 425, 429, 500, 502, 503, 504)
LONGEST_WAIT = 60.0


class Wrong(Exception):
    """The call is wrong, or can't go on; its text is a sentence."""


class Missing(Exception):
    """An answer that can't be had; its text is a sentence."""


class Unanswered(Missing):
    """The server did not answer at all."""


class SameCluster(urllib.request.HTTPRedirectHandler):
    """A standby ResourceManager sends on to the active one; what --header says goes to the hosts of the call alone."""

    def __init__(self, hosts, private):
        self.hosts = hosts
        self.private = private

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        found = super().redirect_request(req, fp, code, msg, headers, newurl)
        if found is not None and urllib.parse.urlsplit(newurl).hostname not in self.hosts:
            for name in self.private:
                found.headers.pop(name.capitalize(), None)
        return found


class Server:
    """Asks for JSON no faster than the rate, again where that may help."""

    def __init__(self, call, headers):
        context = ssl.create_default_context(cafile=call.cacert)
        if call.insecure:
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        hosts = {urllib.parse.urlsplit(url).hostname for url in call.rm + call.jhs}
        self.opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=context), SameCluster(hosts, headers))
        self.headers = dict({"Accept": "application/json", "Accept-Encoding": "gzip", "User-Agent": f"gantry-collect/{VERSION}"}, **headers)
        self.call = call
        self.next = 0.0
        self.count = self.bytes = self.silent = 0

    def ask(self, bases, path, **values):
        """The answer as JSON, of the first server that gives one. Missing, as a sentence, when none does."""
        fault = None
        for base in list(bases):
            try:
                found = self._patiently(base + path + ("?" + urllib.parse.urlencode(values) if values else ""), path)
                if base != bases[0]:
                    bases.remove(base)
                    bases.insert(0, base)  # the active one of two
                self.silent = 0
                return found
            except Missing as error:
                fault = error
        self.silent = self.silent + 1 if isinstance(fault, Unanswered) else 0
        if self.silent >= GIVE_UP:
            raise Wrong(f"{self.silent} requests in a row got no answer, at last: {fault}; the same call goes on from here later")
        raise fault

    def _patiently(self, url, path):
        wait = 1.0
        for trial in range(self.call.retries + 1):
            pause = max(0.0, self.next - time.monotonic())
            time.sleep(pause)
            self.next = time.monotonic() + 1.0 / self.call.rate
            self.count += 1
            said = wait * random.uniform(0.75, 1.25)
            try:
                return self._once(url, path)
            except urllib.error.HTTPError as error:
                after = error.headers.get("Retry-After", "")
                error.close()
                if error.code in (401, 403):
                    raise Missing(f"{path}: the server refuses with {error.code}: it wants to know who asks; see --header") from None
                fault = Missing(f"{path}: the server answers with {error.code}")
                if error.code not in AGAIN:
                    raise fault from None
                said = max(said, float(after)) if re.fullmatch("[0-9]{1,4}", after) else said
            except (OSError, EOFError, ValueError, zlib.error, http.client.HTTPException) as error:  # timeouts, cut and broken answers among them
                reason = getattr(error, "reason", None) or error
                if isinstance(reason, ssl.SSLError) and "CERTIFICATE_VERIFY_FAILED" in str(reason):
                    raise Wrong("the server's certificate can't be verified: give --cacert FILE, or --insecure where you accept that") from None
                fault = Unanswered(f"{path}: no answer: {str(reason)[:200] or type(reason).__name__}")
            if trial < self.call.retries:
                time.sleep(min(said, LONGEST_WAIT))
                wait *= 2
        raise fault

    def _once(self, url, path):
        with self.opener.open(urllib.request.Request(url, headers=self.headers), timeout=self.call.timeout) as answer:
            data = answer.read(MOST_BYTES + 1)
            if answer.headers.get("Content-Encoding", "").lower() == "gzip":
                unpack = zlib.decompressobj(wbits=31)
                data = unpack.decompress(data, MOST_BYTES + 1)
                if len(data) <= MOST_BYTES and not unpack.eof:
                    raise EOFError("the answer is cut off")
            kind = answer.headers.get("Content-Type", "")
        self.bytes += len(data)
        if len(data) > MOST_BYTES:
            raise Missing(f"{path}: the answer is larger than {MOST_BYTES >> 20} MB")
        if "html" in kind.lower():
            raise Missing(f"{path}: a page comes back, not JSON: is somebody to log in? see --header")
        try:
            return json.loads(data.decode("utf-8", "replace"))
        except RecursionError:
            raise Missing(f"{path}: the answer is nested too deeply") from None
