import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeScratch } from "@zoetrope/dev/services/scratch.ts";

const run = promisify(execFile);

/** A small film with sound of 5.4 s, which count as 6. */
const smallFilm = { size: "160x90", seconds: 5.4 };

/** Makes a film with few frames, so that making it larger takes seconds. */
export async function renderFilm({ size, seconds } = smallFilm): Promise<Buffer> {
  await using scratch = await makeScratch("film");
  const path = join(scratch.path, "film.mp4");
  const picture = ["-f", "lavfi", "-i", `testsrc2=s=${size}:r=5:d=${seconds}`];
  const sound = ["-f", "lavfi", "-i", `sine=f=440:d=${seconds}`];
  const form = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"];
  await run("ffmpeg", ["-v", "error", "-y", ...picture, ...sound, ...form, path]);
  return readFile(path);
}

type Offer = AsyncDisposable & { url: string };

/** Offers a file on loopback, as a caller's own web server would; every other address is a 404. */
export function offerFile(bytes: Buffer): Promise<Offer> {
  return serve((request, response) => {
    if (request.url === "/file") response.end(bytes);
    else response.writeHead(404).end();
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
