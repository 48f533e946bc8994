import { sleep } from "./abort.ts";
import { TimeoutError } from "./errors.ts";
import { known, type Names, requireKnown } from "./known-options.ts";
import { isWithoutStream, openStream, pauseAfter } from "./open-stream.ts";
import { isPassing, limitTime, type Signalled, send, type Transport } from "./transport.ts";

export interface Followed<Task> {
  /** The endpoint that returns the state. */
  path: string;
  taskId: string;
  isOver(task: Task): boolean;
}

export interface WaitOptions<Task> extends Signalled {
  /** The total time to wait; without it, until the task is over. */
  timeoutMs?: number | undefined;
  /** Called with the first state and with every change. */
  onProgress?: ((task: Task) => void) | undefined;
}

export const waitNames: Names<WaitOptions<unknown>> = { ...known.call, onProgress: true };

interface State<Task> {
  /** Null: it has not changed. */
  task: Task | null;
  /** The ETag of the state, which is also its id in a stream. */
  version: string | null;
}

const waitSeconds = 50;
/** Failures in a row, with growing delays between them: some minutes. */
const failuresMax = 15;
const streamFailuresMax = 2;
/** A stream that ends this soon is a failure. */
const streamMsMin = 5_000;
/** Pauses after the first, second … change while polling: progress by the percent is worth no more requests. */
const pausesMs = [0, 0, 8_000, 20_000];
const pauseMsMax = 30_000;
/** Pauses while the service responds at once because too many clients wait. */
const refusedPausesMs = [3_000, 7_000, 15_000];

/** Waits until the task is over. */
export async function waitForTask<Task>(
  transport: Transport,
  followed: Followed<Task>,
  options: WaitOptions<Task> = {},
): Promise<Task> {
  requireKnown(options, waitNames);
  const { taskId } = followed;
  const message = `Task ${taskId} is not over after ${options.timeoutMs} ms. It is still running: wait for it again.`;
  const limit = limitTime(options, () => new TimeoutError(message, { taskId }));
  try {
    let last: Task | undefined;
    for await (const task of followTask(transport, followed, { signal: limit.signal })) {
      last = task;
      options.onProgress?.(task);
    }
    return last as Task; // the last state is always sent
  } finally {
    limit.end();
  }
}

/**
 * Yields every state of a task until its last, by a stream, which is opened again when it breaks,
 * or by long polling where there is none. Survives restarts of the service: only failures in a row
 * for minutes end it.
 */
export async function* followTask<Task>(
  transport: Transport,
  followed: Followed<Task>,
  { signal }: Signalled = {},
): AsyncGenerator<Task> {
  let version: string | null = null;
  let follow = streamStates;
  for (let failures = 0; ; ) {
    const openedAt = performance.now();
    let fault: unknown;
    try {
      for await (const state of follow<Task>(transport, followed, version, signal)) {
        if (state.task !== null && state.version !== null && state.version === version) continue;
        failures = 0;
        if (state.task === null) continue;
        version = state.version;
        yield state.task;
        if (followed.isOver(state.task)) return;
      }
      if (performance.now() - openedAt < streamMsMin) failures += 1;
    } catch (error) {
      fault = error;
      failures += 1;
      if (!isPassing(error) || failures > failuresMax) throw error;
      if (isWithoutStream(error)) follow = pollStates;
    }
    if (failures >= streamFailuresMax) follow = pollStates;
    await pauseAfter(failures, fault, signal);
  }
}

async function* streamStates<Task>(
  transport: Transport,
  { path, taskId }: Followed<Task>,
  version: string | null,
  signal: AbortSignal | undefined,
): AsyncGenerator<State<Task>> {
  const headers: Record<string, string> = version === null ? {} : { "last-event-id": version };
  for await (const event of openStream(transport, { path, query: { taskId }, headers, signal }))
    yield { task: JSON.parse(event.data) as Task, version: event.id };
}

async function* pollStates<Task>(
  transport: Transport,
  { path, taskId }: Followed<Task>,
  value: string | null,
  signal: AbortSignal | undefined,
): AsyncGenerator<State<Task>> {
  let version = value;
  for (let changes = 0, refusals = 0; ; ) {
    const headers: Record<string, string> =
      version === null ? {} : { prefer: `wait=${waitSeconds}`, "if-none-match": version };
    const timeoutMs = (waitSeconds + 20) * 1000;
    const call = { method: "GET" as const, path, query: { taskId }, headers, timeoutMs, signal };
    const answer = await send(transport, { ...call, retriesMax: 0 }, async (response) => ({
      task: response.status === 304 ? null : ((await response.json()) as Task),
      version: response.headers.get("etag"),
      hasWaited: response.headers.has("preference-applied"),
    }));
    const hasAsked = version !== null;
    if (answer.task !== null) version = answer.version;
    yield { task: answer.task, version };
    if (answer.task !== null) await sleep(pausesMs[changes++] ?? pauseMsMax, signal);
    refusals = answer.hasWaited || !hasAsked ? 0 : refusals + 1;
    if (refusals > 0) await sleep(refusedPausesMs[refusals - 1] ?? pauseMsMax, signal);
  }
}

/** Repeats what failed for a reason that passes, for some minutes. */
export async function persist<Value>(
  signal: AbortSignal | undefined,
  work: () => Promise<Value>,
): Promise<Value> {
  for (let failures = 1; ; failures++)
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || failures > failuresMax) throw error;
      await pauseAfter(failures, error, signal);
    }
}
