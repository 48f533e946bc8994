import type { Receiver } from "@zoetrope/testkit/start-receiver.ts";

/** The generations that an engine was asked to wake by a handler, alone or in batches, in order. */
export function wokenTasks(engine: Receiver, handler: "submit" | "poll"): string[] {
  return engine.received.flatMap(({ path, body }) => {
    if (path === `/generations/${handler}/send`) return Object.keys(JSON.parse(body));
    return new RegExp(`^/generation/([^/]+)/${handler}/send$`).exec(path)?.slice(1) ?? [];
  });
}
