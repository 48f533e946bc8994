import { type ObjectContext, object } from "@restatedev/restate-sdk";
import type { Context } from "../context.ts";
import { canaryKeys } from "../engine/canary/canary-keys.ts";
import { recordAnswer, takeDuePartitions } from "../engine/canary/queries.ts";
import { objectOptionsOf, retryPolicyOf } from "../engine/durable.ts";
import { serviceName } from "../engine/service-name.ts";

/**
 * A partition can accept work and not run it, while the engine calls it active. So each is sent a
 * canary the way that tasks are woken, and where it runs, the row of the partition says when.
 */
export async function sendCanaries({ config, db, waker }: Context): Promise<void> {
  const { partitions, canaryMs } = config.engine;
  const keys = canaryKeys(partitions);
  for (const partition of await takeDuePartitions(db, partitions, canaryMs))
    waker.wake("canary", "answer", keys[partition] ?? "");
}

export function canaryObject({ config, db }: Context) {
  const keys = canaryKeys(config.engine.partitions);
  const retryPolicy = retryPolicyOf(config);
  return object({
    name: serviceName("canary", config.database.shard),
    handlers: {
      answer: (step: ObjectContext) =>
        step.run("record answer", () => recordAnswer(db, keys.indexOf(step.key)), retryPolicy),
    },
    options: objectOptionsOf(config),
  });
}
