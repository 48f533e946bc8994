import { ConnectionError, ServerError } from "./errors.ts";
import { readServerEvents } from "./read-sse.ts";
import { backoffMs, sleep } from "./sleep.ts";
import { type CallOptions, limitTime, send, type Transport } from "./transport.ts";

export interface Followed<Task> {
  /** The endpoint that answers the state. */
  path: string;
  taskId: string;
  isOver(task: Task): boolean;
}

export interface WaitOptions<Task> extends CallOptions {
  /** How long to wait in all; without it, until the task is over. */
  timeoutMs?: number | undefined;
  /** Called with the first state and with every change. */
  onProgress?: ((task: Task) => void) | undefined;
}

const waitSeconds = 50;
/** Failures in a row, with growing delays between them: about five minutes. */
const failuresMax = 12;
const failureDelayMsMax = 30_000;

/**
 * Waits by long polling until the task is over. Survives restarts of the service: only failures in a row
 * for minutes end it.
 */
export async function waitForTask<Task>(
  transport: Transport,
  followed: Followed<Task>,
  options: WaitOptions<Task> = {},
): Promise<Task> {
  const { taskId } = followed;
  const message = `Task ${taskId} is not over after ${options.timeoutMs} ms. It goes on: wait for it again.`;
  const limit = limitTime(options, message);
  try {
    return await poll(transport, followed, { ...options, signal: limit.signal });
  } finally {
    limit.end();
  }
}

async function poll<Task>(
  transport: Transport,
  { path, taskId, isOver }: Followed<Task>,
  { signal, onProgress }: WaitOptions<Task>,
): Promise<Task> {
  let etag: string | null = null;
  for (let failures = 0, refusals = 0; ; ) {
    let response: Response;
    try {
      response = await send(transport, {
        method: "GET",
        path,
        query: { taskId },
        headers: {
          prefer: `wait=${waitSeconds}`,
          ...(etag === null ? {} : { "if-none-match": etag }),
        },
        timeoutMs: (waitSeconds + 20) * 1000,
        signal,
      });
      failures = 0;
    } catch (error) {
      failures += 1;
      const isPassing = error instanceof ConnectionError || error instanceof ServerError;
      if (!isPassing || failures > failuresMax) throw error;
      await sleep(backoffMs(failures, 500, failureDelayMsMax), signal);
      continue;
    }
    if (response.status !== 304) {
      const task = (await response.json()) as Task;
      onProgress?.(task);
      if (isOver(task)) return task;
      etag = response.headers.get("etag");
    }
    // Too many clients wait already: this one asks less and less often.
    refusals = response.headers.has("preference-applied") || etag === null ? 0 : refusals + 1;
    if (refusals > 0) await sleep(2_000 + backoffMs(refusals, 1_000, 20_000), signal);
  }
}

/** Every state of a task until its last, as a stream that is opened again when it breaks. */
export async function* streamTask<Task>(
  transport: Transport,
  { path, taskId, isOver }: Followed<Task>,
  { signal }: CallOptions = {},
): AsyncGenerator<Task> {
  let lastId: string | null = null;
  for (let failures = 0; ; ) {
    try {
      const response = await send(transport, {
        method: "GET",
        path,
        query: { taskId },
        headers: {
          accept: "text/event-stream",
          ...(lastId === null ? {} : { "last-event-id": lastId }),
        },
        signal,
      });
      if (response.status === 204 || response.body === null) return;
      for await (const { id, data } of readServerEvents(response.body)) {
        failures = 0;
        lastId = id ?? lastId;
        const task = JSON.parse(data) as Task;
        yield task;
        if (isOver(task)) return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      const isPassing =
        error instanceof ConnectionError ||
        error instanceof ServerError ||
        error instanceof TypeError; // a body that was cut off
      failures += 1;
      if (!isPassing || failures > failuresMax) throw error;
    }
    await sleep(backoffMs(failures, 500, failureDelayMsMax), signal);
  }
}
