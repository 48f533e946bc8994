# Receives callbacks with FastAPI: uvicorn fastapi_receiver:app --port 3000
import base64
import hashlib
import hmac
import json
import os
import time

from fastapi import FastAPI, Request, Response

AGE_SECONDS_MAX = 300
secret = os.environ["ZOETROPE_WEBHOOK_SECRET"]
seen: set[str] = set()  # in production a table, written in the transaction of the effect
app = FastAPI()


def is_genuine(headers, body: bytes) -> bool:
    """Whether a callback is the service's and at most five minutes old. `body` is the raw bytes."""
    try:
        sent_at = int(headers["webhook-timestamp"])
        signed = f"{headers['webhook-id']}.{sent_at}.".encode() + body
        given = headers["webhook-signature"].split(" ")
    except (KeyError, ValueError):
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    is_recent = abs(time.time() - sent_at) <= AGE_SECONDS_MAX
    return is_recent and any(hmac.compare_digest(one.encode(), expected) for one in given)


@app.post("/")
async def receive(request: Request) -> Response:
    body = await request.body()
    if not is_genuine(request.headers, body):
        return Response(status_code=401)  # anything but a 2xx is delivered again
    webhook_id = request.headers["webhook-id"]
    if webhook_id not in seen:  # a callback can arrive twice
        task = json.loads(body)
        print(task["taskId"], task["status"], flush=True)
    seen.add(webhook_id)
    return Response(status_code=204)
