"""A server with a certificate of an authority of its own: trusted where that is named only."""

from __future__ import annotations

import http.server
import json
import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from ifbench_tui.cli import main
from ifbench_tui.judge.call import Call
from ifbench_tui.judge.client import Client
from ifbench_tui.judge.endpoint import Endpoint
from ifbench_tui.judge.errors import EndpointError

from .data import mt_files
from .server import choice

pytestmark = pytest.mark.skipif(
    shutil.which("openssl") is None, reason="the openssl command makes the certificates"
)
CALL = Call("m", (("user", "Which?"),), 0.0, 16)


def openssl(*arguments: object) -> None:
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


@dataclass(frozen=True)
class Tls:
    """Where the server is, its authority's certificate, and the requests it has answered."""

    base_url: str
    ca_file: str
    paths: list[str]


@pytest.fixture
def tls(tmp_path: Path) -> Iterator[Tls]:
    """A TLS server on loopback whose certificate was signed by an authority made for it."""
    key, ca = tmp_path / "ca.key", tmp_path / "ca.pem"
    own, request, cert = tmp_path / "own.key", tmp_path / "own.csr", tmp_path / "own.pem"
    made = ("req", "-newkey", "rsa:2048", "-nodes", "-sha256")
    openssl(*made, "-x509", "-days", 2, "-subj", "/CN=authority of a test", "-keyout", key,
            "-out", ca, "-addext", "keyUsage=critical,keyCertSign")  # fmt: skip
    openssl(*made, "-subj", "/CN=127.0.0.1", "-keyout", own, "-out", request)
    names = tmp_path / "names"
    names.write_text("subjectAltName=IP:127.0.0.1\nauthorityKeyIdentifier=keyid\n")
    openssl("x509", "-req", "-in", request, "-CA", ca, "-CAkey", key, "-CAcreateserial",
            "-days", 2, "-sha256", "-extfile", names, "-out", cert)  # fmt: skip
    paths: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            paths.append(self.path)
            body = json.dumps(choice("[[8]]")).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, own)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        # The handshake is each connection's own business: one that breaks off holds up no other.
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield Tls(f"https://127.0.0.1:{server.server_address[1]}/v1", str(ca), paths)
        server.shutdown()
        thread.join(10)


async def test_the_named_authority_is_trusted(tls: Tls) -> None:
    async with Client(Endpoint(tls.base_url, ca_file=tls.ca_file)) as client:
        reply = await client.ask(CALL)
    assert (reply.outcome, reply.text) == ("ok", "[[8]]")


async def test_an_unknown_authority_ends_the_run_and_says_what_to_do(tls: Tls) -> None:
    async with Client(Endpoint(tls.base_url)) as client:
        with pytest.raises(EndpointError, match=r"not trusted.*--ca-file"):
            await client.ask(CALL)
    assert tls.paths == []


def test_the_commands_option_and_the_config_file_name_it(
    tls: Tls, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config.toml"
    monkeypatch.setenv("IFBENCH_CONFIG", str(config))
    paths = mt_files(tmp_path / "data", ["tern"], questions=1)
    command = ["judge", *paths, "--protocol", "mt-single", "--base-url", tls.base_url]
    command += ["--model", "j", "--session", str(tmp_path / "s.ifb"), "-o", str(tmp_path / "o")]
    assert main(command) == 2
    assert "--ca-file" in capsys.readouterr().err
    assert main([*command, "--ca-file", tls.ca_file]) == 0
    assert len(tls.paths) == 2
    config.write_text(f"[settings]\nca_file = {json.dumps(tls.ca_file)}\n")
    assert main([*command, "--judged-model", "tern", "--temperature", "0.5"]) == 0
    assert len(tls.paths) == 4
