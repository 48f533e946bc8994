import assert from "node:assert";
import type { StaffKind } from "../db/tables/admin.ts";
import { type Actor, personOf } from "../ids.ts";

/** Returns a staff actor as it is stored with its action: a service key as the person who issued it. */
export function storedActor(actor: Actor): { kind: StaffKind; name: string } {
  assert(actor.kind !== "key", "an API key does no work of operators");
  if (actor.kind === "command") return { kind: "command", name: actor.user };
  const personId = personOf(actor);
  assert(personId !== null);
  return { kind: "person", name: personId };
}
