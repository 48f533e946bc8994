import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface Received {
  at: number;
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
}

/**
 * A customer's server on loopback that keeps what it is sent. It answers with these statuses, one
 * after the other, and then with 200.
 */
export async function startReceiver(...statuses: number[]): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const at = Date.now();
    const { method = "", url: path = "", headers } = request;
    const body = await text(request);
    const status = statuses[received.length] ?? 200;
    received.push({ at, method, path, headers, body });
    response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
