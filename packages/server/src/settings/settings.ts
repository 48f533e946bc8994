import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { shardsMax } from "../ids.ts";
import { parseKeyRing } from "../secrets/key-ring.ts";
import { labelPolicyNames, markingVendors } from "./label-policies.ts";
import {
  choice,
  days,
  decimal,
  flag,
  json,
  list,
  megabytes,
  milliseconds,
  optional,
  parseDomains,
  parsed,
  parseShards,
  port,
  secret,
  text,
  url,
  urls,
  whole,
  withPresetText,
} from "./setting.ts";

const hour = 60 * 60 * 1000;
const score = { min: 0, max: 1 };
const environments = ["development", "test", "production"] as const;
const logLevels = ["trace", "debug", "info", "warn", "error", "silent"] as const;
const presets = ["ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow"] as const;
export const reviewerNames = ["automatic", "vendor", "manual"] as const;
export const postgresUrl = z.string().startsWith("postgres");
/** The name of a price book, as its table has it. */
export const bookName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/, "must be the name of a price book, such as A");
const publicKey = z.string().startsWith("publickeyv1_");

/** Every environment variable that api and worker read. `docs/configuration.md` is made from it. */
export const settings = {
  runtime: {
    environment: choice("NODE_ENV", environments, "development").about(
      "`production` refuses settings that are safe in development only",
    ),
    logLevel: choice("LOG_LEVEL", logLevels, "info").about("Least severity that is logged"),
  },
  ops: {
    host: text("OPS_HOST", "127.0.0.1").about("Address of the ops port; keep it private"),
    port: optional(port("OPS_PORT")).about(
      "Port of `/metrics` of this process, for Prometheus. Without it, nothing is measured",
    ),
  },
  traces: {
    endpoint: optional(url("OTLP_ENDPOINT")).about(
      "OpenTelemetry collector that takes OTLP over HTTP, such as `http://127.0.0.1:4318`. Without it there are no traces",
    ),
    ratio: decimal("TRACE_RATIO", 0.05, score).about("Share of the requests that are traced"),
  },
  database: {
    url: secret(text("DATABASE_URL", undefined, postgresUrl)).about(
      "PostgreSQL, as the service's role",
    ),
    sessionUrl: secret(optional(text("DATABASE_SESSION_URL", undefined, postgresUrl))).about(
      "PostgreSQL itself, where `DATABASE_URL` leads to a pooler of transactions ([poolers](./poolers.md)): each api listens there, and operator commands use it",
    ),
    connectionsMax: whole("DATABASE_CONNECTIONS_MAX", 10, { min: 2 }).about("Size of the pool"),
    shards: secret(
      optional(parsed("SHARDS", "PostgreSQL URLs, separated by commas", parseShards)),
    ).about(
      "Every database that accounts are spread over ([shards](./shards.md)), each as `DATABASE_URL`, which is the first. Without it, that one alone",
    ),
    shard: whole("SHARD", 0, { min: 0, max: shardsMax - 1 }).about(
      "Which of `SHARDS` a worker works on, and an operator command; 0 is the first",
    ),
  },
  links: {
    publicUrl: url("PUBLIC_URL").about("URL at which clients and vendors reach the api"),
    secret: secret(text("VENDOR_CALLBACK_SECRET", undefined, z.string().min(32))).about(
      "At least 32 characters. Signs vendors' callback URLs, links to private files, upload links to `STORAGE_DIR` and the files that an api has workers open; the same for all processes",
    ),
  },
  secrets: {
    keyRing: secret(optional(parsed("KEY_RING", "keys, one per line", parseKeyRing))).about(
      "Encrypts secrets in the database: lines of an id and 32 bytes in base64. The first key encrypts, all decrypt; production needs one",
    ),
  },
  oidc: {
    issuer: optional(text("OIDC_ISSUER", undefined, z.url({ protocol: /^https?$/ }))).about(
      "OpenID provider of a company, exactly as it names itself. Goes together with `OIDC_CLIENT_ID` and `OIDC_CLIENT_SECRET`; without it people sign in by password or passkey",
    ),
    clientId: optional(text("OIDC_CLIENT_ID")).about("This service at the provider"),
    clientSecret: secret(optional(text("OIDC_CLIENT_SECRET"))).about("Its secret there"),
    name: text("OIDC_NAME", "Company sign-in", z.string().min(1).max(100)).about(
      "What the button of the company sign-in says",
    ),
    emailDomains: optional(
      parsed("OIDC_EMAIL_DOMAINS", "domains, separated by commas", parseDomains),
    ).about(
      "E-mail domains for which the provider is trusted: only invitations to them can be accepted by company sign-in. Without it, all",
    ),
  },
  api: {
    host: text("API_HOST", "127.0.0.1").about("Address that the api listens on"),
    port: port("API_PORT", 8080).about("Port that the api listens on"),
    drainNoticeMs: milliseconds("DRAIN_NOTICE_MS", 5_000, { min: 0, max: 60_000 }).about(
      "How long the api still accepts connections after SIGTERM, so that load balancers see `/health/ready` turn 503",
    ),
    proxies: whole("TRUST_PROXY", 0, { min: 0, max: 10 }).about(
      "Number of your own proxies that append to `X-Forwarded-For`; with 0 the header is ignored",
    ),
    requestsPerMinuteMax: whole("REQUESTS_PER_MINUTE_MAX", 6_000).about(
      "Requests of one key to one api process; a key can have its own limit",
    ),
    failedAuthenticationsPerMinuteMax: whole("FAILED_AUTHENTICATIONS_PER_MINUTE_MAX", 300).about(
      "API keys and sessions that do not exist, sent from one address (IPv6: /64) to one api process; and as many requests for media and callbacks of vendors that are refused",
    ),
    searchesPrompts: flag("PROMPT_SEARCH").about(
      "Whether `jobs/list` finds tasks by the text of their prompt; a search reads up to 500 prompts",
    ),
    documentsPerMinuteMax: whole("DOCUMENTS_PER_MINUTE_MAX", 600).about(
      "Requests from one address (IPv6: /64) to each public route of one api process, such as `/openapi.json`, `/console` or the sign-in",
    ),
    consoleDir: withPresetText(
      optional(text("CONSOLE_DIR")),
      "`dist` of the package `@zoetrope/console`, if it is installed",
    ).about("Folder of the built console, which the api serves at `/console`"),
    packagesDir: optional(text("PACKAGES_DIR")).about(
      "Folder of the clients' packages, which the api serves at `/packages`; the image has them",
    ),
  },
  admin: {
    staffSecondFactor: choice(
      "STAFF_SECOND_FACTOR",
      ["production", "always", "never"],
      "production",
    ).about(
      "Whether the staff's endpoints refuse sessions without a passkey or a code: always, never, or where `NODE_ENV` is `production`",
    ),
    grantApprovalAbove: optional(whole("GRANT_APPROVAL_ABOVE")).about(
      "The first limit of what one operator may grant alone in 24 hours, taken over when the api starts and none was set. Afterwards it is changed by operators, in the console or with `zoetrope admin grant-limit`",
    ),
  },
  mail: {
    smtpUrl: secret(optional(url("SMTP_URL", /^smtps?$/))).about(
      "SMTP server for mails to people, such as `smtps://user:password@mail.example.com`. With `smtp` the connection must be upgraded by STARTTLS, unless the host is a loopback address. Without it no mail is sent; goes together with `MAIL_FROM`",
    ),
    from: optional(text("MAIL_FROM")).about(
      "Sender of mails, such as `Zoetrope <no-reply@example.com>`",
    ),
    intervalMs: milliseconds("MAIL_INTERVAL_MS", 2_000).about(
      "Pause between two checks for due mails",
    ),
  },
  library: {
    openAssetsMax: whole("OPEN_ASSETS_MAX", 1_000).about(
      "Assets of one account whose file is not stored yet, those that wait to be fetched included; an account can have its own limit",
    ),
    openUploadsMax: whole("OPEN_UPLOADS_MAX", 20).about(
      "Uploads of one account that are not completed; an account can have its own limit",
    ),
    storedBytesMax: megabytes("STORED_MEGABYTES_MAX", 50 * 1024).about(
      "Size of all assets of one account; an account can have its own limit",
    ),
  },
  tasks: {
    priceBook: text("PRICE_BOOK", "A", bookName).about(
      "Price book of the accounts that have none of their own",
    ),
    priceChangePercentMax: optional(
      whole("PRICE_CHANGE_PERCENT_MAX", undefined, { min: 0, max: 100 }),
    ).about(
      "The most, in per cent, by which one person may change a rate of a price book within 30 days, or take off for an account; above it a second person approves. Without it nobody needs one",
    ),
    videoAgeMaxMs: milliseconds("VIDEO_AGE_MAX_MS", 2 * hour).about("Deadline of a video task"),
    imageAgeMaxMs: milliseconds("IMAGE_AGE_MAX_MS", hour / 4).about("Deadline of an image task"),
    upscaleAgeMaxMs: milliseconds("UPSCALE_AGE_MAX_MS", 2 * hour).about("Deadline of an upscale"),
    submitRetryMs: milliseconds("SUBMIT_RETRY_MS", 10_000).about(
      "How long an accepted task waits before its wake-up is sent again",
    ),
    sweepIntervalMs: milliseconds("SWEEP_INTERVAL_MS", 2_000).about("Pause between sweeps"),
    pollIntervalMs: milliseconds("POLL_INTERVAL_MS", 1_000).about(
      "Pause between two rounds of the poller of a vendor account",
    ),
    pollFirstMs: milliseconds("POLL_FIRST_MS", 10_000).about(
      "Pause before a job is polled for the first time, and between two polls",
    ),
  },
  webhooks: {
    requireHttps: flag("REQUIRE_HTTPS_CALLBACKS").about(
      "Refuse `http` callback URLs, when a task is created and at every delivery",
    ),
    redeliveriesPerMinuteMax: whole("REDELIVERIES_PER_MINUTE_MAX", 1_000).about(
      "Callbacks that an account can have delivered again, over all api processes",
    ),
    testEventsPerMinuteMax: whole("TEST_EVENTS_PER_MINUTE_MAX", 60).about(
      "Test events that an account can send, over all api processes",
    ),
    intervalMs: milliseconds("DELIVERY_INTERVAL_MS", 500).about(
      "Pause between two checks for due work",
    ),
    speed: decimal("DELIVERY_SPEED", 1, { min: 1, max: 1_000 }).about(
      "For tests: divides every delay and time-out of a delivery",
    ),
  },
  engine: {
    ingressUrls: urls("RESTATE_INGRESS_URL").about(
      "Restate's ingress; of a cluster, that of each node. The next one is used when one fails",
    ),
    adminUrls: optional(urls("RESTATE_ADMIN_URL")).about(
      "Restate's admin API; of a cluster, that of each node. With it, a worker registers itself; goes together with `WORKER_URL`",
    ),
    workerUrl: optional(url("WORKER_URL")).about(
      "URL at which Restate and the api reach all workers of this database: a service or a balancer in front of them",
    ),
    identityKey: optional(text("RESTATE_IDENTITY_KEY", undefined, publicKey)).about(
      "Restate's public key (`publickeyv1_…`): a worker serves only requests that are signed with it",
    ),
    stepRetryMsMax: milliseconds("STEP_RETRY_MS_MAX", 2 * 60_000).about(
      "How long Restate retries a step; after that the row waits for the sweep or the poller",
    ),
    partitions: whole("ENGINE_PARTITIONS", 24, { max: 1_024 }).about(
      "Number of Restate's partitions, or more; each is checked by a canary",
    ),
    canaryMs: milliseconds("ENGINE_CANARY_MS", 30_000).about("Time between its canaries"),
    attemptsMax: whole("ENGINE_ATTEMPTS_MAX", 12).about("Attempts of one invocation"),
  },
  worker: {
    host: text("WORKER_HOST", "127.0.0.1").about("Address for Restate"),
    port: port("WORKER_PORT", 9080).about("Port for Restate"),
    healthHost: text("HEALTH_HOST", "127.0.0.1").about("Address of the worker's health checks"),
    healthPort: port("HEALTH_PORT", 9081).about(
      "Port of the worker's `/health/live` and `/health/ready`",
    ),
    dir: withPresetText(
      text("WORK_DIR", join(tmpdir(), "zoetrope")),
      "`zoetrope` in the system's temporary folder",
    ).about(
      "Folder for temporary files. Workers of one machine can share it; must be outside `STORAGE_DIR`",
    ),
    submitBytesMax: megabytes("SUBMIT_MEMORY_MB", 512).about(
      "Memory of one worker that submits of images can use at once",
    ),
    drainMsMax: milliseconds("DRAIN_MS_MAX", 10 * 60_000).about(
      "How long a stopping worker waits at most for images that are paid for",
    ),
  },
  retention: {
    mediaDays: days("MEDIA_RETENTION_DAYS", { max: 3_650 }, 30).about("How long outputs are kept"),
    eventsDays: days("EVENTS_RETENTION_DAYS", { max: 36_500 }, 30).about("How long events stay"),
    deliveriesDays: days("DELIVERIES_RETENTION_DAYS", { min: 7, max: 36_500 }, 90).about(
      "How long callbacks and their attempts are kept; up to a month longer",
    ),
    submissionsDays: days("SUBMISSIONS_RETENTION_DAYS", { min: 7, max: 36_500 }, 90).about(
      "How long submits to vendors are kept for operators; up to a month longer",
    ),
    tasksDays: optional(days("TASKS_RETENTION_DAYS", { min: 30, max: 36_500 })).about(
      "How long tasks are kept; up to a month longer. Without it, forever",
    ),
    promptsDays: optional(days("PROMPTS_RETENTION_DAYS", { min: 7, max: 36_500 })).about(
      "After how many days prompts and URLs of tasks, and bodies of callbacks and events, are blanked. Without it, never",
    ),
  },
  storage: {
    dir: optional(text("STORAGE_DIR")).about("Folder for files, on a single machine"),
    endpoint: optional(url("S3_ENDPOINT")).about("S3 endpoint, in place of `STORAGE_DIR`"),
    bucket: optional(text("S3_BUCKET")).about("S3 bucket"),
    region: text("S3_REGION", "us-east-1").about("S3 region"),
    accessKeyId: optional(text("S3_ACCESS_KEY_ID")).about("S3 access key"),
    secretAccessKey: secret(optional(text("S3_SECRET_ACCESS_KEY"))).about("S3 secret key"),
  },
  vendors: {
    accounts: secret(json("VENDORS", "[]")).about(
      "Vendor accounts besides those of the database, in the order in which they are tried",
    ),
    breakMs: milliseconds("VENDOR_BREAK_MS", 30_000).about("How long to skip a failing account"),
  },
  labels: {
    policy: choice("LABELS", labelPolicyNames, "implicit").about(
      "Marks of every output ([labels](./labels-operator.md)): `implicit` writes the label of GB 45438 and the IPTC source type into the file; `eu` requires `LABEL_CERTIFICATE` besides, with which every file is signed; `cn` writes the label of `implicit` and draws the visible label of GB 45438 as well; `none` adds none, which production accepts only with `LABEL_NONE_REASON`",
    ),
    producer: text("LABEL_PRODUCER", "Zoetrope", z.string().min(1).max(200)).about(
      "Who the label names as producer: the name of your company, or its code (in China, built on the unified social credit code)",
    ),
    noneReason: optional(text("LABEL_NONE_REASON", undefined, z.string().min(10).max(500))).about(
      "Why outputs need no mark; it is logged at each start",
    ),
    visibleByVendor: list("LABEL_VISIBLE_BY_VENDOR", markingVendors, "").about(
      "Vendors that are asked for their own visible mark where `LABELS` is `cn`, and whose videos then get none of ours. Only you can tell whether their mark is large and long enough for GB 45438 ([labels](./labels.md#the-visible-label))",
    ),
    certificate: secret(optional(text("LABEL_CERTIFICATE"))).about(
      "Certificates in PEM with which outputs are signed by C2PA, from the one of the key to the one below the root ([signer](../packages/signer/README.md)). Goes together with `LABEL_KEY` or `LABEL_KMS_URL`; without it nothing is signed",
    ),
    key: secret(optional(text("LABEL_KEY"))).about("Its private key in PEM"),
    kmsUrl: optional(url("LABEL_KMS_URL")).about(
      "URL that signs in place of `LABEL_KEY`, so that the key stays in a KMS. Goes together with `LABEL_KMS_TOKEN`",
    ),
    kmsToken: secret(optional(text("LABEL_KMS_TOKEN"))).about("Bearer token for `LABEL_KMS_URL`"),
    tsaUrl: secret(optional(url("LABEL_TSA_URL"))).about(
      "Time-stamp authority (RFC 3161) that is asked for every signature; with its stamps they stay valid when the certificate has expired",
    ),
  },
  testMode: {
    state: choice("TEST_MODE", ["on", "off"], "on").about(
      "`off`: no test key is issued or accepted. An account can also have it switched off",
    ),
    upscaledFramesPerDayMax: whole("TEST_UPSCALED_FRAMES_PER_DAY_MAX", 3_000).about(
      "Frames that an account can have upscaled with test keys in 24 hours; a test upscale has at most 5 seconds",
    ),
  },
  upscale: {
    vendor: secret(optional(json("UPSCALER"))).about(
      "Vendor that upscales videos; without it the workers do, with ffmpeg",
    ),
    segmentsMax: withPresetText(
      whole("UPSCALE_SEGMENTS_MAX", availableParallelism(), { min: 0 }),
      "number of processors",
    ).about("Segments that a worker upscales at once, on one processor each"),
    segmentMegapixels: whole("UPSCALE_SEGMENT_MEGAPIXELS", 400).about(
      "Size of a segment; 400 take one processor about 20 seconds",
    ),
    preset: choice("UPSCALE_PRESET", presets, "veryfast").about("Of x264: slower is smaller"),
    crf: whole("UPSCALE_CRF", 20, { min: 10, max: 35 }).about("Quality of x264; lower is better"),
    sharpness: decimal("UPSCALE_SHARPNESS", 0.4, score).about("Sharpening; 0 is plain Lanczos"),
    intervalMs: milliseconds("SEGMENT_INTERVAL_MS", 1_000).about(
      "Pause between two checks for due work",
    ),
  },
  review: {
    image: list("REVIEW_IMAGE", reviewerNames, "manual").about("Reviewers of images, in order"),
    video: list("REVIEW_VIDEO", reviewerNames, "manual").about("Reviewers of videos"),
    audio: list("REVIEW_AUDIO", reviewerNames, "manual").about("Reviewers of audio"),
    arkAssets: secret(optional(json("ARK_ASSETS"))).about(
      "Ark's asset library, the reviewer `vendor`",
    ),
    nsfwRefusedAbove: decimal("REVIEW_NSFW_REFUSED_ABOVE", 0.85, score).about(
      "The reviewer `automatic` refuses files above this score of pornography",
    ),
    nsfwUnsureAbove: decimal("REVIEW_NSFW_UNSURE_ABOVE", 0.5, score).about(
      "Above this score of sexual content it leaves the decision to the next reviewer",
    ),
    faceAbove: decimal("REVIEW_FACE_ABOVE", 0.6, score).about(
      "Above this score of a face it leaves the decision to the next reviewer",
    ),
  },
  fetch: {
    proxyUrl: secret(optional(url("EGRESS_PROXY_URL", /^http$/))).about(
      "HTTP proxy for every fetch of a user's URL and every callback",
    ),
    allowLoopback: flag("ALLOW_LOOPBACK").about(
      "For development and tests: allow fetches from loopback addresses",
    ),
  },
};
