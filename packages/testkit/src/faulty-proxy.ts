import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { type Served, serve } from "./serve.ts";

interface Seen {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  /** The status of the response; null until it is sent. */
  status: number | null;
}

interface PlantedAnswer {
  status: number;
  body?: object;
  headers?: Record<string, string>;
}

/** A test's change to a request; without one the request is passed on. */
export type Fault =
  | "reset before"
  | "reset after"
  | "hang"
  | PlantedAnswer
  /** Passes on the given number of bytes of the response. */
  | { cutAfterBytes: number };

export interface FaultyProxy extends Served {
  /** The address to which requests go from now on. */
  target: string;
  /** The share of requests that meet a fault, 0 to 1. */
  faults: number;
  /** Decides about each request before chance does. */
  spoil: ((seen: Seen) => Fault | undefined) | null;
  readonly seen: { requests: Seen[]; faults: number };
  /** Cuts every connection that is open now. */
  cut(): void;
}

const kinds: Fault[] = [
  "reset before",
  "reset after",
  { status: 500, body: { code: "internal_error" } },
  { status: 429, body: { code: "rate_limited" } },
];

/**
 * Passes requests on, and spoils some: as a test says, or by chance, with resets before the service
 * sees them, resets after it has responded, a 500 and a 429 made by the proxy. The seed decides
 * which.
 */
export async function startFaultyProxy(seed: number): Promise<FaultyProxy> {
  const seen: FaultyProxy["seen"] = { requests: [], faults: 0 };
  const state = { target: "", faults: 0, spoil: null as FaultyProxy["spoil"] };
  const open = new Set<IncomingMessage>();
  const next = createRandom(seed);
  const served = await serve((incoming, outgoing) => {
    const { method = "", url = "", headers } = incoming;
    const noted: Seen = { method, path: url, headers, status: null };
    seen.requests.push(noted);
    open.add(incoming);
    outgoing.on("close", () => open.delete(incoming));
    const byChance = () => (next() < state.faults ? kinds[Math.floor(next() * 4)] : undefined);
    const fault = state.spoil?.(noted) ?? byChance();
    if (fault !== undefined) seen.faults += 1;
    if (fault === "reset before") return void incoming.socket.destroy();
    if (fault === "hang") return;
    if (typeof fault === "object" && "status" in fault) return refuse(outgoing, fault, noted);
    passOn(state.target, incoming, outgoing, { fault, noted });
  });
  const cut = () => {
    for (const incoming of open) incoming.socket.destroy();
  };
  return Object.assign(state, served, { seen, cut });
}

function createRandom(seed: number): () => number {
  let random = seed;
  return () => {
    random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
    return (random >>> 8) / 2 ** 24;
  };
}

function refuse(
  outgoing: ServerResponse,
  { status, body = {}, headers = {} }: PlantedAnswer,
  noted: Seen,
): void {
  noted.status = status;
  outgoing.writeHead(status, {
    "content-type": "application/json",
    "retry-after": "0",
    ...headers,
  });
  outgoing.end(JSON.stringify({ message: "planted", ...body }));
}

function passOn(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { fault, noted }: { fault: Fault | undefined; noted: Seen },
): void {
  const { method, url = "/", headers } = incoming;
  const forwarded = request(`${target}${url}`, { method, headers }, (answer) => {
    noted.status = answer.statusCode ?? null;
    if (fault === "reset after") {
      answer.resume();
      answer.on("close", () => incoming.socket.destroy());
      return;
    }
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    if (typeof fault === "object" && "cutAfterBytes" in fault) {
      answer.once("data", (bytes: Buffer) => {
        outgoing.write(bytes.subarray(0, fault.cutAfterBytes), () => incoming.socket.destroy());
      });
      return;
    }
    answer.on("error", () => incoming.socket.destroy()); // a server that dies resets the client too
    answer.pipe(outgoing);
  });
  forwarded.on("error", () => incoming.socket.destroy());
  outgoing.on("close", () => forwarded.destroy());
  incoming.pipe(forwarded);
}
