import type { DirectoryContext } from "../../context.ts";
import { ApiError } from "../../errors.ts";
import { findPerson, listAccounts } from "../queries.ts";
import type { Session } from "../session-queries.ts";

/** The person of a session, with the accounts that it can choose. */
export async function readMe(ctx: DirectoryContext, session: Session) {
  const person = await findPerson(ctx.db, session.personId);
  if (person === undefined) throw new ApiError("signed_out");
  const accounts = await listAccounts(ctx.db, session.personId);
  const { id: personId, email, name, language } = person;
  return { personId, email, name, language, accounts, staffRole: session.staffRole };
}
