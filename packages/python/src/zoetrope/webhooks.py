"""Callbacks: Standard Webhooks with the account's or the endpoint's secret."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
import uuid
from collections.abc import Mapping
from typing import Any

from .errors import WebhookError

_AGE_SECONDS_MAX = 300


def unwrap(body: str | bytes, headers: Mapping[str, str], secret: str) -> Any:
    """The event of a callback, once it is proven to be the service's and at most five minutes old.

    `body` is the raw body: do not parse it before.
    """
    raw = body.encode() if isinstance(body, str) else bytes(body)
    given = {name.lower(): value for name, value in headers.items()}
    message_id = _header(given, "webhook-id")
    timestamp = _header(given, "webhook-timestamp")
    is_number = timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 15
    if not is_number or abs(time.time() - int(timestamp)) > _AGE_SECONDS_MAX:
        raise WebhookError("The callback is too old, or its time is not valid.")
    expected = _signature(message_id, timestamp, raw, secret)
    signatures = _header(given, "webhook-signature").split(" ")
    # Bytes: texts that are not ASCII cannot be compared.
    if not any(hmac.compare_digest(one.encode(), expected.encode()) for one in signatures):
        raise WebhookError("The signature is wrong. Compare the secret, and verify the raw body.")
    try:
        return json.loads(raw)
    except ValueError as cause:
        raise WebhookError("The callback is not JSON.") from cause


def sign(body: str | bytes, secret: str, *, id: str | None = None, timestamp: int | None = None) -> dict[str, str]:
    """The headers that the service would send, for tests of a receiver."""
    raw = body.encode() if isinstance(body, str) else bytes(body)
    message_id = id if id is not None else f"msg_{uuid.uuid4()}"
    moment = str(timestamp if timestamp is not None else int(time.time()))
    return {
        "webhook-id": message_id,
        "webhook-timestamp": moment,
        "webhook-signature": _signature(message_id, moment, raw, secret),
    }


def _signature(message_id: str, timestamp: str, body: bytes, secret: str) -> str:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        raise WebhookError("The secret is not valid: it is whsec_ and base64.") from None
    signed = b".".join([message_id.encode(), timestamp.encode(), body])
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if value is None:
        raise WebhookError(f"The header {name} is missing.")
    return value
