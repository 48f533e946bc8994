import assert from "node:assert";
import type { Actor } from "../../actor.ts";

/** The name under which an actor claims and judges. A person's is an id, so that no command can have it. */
export function reviewerOf(actor: Actor): string {
  assert(actor.kind !== "key", "an API key reviews nothing");
  return actor.kind === "person" ? actor.personId : `command ${actor.user}`;
}
