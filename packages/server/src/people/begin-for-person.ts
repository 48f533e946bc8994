import type { DirectoryContext } from "../context.ts";
import type { DirectoryTx } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { PersonId } from "../ids.ts";
import { type BegunSession, beginSession } from "./begin-session.ts";
import { newDeviceToken } from "./device.ts";
import { findPerson } from "./queries.ts";
import type { RequestFacts } from "./request-facts.ts";

/** Begins a session of a person who proved who it is by something else than e-mail and password. */
export async function beginForPerson(
  ctx: DirectoryContext,
  tx: DirectoryTx,
  personId: PersonId,
  facts: RequestFacts,
  options: { awaitsFactor?: boolean; hasFactor?: boolean } = {},
): Promise<BegunSession & { deviceToken: string }> {
  const person = await findPerson(tx, personId);
  if (person === undefined) throw new ApiError("signed_out");
  const session = await beginSession(tx, personId, facts, options);
  return { ...session, deviceToken: newDeviceToken(ctx.config.links.secret, person.email) };
}
