import { inParallel } from "@zoetrope/testkit/in-parallel.ts";
import { create, type OutputType, untilOver } from "../customer.ts";
import { now } from "../instant-vendor.ts";
import type { Service } from "./start-service.ts";

const prompt = "a fox crosses a frozen lake";

/**
 * Creates tasks and waits until the customer has been called about each. Returns the marks that each output
 * says it carries; none in a release without them.
 */
export function storeOutputs(
  { customer, keys, vendor }: Service,
  { count, atOnce, type = "video" }: { count: number; atOnce: number; type?: OutputType },
): Promise<(readonly string[])[]> {
  return inParallel(atOnce, Array(count).keys(), async (n) => {
    const taskId = await create(customer, keys[n % keys.length] ?? "", prompt, type);
    const { status, output } = (await vendor.seen(taskId)).body;
    if (status !== "COMPLETED") throw new Error(`${taskId} ended as ${status}`);
    return output?.[0]?.labels ?? [];
  });
}

/** Milliseconds from the end of a vendor's job until the client that waits has its output. */
export async function probeVideo(
  { customer, keys, vendor }: Service,
  nth: number,
): Promise<number> {
  const key = keys[nth % keys.length] ?? "";
  const taskId = await create(customer, key, prompt);
  const status = await untilOver(customer, key, taskId);
  const knownAt = now();
  if (status !== "COMPLETED") throw new Error(`${taskId} ended as ${status}`);
  return knownAt - (await vendor.seen(taskId)).endedAt;
}
