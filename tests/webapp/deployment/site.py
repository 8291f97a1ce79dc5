"""The reference configurations with the real proxies: filled in as an owner does, on free ports, in a folder
of the test's own, before the real gunicorn.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import re
import shutil
import socket
import ssl
import subprocess
from http.client import HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.waiting import MAX_WAIT_S, until
from tests.webapp.live_server import Served, free_port

HERE = ROOT / "webapp" / "deployment"
NAME = "gantry.example"
HEAD = f"GET / HTTP/1.1\r\nHost: {NAME}\r\n".encode()
AROUND = """user {user};
worker_processes 2;
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
    include /etc/nginx/mime.types;
    access_log {folder}/access.log;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/none;
    uwsgi_temp_path {folder}/none;
    scgi_temp_path {folder}/none;
    gzip on;
    ssl_protocols TLSv1 TLSv1.1 TLSv1.2 TLSv1.3;
    include {folder}/gantry.conf;
}}
"""


class Behind(Served):
    """gunicorn at a Unix socket, as the unit of systemd starts it. What it was asked for stands in a file."""

    def __init__(self, data: Path, settings: dict[str, str] | None = None) -> None:
        self.socket, self.lines = data.parent / "http.sock", data.parent / "asked"
        own = {
            "GANTRY_BIND": f"unix:{self.socket}",
            "GANTRY_PROXIES": "1",
            "GANTRY_TRUSTED_HOSTS": NAME,
            "ASKED": str(self.lines),
        }
        own["GUNICORN_CMD_ARGS"] = "--logger-class tests.webapp.deployment.heard.Asked"
        super().__init__(data, own | (settings or {}))

    def answers(self) -> bool:
        """Does it show its page?"""
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as plain:
            plain.settimeout(MAX_WAIT_S)
            plain.connect(str(self.socket))
            plain.sendall(f"GET / HTTP/1.0\r\nHost: {NAME}\r\n\r\n".encode())
            return plain.recv(12).endswith(b"200")
        return False

    def held(self) -> int:
        """How many connections gunicorn has; it has eight threads for them."""
        return sum(
            line.endswith(f" {self.socket}") and line.split()[5] == "03"
            for line in Path("/proc/net/unix").read_text().splitlines()
        )

    def asked(self, path: str) -> int:
        """How often gunicorn was asked for an address that begins so."""
        return len(re.findall(rf"^[A-Z]+ {re.escape(path)}", self.lines.read_text(), re.MULTILINE))


class Proxy:
    """A proxy that was started; `port` answers by TLS, `plain` without, `inner` to who watches the server."""

    def __init__(self, folder: Path, command: list[str], port: int, plain: int, inner: int = 0) -> None:
        self.folder, self.port, self.plain, self.inner, self.url = (
            folder,
            port,
            plain,
            inner,
            f"https://{NAME}:{port}",
        )
        with (folder / "proxy.log").open("wb") as log:
            self.process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                cwd=folder,
                env={**os.environ, "HOME": str(folder)},
                start_new_session=True,
            )
        until(lambda: self.process.poll() is not None or not socket.socket().connect_ex(("127.0.0.1", port)))
        assert self.process.poll() is None, (folder / "proxy.log").read_text()

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(MAX_WAIT_S)

    def trusting(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.folder / "fullchain.pem")

    def connection(self, source: str = "127.0.0.1") -> HTTPSConnection:
        """As a visitor who knows the certificate; source: of the addresses of this machine the one the
        visitor has.
        """
        return _Named(
            NAME, self.port, timeout=MAX_WAIT_S, context=self.trusting(), source_address=(source, 0)
        )

    def get(
        self,
        path: str,
        headers: dict[str, str] | None = None,
        method: str = "GET",
        body: Any = None,
        source: str = "127.0.0.1",
    ) -> HTTPResponse:
        """The answer; its text is read."""
        connection = self.connection(source)
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        answer.text = answer.read().decode(errors="replace")
        connection.close()
        return answer

    def raw(self, head: bytes, source: str = "127.0.0.1") -> ssl.SSLSocket:
        """A connection on which this has been sent."""
        plain = socket.create_connection(
            ("127.0.0.1", self.port), timeout=MAX_WAIT_S, source_address=(source, 0)
        )
        secured = self.trusting().wrap_socket(plain, server_hostname=NAME)
        secured.sendall(head)
        return secured


class _Named(HTTPSConnection):
    """Finds the name on this machine."""

    def connect(self) -> None:
        plain = socket.create_connection(("127.0.0.1", self.port), self.timeout, self.source_address)
        self.sock = self._context.wrap_socket(plain, server_hostname=self.host)


def stops_nobody(behind: Behind, proxy: Proxy) -> None:
    """While others are slow, somebody else has the page, and gunicorn knows of no more of them than it has
    threads.
    """
    assert behind.held() < 8
    answer = proxy.get("/")
    assert answer.status == 200 and "dash-renderer" in answer.text


def certificate(folder: Path) -> None:
    """Of that name, signed by itself."""
    words = (
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -keyout privkey.pem "
        "-out fullchain.pem"
    )
    own = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
    subprocess.run(["openssl", *words.split(), *own], cwd=folder, check=True, capture_output=True)


def nginx(folder: Path, upstream: str, sign_in: str = "", **more: str) -> Proxy:
    """The real nginx with nginx.conf; upstream: where it finds Gantry; sign_in: the lines to take in; more:
    words to replace.
    """
    result = shutil.which("nginx") or pytest.skip(
        "no nginx on this machine: its package is nginx-light or nginx"
    )
    folder.mkdir(exist_ok=True)
    certificate(folder)
    port, plain, inner = free_port(), free_port(), free_port()
    text = (HERE / "nginx.conf").read_text()
    for old, new in {
        "listen [::]:443": f"listen [::1]:{port}",
        "listen [::]:80": f"listen [::1]:{plain}",
        "listen 443": f"listen 127.0.0.1:{port}",
        "listen 80;": f"listen 127.0.0.1:{plain};",
        "127.0.0.1:8051": f"127.0.0.1:{inner}",
        "unix:/run/gantry/http.sock": upstream,
        "/etc/letsencrypt/live/gantry.example": str(folder),
        "/var/cache/nginx/gantry": f"{folder}/files",
        "/etc/nginx/gantry.users": f"{folder}/users",
        "/var/log/nginx": str(folder),
        "https://gantry.example$request_uri": f"https://gantry.example:{port}$request_uri",
        "Host $host;": f"Host $host:{port};",  # no browser says 443
        **more,
    }.items():
        assert old in text, old
        text = text.replace(old, new)
    if sign_in:
        text = re.sub(f"^#{sign_in} ", "", text, flags=re.MULTILINE)
    (folder / "gantry.conf").write_text(
        text
        if socket.has_ipv6 and Path("/proc/net/if_inet6").exists()
        else re.sub(r" *listen \[::1\].*\n", "", text)
    )
    (folder / "nginx.conf").write_text(AROUND.format(folder=folder, user=pwd.getpwuid(os.getuid()).pw_name))
    checked = subprocess.run([result, "-t", "-c", str(folder / "nginx.conf")], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    return Proxy(folder, [result, "-c", str(folder / "nginx.conf")], port, plain, inner)


def caddy(folder: Path, upstream: str, **more: str) -> Proxy:
    """The real Caddy with the Caddyfile, and a certificate of the test's own in the place of one that it
    fetches.
    """
    result = shutil.which("caddy") or pytest.skip("no caddy on this machine: its package is caddy")
    folder.mkdir(exist_ok=True)
    certificate(folder)
    port, plain, inner = free_port(), free_port(), free_port()
    text = (HERE / "Caddyfile").read_text()
    for old, new in {
        "{\n\tservers": f"{{\n\tadmin off\n\thttp_port {plain}\n\thttps_port {port}\n\tskip_install_trust\n\tservers",  # noqa: E501
        "gantry.example {": f"gantry.example {{\n\tbind 127.0.0.1\n\ttls {folder}/fullchain.pem {folder}/privkey.pem",  # noqa: E501
        "127.0.0.1:8051": f"127.0.0.1:{inner}",
        "unix//run/gantry/http.sock": upstream,
        **more,
    }.items():
        assert old in text, old
        text = text.replace(old, new)
    (folder / "Caddyfile").write_text(text)
    return Proxy(
        folder,
        [result, "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")],
        port,
        plain,
        inner,
    )
