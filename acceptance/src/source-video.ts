import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";

const run = promisify(execFile);

/** A small video with sound of 5.4 s, which count as 6. */
const smallVideo = { size: "160x90", seconds: 5.4, rate: 5 };

/** Makes a video with few frames, so that making it larger takes seconds. */
export function renderVideo({ size, seconds, rate } = smallVideo): Promise<Buffer> {
  const image = ["-f", "lavfi", "-i", `testsrc2=s=${size}:r=${rate}:d=${seconds}`];
  const sound = ["-f", "lavfi", "-i", `sine=f=440:d=${seconds}`];
  const form = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac"];
  return render("video.mp4", [...image, ...sound, ...form]);
}

/** A video of these codec settings and a few frames, in the container that the name ends with. */
export function renderClip(name: string, codec: readonly string[], rate = 5, seconds = 1) {
  return render(name, [
    ...["-f", "lavfi", "-i", `testsrc2=s=320x180:r=${rate}:d=${seconds}`, ...codec],
  ]);
}

/** An image with a red and a blue half, in the format that the name ends with. */
export function renderImage(name: string, width: number, height: number): Promise<Buffer> {
  const halves = `color=red:s=${width}x${height}:d=1,drawbox=x=iw/2:w=iw/2:h=ih:t=fill:c=blue`;
  return render(name, ["-f", "lavfi", "-i", halves, "-frames:v", "1"]);
}

/** A tone, in the format that the name ends with. */
export function renderSound(name: string, seconds: number): Promise<Buffer> {
  return render(name, ["-f", "lavfi", "-i", `sine=f=440:d=${seconds}`]);
}

async function render(name: string, args: readonly string[]): Promise<Buffer> {
  await using scratch = await makeScratch("video");
  const path = join(scratch.path, name);
  await run("ffmpeg", ["-v", "error", "-y", ...args, path]);
  return await readFile(path); // before the folder goes
}

type Offer = AsyncDisposable & { url: string };

/** Offers a file on loopback, as a caller's own web server would; every other address is a 404. */
export function offerFile(bytes: Buffer): Promise<Offer> {
  return serve((request, response) => {
    if (request.url === "/file") response.end(bytes);
    else response.writeHead(404).end();
  });
}

/** Offers so many bytes of nothing; whoever has heard how many there are may leave. */
export function offerBytes(sizeBytes: number): Promise<Offer> {
  return serve((_request, response) => {
    response.writeHead(200, { "content-length": sizeBytes }).write(Buffer.alloc(64 * 1024));
  });
}

/** A server that takes requests and says nothing until it is gone. */
export function offerNothing(): Promise<Offer> {
  return serve(() => {});
}

async function serve(answer: RequestListener): Promise<Offer> {
  const server = createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/file`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
