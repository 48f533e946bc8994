import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type ReceivedRequest, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { readConfig, type SandboxConfig } from "../src/config.ts";
import { startSandbox } from "../src/server.ts";

export const model = "doubao-seedance-2-0-260128";
export const fastModel = "doubao-seedance-2-0-fast-260128";
/** A directive that spares the tests a video they do not read. */
export const cheap = "[sandbox:badvideo]";

const key = "a-key-for-tests";
const controlToken = "a-token-for-tests";
const tasksPath = "/api/v3/contents/generations/tasks";

const taskSchema = z.looseObject({
  id: z.string(),
  status: z.string(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  content: z.object({ video_url: z.string() }).optional(),
});

export type Task = z.output<typeof taskSchema>;

export interface Answer {
  status: number;
  body: unknown;
}

/** A sandbox in this process that queues and runs for a moment only and renders drafts; it stops with the test. */
export async function sandboxForTest(changes: Partial<SandboxConfig> = {}, clock?: () => number) {
  const quick = { queuedMs: 5, runningMs: 5, callbackRetryMs: 20, arkKey: key, isDraft: true };
  const given = { ...readConfig({}), controlToken, ...quick, ...changes };
  const sandbox = await startSandbox(given, clock);
  onTestFinished(() => sandbox.stop());
  return {
    ...clientOf(sandbox.url),
    linkUrl: sandbox.linkUrl,
    dir: sandbox.dir,
    stop: sandbox.stop,
  };
}

export type TestSandbox = Awaited<ReturnType<typeof sandboxForTest>>;

export function clientOf(url: string, bearer = key) {
  async function call(method: string, path: string, body?: unknown, headers = {}): Promise<Answer> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
  }
  const create = (text: string, fields: object = {}) =>
    call("POST", tasksPath, { model, content: [{ type: "text", text }], ...fields });
  const created = async (text: string, fields: object = {}) => {
    const answer = await create(text, fields);
    if (answer.status !== 200) throw new Error(`not created: ${JSON.stringify(answer)}`);
    return z.object({ id: z.string() }).parse(answer.body).id;
  };
  const control = (method: string, path: string, body?: unknown) =>
    call(method, `/_sandbox${path}`, body, { authorization: `Bearer ${controlToken}` });
  const get = async (id: string): Promise<Task> =>
    taskSchema.parse((await call("GET", `${tasksPath}/${id}`)).body);
  return {
    url,
    call,
    create,
    created,
    get,
    post: (body: unknown) => call("POST", tasksPath, body),
    list: (query = "") => call("GET", `${tasksPath}${query}`),
    remove: (id: string) => call("DELETE", `${tasksPath}/${id}`),
    control,
    reaches: (id: string, status: string) =>
      until(`${id} is ${status}`, async () => {
        const task = await get(id);
        return task.status === status ? task : undefined;
      }),
    jobs: async () => {
      const { body } = await control("GET", "/jobs?limit=1000");
      return z
        .object({ jobs: z.array(z.looseObject({ id: z.string(), status: z.string() })) })
        .parse(body).jobs;
    },
    stats: async () => {
      const { body } = await control("GET", "/stats");
      return z
        .looseObject({
          jobs: z.number(),
          creates: z.number(),
          accepted: z.number(),
          callbacksSent: z.number(),
          byStatus: z.record(z.string(), z.number()),
          videos: z.object({
            rendered: z.number(),
            reused: z.number(),
            rendering: z.number(),
            waiting: z.number(),
          }),
        })
        .parse(body);
    },
  };
}

const askMsMax = 400_000; // longer than a render may take

/** Retries until there is a result. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const deadline = Date.now() + askMsMax;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Starts a receiver of Ark's callbacks; `answer` returns the response to each, 200 by default. */
export async function receiverForTest(
  answer: (task: Task, path: string) => number | "nothing" = () => 200,
) {
  const taskIn = ({ body }: ReceivedRequest) => taskSchema.parse(JSON.parse(body));
  const receiver = await startReceiver((request) => answer(taskIn(request), request.path));
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  const received = () => receiver.received.map((one) => ({ path: one.path, task: taskIn(one) }));
  return {
    url: receiver.hookUrl,
    received,
    statuses: () => received().map(({ task }) => task.status),
    receives: (count: number) => receiver.arrived(count),
  };
}

const probeSchema = z.object({
  streams: z.array(
    z.object({
      codec_type: z.string(),
      codec_name: z.string(),
      width: z.number().optional(),
      height: z.number().optional(),
      pix_fmt: z.string().optional(),
      r_frame_rate: z.string(),
      nb_read_frames: z.string().optional(),
      channels: z.number().optional(),
      duration: z.string(),
    }),
  ),
  format: z.object({ duration: z.string(), format_name: z.string() }),
});

const run = promisify(execFile);

export async function probe(path: string) {
  const { stdout } = await run("ffprobe", [
    "-v",
    "error",
    "-count_frames",
    "-show_streams",
    "-show_format",
    "-of",
    "json",
    path,
  ]);
  const { streams, format } = probeSchema.parse(JSON.parse(stdout));
  return {
    video: streams.find((stream) => stream.codec_type === "video"),
    audio: streams.find((stream) => stream.codec_type === "audio"),
    seconds: Number(format.duration),
  };
}

/** The mean volume of the audio in `seconds` from `start`, in dB; silence is about -91. */
export async function loudness(path: string, start: number, seconds: number): Promise<number> {
  const { stderr } = await run("ffmpeg", [
    "-hide_banner",
    "-nostdin",
    "-ss",
    String(start),
    "-t",
    String(seconds),
    "-i",
    path,
    "-af",
    "volumedetect",
    "-vn",
    "-f",
    "null",
    "-",
  ]);
  return Number(stderr.match(/mean_volume: (-?[\d.]+) dB/)?.[1] ?? Number.NaN);
}

/** A checksum of every decoded frame. */
export async function frameSums(path: string): Promise<string[]> {
  const { stdout } = await run("ffmpeg", [
    "-hide_banner",
    "-nostdin",
    "-loglevel",
    "error",
    "-i",
    path,
    "-an",
    "-f",
    "framemd5",
    "-",
  ]);
  return stdout
    .split("\n")
    .filter((line) => /^\d/.test(line))
    .map((line) => line.split(",").at(-1)?.trim() ?? "");
}
