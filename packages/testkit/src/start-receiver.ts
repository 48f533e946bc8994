import { EventEmitter, once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { serve } from "./serve.ts";

export interface ReceivedRequest {
  /** The time at which its head arrived, in milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body as it came: a form with files in it is not text. */
  readonly bytes: Buffer;
}

export interface Reply {
  readonly status: number;
  /** Sent as JSON unless it is text or bytes. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Returns the response to the n-th request: a status, a reply, or nothing while the connection
 * stays open.
 */
type Answer = (request: ReceivedRequest, nth: number) => GivenReply | Promise<GivenReply>;
type GivenReply = number | Reply | "nothing";

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** An address on it, as one gives it for callbacks. */
  readonly hookUrl: string;
  readonly received: ReceivedRequest[];
  /** The response to every request from now on. */
  answer: Answer;
  /** Waits until so many requests have arrived. */
  arrived(count: number): Promise<ReceivedRequest[]>;
}

/** A server on loopback that keeps what it is sent: a receiver of callbacks, or a vendor that a test plays. */
export async function startReceiver(answer: Answer = () => 200): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  const arrivals = new EventEmitter();
  const take = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { method = "", url: path = "", headers } = incoming;
    const at = Date.now();
    const bytes = await buffer(incoming);
    const request = { at, method, path, headers, bytes, body: bytes.toString() };
    const nth = received.push(request);
    const reply = await receiver.answer(request, nth);
    if (reply !== "nothing") send(response, typeof reply === "number" ? { status: reply } : reply);
    arrivals.emit("arrival");
  };
  const server = await serve((incoming, response) => {
    take(incoming, response).catch(() => incoming.destroy()); // the sender left in mid-request
  });
  const receiver: Receiver = {
    ...server,
    hookUrl: `${server.url}/hook`,
    received,
    answer,
    async arrived(count) {
      while (received.length < count) await once(arrivals, "arrival");
      return received;
    },
  };
  return receiver;
}

function send(response: ServerResponse, { status, body = {}, headers }: Reply): void {
  const isRaw = typeof body === "string" || Buffer.isBuffer(body);
  const redirect = status >= 300 && status < 400 ? { location: "/elsewhere" } : {};
  response
    .on("error", () => {}) // a client may leave before it has read the answer
    .writeHead(status, { "content-type": "application/json", ...redirect, ...headers })
    .end(isRaw ? body : JSON.stringify(body));
}

/** These statuses, one after the other, and then 200. */
export function inTurn(...statuses: number[]): Answer {
  return (_request, nth) => statuses[nth - 1] ?? 200;
}
