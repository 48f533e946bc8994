import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { readEnvironment, readSettings } from "../src/settings.ts";
import { type SentenceId, sentences } from "./sentences.ts";

/** A client written from the interface alone: `fetch`, a key, and nothing of the service. */
export const settings = readSettings(readEnvironment());
const waitMsMax = 540_000;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what comes is what the tests are about
  readonly body: any;
}

const sendsMax = 4;

/** One request, sent again when the service says so: one without processor time has not read it. `path` begins after `/api/v1`. */
export async function call(method: string, path: string, init: RequestInit = {}): Promise<Reply> {
  for (let sends = 1; ; sends += 1) {
    const reply = await send(method, path, init);
    if (reply.status !== 408 || sends === sendsMax) return reply;
  }
}

async function send(method: string, path: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(`${settings.url}/api/v1${path}`, { method, ...init });
  const text = await response.text();
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    // A test that needs JSON fails at what it looks for.
  }
  return { status: response.status, headers: response.headers, text, body };
}

/** Declares the test of a sentence. */
export function sentence(id: SentenceId, check: () => Promise<void>): void {
  test.concurrent(nameOf(id), check);
}

export function nameOf(id: SentenceId): string {
  return `§${id}: ${sentences[id]}`;
}

/** Retries until there is a result. */
export async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + waitMsMax;
  while (Date.now() < end) {
    const found = await ask();
    if (found !== undefined) return found;
    await sleep(150);
  }
  throw new Error(`not in time: ${what}`);
}

type Inputs = Readonly<Record<string, unknown>>;

/** The actions of a holder of a key. */
function caller(key: string) {
  const headers = { authorization: `Bearer ${key}` };
  const get = (path: string) => call("GET", path, { headers });
  const post = (path: string, body: unknown) =>
    call("POST", path, {
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const okay = async (reply: Promise<Reply>) => {
    const { status, body, text } = await reply;
    expect(status, text).toBe(200);
    return body;
  };
  const ended = (path: string, ends: readonly string[]) =>
    until(`the end of ${path}`, async () => {
      const task = await okay(get(path));
      return ends.includes(task.status) ? task : undefined;
    });
  return {
    get,
    post,
    create: async (model: string, inputs: Inputs, more: Inputs = {}): Promise<string> =>
      (await okay(post("/jobs/createTask", { model, inputs, ...more }))).taskId,
    refuse: async (model: string, inputs: Inputs) => {
      const reply = await post("/jobs/createTask", { model, inputs });
      expect(reply.status, JSON.stringify({ model, inputs }) + reply.text).toBe(400);
      expect(reply.body.message).toMatch(/./);
      return reply;
    },
    task: (taskId: string) => okay(get(`/jobs/queryTask?taskId=${taskId}`)),
    end: (taskId: string) => ended(`/jobs/queryTask?taskId=${taskId}`, ["COMPLETED", "FAILED"]),
    credits: () => okay(get("/account/credits")),
    upload: (body: Inputs) => okay(post("/assets/upload", body)),
    asset: (id: number | string) => okay(get(`/assets/status?assetId=${id}`)),
    list: (query = "") => okay(get(`/assets/list${query}`)),
    createUpscale: (body: Inputs) => okay(post("/upscale/create", body)),
    upscale: (taskId: string) => okay(get(`/upscale/query?taskId=${taskId}`)),
    upscaleEnd: (taskId: string) =>
      ended(`/upscale/query?taskId=${taskId}`, ["completed", "failed"]),
  };
}

export type Caller = ReturnType<typeof caller>;

export const main = caller(settings.keys.main);
export const other = caller(settings.keys.other);
export const limited = caller(settings.keys.limited);
export const poor = caller(settings.keys.poor);
export const scheduleB = caller(settings.keys.scheduleB);

/** A task that ends at once and costs nothing. */
export const fails = "A boat [sandbox:fail]";
/** A task that is open for a while, then fails: its price can be read. */
export const stays = "A boat [sandbox:slow=45] [sandbox:fail]";
