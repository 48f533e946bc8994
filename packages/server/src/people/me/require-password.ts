import { ApiError } from "../../errors.ts";
import type { PeopleContext } from "../context.ts";
import { findPerson } from "../queries.ts";
import type { RequestFacts } from "../request-facts.ts";
import type { Session } from "../session-queries.ts";

/**
 * Requires the password again for sensitive changes, so that an unattended browser is not enough to take
 * over the person. A person without a password, who signs in in another way, needs none here.
 */
export async function requirePassword(
  ctx: PeopleContext,
  session: Session,
  password: string | undefined,
  { network }: RequestFacts,
) {
  const person = await findPerson(ctx.db, session.personId);
  if (person === undefined) throw new ApiError("signed_out");
  if (person.passwordHash === null && password === undefined) return person;
  const giveBack = ctx.guesses.take({ email: person.email, network, device: session.id });
  if (!(await ctx.passwords.matches(person.passwordHash, password ?? "", network)))
    throw new ApiError("password_wrong");
  giveBack();
  return person;
}
