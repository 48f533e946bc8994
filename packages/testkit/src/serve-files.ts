import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { makeCertificate } from "./make-certificate.ts";
import { type Served, serve } from "./serve.ts";

/** A caller's own web server. */
export interface FileServer extends Served {
  /** The paths of all requests so far. */
  readonly asked: readonly string[];
  /** Makes a Node process trust this server; empty without HTTPS. */
  readonly env: Readonly<Record<string, string>>;
  /** Offers a file; the address is new every time. */
  offer(file: Buffer | string): string;
  /** The address of a file in the folder. */
  urlOf(path: string): string;
}

export interface FileServerOptions {
  /** The folder whose files are offered by their names. */
  readonly dir?: string;
  /** Files by their paths. */
  readonly files?: Readonly<Record<string, Buffer>>;
  /** HTTPS, with a certificate kept there that this process trusts. */
  readonly tlsDir?: string;
}

/**
 * Serves files, and a 404 for any other path. `/to/<path>` redirects to the path; `/silent` never
 * gets a response.
 */
export async function serveFiles({ dir, files = {}, tlsDir }: FileServerOptions = {}) {
  const known = new Map<string, Buffer | string>(Object.entries(files));
  const asked: string[] = [];
  const certificate = tlsDir === undefined ? undefined : await makeCertificate(tlsDir);
  const tls = certificate && {
    key: await readFile(certificate.key),
    cert: await readFile(certificate.cert),
  };
  const server = await serve((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    if (path === "/silent") return;
    if (path.startsWith("/to/"))
      return void response.writeHead(302, { location: path.slice(3) }).end();
    const inDir = dir === undefined ? undefined : join(dir, basename(path));
    const file = known.get(path) ?? inDir;
    if (file === undefined) return void response.writeHead(404).end();
    if (Buffer.isBuffer(file)) return void response.end(file);
    createReadStream(file)
      .on("error", () => response.writeHead(404).end())
      .pipe(response);
  }, tls);
  if (tls !== undefined)
    setDefaultCACertificates([...getCACertificates("default"), tls.cert.toString()]);
  const fileServer: FileServer = {
    ...server,
    asked,
    env: certificate === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificate.cert },
    offer(file) {
      const path = `/${known.size}`;
      known.set(path, file);
      return server.url + path;
    },
    urlOf: (path) => `${server.url}/${basename(path)}`,
  };
  return fileServer;
}

/** Offers one file, by its path or its bytes. */
export async function serveFile(file: Buffer | string): Promise<Served> {
  const server = await serveFiles();
  return { ...server, url: server.offer(file) };
}
