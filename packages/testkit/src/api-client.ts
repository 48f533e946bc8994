import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import type { Balance, Quote, Task, Upscale } from "./api-types.ts";

const answerMsMax = 120_000;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON of the response; empty when it has none. */
  readonly body: Record<string, unknown>;
}

type HeaderFields = Readonly<Record<string, string>>;
export type Inputs = Readonly<Record<string, unknown>>;

export interface ClientLimits {
  /** The maximum time of a task; only what hangs reaches it. */
  readonly taskMsMax?: number;
  readonly pollMs?: number;
}

/** One request, exactly as given. */
export async function send(url: string, init: RequestInit = {}): Promise<Answer> {
  const signal = AbortSignal.timeout(answerMsMax);
  const response = await fetch(url, { redirect: "manual", signal, ...init });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  const body = isJson && text !== "" ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: response.status, headers: response.headers, text, body };
}

/** Returns the body of a response that must be a 200. */
export function succeeded<Body>({ status, body, text }: Answer): Body {
  if (status !== 200) throw new Error(`expected a 200, got a ${status}: ${text}`);
  return body as Body;
}

interface WaitLimits {
  readonly timeoutMs: number;
  readonly intervalMs: number;
}

/** Unlike in `waitUntil`, a throw ends the wait. */
export async function pollUntil(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  limits: WaitLimits,
): Promise<void> {
  const faults: unknown[] = [];
  const attempt = async () => {
    try {
      return await isTrue();
    } catch (error) {
      faults.push(error);
      return true;
    }
  };
  await waitUntil(what, attempt, limits);
  if (faults.length > 0) throw faults[0];
}

export type Client = ReturnType<typeof createClient>;

/** A caller of the API with a key, over HTTP like any other. */
export function createClient(apiUrl: string, key: string, limits: ClientLimits = {}) {
  const { taskMsMax = 180_000, pollMs = 100 } = limits;
  const authorization = `Bearer ${key}`;
  const at = (path: string) => apiUrl + path;

  const get = (path: string, headers: HeaderFields = {}) =>
    send(at(path), { headers: { authorization, ...headers } });
  const post = (path: string, body: unknown, headers: HeaderFields = {}) =>
    send(at(path), {
      method: "POST",
      headers: { authorization, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const remove = (path: string) => send(at(path), { method: "DELETE", headers: { authorization } });
  const calls = callsOf(get, post, remove);

  const limitsOf = (timeoutMs = taskMsMax) => ({ timeoutMs, intervalMs: pollMs });
  const task = async (taskId: string) => succeeded<Task>(await calls.queryTask(taskId));
  const upscale = async (taskId: string) => succeeded<Upscale>(await calls.queryUpscale(taskId));
  const follow = (taskId: string, msMax?: number) => {
    const hasEnded = ({ completeTime }: Task) => completeTime !== null;
    return readUntil(`task ${taskId} has ended`, () => task(taskId), hasEnded, limitsOf(msMax));
  };
  const balance = async (): Promise<Balance> => {
    const { credits, availableCredits } = succeeded<Balance>(await calls.readCredits());
    return { credits, availableCredits };
  };
  return {
    get,
    post,
    ...calls,
    task,
    upscale,
    follow,
    balance,
    /** A new task's id. */
    create: async (model: string, inputs: Inputs, more: object = {}) => {
      const create = () => calls.createTask({ model, inputs, ...more });
      return succeeded<{ taskId: string }>(await repeatWhileBusy(create)).taskId;
    },
    /** The task when it has ended. */
    finished: async (taskId: string, msMax?: number) => (await follow(taskId, msMax)).end,
    /** A new upscale's id; to 1080p by default. */
    createUpscaleOf: async (url: string, more: object = {}) => {
      const source = { type: "url", url };
      const body = { source, targetResolution: "1080p", ...more };
      return succeeded<{ taskId: string }>(await calls.createUpscale(body)).taskId;
    },
    followUpscale: (taskId: string) => {
      const hasEnded = ({ finishedAt }: Upscale) => finishedAt !== null;
      const what = `upscale ${taskId} has ended`;
      return readUntil(what, () => upscale(taskId), hasEnded, limitsOf());
    },
    price: async (model: string, inputs: Inputs) =>
      succeeded<Quote>(await calls.quote({ model, inputs })),
    /** Waits until no task holds credits, which is when none is open. */
    async idle(): Promise<Balance> {
      const isIdle = (now: Balance) => now.credits === now.availableCredits;
      return (await readUntil("the account has no open task", balance, isIdle, limitsOf())).end;
    },
  };
}

const busyTriesMax = 20;

/** Repeats a create that gets a 503 because the machine stands still for a second: nothing was made. */
async function repeatWhileBusy(ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await ask();
  for (let tries = 1; answer.body["code"] === "account_busy" && tries < busyTriesMax; tries++)
    answer = await ask();
  return answer;
}

/** Reads until the state is as wanted; returns every state on the way, the last one last. */
async function readUntil<State>(
  what: string,
  read: () => Promise<State>,
  isSo: (state: State) => boolean,
  limits: WaitLimits,
): Promise<{ seen: State[]; end: State }> {
  let end = await read();
  const seen = [end];
  const readAgain = async () => {
    end = await read();
    seen.push(end);
    return isSo(end);
  };
  if (!isSo(end)) await pollUntil(what, readAgain, limits);
  return { seen, end };
}

/** Every endpoint, as one request each. */
function callsOf(
  get: (path: string) => Promise<Answer>,
  post: (path: string, body: unknown, headers?: HeaderFields) => Promise<Answer>,
  remove: (path: string) => Promise<Answer>,
) {
  const by = (path: string, name: string) => (value: string | number) =>
    get(`/api/v1/${path}?${name}=${encodeURIComponent(value)}`);
  const list =
    (path: string) =>
    (query = "") =>
      get(`/api/v1/${path}${query}`);
  const send = (path: string) => (body: unknown, headers?: HeaderFields) =>
    post(`/api/v1/${path}`, body, headers);
  return {
    createTask: send("jobs/createTask"),
    quote: send("jobs/quote"),
    queryTask: by("jobs/queryTask", "taskId"),
    deleteMedia: (taskId: string) => remove(`/api/v1/jobs/media?taskId=${taskId}`),
    createUpscale: send("upscale/create"),
    queryUpscale: by("upscale/query", "taskId"),
    readCredits: list("account/credits"),
    uploadAsset: send("assets/upload"),
    readAsset: by("assets/status", "assetId"),
    deleteAsset: (assetId: string | number) =>
      remove(`/api/v1/assets?assetId=${encodeURIComponent(assetId)}`),
    listAssets: list("assets/list"),
    createUpload: send("assets/uploads"),
    readUpload: by("assets/uploads", "uploadId"),
    completeUpload: send("assets/uploads/complete"),
    listDeliveries: list("webhooks/deliveries"),
    readDelivery: by("webhooks/delivery", "deliveryId"),
    deliverAgain: send("webhooks/again"),
    sendTestEvent: send("webhooks/test"),
    readWebhookSecret: list("webhooks/secret"),
    rotateWebhookSecret: send("webhooks/secret/rotate"),
    readEvents: list("events"),
  };
}
