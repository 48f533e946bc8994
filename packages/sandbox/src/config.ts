import { z } from "zod";

export interface SandboxConfig {
  /**
   * The host at which the vendors' calls and the control are served, for the service alone; port 0
   * takes a free one.
   */
  host: string;
  port: number;
  /**
   * The host at which signed links to videos and assets are served, and nothing else: this one may
   * be public.
   */
  linkHost: string;
  linkPort: number;
  /** The token that the control endpoints require; undefined turns them off. */
  controlToken: string | undefined;
  /** The one address that inputs are fetched from and callbacks sent to; undefined is any loopback one. */
  serviceUrl: string | undefined;
  /** The address where the service keeps its files: it may redirect an input to below this address, once. */
  storageUrl: string | undefined;
  /** The bearer key that the Ark calls accept. */
  arkKey: string;
  /** The bearer key of the OpenAI calls, and the `x-goog-api-key` of the Gemini calls. */
  openaiKey: string;
  geminiKey: string;
  /** The bearer key of the DashScope calls. */
  dashScopeKey: string;
  /** The key of the fal calls. */
  falKey: string;
  /** The access key that signs the calls of Ark's asset library. */
  arkAccessKey: string;
  arkSecretKey: string;
  /** The minimum time for which an asset is in review. */
  assetMs: number;
  /** The minimum time until the response with an image. */
  imageMs: number;
  queuedMs: number;
  runningMs: number;
  /** Videos, work files and the log; undefined makes a temporary folder that stop() removes. */
  dir: string | undefined;
  /** The journal, one JSON object per line; undefined puts it into dir. */
  logPath: string | undefined;
  rendersMax: number;
  /** Images are coarse and videos repeat one second, for callers that look at size and length alone. */
  isDraft: boolean;
  /** Base of the links; undefined takes the address where they are served. */
  publicUrl: string | undefined;
  callbackRetryMs: number;
  linkMs: number;
  /** The length of one second of execution_expires_after; smaller makes jobs expire sooner. */
  expirySecondMs: number;
  /** Whether calls beyond the vendors' rates get a 429. */
  rateLimits: boolean;
}

const milliseconds = z.coerce
  .number()
  .min(0)
  .max(7 * 86_400_000);

const environmentSchema = z.object({
  SANDBOX_HOST: z.string().min(1).default("127.0.0.1"),
  SANDBOX_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  SANDBOX_LINK_HOST: z.string().min(1).default("127.0.0.1"),
  SANDBOX_LINK_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  SANDBOX_CONTROL_TOKEN: z.string().min(16).optional(),
  SANDBOX_SERVICE_URL: z.url({ protocol: /^https?$/ }).optional(),
  SANDBOX_STORAGE_URL: z.url({ protocol: /^https?$/ }).optional(),
  SANDBOX_ARK_KEY: z.string().min(1).default("sandbox-ark-key"),
  SANDBOX_OPENAI_KEY: z.string().min(1).default("sandbox-openai-key"),
  SANDBOX_GEMINI_KEY: z.string().min(1).default("sandbox-gemini-key"),
  SANDBOX_DASHSCOPE_KEY: z.string().min(1).default("sandbox-dashscope-key"),
  SANDBOX_FAL_KEY: z.string().min(1).default("sandbox-fal-key"),
  SANDBOX_ARK_ACCESS_KEY: z.string().min(1).default("sandbox-ark-access-key"),
  SANDBOX_ARK_SECRET_KEY: z.string().min(1).default("sandbox-ark-secret-key"),
  SANDBOX_ASSET_MS: milliseconds.default(1_000),
  SANDBOX_IMAGE_MS: milliseconds.default(300),
  SANDBOX_QUEUED_MS: milliseconds.default(500),
  SANDBOX_RUNNING_MS: milliseconds.default(1_500),
  SANDBOX_DIR: z.string().min(1).optional(),
  SANDBOX_LOG: z.string().min(1).optional(),
  SANDBOX_RENDERS_MAX: z.coerce.number().int().min(1).max(64).default(2),
  SANDBOX_DRAFT: z.stringbool().default(false),
  SANDBOX_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  SANDBOX_CALLBACK_RETRY_MS: milliseconds.default(1_000),
  SANDBOX_LINK_MS: milliseconds.default(86_400_000),
  SANDBOX_EXPIRY_SECOND_MS: milliseconds.default(1_000),
  SANDBOX_RATE_LIMITS: z.stringbool().default(false),
});

/** Reads every setting; throws one readable sentence when one is unusable. */
export function readConfig(
  // biome-ignore lint/style/noProcessEnv: the only reader of the environment
  environment: Record<string, string | undefined> = process.env,
): SandboxConfig {
  const parsed = environmentSchema.safeParse(environment);
  if (!parsed.success) throw new Error(`Unusable settings:\n${z.prettifyError(parsed.error)}`);
  const settings = parsed.data;
  return {
    host: settings.SANDBOX_HOST,
    port: settings.SANDBOX_PORT,
    linkHost: settings.SANDBOX_LINK_HOST,
    linkPort: settings.SANDBOX_LINK_PORT,
    controlToken: settings.SANDBOX_CONTROL_TOKEN,
    serviceUrl: settings.SANDBOX_SERVICE_URL,
    storageUrl: settings.SANDBOX_STORAGE_URL,
    arkKey: settings.SANDBOX_ARK_KEY,
    openaiKey: settings.SANDBOX_OPENAI_KEY,
    geminiKey: settings.SANDBOX_GEMINI_KEY,
    dashScopeKey: settings.SANDBOX_DASHSCOPE_KEY,
    falKey: settings.SANDBOX_FAL_KEY,
    arkAccessKey: settings.SANDBOX_ARK_ACCESS_KEY,
    arkSecretKey: settings.SANDBOX_ARK_SECRET_KEY,
    assetMs: settings.SANDBOX_ASSET_MS,
    imageMs: settings.SANDBOX_IMAGE_MS,
    queuedMs: settings.SANDBOX_QUEUED_MS,
    runningMs: settings.SANDBOX_RUNNING_MS,
    dir: settings.SANDBOX_DIR,
    logPath: settings.SANDBOX_LOG,
    rendersMax: settings.SANDBOX_RENDERS_MAX,
    isDraft: settings.SANDBOX_DRAFT,
    publicUrl: settings.SANDBOX_PUBLIC_URL?.replace(/\/+$/, ""),
    callbackRetryMs: settings.SANDBOX_CALLBACK_RETRY_MS,
    linkMs: settings.SANDBOX_LINK_MS,
    expirySecondMs: settings.SANDBOX_EXPIRY_SECOND_MS,
    rateLimits: settings.SANDBOX_RATE_LIMITS,
  };
}
