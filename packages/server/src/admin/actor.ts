import assert from "node:assert";
import type { Actor } from "../actor.ts";
import type { StaffKind } from "../db/tables/admin.ts";

/** How a staff actor is stored beside what it did. */
export function storedActor(actor: Actor): { kind: StaffKind; name: string } {
  assert(actor.kind !== "key", "an API key does no work of operators");
  return { kind: actor.kind, name: actor.kind === "person" ? actor.personId : actor.user };
}
