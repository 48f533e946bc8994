import { readFile } from "node:fs/promises";
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { createSecureServer } from "node:http2";
import type { Server } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setInterval as every } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { runCommand } from "@zoetrope/dev/services/command-line.ts";
import { png } from "../../kit/png.ts";
import { publicV4, publicV6 } from "./addresses.ts";

/** Names that the certificate is for; `tls.test` is not among them. */
const certified = ["example", "redir", "big", "gz", "hdr", "rebind", "xn--bcher-kva"];

const slowBytes = 10;
/** More than the service takes, and less than a client of HTTP/2 does by itself. */
const fewHeaderBytes = 32 * 1024;
const lieBytes = 1024 * 1024;

/** An image that every model takes. */
const image = png(512, 512, { depth: 8 });

export interface PublicHost {
  http: Server;
  https: Server;
  /** The path for NODE_EXTRA_CA_CERTS of the service. */
  caFile: string;
  /** Files that it serves besides, by their paths. */
  files: Map<string, { contentType: string; body: Buffer }>;
}

/** Opens the attacker's web host, at the public addresses: images, redirects and bad responses. */
export async function openPublicHost(dir: string): Promise<PublicHost> {
  const [keyFile, caFile] = [join(dir, "host.key"), join(dir, "host.pem")];
  const names = certified.map((name) => `DNS:${name}.test`);
  const subject = [...names, `IP:${publicV4}`, `IP:${publicV6}`].join(",");
  await runCommand("openssl", [
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-subj",
    "/CN=chaos",
    "-addext",
    `subjectAltName=${subject}`,
    "-days",
    "2",
    "-keyout",
    keyFile,
    "-out",
    caFile,
  ]);
  const [key, cert] = await Promise.all([readFile(keyFile), readFile(caFile)]);
  const files: PublicHost["files"] = new Map();
  const http = createHttp({ requireHostHeader: false }, (request, response) => {
    const file = files.get(request.url ?? "");
    if (file === undefined) return answer(request, response);
    response.writeHead(200, { "content-type": file.contentType }).end(file.body);
  });
  const https = createSecureServer({ key, cert, allowHTTP1: true }, (request, response) => {
    if (request.httpVersionMajor === 1) http.emit("request", request, response);
    else response.writeHead(200, { "x-much": "x".repeat(fewHeaderBytes) }).end();
  });
  for (const server of [http, https])
    server.on("clientError", (_error, socket) => socket.destroy());
  https.on("tlsClientError", () => {});
  return { http, https, caFile, files };
}

const redirects: Readonly<Record<string, [status: number, location: string]>> = {
  "/302-loopback": [302, "http://127.0.0.1/"],
  "/307-meta": [307, "http://169.254.169.254/"],
  "/downgrade": [302, "http://example.test/"],
  "/file": [302, "file:///etc/passwd"],
  "/loop": [302, "/loop-back"],
  "/loop-back": [302, "/loop"],
  "/rebind": [302, "https://rebind.test/"],
};

/** `/to?status=302&hops=2&url=…` leads to the URL, over so many hops before it. */
function redirectOf(url: URL): [status: number, location: string] | undefined {
  const chain = /^\/chain-(\d+)$/.exec(url.pathname)?.[1];
  if (chain !== undefined) return [302, chain === "1" ? "/" : `/chain-${Number(chain) - 1}`];
  if (url.pathname !== "/to") return redirects[url.pathname];
  const hops = Number(url.searchParams.get("hops"));
  const status = Number(url.searchParams.get("status"));
  if (hops === 0) return [status, encodeLocation(url.searchParams.get("url") ?? "")];
  url.searchParams.set("hops", String(hops - 1));
  return [status, url.pathname + url.search];
}

/** A header cannot carry every character; those it cannot go as they would from a browser. */
function encodeLocation(text: string): string {
  return text.replace(/[^\x21-\x7e]/gu, (character) => {
    const isLone = !character.isWellFormed();
    return isLone ? "%EF%BF%BD" : encodeURIComponent(character);
  });
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  response.on("error", () => {});
  const url = URL.parse(request.url ?? "/", "http://host.test") ?? new URL("http://host.test");
  const redirect = redirectOf(url);
  if (redirect !== undefined) {
    response.writeHead(redirect[0], { location: redirect[1] }).end();
    return;
  }
  switch (url.pathname) {
    case "/refresh":
      response.writeHead(200, { refresh: "0; url=http://127.0.0.1/", "content-type": "text/html" });
      response.end('<meta http-equiv="refresh" content="0; url=http://169.254.169.254/">');
      return;
    case "/1bps":
      return void sendSteadily(response, { bytes: 1, everyMs: 1_000, times: slowBytes });
    case "/drip":
      return void sendSteadily(response, { bytes: 1, everyMs: 1_000, times: Infinity });
    case "/steady": // a megabyte a second, so that a reader without a limit does not exhaust this process
      return void sendSteadily(response, { bytes: 64 * 1024, everyMs: 64, times: Infinity });
    case "/256m":
      return void sendMuch(response, 256 * 1024 * 1024);
    case "/squeezed":
      sendSqueezed(request, response);
      return;
    case "/endless":
      return void sendMuch(response, Infinity);
    case "/lie":
      request.socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n");
      request.socket.end(Buffer.alloc(lieBytes, "x"));
      return;
    case "/bomb":
      response.writeHead(200, { "content-encoding": "gzip" }).end(Buffer.alloc(1024, "x"));
      return;
    case "/32k":
      response.writeHead(200, { "x-much": "x".repeat(fewHeaderBytes) }).end();
      return;
    case "/64k":
      response.writeHead(200, { "x-much": "x".repeat(64 * 1024) }).end();
      return;
    default:
      response.writeHead(200, { "content-type": "image/png" }).end(image);
  }
}

async function sendSteadily(
  response: ServerResponse,
  { bytes, everyMs, times }: { bytes: number; everyMs: number; times: number },
): Promise<void> {
  let sent = 0;
  for await (const _ of every(everyMs)) {
    if (sent++ === times || response.destroyed) break;
    response.write(Buffer.alloc(bytes, "x"));
  }
  response.end();
}

async function sendMuch(response: ServerResponse, bytes: number): Promise<void> {
  const chunk = Buffer.alloc(64 * 1024, "x");
  function* chunks() {
    for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
  }
  await pipeline(Readable.from(chunks()), response).catch(() => {}); // the reader disconnects at its limit
}

/** Compressed unless declined, as most hosts do. */
function sendSqueezed(request: IncomingMessage, response: ServerResponse): void {
  const isDeclined = request.headers["accept-encoding"] === "identity";
  response.setHeader("content-type", "image/png");
  if (isDeclined) response.end(image);
  else response.setHeader("content-encoding", "gzip").end(gzipSync(image));
}
