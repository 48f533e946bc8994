import { ApiError } from "../../errors.ts";
import type { PeopleContext } from "../context.ts";
import { findPerson } from "../queries.ts";
import type { RequestFacts } from "../request-facts.ts";
import type { Session } from "../session-queries.ts";

/** Whoever finds a browser open must not take the person over: what matters needs the password again. */
export async function requirePassword(
  ctx: PeopleContext,
  session: Session,
  password: string,
  { network }: RequestFacts,
) {
  const person = await findPerson(ctx.db, session.personId);
  if (person === undefined) throw new ApiError("signed_out");
  const giveBack = ctx.guesses.take({ email: person.email, network, device: session.id });
  if (!(await ctx.passwords.matches(person.passwordHash, password, network)))
    throw new ApiError("password_wrong");
  giveBack();
  return person;
}
