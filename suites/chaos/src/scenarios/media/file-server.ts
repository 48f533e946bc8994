import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import type { MediaFile } from "./media-file.ts";

const run = promisify(execFile);
const zeros = Buffer.alloc(1024 * 1024);

/** A web server of the run. Every use of a file has a separate address, so that fetches can be counted. */
export interface FileServer extends AsyncDisposable {
  /** Makes a Node process trust it. */
  readonly env: { NODE_EXTRA_CA_CERTS: string };
  /** An address that files point at and nobody may ask. */
  readonly canaryUrl: string;
  readonly canaryAsked: () => number;
  serve(files: readonly MediaFile[]): void;
  urlOf(file: MediaFile, use: string): string;
  timesAsked(file: MediaFile, use: string): number;
}

export async function startFileServer(dir: string): Promise<FileServer> {
  const byName = new Map<string, MediaFile>();
  const asked = new Map<string, number>();
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? "";
    const before = asked.get(path) ?? 0;
    asked.set(path, before + 1);
    const file = byName.get(decodeURIComponent(path.split("/").at(-1) ?? ""));
    if (file === undefined) return void response.writeHead(404).end();
    send(file, before > 0, response).catch(() => response.destroy());
  };
  const { key, cert } = await makeCertificate(dir);
  const http = createHttp(answer);
  const https = createHttps({ key: await readFile(key), cert: await readFile(cert) }, answer);
  for (const server of [http, https]) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  }
  const portOf = (server: typeof http | typeof https) => (server.address() as AddressInfo).port;
  const pathOf = (file: MediaFile, use: string) =>
    `/${encodeURIComponent(use)}/${encodeURIComponent(file.name)}`;
  const canaryPath = "/canary/video.mp4";
  return {
    env: { NODE_EXTRA_CA_CERTS: cert },
    canaryUrl: `http://127.0.0.1:${portOf(http)}${canaryPath}`,
    canaryAsked: () => asked.get(canaryPath) ?? 0,
    serve(files) {
      for (const file of files) byName.set(file.name, file);
    },
    urlOf: (file, use) => `https://127.0.0.1:${portOf(https)}${pathOf(file, use)}`,
    timesAsked: (file, use) => asked.get(pathOf(file, use)) ?? 0,
    async [Symbol.asyncDispose]() {
      for (const server of [http, https]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

async function send(file: MediaFile, isLater: boolean, response: ServerResponse): Promise<void> {
  const body = isLater ? (file.bodyLater ?? file.body) : file.body;
  const zerosAfter = file.zerosAfter ?? 0;
  const length = file.contentLength ?? body.length + zerosAfter;
  response.strictContentLength = false; // false lengths are intended
  response.writeHead(200, {
    "content-type": file.contentType ?? "application/octet-stream",
    ...(length === "none" ? {} : { "content-length": length }),
    connection: "close",
  });
  await pipeline(Readable.from(partsOf(body, zerosAfter)), response);
  response.socket?.destroySoon();
}

function* partsOf(body: Buffer, zerosAfter: number): Generator<Buffer> {
  if (body.length > 0) yield body;
  for (let left = zerosAfter; left > 0; left -= zeros.length)
    yield zeros.subarray(0, Math.min(left, zeros.length));
}

async function makeCertificate(dir: string): Promise<{ key: string; cert: string }> {
  const [key, cert] = [join(dir, "files.key"), join(dir, "files.crt")];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const name = ["-subj", "/CN=files", "-addext", "subjectAltName=IP:127.0.0.1"];
  await run("openssl", ["req", ...kind, ...name, "-days", "2", "-keyout", key, "-out", cert]);
  return { key, cert };
}
