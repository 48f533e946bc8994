import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Agent, request } from "undici";

export interface Vendor extends AsyncDisposable {
  /** The setting VENDORS: this one in Ark's place. */
  settings: string;
  /** Where customers would be called back. */
  callbackUrl: string;
  /** Callbacks that arrived so far. */
  calledBack(): number;
}

/**
 * A vendor without delay, and the customer that is called back: every job is over as soon as it is
 * accepted, and its callback is sent at once. `video` is what it delivers; without one every job fails.
 */
export async function startVendor(videoPath: string | null): Promise<Vendor> {
  const video = videoPath === null ? null : await readFile(videoPath);
  const agent = new Agent({ connections: 16 });
  let jobs = 0;
  let callbacks = 0;
  let url = "";
  const jobOf = (id: string) =>
    video === null
      ? { id, status: "failed", error: { code: "InternalServiceError", message: "" } }
      : { id, status: "succeeded", content: { video_url: `${url}/video.mp4` } };

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const path = incoming.url ?? "";
    if (path === "/customer") {
      callbacks++;
      response.end();
    } else if (path === "/video.mp4") {
      response.writeHead(200, { "content-type": "video/mp4" }).end(video);
    } else if (incoming.method === "POST") {
      const { callback_url: callbackUrl } = JSON.parse(Buffer.concat(chunks).toString()) as {
        callback_url: string;
      };
      const id = `job-${++jobs}-${process.pid}`;
      send(response, { id });
      await sendCallback(callbackUrl, jobOf(id));
    } else send(response, jobOf(path.slice(path.lastIndexOf("/") + 1)));
  }

  async function sendCallback(callbackUrl: string, job: object): Promise<void> {
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
    calledBack: () => callbacks,
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
