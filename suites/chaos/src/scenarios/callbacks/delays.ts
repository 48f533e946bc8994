import { type Spread, spreadOf } from "@zoetrope/testkit/percentile.ts";
import { behaviourOf, type DeliveryEvidence, lateness } from "../../check/deliveries.ts";

/**
 * Returns the delays from the end of each task with a healthy receiver to its first attempt and to
 * its arrival, since a time.
 */
export function delaysOf(
  { events, deliveries, received }: DeliveryEvidence,
  sinceMs: number,
): { attempted: Spread; arrived: Spread } {
  const attempted: number[] = [];
  const arrived: number[] = [];
  for (const { id, createdMs } of events) {
    const delivery = deliveries.get(id);
    if (delivery === undefined || behaviourOf(delivery.url) !== "well" || createdMs < sinceMs)
      continue;
    attempted.push((delivery.attempts[0]?.startedMs ?? Number.POSITIVE_INFINITY) - createdMs);
    const [request] = received.get(`msg_${id}`) ?? [];
    arrived.push((request?.at ?? Number.POSITIVE_INFINITY) - createdMs);
  }
  return { attempted: spreadOf(attempted), arrived: spreadOf(arrived) };
}

/** Returns the delays of the second to fourth attempts after the promised times. */
export function latenessOf({ deliveries, speed }: DeliveryEvidence): Spread {
  const late: number[] = [];
  for (const { attempts } of deliveries.values())
    for (const [index, attempt] of attempts.entries()) {
      const before = attempts[index - 1];
      if (before !== undefined && before.durationMs !== null)
        late.push(lateness(before, attempt, speed));
    }
  return spreadOf(late);
}
