import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { makeCertificate } from "./media-server.ts";

/** A caller's own web server, by https, which this process trusts. */
export interface FileServer extends AsyncDisposable {
  /** Offers these bytes; the address is new every time. */
  offer(bytes: Buffer): string;
}

export async function startFileServer(dir: string): Promise<FileServer> {
  const files = new Map<string, Buffer>();
  const { key, cert } = await makeCertificate(dir);
  const server = createServer({ key: await readFile(key), cert: await readFile(cert) });
  server.on("request", (request, response) => {
    const bytes = files.get(request.url ?? "");
    if (bytes === undefined) response.writeHead(404).end();
    else response.end(bytes);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  setDefaultCACertificates([...getCACertificates("default"), await readFile(cert, "utf8")]);
  const base = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    offer(bytes) {
      const path = `/${files.size}`;
      files.set(path, bytes);
      return base + path;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
