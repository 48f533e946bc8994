import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { PaddedVideo } from "./padded-video.ts";

/** A vendor with Ark's protocol that delivers the videos of the run, and a web server for the same files. */
export interface VideoVendor extends AsyncDisposable {
  /** The setting VENDORS: this one in Ark's place. */
  readonly settings: string;
  urlOf(video: PaddedVideo): string;
  /** Returns the number of times that a video was sent to its last byte. */
  timesSent(video: PaddedVideo): number;
}

const videosPath = "/videos/";

/** A job delivers the video that its prompt names, and is over as soon as it is accepted. */
export async function startVideoVendor(videos: readonly PaddedVideo[]): Promise<VideoVendor> {
  const byName = new Map(videos.map((video) => [video.name, video]));
  const sent = new Map<string, number>();
  const nameOfJob = new Map<string, string>();
  let url = "";
  const urlOf = ({ name }: PaddedVideo) => `${url}${videosPath}${name}`;
  const jobOf = (id: string) => {
    const video_url = `${url}${videosPath}${nameOfJob.get(id)}`;
    return { id, status: "succeeded", content: { video_url } };
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    if (path.startsWith(videosPath)) return sendVideo(path.slice(videosPath.length), response);
    const body = await text(request);
    if (request.method !== "POST") return send(response, jobOf(path.split("/").at(-1) ?? ""));
    const taskRequest = JSON.parse(body) as { callback_url: string; content: { text?: string }[] };
    const id = `job-${nameOfJob.size + 1}-${process.pid}`;
    nameOfJob.set(id, taskRequest.content[0]?.text ?? "");
    send(response, { id });
    await sendCallback(taskRequest.callback_url, jobOf(id));
  }

  async function sendVideo(name: string, response: ServerResponse): Promise<void> {
    const video = byName.get(name);
    if (video === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": "video/mp4", "content-length": video.sizeBytes });
    await pipeline(Readable.from(video.parts()), response);
    sent.set(name, (sent.get(name) ?? 0) + 1);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      process.stderr.write(`vendor: ${error}\n`);
      response.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings: JSON.stringify([{ name: "ark", kind: "ark", baseUrl: url, apiKey: "none" }]),
    urlOf,
    timesSent: ({ name }) => sent.get(name) ?? 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function send(response: ServerResponse, body: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Best effort: the worker polls jobs whose callback is lost. */
async function sendCallback(callbackUrl: string, job: object): Promise<void> {
  const answer = await fetch(callbackUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(job),
  });
  await answer.body?.cancel();
}
