import json
import time

import pytest

from zoetrope import WebhookError, webhooks

SECRET = "whsec_YW4gZXhhbXBsZSwgbm90IGEgc2VjcmV0"
BODY = '{"taskId":"01998b6e-2bff-7000-8000-000000000002","status":"COMPLETED"}'


def test_signs_as_the_service_does_the_example_of_the_documentation() -> None:
    id = "msg_01998b6e-2c00-7000-8000-000000000001"
    headers = webhooks.sign(BODY, SECRET, id=id, timestamp=1_767_225_600)
    assert headers["webhook-signature"] == "v1,X86uuV5wfrHjxJmzXaxcHokgxs3CcH646/GwHIfpsGg="


def test_a_callback_that_the_service_signed_is_read_also_while_two_secrets_sign() -> None:
    headers = webhooks.sign(BODY, SECRET)
    assert webhooks.unwrap(BODY, headers, SECRET) == json.loads(BODY)
    shouted = {name.title(): value for name, value in headers.items()}
    shouted["Webhook-Signature"] = f"v1,AAAA {headers['webhook-signature']}"
    assert webhooks.unwrap(BODY.encode(), shouted, SECRET) == json.loads(BODY)


@pytest.mark.parametrize(
    "case", ["body", "secret", "no secret", "old", "missing", "no time", "not ASCII", "not JSON"]
)
def test_what_the_service_did_not_sign_is_refused(case: str) -> None:
    body, secret, headers = BODY, SECRET, webhooks.sign(BODY, SECRET)
    if case == "body":
        body += " "
    elif case == "secret":
        secret = "whsec_b3RoZXI="
    elif case == "no secret":
        secret = "whsec_ü"
    elif case == "old":
        headers = webhooks.sign(BODY, SECRET, timestamp=int(time.time()) - 301)
    elif case == "missing":
        del headers["webhook-id"]
    elif case == "no time":
        headers["webhook-timestamp"] = "nan"
    elif case == "not ASCII":
        headers["webhook-signature"] = "v1,ü"
    else:
        body = "{"
        headers = webhooks.sign(body, SECRET)
    with pytest.raises(WebhookError):
        webhooks.unwrap(body, headers, secret)
