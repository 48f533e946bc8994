import type { DirectoryContext } from "../../context.ts";
import { inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import { beginForPerson } from "../begin-for-person.ts";
import type { RequestFacts } from "../request-facts.ts";
import { noteUse } from "./queries.ts";
import type { AssertionBody } from "./schema.ts";
import { verifyPasskey } from "./use-passkey.ts";

/** Signs a person in. The passkey is something that the person has, unlocked by the person: both factors. */
export async function signInWithPasskey(
  ctx: DirectoryContext,
  body: AssertionBody,
  facts: RequestFacts,
) {
  const { id, personId, counter } = await verifyPasskey(ctx, body, null);
  return inTransaction(ctx.db, async (tx) => {
    if (!(await noteUse(tx, id, counter))) throw new ApiError("passkey_refused");
    return beginForPerson(ctx, tx, personId, facts, { hasFactor: true });
  });
}
