import hashlib
import hmac
import json
import re
import time

TOLERANCE_SECONDS = 300


def is_authentic(body: bytes, header: str | None, secret: str, now: float | None = None) -> bool:
    """Whether a request comes from Folio: one of its signatures is right, and it is not older
    than five minutes, nor from the future.

    body: the bytes as they came, before anything parses them. header: Service-Signature.
    """
    parts = [part.strip() for part in (header or "").split(",")]
    stamps = [part[2:] for part in parts if re.fullmatch(r"t=[0-9]{1,12}", part)]
    if not stamps:
        return False
    if abs((time.time() if now is None else now) - int(stamps[0])) > TOLERANCE_SECONDS:
        return False
    signed = stamps[0].encode() + b"." + body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    matches = False
    for part in parts:
        if re.fullmatch(r"v1=[0-9a-f]{64}", part) and hmac.compare_digest(part[3:], expected):
            matches = True
    return matches


def receive(body: bytes, header: str | None, secret: str, put, now: float | None = None) -> tuple[int, bool]:
    """Takes one delivery: the status to answer, and whether the event is new.

    put: keeps an event by its id and says whether it was not there yet. Best a table:
    insert ... on conflict (id) do nothing.
    """
    if not is_authentic(body, header, secret, now):
        return 400, False
    return 204, put(json.loads(body))
