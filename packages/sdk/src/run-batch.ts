import { anySignal, orAbort } from "./abort.ts";
import { ConcurrencyLimitError, type OpenTasks, ZoetropeError } from "./errors.ts";

export interface BatchOptions {
  /** How many tasks at once; `account`: as many as the account may have. */
  concurrency?: number | "account" | undefined;
  signal?: AbortSignal | undefined;
}

export type BatchResult<Value> =
  | { index: number; status: "completed"; value: Value }
  | { index: number; status: "failed"; error: unknown };

/** Creates a task, tells what the answer says about open tasks, and waits for its end. */
export type BatchJob<Value> = (
  signal: AbortSignal,
  tell: (openTasks: OpenTasks | null) => void,
) => Promise<Value>;

/** Of an account, unless its operator changed it: for services that do not tell. */
const openTasksUsual = 3;
const retryMs = 5_000;

/**
 * Runs every job, as many at once as allowed, and answers each result as soon as it is there. One that
 * fails stops no other. The next one begins as soon as one is over, also while the caller is busy with a
 * result. Where something else uses the account too, a job that finds no room waits for it.
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
  const room = createRoom(concurrency);
  let pause: ReturnType<typeof setTimeout> | undefined;
  let wake = () => {};

  const begin = async (index: number, job: BatchJob<Value>): Promise<void> => {
    const place = room.enter();
    const tell = (openTasks: OpenTasks | null) => {
      place.tell(openTasks);
      fill();
    };
    try {
      results.push({ index, status: "completed", value: await job(ending, tell) });
    } catch (error) {
      if (error instanceof ConcurrencyLimitError && !ending.aborted) {
        place.refuse(error.openTasks);
        waiting.unshift(index);
        clearTimeout(pause);
        pause = setTimeout(resume, Math.max(error.retryAfterMs ?? 0, retryMs));
        room.isClosed = true;
      } else results.push({ index, status: "failed", error });
    }
    place.leave();
    fill();
    wake();
  };
  const resume = () => {
    room.isClosed = false;
    fill();
  };
  const fill = () => {
    while (!ending.aborted && waiting.length > 0 && room.hasRoom()) {
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
 * Counts how many tasks may be begun. The first create tells the account's limit; every further one tells
 * how many tasks are open, of which those that are not ours take room away.
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
        tell: (openTasks: OpenTasks | null) => note(openTasks, ownOpen()),
        refuse: (openTasks: OpenTasks | null) => note(openTasks, ownOpen() - 1),
        leave() {
          ended += 1;
        },
      };
    },
  };
}
