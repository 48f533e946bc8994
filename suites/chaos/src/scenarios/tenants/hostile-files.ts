import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { noisePng } from "../../kit/png.ts";

const dripBytes = 17 * 1024; // a second: slower is given up at once
const endlessBytesMax = 400 * 1024 * 1024;
const heavySide = 3_900;

/**
 * The files of the hostile accounts: /drip comes slowly, /endless is larger than any limit, and
 * /heavy.png is a true image of 45 MB.
 */
export async function startHostileFiles(): Promise<AsyncDisposable & { url: string }> {
  const heavy = noisePng(heavySide);
  const server = createServer((request, response) => {
    response.on("error", () => {});
    const path = request.url ?? "";
    if (path.startsWith("/drip")) return drip(response);
    if (path.startsWith("/endless")) return flow(response);
    response.writeHead(200, { "content-type": "image/png", "content-length": heavy.length });
    response.end(heavy);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "image/png", "content-length": 9_000_000 });
  const timer = setInterval(() => response.write(Buffer.alloc(dripBytes)), 1_000);
  response.on("close", () => clearInterval(timer));
}

function flow(response: ServerResponse): void {
  const chunk = Buffer.alloc(1024 * 1024);
  response.writeHead(200, { "content-type": "video/mp4" });
  let sent = 0;
  const more = () => {
    while (sent < endlessBytesMax && !response.destroyed) {
      sent += chunk.length;
      if (!response.write(chunk)) return void response.once("drain", more);
    }
    response.end();
  };
  more();
}
