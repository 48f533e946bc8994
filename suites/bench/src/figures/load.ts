import { setTimeout as pause } from "node:timers/promises";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import type { Stack } from "@zoetrope/dev/stack.ts";
import { type Customer, create } from "../customer.ts";
import { failingWord } from "../instant-vendor.ts";

/** The other work that the service does during the measurement. */
export interface Load {
  readonly customer: Customer;
  readonly keys: readonly string[];
}

const clients = 16;
const livesAtOnce = 64;
const lives = 1_000;

const createNth = ({ customer, keys }: Load, n: number) =>
  create(customer, keys[n % keys.length] ?? "", `a fox ${failingWord}`);

/** Returns the number of creates in each second, with as many as the clients can make. */
export async function createAtOnce(load: Load, seconds: number): Promise<number[]> {
  const startedAt = performance.now();
  const second = () => Math.floor((performance.now() - startedAt) / 1_000);
  const counts = Array<number>(seconds).fill(0);
  const one = async (client: number) => {
    for (let n = client; second() < seconds; n++) {
      await createNth(load, n);
      const at = second();
      if (at < seconds) counts[at] = (counts[at] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => one(client)));
  return counts.slice(1); // the first one begins cold
}

/** Tasks a second from create to callback, many at once: what the machine carries. */
export async function measureLives(load: Load, stack: Stack): Promise<number> {
  const startedAt = performance.now();
  let next = 0;
  const one = async () => {
    for (let n = next++; n < lives; n = next++) await createNth(load, n);
  };
  await Promise.all(Array.from({ length: livesAtOnce }, one));
  await untilEmpty(stack);
  return lives / ((performance.now() - startedAt) / 1_000);
}

/** Runs work while tasks are created at fixed times, whether or not earlier creates have a response. */
export async function underLoad(load: Load, rate: number, work: () => Promise<void>) {
  let isOver = false;
  const sent: Promise<unknown>[] = [];
  const send = async () => {
    const startedAt = performance.now();
    for (let n = 0; !isOver; n++) {
      await pause(Math.max(0, startedAt + (n * 1_000) / rate - performance.now()));
      sent.push(createNth(load, n));
    }
  };
  const sending = send();
  await work();
  isOver = true;
  await sending;
  await Promise.all(sent);
}

/** Waits until no task and no callback is open. */
export async function untilEmpty(stack: Stack): Promise<void> {
  const open = "select 1 from open_tasks union all select 1 from open_deliveries limit 1";
  await withClient(stack.databaseOwnerUrl, async (db) => {
    while ((await db.query(open)).rows.length > 0) await pause(50);
  });
}
