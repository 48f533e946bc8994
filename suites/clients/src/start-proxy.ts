import { readFile } from "node:fs/promises";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { extname, join, normalize } from "node:path";
import { startFaultyProxy } from "@zoetrope/testkit/faulty-proxy.ts";
import { type Served, serve } from "@zoetrope/testkit/serve.ts";

export interface ClientProxy extends Served {
  /** The address to which requests go from now on. */
  target: string;
  /** The content below `/page/`: a folder, and the headers that its files are sent with. */
  page: { dir: string; headers: Readonly<Record<string, string>> } | null;
  readonly faults: number;
  /** Returns the requests seen with a key so far. */
  seenOf(apiKey: string): Readonly<Seen>;
}

interface Seen {
  requests: number;
  /** The number of 429 responses, whoever gave them. */
  refusals: number;
}

/** The share of the requests below `/faulty` that meet a fault. */
const faultShare = 0.4;
const faultyPath = "/faulty";
const typesOfFiles: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
};

/** The address at which clients reach the service; below `/faulty` through a proxy that spoils requests. */
export async function startProxy(seed: number): Promise<ClientProxy> {
  await using started = new AsyncDisposableStack();
  const faulty = started.use(await startFaultyProxy(seed));
  faulty.faults = faultShare;
  const seenByHeader = new Map<string, Seen>();
  const seenOf = (header: string): Seen => {
    const seen = seenByHeader.get(header) ?? { requests: 0, refusals: 0 };
    seenByHeader.set(header, seen);
    return seen;
  };
  let page: ClientProxy["page"] = null;
  const front = started.use(
    await serve((incoming, outgoing) => {
      const { url = "/", headers } = incoming;
      if (url.startsWith("/page/")) return void sendFile(page, url, outgoing);
      const seen = seenOf(headers.authorization ?? "");
      seen.requests += 1;
      outgoing.on("finish", () => {
        if (outgoing.statusCode === 429) seen.refusals += 1;
      });
      const isFaulty = url.startsWith(`${faultyPath}/`);
      const there = isFaulty ? `${faulty.url}${url.slice(faultyPath.length)}` : faulty.target + url;
      passOn(there, incoming, outgoing);
    }),
  );
  const both = started.move();
  return {
    url: front.url,
    get target() {
      return faulty.target;
    },
    set target(url) {
      faulty.target = url;
    },
    get page() {
      return page;
    },
    set page(served) {
      page = served;
    },
    get faults() {
      return faulty.seen.faults;
    },
    seenOf: (apiKey) => ({ ...seenOf(`Bearer ${apiKey}`) }),
    [Symbol.asyncDispose]: () => both.disposeAsync(),
  };
}

function passOn(url: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers } = incoming;
  const forwarded = request(url, { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on("error", () => incoming.socket.destroy());
    answer.pipe(outgoing);
  });
  forwarded.on("error", () => incoming.socket.destroy());
  outgoing.on("close", () => forwarded.destroy());
  incoming.pipe(forwarded);
}

async function sendFile(
  page: ClientProxy["page"],
  url: string,
  outgoing: ServerResponse,
): Promise<void> {
  const name = normalize(new URL(url, "http://page").pathname).slice("/page/".length);
  try {
    if (page === null) throw new Error("no page is served");
    const content = await readFile(join(page.dir, name));
    const type = typesOfFiles[extname(name)] ?? "application/octet-stream";
    outgoing.writeHead(200, { ...page.headers, "content-type": type }).end(content);
  } catch {
    outgoing.writeHead(404).end();
  }
}
