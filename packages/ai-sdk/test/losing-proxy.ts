import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { type Served, serve } from "@zoetrope/testkit/serve.ts";

export interface LosingProxy extends Served {
  /** So many creates are passed on from now, and their answers lost. */
  lose: number;
  /** Paths of the requests, without queries. */
  readonly seen: string[];
}

/** Passes requests on to the service, and loses some answers. */
export async function startLosingProxy(target: string): Promise<LosingProxy> {
  const state = { lose: 0, seen: [] as string[] };
  const served = await serve((incoming, outgoing) => {
    const { pathname } = new URL(incoming.url ?? "/", target);
    state.seen.push(pathname);
    const isLost = state.lose > 0 && pathname.endsWith("/createTask");
    if (isLost) state.lose -= 1;
    passOn(target, incoming, outgoing, isLost);
  });
  return Object.assign(state, served);
}

function passOn(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  isLost: boolean,
): void {
  const { method, url = "/", headers } = incoming;
  const forwarded = request(`${target}${url}`, { method, headers }, (answer) => {
    if (isLost) {
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
