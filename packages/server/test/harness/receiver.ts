import { EventEmitter, once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver extends AsyncDisposable {
  url: string;
  received: Received[];
  /** Waits until so many requests have arrived. */
  arrived(count: number): Promise<Received[]>;
}

/** A real HTTP server on loopback that keeps what it was sent; `answer` gives the status. */
export async function startReceiver(
  answer: (request: Received, number: number) => number = () => 200,
): Promise<Receiver> {
  const received: Received[] = [];
  const bell = new EventEmitter();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { url = "", headers } = request;
    const entry = { url, headers, body: Buffer.concat(chunks).toString() };
    received.push(entry);
    response
      .writeHead(answer(entry, received.length), { location: "http://127.0.0.1:9/" })
      .end("{}");
    bell.emit("arrival");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async arrived(count) {
      while (received.length < count) await once(bell, "arrival");
      return received;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
