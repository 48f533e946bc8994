import { anySignal, backoffMs, sleep } from "./abort.ts";
import { ApiError, ConnectionError } from "./errors.ts";
import { readServerEvents, type ServerEvent } from "./read-sse.ts";
import { type Call, send, type Transport } from "./transport.ts";

/** An idle stream carries a comment every 15 s. */
const silentMsMax = 45_000;
const delayMsMax = 30_000;
/** The responses that refuse a stream to this client now, while other requests are served. */
const withoutStream = new Set(["too_many_streams", "streams_full", "no_stream"]);

/** Yields the events of a stream until it ends. Its signal ends it at once. */
export async function* openStream(
  transport: Transport,
  { path, query, headers, signal }: Pick<Call, "path" | "query" | "headers" | "signal">,
): AsyncGenerator<ServerEvent> {
  const left = new AbortController(); // also the connection ends with whoever reads
  const reading = anySignal(signal, left.signal);
  const call: Call = {
    method: "GET",
    path,
    signal: reading,
    isStream: true,
    retriesMax: 0,
    query,
    headers: { accept: "text/event-stream", ...headers },
  };
  try {
    const response = await send(transport, call, async (answer) => answer);
    if (response.status === 204) return;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (!isStream || response.body === null)
      throw new ConnectionError(`${path} was answered without a stream.`, { code: "no_stream" });
    yield* readServerEvents(response.body, { signal, silentMsMax });
  } finally {
    left.abort();
  }
}

export function isWithoutStream(error: ApiError | ConnectionError): boolean {
  return withoutStream.has(error.code);
}

/** The delay before what failed so many times in a row is tried again. */
export function pauseAfter(failures: number, error: unknown, signal?: AbortSignal): Promise<void> {
  const askedMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
  return sleep(Math.min(askedMs, delayMsMax) + backoffMs(failures, 500, delayMsMax), signal);
}
