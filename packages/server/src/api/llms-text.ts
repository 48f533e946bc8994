import type { Mode, Model } from "../models/model.ts";

/**
 * The API on one page for language models (llmstxt.org). It links to what the service itself serves:
 * the pages of docs/ are not among it.
 */
export function renderLlmsText(baseUrl: string, models: readonly Model[]): string {
  return `# Zoetrope

> One API for video, image and upscaling tasks. A task is created, runs for seconds or minutes, and ends with files or an error. Credits are held when a task is accepted, charged when it completes, and released when it fails.

- Base URL: ${baseUrl}
- Every call has the header \`Authorization: Bearer <API key>\`. Keys begin with \`zoe_live_\`, or with \`zoe_test_\`: those run on emulated vendors and cost nothing.
- Bodies are JSON. \`null\` is the same as leaving a field out. An unknown input is an error that names it.

## Make a video or an image

1. \`POST /api/v1/jobs/createTask\` with \`{"model", "inputs", "maxCredits", "callBackUrl"}\`; the last two are optional. Send a new UUID in the header \`Idempotency-Key\`, and the same one whenever you repeat this request: it then creates one task at most. The answer is \`{"taskId"}\`.
2. \`GET /api/v1/jobs/queryTask?taskId=\` with the header \`Prefer: wait=60\` answers when the task changes, or after 60 seconds. Send the \`ETag\` of the answer in \`If-None-Match\` of the next request; a 304 means that nothing changed. Repeat until \`status\` is \`COMPLETED\` or \`FAILED\`. \`Accept: text/event-stream\` streams the changes instead.
3. A completed task has \`output[].url\`, which needs no key and works until \`expiresAt\`. A failed one has \`errorCode\` and \`error\`, and cost nothing.

\`\`\`sh
curl -s ${baseUrl}/api/v1/jobs/createTask -H "Authorization: Bearer $KEY" -H "Idempotency-Key: $(uuidgen)" \\
  -H "Content-Type: application/json" -d '${JSON.stringify(firstBody(models))}'
\`\`\`

\`POST /api/v1/jobs/quote\` takes the same body, creates nothing and answers the price in \`credits\`.

## Models

The inputs select the mode. \`GET /api/v1/models\` has the JSON Schema and the prices of each.

${models.map(describeModel).join("\n")}
## Files as inputs

\`urls\`, \`videoUrls\` and \`audioUrls\` take public URLs or \`asset://<upstreamAssetId>\` of the account's library.

- A file with a public URL: \`POST /api/v1/assets/upload\` with \`{"url", "type": "IMAGE" | "VIDEO" | "AUDIO"}\`.
- A file without one: \`POST /api/v1/assets/uploads\` with \`{"type", "size", "sha256"}\`, then PUT each of the answer's \`chunks\` to its \`url\` without a key, then \`POST /api/v1/assets/uploads/complete\` with \`{"uploadId"}\`.
- Then read \`GET /api/v1/assets/status?assetId=\` until \`status\` is no longer \`PROCESSING\`. \`FAILED\` has a \`failReason\`.

## Upscale a video

\`POST /api/v1/upscale/create\` with \`{"source": {"type": "url", "url"}, "targetResolution": "1080p" | "2k" | "4k"}\` and an \`Idempotency-Key\`. For an uploaded file the source is \`{"type": "uploadId", "storageUrl"}\`. \`GET /api/v1/upscale/query?taskId=\` works as \`queryTask\`; its states are \`validating\`, \`processing\`, \`completed\` and \`failed\`.

## Errors

A refusal has \`code\` (stable), \`message\`, \`requestId\`, and for a 400 \`param\`, the path of the invalid field.

| status | what to do |
| --- | --- |
| 400, 422 | change the request; \`param\` names the field |
| 401, 403 | use another key; the message says what is missing |
| 402 | not enough credits, or the price is above \`maxCredits\` |
| 409, 429, 503 | repeat the request after the seconds in \`Retry-After\`. \`concurrency_limit\`: wait until a task of the account has ended |
| 500, or no answer | repeat the request with the same \`Idempotency-Key\` |

## Callbacks

\`callBackUrl\` gets a POST when the task is over; its body is what \`queryTask\` answers. It is signed as in Standard Webhooks with the secret of \`GET /api/v1/webhooks/secret\`: verify the raw body, refuse what is older than five minutes, and remember the \`webhook-id\`s that you have processed. Answer a 2xx within 15 seconds.

## Links

- [OpenAPI 3.1](${baseUrl}/openapi.json): every endpoint with its parameters, answers and scopes
- [Reference](${baseUrl}/reference): the same to browse
`;
}

function describeModel({ name, kind, summary, modes }: Model): string {
  return `### ${name}

${capitalised(kind)} model. ${summary.en}

${modes.map(describeMode).join("\n")}
`;
}

function describeMode({ name, when, example }: Mode): string {
  return `- ${name} (${when.en}): \`${JSON.stringify(example)}\``;
}

function firstBody([model]: readonly Model[]): object {
  return { model: model?.name, inputs: model?.modes[0]?.example };
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
