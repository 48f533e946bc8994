import { waitUntil } from "@zoetrope/testkit/services/wait-until.ts";
import { pollMsOf, taskMsMaxOf } from "./patience.ts";
import { readEnvironment, readSettings } from "./settings.ts";

export const settings = readSettings(readEnvironment());

const answerMsMax = 120_000;

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The JSON of the answer; empty when it has none. */
  body: Record<string, unknown>;
}

/** One request, exactly as given; `path` begins after the base address. */
export async function send(
  path: string,
  init: RequestInit = {},
  url = settings.url,
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    redirect: "manual",
    signal: AbortSignal.timeout(answerMsMax),
    ...init,
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  const body = isJson && text !== "" ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: response.status, headers: response.headers, text, body };
}

/** A task as its owner sees it. */
export interface Task {
  taskId: string;
  model: string;
  status: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";
  creditsUsed: number;
  output: { url: string; width: number; height: number; expiresAt: number | null }[] | null;
  error: string | null;
  errorCode: string | null;
  notes?: Note[];
  createTime: number;
  completeTime: number | null;
}

export interface Balance {
  credits: number;
  availableCredits: number;
}

interface Note {
  param: string;
  message: string;
}

export interface Quote {
  credits: number;
  notes?: Note[];
  items: {
    item: string;
    description: string;
    unit: string;
    quantity: number;
    creditsPerUnit: number;
    credits: number;
  }[];
}

type HeaderFields = Record<string, string>;
export type Inputs = Record<string, unknown>;
export type Client = ReturnType<typeof clientOf>;

/** A caller of the API with a key; at `url`, where it is another than all others use. */
export function clientOf(key: string, url?: string) {
  const authorization = `Bearer ${key}`;

  const get = (path: string, headers: HeaderFields = {}) =>
    send(path, { headers: { authorization, ...headers } }, url);
  const post = (path: string, body: unknown, headers: HeaderFields = {}) =>
    send(
      path,
      {
        method: "POST",
        headers: { authorization, "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      },
      url,
    );
  const createTask = (body: unknown, headers?: HeaderFields) =>
    post("/api/v1/jobs/createTask", body, headers);
  const quote = (body: unknown) => post("/api/v1/jobs/quote", body);
  const queryTask = (taskId: string) =>
    get(`/api/v1/jobs/queryTask?taskId=${encodeURIComponent(taskId)}`);
  const remove = (path: string) =>
    send(path, { method: "DELETE", headers: { authorization } }, url);
  const deleteMedia = (taskId: string) => remove(`/api/v1/jobs/media?taskId=${taskId}`);
  const readCredits = () => get("/api/v1/account/credits");
  const task = async (taskId: string) => succeeded<Task>(await queryTask(taskId));
  const balance = async (): Promise<Balance> => {
    const { credits, availableCredits } = succeeded<Balance>(await readCredits());
    return { credits, availableCredits };
  };

  return {
    get,
    post,
    createTask,
    quote,
    queryTask,
    deleteMedia,
    ...assetCalls(get, post, remove),
    ...upscaleCalls(get, post),
    ...webhookCalls(get, post),
    readCredits,
    task,
    balance,
    /** A new task's id. */
    async create(model: string, inputs: Inputs, more: Inputs = {}): Promise<string> {
      const { taskId } = succeeded<{ taskId: string }>(
        await createTask({ model, inputs, ...more }),
      );
      return taskId;
    },
    async price(model: string, inputs: Inputs): Promise<Quote> {
      return succeeded<Quote>(await quote({ model, inputs }));
    },
    /** Asks until the task has ended; gives every answer on the way, the last one last. */
    async follow(taskId: string): Promise<{ seen: Task[]; end: Task }> {
      const seen: Task[] = [];
      let end: Task | undefined;
      await waitFor(`task ${taskId} has ended`, async () => {
        const now = await task(taskId);
        seen.push(now);
        if (now.status === "COMPLETED" || now.status === "FAILED") end = now;
        return end !== undefined;
      });
      if (end === undefined) throw new Error("unreachable");
      return { seen, end };
    },
    /** Waits until no task holds credits, which is when none is open. */
    async idle(): Promise<Balance> {
      let now = await balance();
      await waitFor("the account has no open task", async () => {
        now = await balance();
        return now.credits === now.availableCredits;
      });
      return now;
    },
  };
}

function upscaleCalls(
  get: (path: string) => Promise<Answer>,
  post: (path: string, body: unknown, headers?: HeaderFields) => Promise<Answer>,
) {
  return {
    createUpscale: (body: unknown, headers?: HeaderFields) =>
      post("/api/v1/upscale/create", body, headers),
    queryUpscale: (taskId: string) =>
      get(`/api/v1/upscale/query?taskId=${encodeURIComponent(taskId)}`),
  };
}

function webhookCalls(
  get: (path: string) => Promise<Answer>,
  post: (path: string, body: unknown) => Promise<Answer>,
) {
  return {
    listDeliveries: (query = "") => get(`/api/v1/webhooks/deliveries${query}`),
    readDelivery: (deliveryId: string) =>
      get(`/api/v1/webhooks/delivery?deliveryId=${encodeURIComponent(deliveryId)}`),
    deliverAgain: (body: unknown) => post("/api/v1/webhooks/again", body),
    sendTestEvent: (body: unknown) => post("/api/v1/webhooks/test", body),
    readWebhookSecret: () => get("/api/v1/webhooks/secret"),
    rotateWebhookSecret: (body: unknown) => post("/api/v1/webhooks/secret/rotate", body),
    readEvents: (query = "") => get(`/api/v1/events${query}`),
  };
}

function assetCalls(
  get: (path: string) => Promise<Answer>,
  post: (path: string, body: unknown) => Promise<Answer>,
  remove: (path: string) => Promise<Answer>,
) {
  return {
    uploadAsset: (body: unknown) => post("/api/v1/assets/upload", body),
    readAsset: (assetId: string | number) =>
      get(`/api/v1/assets/status?assetId=${encodeURIComponent(assetId)}`),
    deleteAsset: (assetId: string | number) =>
      remove(`/api/v1/assets?assetId=${encodeURIComponent(assetId)}`),
    listAssets: (query = "") => get(`/api/v1/assets/list${query}`),
    createUpload: (body: unknown) => post("/api/v1/assets/uploads", body),
    readUpload: (uploadId: string) =>
      get(`/api/v1/assets/uploads?uploadId=${encodeURIComponent(uploadId)}`),
    completeUpload: (body: unknown) => post("/api/v1/assets/uploads/complete", body),
  };
}

/** Waits as long as a task may take. Unlike in `waitUntil`, a throw ends the wait. */
export async function waitFor(what: string, isTrue: () => boolean | Promise<boolean>) {
  const faults: unknown[] = [];
  const attempt = async () => {
    try {
      return await isTrue();
    } catch (error) {
      faults.push(error);
      return true;
    }
  };
  const limits = { timeoutMs: taskMsMaxOf(settings), intervalMs: pollMsOf(settings) };
  await waitUntil(what, attempt, limits);
  if (faults.length > 0) throw faults[0];
}

function succeeded<Body>(answer: Answer): Body {
  if (answer.status !== 200)
    throw new Error(`expected a 200, got a ${answer.status}: ${answer.text}`);
  return answer.body as Body;
}

export const main = clientOf(settings.keys.main);
/** Its balance is compared: whoever makes tasks with it waits for their ends. */
export const other = clientOf(settings.keys.other);
export const limited = clientOf(settings.keys.limited);
export const poor = clientOf(settings.keys.poor);
export const scheduleB = clientOf(settings.keys.scheduleB);
