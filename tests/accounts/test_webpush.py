"""The cryptography of web push, against the example of RFC 8291 and against http_ece."""

import json
import os
from datetime import UTC, datetime

import http_ece
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from accounts import webpush

NOON = datetime(2030, 5, 1, 12, tzinfo=UTC)

# RFC 8291, section 5 and appendix A.
PLAIN = b"When I grow up, I want to be a watermelon"
RECEIVER_KEY = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
RECEIVER = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SENDER_KEY = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
SEALED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6"
    "TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulc"
    "y4a-fN"
)


def test_the_example_of_the_rfc() -> None:
    assert webpush.point(webpush.private_key(RECEIVER_KEY)) == webpush.raw(RECEIVER)
    sealed = webpush.encrypt(
        PLAIN,
        receiver=webpush.raw(RECEIVER),
        auth=webpush.raw(AUTH),
        sender=webpush.private_key(SENDER_KEY),
        salt=webpush.raw(SALT),
    )
    assert webpush.text(sealed) == SEALED


@pytest.mark.parametrize("plain", [b"", b"x", b"y" * 2000, "Ⴀ claim".encode()])
@pytest.mark.parametrize("length", [0, 2048])
def test_another_implementation_reads_it(plain: bytes, length: int) -> None:
    receiver, auth = ec.generate_private_key(webpush.CURVE), os.urandom(16)
    sealed = webpush.encrypt(
        plain,
        receiver=webpush.point(receiver),
        auth=auth,
        sender=ec.generate_private_key(webpush.CURVE),
        salt=os.urandom(16),
        length=length,
    )
    read = http_ece.decrypt(sealed, private_key=receiver, auth_secret=auth, version="aes128gcm")
    assert read == plain
    assert len(sealed) == 16 + 4 + 1 + 65 + max(len(plain), length) + 1 + 16


def test_the_length_tells_nothing() -> None:
    receiver = webpush.raw(RECEIVER)
    sender = webpush.private_key(SENDER_KEY)
    lengths = {
        len(
            webpush.encrypt(
                plain, receiver=receiver, auth=bytes(16), sender=sender, salt=bytes(16), length=99
            )
        )
        for plain in (b"", b"a longer text", b"z" * 99)
    }
    assert len(lengths) == 1


def test_the_authorization_can_be_verified_and_names_the_service_alone() -> None:
    key = webpush.private_key(webpush.new_key())
    header = webpush.authorization(
        "https://push.example/secret/place", key=key, contact="mailto:me@example.org", now=NOON
    )
    scheme, token, public = header.replace(",", "").split()
    assert scheme == "vapid"
    assert public == f"k={webpush.text(webpush.point(key))}"
    head, claims, signature = token.removeprefix("t=").split(".")
    assert json.loads(webpush.raw(head)) == {"typ": "JWT", "alg": "ES256"}
    assert json.loads(webpush.raw(claims)) == {
        "aud": "https://push.example",
        "exp": int(NOON.timestamp()) + 12 * 3600,
        "sub": "mailto:me@example.org",
    }
    halves = webpush.raw(signature)
    der = encode_dss_signature(int.from_bytes(halves[:32]), int.from_bytes(halves[32:]))
    # Raises InvalidSignature unless it is right.
    key.public_key().verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))


@pytest.mark.parametrize("bad", [b"", b"\4" + bytes(64), b"\4" + b"\xff" * 64, b"\2" * 32])
def test_a_point_on_no_curve_is_refused(bad: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        webpush.public_key(bad)


def test_a_key_is_written_and_read() -> None:
    key = webpush.new_key()
    assert webpush.text(webpush.raw(key)) == key
    assert webpush.private_key(key).private_numbers().private_value == int.from_bytes(
        webpush.raw(key)
    )
    with pytest.raises(ValueError, match=r".+"):
        webpush.private_key("no key")
