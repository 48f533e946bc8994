import { orAbort } from "./abort.ts";
import { ConnectionError } from "./errors.ts";

export interface ServerEvent {
  id: string | null;
  event: string;
  data: string;
}

export interface ReadingLimits {
  signal?: AbortSignal | undefined;
  /** Without a byte for so long, the connection is taken to be lost. */
  silentMsMax?: number;
}

/** The maximum length of one line; the longest are tasks of a few KB. */
const lineCharactersMax = 8 * 1024 * 1024;

/** The events of a `text/event-stream` body, as they arrive. Comments are left out. */
export async function* readServerEvents(
  body: ReadableStream<Uint8Array>,
  limits: ReadingLimits = {},
): AsyncGenerator<ServerEvent> {
  let id: string | null = null;
  let event = "message";
  let data: string[] = [];
  for await (const line of readLines(body, limits)) {
    if (line === "") {
      if (data.length > 0) yield { id, event, data: data.join("\n") };
      event = "message";
      data = [];
      continue;
    }
    const colon = line.indexOf(":");
    if (colon === 0) continue;
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "id") id = value;
    if (name === "event") event = value;
    if (name === "data") data.push(value);
  }
}

async function* readLines(
  body: ReadableStream<Uint8Array>,
  limits: ReadingLimits,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of readChunks(body, limits)) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    if (rest.length > lineCharactersMax) throw new ConnectionError("The stream has no line ends.");
    yield* lines;
  }
}

/** The bytes of a body. A connection that breaks or is silent is a `ConnectionError` in every run-time. */
export async function* readChunks(
  body: ReadableStream<Uint8Array>,
  { signal, silentMsMax }: ReadingLimits,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { value, done } = await readInTime(reader, signal, silentMsMax);
      if (done) return;
      if (value !== undefined) yield value;
    }
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof ConnectionError) throw cause;
    throw new ConnectionError("The answer was cut off.", { cause });
  } finally {
    reader.cancel().catch(() => {}); // the connection is not needed any more
  }
}

async function readInTime(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  signal: AbortSignal | undefined,
  silentMsMax: number | undefined,
): Promise<{ value?: Uint8Array | undefined; done: boolean }> {
  const read = orAbort(signal, reader.read());
  if (silentMsMax === undefined) return read;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    const lost = new ConnectionError(`Nothing arrived for ${silentMsMax} ms.`);
    timer = setTimeout(() => reject(lost), silentMsMax);
  });
  return Promise.race([read, silence]).finally(() => clearTimeout(timer));
}
