import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Agent, request } from "undici";
import { createWaits } from "./waits.ts";

export interface Vendor extends AsyncDisposable {
  /** The setting VENDORS: this one in Ark's place. */
  settings: string;
  /** Where customers would be called back. */
  callbackUrl: string;
  /** Settles when the customer of a task is called back. */
  calledBack(taskId: string): Promise<void>;
  /** When a task was submitted, on the clock of `performance`. */
  submittedAt(taskId: string): number | undefined;
  /** Requests so far: received, as vendor and as customer, and sent as callbacks of the vendor. */
  requests(): number;
}

/**
 * A vendor without delay, and the customer that is called back: every job is over as soon as it is
 * accepted, and its callback is sent at once. `video` is what it delivers; without one every job fails.
 */
export async function startVendor(videoPath: string | null): Promise<Vendor> {
  const video = videoPath === null ? null : await readFile(videoPath);
  const agent = new Agent({ connections: 16 });
  const ends = createWaits();
  const submits = new Map<string, number>();
  let jobs = 0;
  let requests = 0;
  let url = "";
  const jobOf = (id: string) =>
    video === null
      ? { id, status: "failed", error: { code: "InternalServiceError", message: "" } }
      : { id, status: "succeeded", content: { video_url: `${url}/video.mp4` } };

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = performance.now();
    requests++;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const path = incoming.url ?? "";
    if (path === "/customer") {
      response.end();
      ends.settle((JSON.parse(body) as { taskId: string }).taskId);
    } else if (path === "/video.mp4") {
      response.writeHead(200, { "content-type": "video/mp4" }).end(video);
    } else if (incoming.method === "POST") {
      const { callback_url: callbackUrl } = JSON.parse(body) as { callback_url: string };
      const id = `job-${++jobs}-${process.pid}`;
      submits.set(callbackUrl.split("/").at(-2) ?? "", at);
      send(response, { id });
      await sendCallback(callbackUrl, jobOf(id));
    } else send(response, jobOf(path.slice(path.lastIndexOf("/") + 1)));
  }

  async function sendCallback(callbackUrl: string, job: object): Promise<void> {
    requests++;
    const { body } = await request(callbackUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(job),
      dispatcher: agent,
    });
    await body.dump();
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
    settings: JSON.stringify([{ name: "ark", kind: "ark", baseUrl: url, apiKey: "none" }]),
    callbackUrl: `${url}/customer`,
    calledBack: ends.wait,
    submittedAt: (taskId) => submits.get(taskId),
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      await agent.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

function send(response: ServerResponse, body: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}
