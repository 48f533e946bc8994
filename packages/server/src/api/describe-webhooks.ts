import { z } from "zod";
import { errorCatalogue } from "../errors.ts";
import { generationTask } from "../generation/schema.ts";
import { upscaleTask } from "../upscale/schema.ts";
import type { EventType } from "../webhooks/endpoints/event-types.ts";
import { lowBudget, lowCredits, reviewedAsset } from "../webhooks/endpoints/schema.ts";

interface Webhook {
  summary: string;
  description: string;
  body: z.ZodType;
  example: object;
}

const taskId = "01a1dfbe-2278-74c8-800c-3a603e574d78";
const media = "https://media.example.com/media/3f1c9a2be07d4c5f8e6a1b0d9c2e4f5a6b7c8d9e";
const generated: z.output<typeof generationTask> = {
  taskId,
  model: "sd2",
  status: "COMPLETED",
  creditsUsed: 30,
  output: [
    {
      url: `${media}.mp4`,
      width: 1280,
      height: 720,
      expiresAt: null,
      mediaType: "video/mp4",
      sizeBytes: 2_418_731,
      durationSeconds: 5,
      posterUrl: null,
      thumbhash: null,
      labels: ["aigc"],
    },
  ],
  error: null,
  errorCode: null,
  createTime: 1_794_830_340_000,
  completeTime: 1_794_830_400_000,
};
const notGenerated: z.output<typeof generationTask> = {
  ...generated,
  status: "FAILED",
  creditsUsed: 0,
  output: null,
  error: errorCatalogue.task_expired.sentence,
  errorCode: "task_expired",
};
const upscaled: z.output<typeof upscaleTask> = {
  taskId,
  status: "completed",
  targetResolution: "4k",
  progress: 100,
  creditsConsumed: 35,
  result: {
    url: `${media}.mp4`,
    width: 3840,
    height: 2160,
    expiresAt: null,
    mediaType: "video/mp4",
    sizeBytes: 21_530_112,
    durationSeconds: 5,
    posterUrl: null,
    thumbhash: null,
    labels: ["aigc"],
    probedDurationSeconds: 5,
    probedSourceResolution: "1280x720",
  },
  error: null,
  createdAt: "2026-11-16T11:19:00.000Z",
  finishedAt: "2026-11-16T11:20:00.000Z",
};
const notUpscaled: z.output<typeof upscaleTask> = {
  ...upscaled,
  status: "failed",
  progress: 0,
  creditsConsumed: null,
  result: null,
  error: { code: "SOURCE_GONE", message: errorCatalogue.SOURCE_GONE.sentence },
};
const reviewed: z.output<typeof reviewedAsset> = {
  assetId: 4711,
  upstreamAssetId: "asset-20261116112000-k3v9q07xw2mb",
  status: "ACTIVE",
  failReason: null,
};
const few: z.output<typeof lowCredits> = {
  credits: 980,
  availableCredits: 950,
  creditsLow: 1_000,
};
const spent: z.output<typeof lowBudget> = {
  keyId: "01a1dfbe-1f00-7a10-8000-5d1f0c3b2a49",
  name: "nightly batch",
  hint: "zoe_live_Ab3d",
  percent: 80,
  creditsMax: 500,
  creditsLeft: 95,
};

/** Describes an event that is sent to an endpoint of the account. */
function eventOf<Data extends z.ZodType>(
  type: EventType,
  summary: string,
  data: Data,
  example: z.output<Data>,
): Webhook {
  const timestamp = z.string().meta({ description: "When the event happened. ISO 8601, UTC." });
  return {
    summary,
    description: `Sent to every endpoint of the account whose \`events\` have ${type}, signed with the endpoint's own secret.`,
    body: z.object({ type: z.literal(type), timestamp, data }),
    example: { type, timestamp: "2026-11-16T11:20:00.000Z", data: example },
  };
}

const callback =
  "Sent to the task's own `callBackUrl`, signed with the account's secret (GET /api/v1/webhooks/secret), with what a query returns. Once the operator's retention has removed the body, a redelivery has `taskId` alone.";

const events: Record<EventType, Webhook> = {
  "generation.completed": eventOf(
    "generation.completed",
    "A generation task is COMPLETED",
    generationTask,
    generated,
  ),
  "generation.failed": eventOf(
    "generation.failed",
    "A generation task is FAILED, and costs nothing",
    generationTask,
    notGenerated,
  ),
  "upscale.completed": eventOf(
    "upscale.completed",
    "An upscale is completed",
    upscaleTask,
    upscaled,
  ),
  "upscale.failed": eventOf(
    "upscale.failed",
    "An upscale has failed, and costs nothing",
    upscaleTask,
    notUpscaled,
  ),
  "asset.reviewed": eventOf(
    "asset.reviewed",
    "The review of an asset has ended",
    reviewedAsset,
    reviewed,
  ),
  "credits.low": eventOf(
    "credits.low",
    "A charge has taken the credits below the threshold, once until they have been above it again",
    lowCredits,
    few,
  ),
  "key.budget_low": eventOf(
    "key.budget_low",
    "A key has used 80 or 100 percent of its budget, each told once until the budget is changed",
    lowBudget,
    spent,
  ),
};

const webhooks: Record<string, Webhook> = {
  "generation.callback": {
    summary: "The callback of a generation task that is over",
    description: callback,
    body: generationTask,
    example: generated,
  },
  "upscale.callback": {
    summary: "The callback of an upscale that is over",
    description: callback,
    body: upscaleTask,
    example: upscaled,
  },
  ...events,
};

const headers = [
  header(
    "webhook-id",
    "The id of the event, the same in every attempt, at every endpoint and at the callBackUrl: remember the ones that you have processed.",
    "msg_01998b6e-2c00-7000-8000-000000000001",
  ),
  header(
    "webhook-timestamp",
    "When the attempt was made, in seconds since 1970. Refuse what is older than five minutes.",
    "1767225600",
  ),
  header(
    "webhook-signature",
    "`v1,` and the base64 of an HMAC-SHA256 over the id, the timestamp and the bytes of the body, joined by dots, as in Standard Webhooks. While two secrets sign there are two, with a space between them; one that fits is enough.",
    "v1,X86uuV5wfrHjxJmzXaxcHokgxs3CcH646/GwHIfpsGg=",
  ),
];

function header(name: string, description: string, example: string) {
  return {
    name,
    in: "header",
    required: true,
    description,
    schema: { type: "string" as const },
    example,
  };
}

const responses = {
  "2XX": {
    description: "Received. The status decides, within 15 s; the body is not read.",
  },
  default: {
    description:
      "Not received, as after a redirect or a time-out: three more attempts follow, 1 s, 5 s and 30 s after the previous failure, unless the operator has allowed the account more.",
  },
};

/** Describes the `webhooks` of the document: what the service sends. Its schemas are those of the responses. */
export function describeWebhooks() {
  const entries = Object.entries(webhooks);
  const bodies = z.object(Object.fromEntries(entries.map(([name, { body }]) => [name, body])));
  const { properties = {} } = z.toJSONSchema(bodies);
  const schemas = JSON.parse(
    JSON.stringify(properties).replaceAll('"#/$defs/', '"#/components/schemas/'),
  );
  return Object.fromEntries(
    entries.map(([name, { summary, description, example }]) => [
      name,
      {
        post: {
          operationId: operationIdOf(name),
          summary,
          description,
          tags: ["webhooks"],
          security: [],
          parameters: headers,
          requestBody: {
            required: true,
            content: { "application/json": { schema: schemas[name], example } },
          },
          responses,
        },
      },
    ]),
  );
}

/** Returns the operation id of an event type: onKeyBudgetLow for `key.budget_low`. */
function operationIdOf(name: string): string {
  const words = name.split(/[._]/);
  return `on${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}`;
}
