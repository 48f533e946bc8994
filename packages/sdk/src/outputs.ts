import { ZoetropeError } from "./errors.ts";
import type { GenerationTask } from "./types.ts";

type Stored = NonNullable<GenerationTask["output"]>[number];

export interface Output extends Stored {
  stream(signal?: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  blob(signal?: AbortSignal): Promise<Blob>;
  /** Writes the file; in Node, Bun and Deno. */
  download(path: string, signal?: AbortSignal): Promise<void>;
}

/** A stored file with ways to read it. Its link needs no key. */
export function openOutput(fetch: typeof globalThis.fetch, stored: Stored): Output {
  const open = async (signal?: AbortSignal): Promise<Response> => {
    const response = await fetch(stored.url, signal === undefined ? {} : { signal });
    if (response.ok) return response;
    await response.body?.cancel();
    const hint = response.status === 404 ? " The link has expired, or the media was deleted." : "";
    throw new ZoetropeError(`The file answers ${response.status}.${hint}`);
  };
  const stream = async (signal?: AbortSignal) => {
    const { body } = await open(signal);
    if (body === null) throw new ZoetropeError("The file has no content.");
    return body;
  };
  return {
    ...stored,
    stream,
    blob: async (signal) => (await open(signal)).blob(),
    async download(path, signal) {
      const { createWriteStream } = await import("node:fs");
      const { rename, rm } = await import("node:fs/promises");
      const { Readable } = await import("node:stream");
      const { pipeline } = await import("node:stream/promises");
      const unfinished = `${path}.part`; // a file of that name is always whole
      try {
        const source = Readable.fromWeb((await stream(signal)) as never);
        const options = signal === undefined ? {} : { signal };
        await pipeline(source, createWriteStream(unfinished), options);
        await rename(unfinished, path);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
  };
}
