import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { crc32, deflateSync } from "node:zlib";

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

/** An image that does not compress. */
function noisePng(side: number): Buffer {
  const rows = randomBytes((side * 3 + 1) * side);
  for (let row = 0; row < side; row += 1) rows[row * (side * 3 + 1)] = 0;
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 8;
  header[9] = 2;
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows, { level: 0 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
