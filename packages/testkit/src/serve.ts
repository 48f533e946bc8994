import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface Served extends AsyncDisposable {
  /** Without a slash at its end. */
  readonly url: string;
}

/** A server on loopback that ends with its open connections; HTTPS when given a certificate. */
export async function serve(
  answer: RequestListener,
  tls?: { key: Buffer; cert: Buffer },
): Promise<Served> {
  const server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
