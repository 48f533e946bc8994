import { anySignal, orAbort } from "./abort.ts";
import { ConcurrencyLimitError, type OpenTasks, ZoetropeError } from "./errors.ts";
import { known, type Names } from "./known-options.ts";

export interface BatchOptions {
  /** The number of tasks at once; `account`: as many as the account may have. */
  concurrency?: number | "account" | undefined;
  signal?: AbortSignal | undefined;
  /** Called with every state of every task: `index` is that of its request. */
  onProgress?: ((progress: BatchProgress) => void) | undefined;
  /**
   * The idempotency key of the whole batch: repeated with it after a restart, no task is made
   * twice. The request at an index gets a key from this key and its index, so keep the order of the
   * requests.
   */
  idempotencyKey?: string | undefined;
}

export interface BatchProgress {
  index: number;
  taskId: string;
  status: string;
}

export const batchNames: Names<BatchOptions> = {
  ...known.signalled,
  concurrency: true,
  onProgress: true,
  idempotencyKey: true,
};

export type BatchResult<Value> =
  | { index: number; taskId: string; status: "completed"; value: Value }
  /** `taskId`: null if it was not created. */
  | { index: number; taskId: string | null; status: "failed"; error: unknown };

/** Creates a task, reports what the response says about open tasks, and waits for its end. */
export type BatchJob<Value> = (
  signal: AbortSignal,
  onCreated: (taskId: string, openTasks: OpenTasks | null) => void,
) => Promise<Value>;

/**
 * The limit of open tasks of an account whose operator did not change it, for services that do not
 * send one.
 */
const openTasksUsual = 3;
const retryMs = 5_000;

/**
 * Runs every job, as many at once as allowed, and yields each result as soon as it is there. A
 * failure stops no other job. The next one begins as soon as one is over, also while the caller is
 * busy with a result. Where something else uses the account too, a job that finds no room waits for
 * it.
 */
export async function* runBatch<Value>(
  jobs: readonly BatchJob<Value>[],
  { concurrency = "account", signal }: BatchOptions,
): AsyncGenerator<BatchResult<Value>> {
  if (concurrency !== "account" && !(Number.isInteger(concurrency) && concurrency > 0))
    throw new ZoetropeError("concurrency is not a whole number above 0.");
  const left = new AbortController();
  const ending = anySignal(signal, left.signal);
  const waiting = [...jobs.keys()];
  const results: BatchResult<Value>[] = [];
  const capacity = createRoom(concurrency);
  let pause: ReturnType<typeof setTimeout> | undefined;
  let wake = () => {};

  const begin = async (index: number, job: BatchJob<Value>): Promise<void> => {
    const slot = capacity.enter();
    let created = "";
    const onCreated = (taskId: string, openTasks: OpenTasks | null) => {
      created = taskId;
      slot.onCreated(openTasks);
      fill();
    };
    try {
      const value = await job(ending, onCreated);
      results.push({ index, taskId: created, status: "completed", value });
    } catch (error) {
      if (error instanceof ConcurrencyLimitError && !ending.aborted) {
        slot.refuse(error.openTasks);
        waiting.unshift(index);
        clearTimeout(pause);
        pause = setTimeout(resume, Math.max(error.retryAfterMs ?? 0, retryMs));
        capacity.isClosed = true;
      } else results.push({ index, taskId: created || null, status: "failed", error });
    }
    slot.leave();
    fill();
    wake();
  };
  const resume = () => {
    capacity.isClosed = false;
    fill();
  };
  const fill = () => {
    while (!ending.aborted && waiting.length > 0 && capacity.hasRoom()) {
      const index = waiting.shift() ?? 0;
      const job = jobs[index];
      if (job !== undefined) void begin(index, job);
    }
  };

  try {
    for (let answered = 0; answered < jobs.length; ) {
      signal?.throwIfAborted();
      fill();
      const result = results.shift();
      if (result === undefined) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        await orAbort(signal, woken);
        continue;
      }
      answered += 1;
      yield result;
    }
  } finally {
    clearTimeout(pause);
    left.abort(new ZoetropeError("The batch was left.", { code: "batch_left" }));
  }
}

/**
 * Counts the tasks that may be begun. The first create returns the account's limit; every further
 * one returns the number of open tasks, of which those of other clients reduce the room.
 */
function createRoom(concurrency: number | "account") {
  let max = typeof concurrency === "number" ? concurrency : 1;
  let others = 0;
  let begun = 0;
  let ended = 0;
  const note = (openTasks: OpenTasks | null, ownOpen: number) => {
    if (concurrency !== "account") return;
    max = openTasks?.max ?? openTasksUsual;
    if (openTasks !== null) others = Math.max(0, openTasks.max - openTasks.left - ownOpen);
  };
  return {
    /** A create was refused: nothing is begun for a while. */
    isClosed: false,
    hasRoom() {
      return !this.isClosed && begun - ended < Math.max(1, max - others);
    },
    enter() {
      begun += 1;
      const endedBefore = ended;
      // Tasks that ended since may have been counted: never more than ours are taken for others'.
      const ownOpen = () => begun - endedBefore;
      return {
        onCreated: (openTasks: OpenTasks | null) => note(openTasks, ownOpen()),
        refuse: (openTasks: OpenTasks | null) => note(openTasks, ownOpen() - 1),
        leave() {
          ended += 1;
        },
      };
    },
  };
}
