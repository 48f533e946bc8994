import { anySignal, backoffMs, orAbort, sleep } from "./abort.ts";
import { ConnectionError, OutputError } from "./errors.ts";
import { known, requireKnown } from "./known-options.ts";
import { writeFile } from "./local-files.ts";
import { readChunks } from "./read-sse.ts";
import type { Signalled } from "./transport.ts";
import type { GenerationTask } from "./types.ts";

export type Stored = NonNullable<GenerationTask["output"]>[number];

export interface Output extends Stored {
  stream(options?: AbortSignal | Signalled): Promise<ReadableStream<Uint8Array>>;
  blob(options?: AbortSignal | Signalled): Promise<Blob>;
  /** Writes the file, whole or not at all; in Node, Bun and Deno. */
  download(path: string | URL, options?: AbortSignal | Signalled): Promise<void>;
}

export interface OutputSource {
  fetch: typeof fetch;
  /** The link as the service gives it now. */
  renew(signal: AbortSignal | undefined): Promise<string | null>;
}

const failuresMax = 5;
const silentMsMax = 60_000;

/** A stored file with ways to read it. Its link needs no key. */
export function openOutput<File extends Stored>(source: OutputSource, stored: File): File & Output {
  return {
    ...stored,
    stream: async (options) => toStream(readBytes(source, stored, signalOf(options))),
    async blob(options) {
      const signal = signalOf(options);
      const parts: Uint8Array<ArrayBuffer>[] = [];
      for await (const part of readBytes(source, stored, signal)) parts.push(new Uint8Array(part));
      return new Blob(parts, { type: stored.mediaType });
    },
    async download(path, options) {
      const signal = signalOf(options);
      await orAbort(signal, writeFile(path, readBytes(source, stored, signal)));
    },
  };
}

function signalOf(options: AbortSignal | Signalled = {}): AbortSignal | undefined {
  return options instanceof AbortSignal ? options : requireKnown(options, known.signalled).signal;
}

/**
 * Yields the bytes of a file. After a lost connection it resumes where it was; a link that has
 * ended is renewed.
 */
async function* readBytes(
  source: OutputSource,
  { url: given, sizeBytes }: Stored,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  let url = given;
  let at = 0;
  let isRenewed = false;
  for (let failures = 0; ; )
    try {
      const response = await open(source.fetch, url, at, signal);
      if (response.body === null) throw new OutputError("The file has no content.");
      for await (const part of readChunks(response.body, { signal, silentMsMax })) {
        failures = 0;
        at += part.byteLength;
        yield part;
      }
      if (at === sizeBytes) return;
      throw new ConnectionError(`${at} of ${sizeBytes} bytes arrived.`, { code: "cut_off" });
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof OutputError) {
        const fresh = isRenewed ? null : await source.renew(signal);
        isRenewed = true;
        if (fresh === null || fresh === url) throw error;
        url = fresh;
        continue;
      }
      failures += 1;
      if (!(error instanceof ConnectionError) || failures > failuresMax || at > sizeBytes)
        throw error;
      await sleep(backoffMs(failures), signal);
    }
}

async function open(
  fetch: typeof globalThis.fetch,
  url: string,
  at: number,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const headers: Record<string, string> = at === 0 ? {} : { range: `bytes=${at}-` };
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(), silentMsMax);
  const either = anySignal(signal, silent.signal);
  let response: Response;
  try {
    response = await orAbort(either, fetch(url, { headers, signal: either }));
  } catch (cause) {
    throw new ConnectionError("The file cannot be reached.", { cause });
  } finally {
    clearTimeout(timer);
  }
  const { status } = response;
  if (status === (at === 0 ? 200 : 206)) return response;
  response.body?.cancel().catch(() => {});
  if (status >= 500 || status === 429)
    throw new ConnectionError(`The file answers ${status}.`, { code: "file_unavailable" });
  const message = `The file answers ${status}: its link has expired, or its media was deleted.`;
  throw new OutputError(message, { code: "output_gone" });
}

/** Resolves with the first bytes, so that a file that cannot be had is known at once. */
async function toStream(chunks: AsyncGenerator<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  let first: IteratorResult<Uint8Array> | null = await chunks.next();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = first ?? (await chunks.next());
      first = null;
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}
