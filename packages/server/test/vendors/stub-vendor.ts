import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface StubRequest {
  method: string;
  url: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  /** The same as it came: a form with files in it is no text. */
  bytes: Buffer;
  /** Of the monotonic clock, in milliseconds. */
  at: number;
}

export interface StubAnswer {
  status: number;
  /** Sent as JSON unless it is text or bytes. */
  body: unknown;
  headers?: Record<string, string>;
}

export interface StubVendor extends AsyncDisposable {
  url: string;
  received: StubRequest[];
  /** What everything is answered with from now on. */
  answer: (request: StubRequest) => StubAnswer | Promise<StubAnswer>;
}

/** A server that says whatever a test wants. */
export async function startStubVendor(): Promise<StubVendor> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url = "", headers } = request;
    const bytes = Buffer.concat(chunks);
    const body = bytes.toString();
    const received = { method, url, headers, body, bytes, at: performance.now() };
    stub.received.push(received);
    const answer = await stub.answer(received);
    const isRaw = typeof answer.body === "string" || Buffer.isBuffer(answer.body);
    response
      .on("error", () => {}) // nobody has to hear us out
      .writeHead(answer.status, { "content-type": "application/json", ...answer.headers })
      .end(isRaw ? answer.body : JSON.stringify(answer.body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stub: StubVendor = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    answer: () => ({ status: 404, body: "" }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  return stub;
}
