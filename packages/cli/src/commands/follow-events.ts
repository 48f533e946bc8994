import type { Event } from "@zoetrope/sdk";
import type { Session } from "../session.ts";

/** The ends of tasks after a number, or from now on; then every new one as it comes, if asked to. */
export function followEvents(
  { client, signal }: Session,
  { after, follow }: { after: number | undefined; follow: boolean },
): AsyncGenerator<Event> {
  return client.events(after ?? null, { signal, follow });
}
