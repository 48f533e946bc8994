import type { Mode, Model } from "../models/model.ts";
import { clientPackages, installCommand, type PackageId } from "./list-packages.ts";

/**
 * The API on one page for language models (llmstxt.org). It links to what the service itself serves:
 * the pages of docs/ are not among it.
 */
export function renderLlmsText(
  baseUrl: string,
  models: readonly Model[],
  { version, served }: { version: string; served: readonly PackageId[] },
): string {
  return `# Zoetrope

> One API for video, image and upscaling tasks. A task is created, runs for seconds or minutes, and ends with files or an error. Credits are held when a task is accepted, charged when it completes, and released when it fails.

- Base URL: ${baseUrl}
- Every call has the header \`Authorization: Bearer <API key>\`. Keys begin with \`zoe_live_\`, or with \`zoe_test_\`: those run on emulated vendors and cost nothing.
- Bodies are JSON. \`null\` is the same as leaving a field out. An unknown input is an error that names it.

## Clients

${describeClients(baseUrl, served, version)}

TypeScript; \`new Zoetrope()\` reads \`ZOETROPE_BASE_URL\` and \`ZOETROPE_API_KEY\`:

\`\`\`ts
import { Zoetrope } from "${clientPackages.typescript.name}";
const task = await new Zoetrope().run("sd2", { prompt: "A paper boat crosses a puddle" }, { maxCredits: 30 });
await task.files[0]?.download("boat.mp4");
\`\`\`

Python:

\`\`\`python
from zoetrope import Zoetrope
task = Zoetrope().run("sd2", {"prompt": "A paper boat crosses a puddle"}, max_credits=30)
task.files[0].download("boat.mp4")
\`\`\`

\`unwrapWebhook(body, headers, secret)\`, in Python \`zoetrope.webhooks.unwrap\`, checks the signature of a callback. Agents connect to \`${baseUrl}/mcp\` with the same header.

## Make a video or an image

1. \`POST /api/v1/jobs/createTask\` with \`{"model", "inputs", "maxCredits", "callBackUrl"}\`; the last two are optional. Send a new UUID in the header \`Idempotency-Key\`, and the same one whenever you repeat this request: it then creates at most one task. The response is \`{"taskId"}\`.
2. \`GET /api/v1/jobs/queryTask?taskId=\` with the header \`Prefer: wait=60\` responds when the task changes, or after 60 seconds. Send the \`ETag\` of the response in \`If-None-Match\` of the next request; a 304 means that nothing changed. Repeat until \`status\` is \`COMPLETED\` or \`FAILED\`. \`Accept: text/event-stream\` streams the changes instead.
3. A completed task has \`output[].url\`, which needs no key and works until \`expiresAt\`. A failed one has \`errorCode\` and \`error\`, and cost nothing.

\`\`\`sh
curl -s ${baseUrl}/api/v1/jobs/createTask -H "Authorization: Bearer $KEY" -H "Idempotency-Key: $(uuidgen)" \\
  -H "Content-Type: application/json" -d '${JSON.stringify(firstBody(models))}'
\`\`\`

\`POST /api/v1/jobs/quote\` takes the same body, creates nothing and returns the price in \`credits\`.

## Models

The inputs select the mode. \`GET /api/v1/models\` has the JSON Schema and the prices of each.

${models.map(describeModel).join("\n")}
## Files as inputs

\`urls\`, \`videoUrls\` and \`audioUrls\` take public URLs or \`asset://<upstreamAssetId>\` of the account's library (\`videoUrls\` only that). \`urls\` also takes the output of one of your tasks: \`task://<taskId>/<index>\`, or its link.

- A file with a public URL: \`POST /api/v1/assets/upload\` with \`{"url", "type": "IMAGE" | "VIDEO" | "AUDIO"}\`.
- A file without one: \`POST /api/v1/assets/uploads\` with \`{"type", "size", "sha256"}\`, then PUT each of the response's \`chunks\` to its \`url\` without a key, then \`POST /api/v1/assets/uploads/complete\` with \`{"uploadId"}\`.
- An output of a task: \`POST /api/v1/assets/upload\` with its \`task://<taskId>/<index>\` as \`url\`. Only \`videoUrls\` needs this.
- Then read \`GET /api/v1/assets/status?assetId=\` until \`usableBy\` has the model. That takes seconds, except for a model in \`usableAfterReview\`: the asset then waits for a review, perhaps by a person, with \`status\` \`PROCESSING\`. \`FAILED\` has a \`failReason\`.

## Upscale a video

\`POST /api/v1/upscale/create\` with \`{"source": {"type": "url", "url"}, "targetResolution": "1080p" | "2k" | "4k"}\` and an \`Idempotency-Key\`. For the output of a task the source is \`{"type": "task", "taskId"}\`, for an uploaded file \`{"type": "uploadId", "storageUrl"}\`. \`POST /api/v1/upscale/quote\` takes the same body and returns the price. \`GET /api/v1/upscale/query?taskId=\` works as \`queryTask\`; its states are \`validating\`, \`processing\`, \`completed\` and \`failed\`.

## Errors

A refusal has \`code\` (stable), \`message\`, \`requestId\`, and for a 400 \`param\`, the path of the invalid field.

| status | what to do |
| --- | --- |
| 400, 422 | change the request; \`param\` names the field |
| 401, 403 | use another key; the message says what is missing |
| 402 | not enough credits, or the price is above \`maxCredits\` |
| 409, 429, 503 | repeat the request after the seconds in \`Retry-After\`. \`concurrency_limit\`: wait until a task of the account has ended |
| 500, or no response | repeat the request with the same \`Idempotency-Key\` |

## Callbacks

\`callBackUrl\` gets a POST when the task is over; its body is what \`queryTask\` returns. It is signed as in Standard Webhooks with the secret of \`GET /api/v1/webhooks/secret\`: verify the raw body, refuse what is older than five minutes, and remember the \`webhook-id\`s that you have processed. Return a 2xx within 15 seconds.

## Links

- [OpenAPI 3.1](${baseUrl}/openapi.json): every endpoint with its parameters, responses and scopes
- [Reference](${baseUrl}/reference): the same to browse
`;
}

const clientIds = ["typescript", "python", "cli", "aiSdk"] as const;

function describeClients(baseUrl: string, served: readonly PackageId[], version: string): string {
  const ids = clientIds.filter((id) => served.includes(id));
  if (ids.length === 0)
    return `There are clients for TypeScript and Python, and a command line. This service does not serve them: ask its operator. Do not install them by name from a public registry, where the names may be somebody else's.`;
  return `Prefer these to your own requests: they retry, wait, upload files and download outputs. Install them from this service, never by name from a public registry, where the names may be somebody else's.

${ids.map((id) => describeClient(baseUrl, id, version)).join("\n")}`;
}

function describeClient(baseUrl: string, id: PackageId, version: string): string {
  return `- \`${installCommand(baseUrl, id, version)}\`: ${clientPackages[id].summary}`;
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
