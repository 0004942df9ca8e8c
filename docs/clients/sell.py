import email.utils
import http.client
import json
import os
import time
import urllib.error
import urllib.request
import uuid

URL = os.environ.get("FOLIO_URL", "http://127.0.0.1:3000")
KEY = os.environ["FOLIO_API_KEY"]
# These say that nothing was done.
AGAIN = {"rate_limit_exceeded", "company_share_exceeded", "resource_locked", "request_timeout"}
# After these nobody knows whether it was done.
UNKNOWN = {500, 502, 503, 504}
PAUSE_MAX_SECONDS = 60


class Refused(Exception):
    """The API refused a call. `code` says why, `errors` which fields are wrong; `key` is the call's Idempotency-Key."""

    def __init__(self, error: dict, key: str):
        self.code, self.param, self.request_id = error["code"], error["param"], error["request_id"]
        self.errors = error.get("errors", [])
        self.key = key
        super().__init__(error["message"] + "".join(f' {one["param"]}: {one["message"]}' for one in self.errors))


class NoAnswer(Exception):
    """No answer of the API came, and the call may have been done. Send it again with the same `key`."""

    def __init__(self, message: str, key: str):
        super().__init__(message)
        self.key = key


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would send the API key elsewhere, and make a change a read."""

    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(NoRedirects)


def send(request: urllib.request.Request) -> tuple:
    """The status, the headers, and the JSON object of the answer: empty when there is none."""
    try:
        answer = OPENER.open(request, timeout=60)
    except urllib.error.HTTPError as refusal:
        answer = refusal
    with answer:
        text = answer.read()
    try:
        read = json.loads(text)
    except ValueError:
        read = {}
    return answer.status, answer.headers, read if isinstance(read, dict) else {}


def seconds(retry_after: str | None, usual: float) -> float:
    """Retry-After is a number of seconds or a date. One that cannot be read counts as absent."""
    if retry_after is None or retry_after.isdecimal():
        return float(retry_after or usual)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time())
    except ValueError:
        return usual


def call(method: str, path: str, body: dict | None = None, key: str | None = None, attempts: int = 5) -> dict:
    """Calls the API. A repetition has the same key, so that the service does it once: keep your own with what you do."""
    key = key or str(uuid.uuid4())
    headers = {"Authorization": f"Bearer {KEY}", "Service-Version": "2026-10-01"}
    if method != "GET":
        headers |= {"Idempotency-Key": key, "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data=data, method=method, headers=headers)
    for attempt in range(attempts):
        pause = 0.25 * 2**attempt
        try:
            status, told, answer = send(request)
        except (OSError, http.client.HTTPException) as failure:
            fault, is_again = NoAnswer(str(failure), key), True
        else:
            error = answer.get("error")
            if 200 <= status < 300 and answer:
                return answer
            if 300 <= status < 400:
                raise NoAnswer(f"{status} leads elsewhere: {told.get('Location')}", key)
            if isinstance(error, dict) and error.keys() >= {"code", "message", "param", "request_id"}:
                fault, is_again = Refused(error, key), error["code"] in AGAIN
            else:
                fault, is_again = NoAnswer(f"{status} is not of the API", key), status == 429
            is_again = is_again or status in UNKNOWN
            pause = seconds(told.get("Retry-After"), pause)
        if not is_again or attempt == attempts - 1 or pause > PAUSE_MAX_SECONDS:
            raise fault
        time.sleep(pause)
    raise AssertionError("no attempt was made")


def sell(order: str) -> str:
    """Sells once, however often it is called."""
    line = {"description": "Menú del día", "quantity": 2, "unit_price": 13.5, "tax_rate": 10}
    invoice = {"type": "F2", "external_id": order, "lines": [line], "options": {"issue": True}}
    made = call("POST", "/v1/invoices", invoice)
    return f'{made["data"]["number"]} {made["data"]["total"]}'
