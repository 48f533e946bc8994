import { setTimeout as delay } from "node:timers/promises";
import type { Event } from "@zoetrope/sdk";
import type { Session } from "../session.ts";

const pollMs = 2_000;

/** The ends of tasks after a number, or from now on; then every new one as it comes, if asked to. */
export async function* followEvents(
  { client, signal }: Session,
  { after, follow }: { after: number | undefined; follow: boolean },
): AsyncGenerator<Event> {
  let from = after ?? 0;
  let isOld = after === undefined && follow; // what was before now is passed over
  for (;;) {
    for await (const event of client.events(from, { signal })) {
      from = event.number;
      if (!isOld) yield event;
    }
    if (!follow) return;
    isOld = false;
    await delay(pollMs, undefined, { signal });
  }
}
