"""An authority of the tests' own, and a certificate it gave to the hosts of the tests. Made by openssl."""

from __future__ import annotations

import base64
import hashlib
import ssl
import subprocess
from dataclasses import dataclass
from pathlib import Path

NAMES = ("a.test", "b.test", "*.a.test", "evil.test", "localhost")
ADDRESSES = ("127.0.0.1", "127.0.0.2")


@dataclass(frozen=True)
class Certificates:
    authority: Path
    certificate: Path
    key: Path

    def server(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        return context

    def client(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.authority))

    @property
    def key_hash(self) -> str:
        """Of the authority's key, as Chromium wants it in order to trust what it signed."""
        public = _openssl("x509", "-in", str(self.authority), "-noout", "-pubkey")
        binary = _openssl("pkey", "-pubin", "-outform", "DER", given=public)
        return base64.b64encode(hashlib.sha256(binary).digest()).decode()


def make_certificates(folder: Path, names: tuple[str, ...] = NAMES) -> Certificates:
    made = Certificates(folder / "authority.pem", folder / "host.pem", folder / "host.key")
    authority_key, request, extensions = folder / "authority.key", folder / "host.csr", folder / "host.ext"
    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    subject_names = [f"DNS:{name}" for name in names] + [f"IP:{address}" for address in ADDRESSES]
    extensions.write_text(f"subjectAltName={','.join(subject_names)}\nextendedKeyUsage=serverAuth\n")
    _openssl(
        *("req", "-x509", *key, "-keyout", authority_key, "-out", made.authority, "-days", "30"),
        *("-subj", "/CN=Authority of the tests", "-addext", "keyUsage=critical,keyCertSign"),
    )
    _openssl("req", "-new", *key, "-keyout", made.key, "-out", request, "-subj", "/CN=a.test")
    _openssl(
        *("x509", "-req", "-in", request, "-CA", made.authority, "-CAkey", authority_key, "-CAcreateserial"),
        *("-out", made.certificate, "-days", "30", "-extfile", extensions),
    )
    # With the authority's behind it, so that whoever gets it can see who signed it.
    made.certificate.write_bytes(made.certificate.read_bytes() + made.authority.read_bytes())
    return made


def _openssl(*arguments: str | Path, given: bytes | None = None) -> bytes:
    return subprocess.run(["openssl", *map(str, arguments)], input=given, capture_output=True, check=True).stdout
