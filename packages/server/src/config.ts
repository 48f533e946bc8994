import { isIPv4 } from "node:net";
import { availableParallelism } from "node:os";
import { z } from "zod";
import { reviewerNames } from "./assets/review/reviewer.ts";
import { vendorAccountsSchema } from "./vendors/accounts.ts";
import { arkAssetsSchema } from "./vendors/ark-assets/ark-assets.ts";
import { falSchema } from "./vendors/fal/fal.ts";

const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ""));
const port = z.coerce.number().int().min(0).max(65_535);
const milliseconds = (preset: number) => z.coerce.number().int().min(1).default(preset);
const days = (daysMin: number) => z.coerce.number().int().min(daysMin).max(36_500);
const score = (preset: number) => z.coerce.number().min(0).max(1).default(preset);
const flag = z
  .enum(["true", "false"])
  .default("false")
  .transform((text) => text === "true");

/** A line of reviewers, such as `automatic,manual`; empty is no review. */
const reviewers = z
  .string()
  .default("manual")
  .transform((text) => text.split(",").filter((name) => name !== ""))
  .pipe(z.array(z.enum(reviewerNames)));

function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}

function readJson(text: string, issues: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    issues.addIssue("must be JSON"); // without the text: it has keys in it
    return z.NEVER;
  }
}

const environmentSchema = z
  .object({
    NODE_ENV: z.string().default("development"),
    LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
    DATABASE_URL: z.string().startsWith("postgres"),
    DATABASE_CONNECTIONS_MAX: z.coerce.number().int().min(2).default(10),

    API_HOST: z.string().default("127.0.0.1"),
    API_PORT: port.default(8080),
    DRAIN_NOTICE_MS: z.coerce
      .number()
      .int()
      .min(0)
      .max(60_000)
      .default(5_000)
      .describe(
        "after SIGTERM: how long the api still takes connections, so that load balancers see /health/ready turn 503",
      ),
    PUBLIC_URL: url.describe("how callers and vendors reach the api"),
    REQUESTS_PER_MINUTE_MAX: z.coerce
      .number()
      .int()
      .min(1)
      .default(6_000)
      .describe("of one key to one api process; a key can have a limit of its own"),
    REDELIVERIES_PER_MINUTE_MAX: z.coerce
      .number()
      .int()
      .min(1)
      .default(1_000)
      .describe("callbacks that an account can have delivered again, over all api processes"),
    REQUIRE_HTTPS_CALLBACKS: flag.describe(
      "refuse http addresses for callbacks, at create and at every delivery",
    ),
    TEST_EVENTS_PER_MINUTE_MAX: z.coerce
      .number()
      .int()
      .min(1)
      .default(60)
      .describe("test events that an account can send, over all api processes"),
    FAILED_AUTHENTICATIONS_PER_MINUTE_MAX: z.coerce
      .number()
      .int()
      .min(1)
      .default(300)
      .describe("requests without a valid key, of one address (IPv6: /64) to one api process"),
    DOCUMENTS_PER_MINUTE_MAX: z.coerce
      .number()
      .int()
      .min(1)
      .default(600)
      .describe("reads of /openapi.json and /reference, of one address to one api process"),
    TRUST_PROXY: z.coerce
      .number()
      .int()
      .min(0)
      .max(10)
      .default(0)
      .describe("proxies of yours that append to X-Forwarded-For; 0: the header is ignored"),
    OPEN_ASSETS_MAX: z.coerce
      .number()
      .int()
      .min(1)
      .default(20)
      .describe("files of one account that are not stored yet; an account can have its own limit"),
    OPEN_UPLOADS_MAX: z.coerce
      .number()
      .int()
      .min(1)
      .default(20)
      .describe("uploads of one account that are not completed; an account can have its own limit"),
    STORED_MEGABYTES_MAX: z.coerce
      .number()
      .int()
      .min(1)
      .default(50 * 1024)
      .describe("of all assets of one account; an account can have its own limit"),
    PRICE_SCHEDULE: z.enum(["A", "B"]).default("A"),
    VIDEO_AGE_MAX_MS: milliseconds(2 * 60 * 60 * 1000),
    IMAGE_AGE_MAX_MS: milliseconds(15 * 60 * 1000),
    UPSCALE_AGE_MAX_MS: milliseconds(2 * 60 * 60 * 1000),

    RESTATE_INGRESS_URL: url,
    RESTATE_ADMIN_URL: url.optional().describe("set it and the worker registers itself"),
    RESTATE_IDENTITY_KEY: z
      .string()
      .startsWith("publickeyv1_")
      .optional()
      .describe("the engine's public key: a worker answers only requests that it has signed"),
    STEP_PATIENCE_MS: milliseconds(2 * 60_000).describe(
      "how long the engine retries a step; then the row waits for the sweep or the watcher",
    ),
    ENGINE_ATTEMPTS_MAX: z.coerce.number().int().min(1).default(12),
    WORKER_HOST: z.string().default("127.0.0.1"),
    WORKER_PORT: port.default(9080),
    HEALTH_HOST: z.string().default("127.0.0.1"),
    HEALTH_PORT: port.default(9081).describe("of a worker's /health/live and /health/ready"),
    WORK_DIR: z
      .string()
      .optional()
      .describe(
        "for files in the making; workers of one machine may share it, STORAGE_DIR must be elsewhere",
      ),
    SUBMIT_MEMORY_MB: z.coerce
      .number()
      .int()
      .min(1)
      .default(512)
      .describe("what submits of images may have in a worker's memory at once"),
    DRAIN_MS_MAX: milliseconds(10 * 60_000).describe(
      "how long a worker that is told to stop may take to finish images that are paid for",
    ),
    WORKER_URL: url.optional().describe("how the engine reaches this worker"),

    MEDIA_RETENTION_DAYS: z.coerce.number().int().min(1).max(3_650).default(30),
    EVENTS_RETENTION_DAYS: days(1).default(30).describe("how long events can be read"),
    DELIVERIES_RETENTION_DAYS: days(7)
      .default(90)
      .describe("how long callbacks and their attempts are kept, and up to a month longer"),
    SUBMISSIONS_RETENTION_DAYS: days(7)
      .default(90)
      .describe("how long submits to vendors are kept for operators, and up to a month longer"),
    TASKS_RETENTION_DAYS: days(30)
      .optional()
      .describe("how long tasks are kept, and up to a month longer; without it for ever"),
    PROMPTS_RETENTION_DAYS: days(7)
      .optional()
      .describe(
        "after so many days prompts and URLs of tasks and the bodies of callbacks and events are blanked; without it never",
      ),
    STORAGE_DIR: z.string().optional(),
    S3_ENDPOINT: url.optional(),
    S3_BUCKET: z.string().optional(),
    S3_REGION: z.string().default("us-east-1"),
    S3_ACCESS_KEY_ID: z.string().optional(),
    S3_SECRET_ACCESS_KEY: z.string().optional(),

    UPSCALER: z
      .string()
      .transform(readJson)
      .pipe(falSchema)
      .optional()
      .describe(
        "a vendor that makes videos larger, as JSON; without it ffmpeg does, in the workers",
      ),
    UPSCALE_SEGMENTS_MAX: z.coerce
      .number()
      .int()
      .min(0)
      .default(availableParallelism())
      .describe("segments of videos that a worker upscales at once, on one core each; 0: none"),
    UPSCALE_SEGMENT_MEGAPIXELS: z.coerce
      .number()
      .int()
      .min(1)
      .default(400)
      .describe("what is upscaled in one segment; 400 keep a core busy for about 20 seconds"),
    UPSCALE_PRESET: z
      .enum(["ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow"])
      .default("veryfast")
      .describe("of x264: slower makes smaller files"),
    UPSCALE_CRF: z.coerce.number().int().min(10).max(35).default(20).describe("less is better"),
    UPSCALE_SHARPNESS: score(0.4).describe("contrast-adaptive sharpening; 0: plain Lanczos"),

    VENDORS: z
      .string()
      .transform(readJson)
      .pipe(vendorAccountsSchema)
      .describe("the accounts with vendors as JSON, in the order in which they are asked"),
    VENDOR_CALLBACK_SECRET: z
      .string()
      .min(32)
      .describe("makes the tokens in vendors' callback URLs, and in upload links to STORAGE_DIR"),

    ARK_ASSETS: z
      .string()
      .transform(readJson)
      .pipe(arkAssetsSchema)
      .optional()
      .describe("Ark's asset library as JSON: the reviewer `vendor`"),
    REVIEW_IMAGE: reviewers,
    REVIEW_VIDEO: reviewers,
    REVIEW_AUDIO: reviewers,
    REVIEW_NSFW_REFUSED_ABOVE: score(0.85).describe(
      "the reviewer `automatic` refuses what it takes for pornography with a score above this",
    ),
    REVIEW_NSFW_UNSURE_ABOVE: score(0.5).describe(
      "above this score of sexual content it leaves the decision to the next reviewer",
    ),
    REVIEW_FACE_ABOVE: score(0.6).describe(
      "above this score of a face it leaves the decision to the next reviewer",
    ),

    SWEEP_INTERVAL_MS: milliseconds(2_000),
    WATCH_INTERVAL_MS: milliseconds(1_000),
    DELIVERY_INTERVAL_MS: milliseconds(500),
    DELIVERY_SPEED: z.coerce
      .number()
      .min(1)
      .max(1_000)
      .default(1)
      .describe("tests only: divides every wait of a delivery"),
    SEGMENT_INTERVAL_MS: milliseconds(1_000),
    BEGIN_AGAIN_MS: milliseconds(10_000),
    POLL_FIRST_MS: milliseconds(10_000),
    SICK_VENDOR_MS: milliseconds(30_000).describe("how long a failing vendor account is passed by"),
    EGRESS_PROXY_URL: z
      .url({ protocol: /^http$/ })
      .optional()
      .describe("an HTTP proxy that every fetch of a user's URL and every callback goes through"),
    ALLOW_LOOPBACK: flag.describe("development and tests only: fetch from loopback addresses"),
  })
  .superRefine((env, issues) => {
    const fault = (path: string, message: string) =>
      issues.addIssue({ code: "custom", path: [path], message });
    const s3 = [env.S3_ENDPOINT, env.S3_BUCKET, env.S3_ACCESS_KEY_ID, env.S3_SECRET_ACCESS_KEY];
    if ((env.STORAGE_DIR === undefined) === (env.S3_BUCKET === undefined))
      fault("STORAGE_DIR", "set either STORAGE_DIR (one machine) or the S3_ settings, not both");
    if (env.S3_BUCKET !== undefined && s3.includes(undefined))
      fault("S3_BUCKET", "S3 needs S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY");
    if (env.NODE_ENV === "production" && env.ALLOW_LOOPBACK)
      fault("ALLOW_LOOPBACK", "is for development and tests; production refuses to start with it");
    if (env.NODE_ENV === "production" && !env.PUBLIC_URL.startsWith("https:"))
      fault("PUBLIC_URL", "must be https in production: it carries keys and media links");
    if (env.NODE_ENV === "production" && env.DELIVERY_SPEED !== 1)
      fault("DELIVERY_SPEED", "is for tests; production refuses to start with it");
    if (
      env.NODE_ENV === "production" &&
      env.RESTATE_IDENTITY_KEY === undefined &&
      !isLoopbackHost(env.WORKER_HOST)
    )
      fault(
        "RESTATE_IDENTITY_KEY",
        "production needs it unless WORKER_HOST is a loopback address: without it whoever reaches the worker's port decides how tasks end",
      );
    for (const name of ["REVIEW_IMAGE", "REVIEW_VIDEO", "REVIEW_AUDIO"] as const)
      if (env[name].includes("vendor") && env.ARK_ASSETS === undefined)
        fault(name, "the reviewer vendor needs ARK_ASSETS");
    if ((env.RESTATE_ADMIN_URL === undefined) !== (env.WORKER_URL === undefined))
      fault("WORKER_URL", "RESTATE_ADMIN_URL and WORKER_URL go together");
  });

export type Config = z.output<typeof environmentSchema>;

/** Reads the settings and reports every fault at once. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const parsed = environmentSchema.safeParse(environment);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
  throw new Error(`The settings have ${faults.length} fault(s):\n${faults.join("\n")}`);
}

export function readEnvironment(): Record<string, string | undefined> {
  // biome-ignore lint/style/noProcessEnv: the only reader of the environment
  return process.env;
}
