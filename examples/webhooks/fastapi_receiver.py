# Receives callbacks with FastAPI: uvicorn fastapi_receiver:app --port 3000
import os

from fastapi import FastAPI, Request, Response
from zoetrope import WebhookError, webhooks

secret = os.environ["ZOETROPE_WEBHOOK_SECRET"]
seen: set[str] = set()  # in production a table, written in the transaction of the effect
app = FastAPI()


@app.post("/")
async def receive(request: Request) -> Response:
    body = await request.body()  # the raw bytes: the signature covers every one of them
    try:
        task = webhooks.unwrap(body, request.headers, secret)
    except WebhookError:
        return Response(status_code=401)  # anything but a 2xx is delivered again
    webhook_id = request.headers["webhook-id"]
    if webhook_id not in seen:  # a callback can arrive twice
        print(task["taskId"], task["status"], flush=True)
    seen.add(webhook_id)
    return Response(status_code=204)
