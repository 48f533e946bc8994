import { InvalidArgumentError, type SharedV4Warning } from "@ai-sdk/provider";
import {
  ConcurrencyLimitError,
  type TaskRequest,
  type Zoetrope,
  ZoetropeError,
} from "@zoetrope/sdk";

/**
 * The maximum number of tasks of one call, which makes all of them, so that each gets its own key
 * and nothing is made twice.
 */
const tasksPerCallMax = 10;
/** Above every `n`: the AI SDK would otherwise split a call into several with the same key. */
export const perCallMax = 1_000_000;

interface Start {
  request: TaskRequest;
  count: number;
  idempotencyKey: string;
  signal: AbortSignal | undefined;
}

/**
 * Creates so many tasks of one request. The first refusal is thrown if nothing was created. Later ones
 * leave fewer tasks and a warning: those that exist are paid for and must not be lost.
 */
export async function startTasks(
  client: Zoetrope,
  start: Start,
  warnings: SharedV4Warning[],
): Promise<[string, ...string[]]> {
  const { count, signal } = start;
  const create = (index: number) =>
    client.tasks.create(numbered(start.request, index), {
      idempotencyKey: index === 0 ? start.idempotencyKey : `${start.idempotencyKey}#${index + 1}`,
      signal,
    });
  const first = await create(0);
  const taskIds: [string, ...string[]] = [first.taskId];
  let over = 0; // how many of these tasks were waited for
  while (taskIds.length < count)
    try {
      const { taskId } = await create(taskIds.length);
      taskIds.push(taskId);
    } catch (error) {
      const next = taskIds[over];
      if (error instanceof ConcurrencyLimitError && next !== undefined) {
        await client.tasks.wait(next, { signal }); // its end makes room
        over += 1;
        continue;
      }
      if (!(error instanceof ZoetropeError)) throw error;
      const message = `Only ${taskIds.length} of ${count} were created: ${error.message}`;
      warnings.push({ type: "other", message });
      break;
    }
  return taskIds;
}

/** Changes the seed by the index: an unchanged seed would make the same thing again. */
function numbered(request: TaskRequest, index: number): TaskRequest {
  const { seed } = request.inputs as { seed?: unknown };
  if (typeof seed !== "number" || seed < 0 || index === 0) return request;
  const inputs = { ...request.inputs, seed: (seed + index) % 2 ** 31 };
  return { ...request, inputs } as TaskRequest;
}

export function requireCount(count: number): number {
  if (Number.isInteger(count) && count >= 1 && count <= tasksPerCallMax) return count;
  throw new InvalidArgumentError({
    argument: "n",
    message: `n must be a whole number from 1 to ${tasksPerCallMax}.`,
  });
}

/** The caller's own key, or the one that the AI SDK made for this call. */
export function findKey(headers: Record<string, string | undefined> = {}): string | undefined {
  for (const [name, value] of Object.entries(headers))
    if (name.toLowerCase() === "idempotency-key" && value) return value;
  return undefined;
}

/** The client has one set of headers: others of a call would not arrive. */
export function warnOfHeaders(
  headers: Record<string, string | undefined> = {},
  warnings: SharedV4Warning[],
): void {
  const known = new Set(["idempotency-key", "user-agent"]);
  const others = Object.keys(headers).filter((name) => !known.has(name.toLowerCase()));
  if (others.length === 0) return;
  const details = `${others.join(", ")}: pass headers to createZoetrope.`;
  warnings.push({ type: "unsupported", feature: "headers", details });
}
