import { inTransaction } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { type BegunSession, beginSession } from "./begin-session.ts";
import type { PeopleContext } from "./context.ts";
import { newDeviceToken, readDevice } from "./device.ts";
import { findPersonByEmail } from "./queries.ts";
import type { RequestFacts } from "./request-facts.ts";
import { needsSecondFactor } from "./second-factor.ts";

/**
 * Signs a person in by e-mail and password. The response and the time it takes are the same whether the
 * person does not exist, has no password, or the password is wrong.
 */
export async function signIn(
  ctx: PeopleContext,
  { email, password }: { email: string; password: string },
  facts: RequestFacts,
): Promise<BegunSession & { deviceToken: string }> {
  const { secret } = ctx.config.links;
  const device = readDevice(secret, email, facts.deviceToken);
  const giveBack = ctx.guesses.take({ email, network: facts.network, device });
  const person = await findPersonByEmail(ctx.db, email);
  const hash = person?.passwordHash ?? null;
  const isRight = await ctx.passwords.matches(hash, password, facts.network).catch((error) => {
    giveBack(); // it was not even looked at
    throw error;
  });
  if (person === undefined || !isRight) throw new ApiError("sign_in_failed");
  giveBack();
  const session = await inTransaction(ctx.db, async (tx) => {
    const awaitsFactor = await needsSecondFactor(tx, person.id);
    return beginSession(tx, person.id, facts, { awaitsFactor });
  });
  return { ...session, deviceToken: newDeviceToken(secret, email) };
}
