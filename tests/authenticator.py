"""A passkey's authenticator in software, honest or not: each part of a ceremony can be forged."""

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

PRESENT, VERIFIED, HAS_KEY = 1, 4, 64


@dataclass
class Authenticator:
    """One credential, and what it says of itself. `count` is of its last signature; 0 for one that does not count."""

    origin: str = "http://localhost"
    rp_id: str = "localhost"
    count: int = 0
    flags: int = PRESENT | VERIFIED
    cross_origin: bool = False
    handle: bytes = b""
    id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def make(self, options: dict[str, Any]) -> str:
        """The answer to the options of a new passkey, as the browser's script posts it."""
        self.handle = base64url_to_bytes(options["user"]["id"])
        attested = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + self._public_key()
        data = {"fmt": "none", "attStmt": {}, "authData": self._data(HAS_KEY) + attested}
        said = {"attestationObject": bytes_to_base64url(cbor2.dumps(data)), "transports": ["internal"]}
        return self._posted(self._client_data("webauthn.create", options), said)

    def use(self, options: dict[str, Any]) -> str:
        """The answer to the options of a sign-in."""
        if self.count:
            self.count += 1
        client_data, data = self._client_data("webauthn.get", options), self._data()
        signed = data + hashlib.sha256(client_data).digest()
        said = {
            "authenticatorData": bytes_to_base64url(data),
            "signature": bytes_to_base64url(self.key.sign(signed, ec.ECDSA(hashes.SHA256()))),
            "userHandle": bytes_to_base64url(self.handle),
        }
        return self._posted(client_data, said)

    def _public_key(self) -> bytes:
        point = self.key.public_key().public_numbers()
        x, y = (number.to_bytes(32, "big") for number in (point.x, point.y))
        return cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})

    def _data(self, flags: int = 0) -> bytes:
        site = hashlib.sha256(self.rp_id.encode()).digest()
        return site + bytes([self.flags | flags]) + self.count.to_bytes(4, "big")

    def _client_data(self, what: str, options: dict[str, Any]) -> bytes:
        said = {"type": what, "challenge": options["challenge"], "origin": self.origin}
        return json.dumps(said | {"crossOrigin": self.cross_origin}).encode()

    def _posted(self, client_data: bytes, said: dict[str, Any]) -> str:
        key = bytes_to_base64url(self.id)
        response = {"clientDataJSON": bytes_to_base64url(client_data)} | said
        return json.dumps(
            {"id": key, "rawId": key, "type": "public-key", "response": response, "clientExtensionResults": {}}
        )
