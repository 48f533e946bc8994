import { EventEmitter, once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Agent, request } from "undici";

/** The events of a task at the vendor and the customer's receiver, in milliseconds since 1970. */
interface Seen {
  /** The vendor received the task. */
  submittedAt: number;
  /** The vendor's job is over: its callback is about to be sent. */
  endedAt: number;
  /** The time at which the customer's receiver was called; `body` is what it received. */
  calledAt: number;
  body: {
    status: string;
    completeTime: number;
    output: readonly { labels?: readonly string[] }[] | null;
  };
}

export interface InstantVendor extends AsyncDisposable {
  /** The service's settings: this vendor in Ark's and OpenAI's place, and no limit on requests. */
  readonly env: Readonly<Record<string, string>>;
  readonly callbackUrl: string;
  /** The URL of the video. */
  readonly videoUrl: string;
  /** Waits until the customer was called about a task. */
  seen(taskId: string): Promise<Seen>;
}

/** The word in a prompt that makes the job fail. */
export const failingWord = "[fails]";

/** The paths of the files that the vendor delivers. */
export interface VendorFiles {
  readonly videoPath: string | null;
  readonly imagePath: string | null;
}

/**
 * A vendor whose jobs are over as soon as they are accepted, with a callback that is sent at once and, as
 * vendors do, repeated until it is taken; and the customer's receiver. Images are in the response.
 */
export async function startInstantVendor(files: VendorFiles): Promise<InstantVendor> {
  const video = files.videoPath === null ? null : await readFile(files.videoPath);
  const image = files.imagePath === null ? null : await readFile(files.imagePath, "base64");
  const agent = new Agent({ connections: 64 });
  const tasks = new Map<string, Partial<Seen>>();
  const jobs = new Map<string, object>();
  const calls = new EventEmitter().setMaxListeners(0);
  let url = "";
  const of = (taskId: string) => {
    const task = tasks.get(taskId) ?? {};
    tasks.set(taskId, task);
    return task;
  };

  async function submit(text: string, at: number, response: ServerResponse): Promise<void> {
    const { callback_url: callbackUrl } = JSON.parse(text) as { callback_url: string };
    const id = `job-${jobs.size + 1}-${process.pid}`;
    const job = text.includes(failingWord)
      ? { id, status: "failed", error: { code: "InternalServiceError", message: "" } }
      : { id, status: "succeeded", content: { video_url: `${url}/video.mp4` } };
    jobs.set(id, job);
    send(response, { id });
    const task = of(callbackUrl.split("/").at(-2) ?? "");
    task.submittedAt ??= at;
    task.endedAt = now();
    await callBack(agent, callbackUrl, job);
  }

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = now();
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const path = incoming.url ?? "";
    if (path === "/video.mp4") response.writeHead(200, { "content-type": "video/mp4" }).end(video);
    else if (path === "/customer") {
      response.end();
      const body = JSON.parse(text) as Seen["body"] & { taskId: string };
      const task = of(body.taskId);
      task.calledAt ??= at;
      task.body = body;
      calls.emit(body.taskId);
    } else if (path === "/openai/images/generations")
      send(response, { data: [{ b64_json: image }] });
    else if (incoming.method === "POST") await submit(text, at, response);
    else send(response, jobs.get(path.slice(path.lastIndexOf("/") + 1)) ?? {});
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      process.stderr.write(`vendor: ${error}\n`);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: {
      VENDORS: JSON.stringify([
        { name: "ark", kind: "ark", baseUrl: url, apiKey: "none" },
        { name: "openai", kind: "openai", baseUrl: `${url}/openai`, apiKey: "none" },
      ]),
      REQUESTS_PER_MINUTE_MAX: "1000000",
    },
    callbackUrl: `${url}/customer`,
    videoUrl: `${url}/video.mp4`,
    async seen(taskId) {
      while (of(taskId).calledAt === undefined) await once(calls, taskId);
      return of(taskId) as Seen;
    },
    async [Symbol.asyncDispose]() {
      await agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The time in milliseconds since 1970, with fractions. */
export const now = () => performance.timeOrigin + performance.now();

const triesMax = 600;
const againMs = 200;

async function callBack(dispatcher: Agent, url: string, job: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify(job);
  for (let tries = 0; tries < triesMax; tries++) {
    const answer = await request(url, { method: "POST", headers, body, dispatcher }).catch(
      () => null,
    );
    await answer?.body.dump();
    if (answer !== null && answer.statusCode < 300) return;
    await pause(againMs);
  }
}

function send(response: ServerResponse, body: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}
