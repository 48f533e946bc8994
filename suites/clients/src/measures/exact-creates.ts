import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { Zoetrope } from "@zoetrope/sdk";
import { inParallel } from "@zoetrope/testkit/in-parallel.ts";
import type { Service } from "../start-service.ts";

export interface Target {
  /** The service behind faults. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

export interface ExactCreates {
  /**
   * The number of tasks that the service has and that a create returned; the count if everything is
   * right.
   */
  readonly exact: number;
  /** Tasks that the service has. */
  readonly made: number;
  readonly faults: number;
}

/** Only what hangs reaches it. */
const halfMsMax = 600_000;

/**
 * Lets a client make this many tasks through resets, 500s, 429s and lost responses, kills the api
 * when half of them are there, and counts the tasks of the service. No worker runs, so that all
 * tasks stay.
 */
export async function countExactCreates(
  { stack, proxy }: Service,
  count: number,
  createAll: (target: Target) => Promise<readonly string[]>,
): Promise<ExactCreates> {
  const account = { name: "exact", credits: 100 * count, openTasksMax: count + 1 };
  const { key, accountId } = await stack.openAccount(account);
  await stack.worker.stop();
  const readIds = () =>
    withClient(stack.databaseOwnerUrl, async (db) => {
      const text = "select id from tasks where account_id = $1";
      return (await db.query<{ id: string }>(text, [accountId])).rows.map(({ id }) => id);
    });
  const faultsBefore = proxy.faults;
  const creating = createAll({ baseUrl: `${proxy.url}/faulty`, apiKey: key });
  creating.catch(() => {}); // reported below, once the api is back
  const isHalfDone = async () => (await readIds()).length >= count / 2;
  const limits = { timeoutMs: halfMsMax, intervalMs: 200 };
  await Promise.race([creating, waitUntil("half of the tasks are there", isHalfDone, limits)]);
  await stack.api.kill();
  await stack.api.restart();
  const answered = new Set(await creating);
  const made = await readIds();
  await stack.worker.restart();
  const exact = made.filter((id) => answered.has(id)).length;
  return { exact, made: made.length, faults: proxy.faults - faultsBefore };
}

/** Creates tasks with the SDK, ten at a time, as a program that outlives its errors would. */
export async function createWithSdk(target: Target, count: number): Promise<string[]> {
  const client = new Zoetrope(target);
  const numbers = Array.from({ length: count }, (_, n) => n);
  return inParallel(10, numbers, (n) => createOne(client, n));
}

async function createOne(client: Zoetrope, n: number): Promise<string> {
  let idempotencyKey: string | undefined;
  for (;;)
    try {
      const request = { model: "image-plus-2" as const, inputs: { prompt: `fox ${n}` } };
      return (await client.tasks.create(request, { idempotencyKey })).taskId;
    } catch (error) {
      const key = error instanceof Error && "idempotencyKey" in error ? error.idempotencyKey : null;
      if (typeof key !== "string") throw error;
      idempotencyKey = key;
    }
}
