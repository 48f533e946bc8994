import assert from "node:assert";
import { type Actor, personOf } from "../../ids.ts";

/**
 * The name under which an actor claims and judges. A person's is an id, so that no command can have it; a
 * service key judges as the person who issued it.
 */
export function reviewerOf(actor: Actor): string {
  assert(actor.kind !== "key", "an API key reviews nothing");
  return actor.kind === "command" ? `command ${actor.user}` : String(personOf(actor));
}
