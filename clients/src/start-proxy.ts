import { readFile } from "node:fs/promises";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { extname, join, normalize } from "node:path";
import { type Served, serve } from "@zoetrope/testkit/serve.ts";

export interface FaultyProxy extends Served {
  /** Where requests go from now on. */
  target: string;
  /** What is below `/page/`: a folder, and the headers that its files are sent with. */
  page: { dir: string; headers: Readonly<Record<string, string>> } | null;
  /** What has been seen of a key so far. */
  seenOf(apiKey: string): Readonly<Seen>;
}

interface Seen {
  requests: number;
  /** Planted, of all kinds. */
  faults: number;
  /** 429s of the service itself, not those that were planted. */
  refusals: number;
}

const faultKinds = ["reset before", "reset after", "500", "429"] as const;
type FaultKind = (typeof faultKinds)[number];
/** The share of the requests below `/faulty` that meet a fault. */
const faultShare = 0.4;
const typesOfFiles: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
};

/**
 * The address at which clients reach the service. Below `/faulty` it spoils some requests: it resets them
 * before the service sees them or after it has answered, or answers a 500 or a 429 of its own. The seed
 * decides which.
 */
export async function startProxy(seed: number): Promise<FaultyProxy> {
  const seenByHeader = new Map<string, Seen>();
  const seenOf = (header: string): Seen => {
    const seen = seenByHeader.get(header) ?? { requests: 0, faults: 0, refusals: 0 };
    seenByHeader.set(header, seen);
    return seen;
  };
  const state = { target: "", page: null as FaultyProxy["page"] };
  const nextFault = chooseFaults(seed);
  const served = await serve((incoming, outgoing) => {
    const { url = "/" } = incoming;
    if (url.startsWith("/page/")) return void sendFile(state.page, url, outgoing);
    const seen = seenOf(incoming.headers.authorization ?? "");
    seen.requests += 1;
    const isFaulty = url.startsWith("/faulty/");
    const fault = isFaulty ? nextFault() : null;
    if (fault !== null) seen.faults += 1;
    if (fault === "reset before") return void incoming.socket.destroy();
    if (fault === "500") return refuse(outgoing, 500, "internal_error");
    if (fault === "429") return refuse(outgoing, 429, "rate_limited");
    const path = isFaulty ? url.slice("/faulty".length) : url;
    passOn(`${state.target}${path}`, incoming, outgoing, { fault, seen });
  });
  return Object.assign(state, served, {
    seenOf: (apiKey: string) => ({ ...seenOf(`Bearer ${apiKey}`) }),
  });
}

function chooseFaults(seed: number): () => FaultKind | null {
  let random = seed;
  const next = () => {
    random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
    return (random >>> 8) / 2 ** 24;
  };
  return () => {
    if (next() >= faultShare) return null;
    return faultKinds[Math.floor(next() * faultKinds.length)] ?? null;
  };
}

function refuse(outgoing: ServerResponse, status: number, code: string): void {
  outgoing.writeHead(status, { "content-type": "application/json", "retry-after": "0" });
  outgoing.end(JSON.stringify({ message: "planted", code }));
}

function passOn(
  url: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { fault, seen }: { fault: FaultKind | null; seen: Seen },
): void {
  const { method, headers } = incoming;
  const forwarded = request(url, { method, headers }, (answer) => {
    if (answer.statusCode === 429) seen.refusals += 1;
    if (fault === "reset after") {
      answer.resume();
      answer.on("close", () => incoming.socket.destroy());
      return;
    }
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  forwarded.on("error", () => incoming.socket.destroy());
  outgoing.on("close", () => forwarded.destroy());
  incoming.pipe(forwarded);
}

async function sendFile(
  page: FaultyProxy["page"],
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
