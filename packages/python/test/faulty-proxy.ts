import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { type Served, serve } from "@zoetrope/testkit/serve.ts";

export interface FaultyProxy extends Served {
  /** Where requests go from now on. */
  target: string;
  /** The share of requests that meet a fault, 0 to 1. */
  faults: number;
  readonly seen: { requests: number; faults: number };
}

const kinds = ["reset before", "reset after", "500", "429"] as const;

/**
 * Passes requests on, and spoils some: resets before the service sees them, resets after it has answered,
 * a 500 and a 429 of its own. The seed decides which.
 */
export async function startFaultyProxy(target: string, seed: number): Promise<FaultyProxy> {
  const seen = { requests: 0, faults: 0 };
  const state = { target, faults: 0 };
  let random = seed;
  const next = () => {
    random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
    return (random >>> 8) / 2 ** 24;
  };
  const served = await serve((incoming, outgoing) => {
    seen.requests += 1;
    const isSpoilt = next() < state.faults;
    const kind = isSpoilt ? kinds[Math.floor(next() * kinds.length)] : undefined;
    if (isSpoilt) seen.faults += 1;
    if (kind === "reset before") return void incoming.socket.destroy();
    if (kind === "500") return refuse(outgoing, 500, { code: "internal_error" });
    if (kind === "429") return refuse(outgoing, 429, { code: "rate_limited" });
    passOn(state.target, incoming, outgoing, kind === "reset after");
  });
  return Object.assign(state, served, { seen });
}

function refuse(outgoing: ServerResponse, status: number, body: object): void {
  outgoing.writeHead(status, { "content-type": "application/json", "retry-after": "0" });
  outgoing.end(JSON.stringify({ message: "planted", ...body }));
}

function passOn(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  isReset: boolean,
): void {
  const { method, url = "/", headers } = incoming;
  const forwarded = request(`${target}${url}`, { method, headers }, (answer) => {
    if (isReset) {
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
