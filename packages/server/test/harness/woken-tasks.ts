import type { Receiver } from "@zoetrope/testkit/start-receiver.ts";

/** The generations that an engine was asked to wake by a handler, in order. */
export function wokenTasks(engine: Receiver, handler: "submit" | "poll"): string[] {
  const pattern = new RegExp(`^/generation/([^/]+)/${handler}/send$`);
  return engine.received.flatMap(({ path }) => pattern.exec(path)?.slice(1) ?? []);
}
