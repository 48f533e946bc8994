import { once } from "node:events";
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";

/** Offers one file to whoever asks, as its owner's server would. */
export async function serveFile(path: string): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((_request, response) => void createReadStream(path).pipe(response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${basename(path)}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
