"""The ceremonies of passkeys (WebAuthn): their options, and the check of what a browser answers. Without the database.

A challenge is signed instead of stored: asking for one costs no write. It says what it is for, is of one browser, and
expires. `writers.phones` keeps those that were answered, so that none is answered twice.

py_webauthn takes 24 MB of a process. So import this module only in the functions that need it.
"""

import json
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, NoReturn

import webauthn
from django.core.signing import BadSignature, TimestampSigner
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, parse_client_data_json
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from scorekeeper.http.device_names import authenticator_of
from scorekeeper.http.middleware import is_own_origin
from sessions_app.errors import PasskeyRefused

#: Seconds in which a challenge must be answered. Browsers give up after as many.
CHALLENGE_AGE: Final = 300
HANDLE_BYTES: Final = 32
#: Bytes of an answer; real ones have 1 to 3 kB.
MAX_ANSWER: Final = 16_000
_VERIFIED: Final = UserVerificationRequirement.REQUIRED


@dataclass(frozen=True, slots=True)
class Site:
    """The domain of the passkeys, the origin of the page that asks, and a key of its browser."""

    domain: str
    origin: str
    browser: str


@dataclass(frozen=True, slots=True)
class NewPasskey:
    """A checked answer to `options_to_make`."""

    handle: bytes
    credential_id: bytes
    public_key: bytes
    sign_count: int
    authenticator: str


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as the browser sent it, with the parts that are needed before it is checked."""

    said: dict[str, Any]
    challenge: bytes
    origin: str

    @property
    def credential_id(self) -> bytes:
        with _junk_refused():
            return base64url_to_bytes(self.said["rawId"])

    @property
    def handle(self) -> bytes:
        with _junk_refused():
            return base64url_to_bytes(self.said["response"]["userHandle"])


def options_to_make(site: Site, user_id: int, handle: bytes, name: str, known: Sequence[bytes]) -> dict[str, Any]:
    """Return the options for a new passkey of the user, of any authenticator that has none of the `known` ones."""
    options = webauthn.generate_registration_options(
        rp_id=site.domain,
        rp_name="Strigula",
        user_id=handle,
        user_name=name,
        challenge=_challenge(site, "make", f"{user_id}.{bytes_to_base64url(handle)}"),
        timeout=CHALLENGE_AGE * 1000,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=_VERIFIED
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=each) for each in known],
    )
    return _as_dict(options)


def options_to_use(site: Site) -> dict[str, Any]:
    """Return the options for signing in by any passkey of the site."""
    options = webauthn.generate_authentication_options(
        rp_id=site.domain,
        challenge=_challenge(site, "use"),
        timeout=CHALLENGE_AGE * 1000,
        user_verification=_VERIFIED,
    )
    return _as_dict(options)


def read(body: bytes) -> Answer:
    """Return the answer of a browser, unchecked. Raise PasskeyRefused."""
    if len(body) > MAX_ANSWER:
        _refuse("an answer of that length")
    with _junk_refused():
        said = json.loads(body)
        client_data = parse_client_data_json(base64url_to_bytes(said["response"]["clientDataJSON"]))
        if client_data.cross_origin:
            _refuse("a page framed by another site")
        return Answer(said, client_data.challenge, str(client_data.origin))


def check_made(answer: Answer, site: Site, user_id: int) -> NewPasskey:
    """Return the new passkey of an answer to `options_to_make`. Raise PasskeyRefused."""
    maker, _dot, handle = _signed_for(answer, site, "make").partition(".")
    if maker != str(user_id):
        _refuse("options of another user")
    with _junk_refused():
        made = webauthn.verify_registration_response(
            credential=answer.said,
            expected_challenge=answer.challenge,
            expected_rp_id=site.domain,
            expected_origin=_own_origin(answer, site),
            require_user_verification=True,
        )
        found = made.credential_id, made.credential_public_key, made.sign_count, authenticator_of(made.aaguid)
        return NewPasskey(base64url_to_bytes(handle), *found)


def check_used(answer: Answer, site: Site, public_key: bytes, sign_count: int) -> int:
    """Return the authenticator's new count, of an answer to `options_to_use`. Raise PasskeyRefused."""
    _signed_for(answer, site, "use")
    with _junk_refused():
        used = webauthn.verify_authentication_response(
            credential=answer.said,
            expected_challenge=answer.challenge,
            expected_rp_id=site.domain,
            expected_origin=_own_origin(answer, site),
            credential_public_key=public_key,
            credential_current_sign_count=sign_count,
            require_user_verification=True,
        )
        return used.new_sign_count


def _as_dict(options: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(webauthn.options_to_json(options))
    return found


def _own_origin(answer: Answer, site: Site) -> str:
    """Return the origin that is expected: the page's, or this server's by another port, as forms are accepted."""
    return answer.origin if is_own_origin(answer.origin) else site.origin


def _signer(site: Site, purpose: str) -> TimestampSigner:
    return TimestampSigner(salt=f"passkey {purpose} {site.browser}")


def _challenge(site: Site, purpose: str, said: str = "") -> bytes:
    return _signer(site, purpose).sign(f"{secrets.token_urlsafe(16)}.{said}").encode()


def _signed_for(answer: Answer, site: Site, purpose: str) -> str:
    """Return what the challenge was signed with. Raise PasskeyRefused unless it is of this browser, and not too old."""
    try:
        said = _signer(site, purpose).unsign(answer.challenge.decode(), max_age=CHALLENGE_AGE)
    except (BadSignature, UnicodeDecodeError) as error:
        raise PasskeyRefused("late", str(error)) from error
    return said.partition(".")[2]


def _refuse(why: str) -> NoReturn:
    raise PasskeyRefused("wrong", why)


@contextmanager
def _junk_refused() -> Iterator[None]:
    """Refuse whatever the parsers of JSON, CBOR, keys and certificates raise: the answer is anybody's bytes."""
    try:
        yield
    except PasskeyRefused:
        raise
    except Exception as error:
        raise PasskeyRefused("wrong", f"{type(error).__name__}: {error}") from error
