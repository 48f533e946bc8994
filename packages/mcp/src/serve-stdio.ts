import { randomBytes, randomUUID } from "node:crypto";
import { openAsBlob } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import { serveStdio as serveFactory } from "@modelcontextprotocol/server/stdio";
import { type Zoetrope, ZoetropeError } from "@zoetrope/sdk";
import { createMcp } from "./create-mcp.ts";
import type { McpOptions } from "./mcp-context.ts";

export interface StdioOptions {
  client: Zoetrope;
  /** Files below it may be uploaded; the working directory unless given. */
  rootDir?: string;
  /** Told what no tool foresees. Standard output belongs to the protocol. */
  onError?: (error: unknown) => void;
  fetch?: typeof fetch;
}

export interface StdioServer {
  close(): Promise<void>;
}

const posterMsMax = 10_000;
const posterBytesMax = 512 * 1024;

/** Serves the tools on standard input and output until the client closes them. */
export function serveStdio(stdioOptions: StdioOptions): StdioServer {
  const { client, rootDir = process.cwd(), onError, fetch: fetchPoster = fetch } = stdioOptions;
  const options: McpOptions = {
    client,
    caller: randomUUID(),
    secret: randomBytes(32),
    repeats: null,
    readPoster: (url, signal) => readPoster(fetchPoster, url, signal),
    openFile: (path) => openWithin(rootDir, path),
    onError,
  };
  return serveFactory(() => createMcp(options), { onerror: (error) => onError?.(error) });
}

async function readPoster(fetchPoster: typeof fetch, url: string, signal: AbortSignal) {
  const within = AbortSignal.any([signal, AbortSignal.timeout(posterMsMax)]);
  const response = await fetchPoster(url, { signal: within });
  const isPoster = response.ok && response.headers.get("content-type") === "image/webp";
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let sizeBytes = 0;
  for await (const part of response.body ?? []) {
    sizeBytes += part.length; // of what arrives: a header can say less
    if (!isPoster || sizeBytes > posterBytesMax) return null;
    parts.push(part);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** A file below the folder, wherever links lead: an agent must not send what else is on the machine. */
async function openWithin(rootDir: string, path: string): Promise<Blob> {
  const root = await realpath(rootDir);
  const real = await realpath(resolve(root, path)).catch(() => null);
  const way = real === null ? ".." : relative(root, real);
  const isOutside = way === ".." || way.startsWith(`..${sep}`) || resolve(way) === way;
  if (real === null || isOutside || !(await stat(real)).isFile())
    throw new ZoetropeError(`There is no such file below the working directory: ${path}`);
  return openAsBlob(real);
}
