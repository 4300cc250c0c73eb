"""What a push service is sent: RFC 8291 (aes128gcm) and RFC 8292 (VAPID). Plain Python."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
RECORD = 4096
"""The size of the one record; what is sent fits in it, and no push service takes more."""

VALID = timedelta(hours=12)
"""How long a token is good for: RFC 8292 allows a day."""


def text(raw: bytes) -> str:
    """base64url without padding, as web push writes bytes."""
    return urlsafe_b64encode(raw).decode().rstrip("=")


def raw(text: str) -> bytes:
    """The bytes behind `text`. ValueError if it is not base64url."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def new_key() -> str:
    """A private key that is nobody's yet."""
    number = ec.generate_private_key(CURVE).private_numbers().private_value
    return text(number.to_bytes(32))


def private_key(key: str) -> ec.EllipticCurvePrivateKey:
    """The key that `new_key` wrote. ValueError if it is none."""
    return ec.derive_private_key(int.from_bytes(raw(key)), CURVE)


def point(key: ec.EllipticCurvePrivateKey) -> bytes:
    """The public half, as a browser wants it."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def public_key(point: bytes) -> ec.EllipticCurvePublicKey:
    """The public key that a browser gave. ValueError if it lies on no curve of ours."""
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)


def encrypt(
    plain: bytes,
    *,
    receiver: bytes,
    auth: bytes,
    sender: ec.EllipticCurvePrivateKey,
    salt: bytes,
    length: int = 0,
) -> bytes:
    """`plain`, filled up to `length`, for the browser with the point `receiver` and secret `auth`.

    `sender` is a new key and `salt` 16 new random bytes each time.
    """
    ours = point(sender)
    shared = sender.exchange(ec.ECDH(), public_key(receiver))
    secret = _derive(auth, shared, b"WebPush: info\0" + receiver + ours, 32)
    key = _derive(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(salt, secret, b"Content-Encoding: nonce\0", 12)
    filled = (plain + b"\2").ljust(length + 1, b"\0")
    sealed = AESGCM(key).encrypt(nonce, filled, None)
    assert len(sealed) <= RECORD
    return salt + RECORD.to_bytes(4) + bytes([len(ours)]) + ours + sealed


def authorization(
    endpoint: str, *, key: ec.EllipticCurvePrivateKey, contact: str, now: datetime
) -> str:
    """The header that says to the push service of `endpoint` who is writing."""
    place = urlsplit(endpoint)
    claims = {
        "aud": f"{place.scheme}://{place.netloc}",
        "exp": int((now + VALID).timestamp()),
        "sub": contact,
    }
    parts = ({"typ": "JWT", "alg": "ES256"}, claims)
    signed = ".".join(text(json.dumps(part, separators=(",", ":")).encode()) for part in parts)
    halves = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    signature = text(b"".join(half.to_bytes(32) for half in halves))
    return f"vapid t={signed}.{signature}, k={text(point(key))}"


def _derive(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret)
