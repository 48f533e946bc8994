import type { Actor } from "../../actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { type Db, inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { PersonId } from "../../ids.ts";
import type { PeopleContext } from "../context.ts";
import { findPerson, findPersonByEmail } from "../queries.ts";
import { personActor, type RequestFacts } from "../request-facts.ts";
import { checkCode, refuseAttempt } from "./check-code.ts";
import { settle } from "./enrol-totp.ts";
import { deleteTotp, lockTotp } from "./queries.ts";

export type Proof = { code: string } | { password: string };

/** Turns the authenticator app off. A session is not enough: it needs a code or the password. */
export async function disableTotp(
  ctx: PeopleContext,
  personId: PersonId,
  proof: Proof,
  facts: RequestFacts,
): Promise<void> {
  const isPasswordRight = "password" in proof && (await isPassword(ctx, personId, proof, facts));
  await settle(ctx, async (tx) => {
    const row = await lockTotp(tx, personId);
    if (!row?.isConfirmed) throw new ApiError("totp_not_enabled");
    if ("code" in proof) {
      const check = await checkCode(tx, ctx.keyRing, personId, proof.code);
      if (check.kind === "refused") return check.error;
    } else {
      const refusal = await refuseAttempt(tx, personId, row, isPasswordRight);
      if (refusal !== null) return refusal;
    }
    await deleteTotp(tx, personId);
    const by = "code" in proof ? "code" : "password";
    await recordAudit(tx, personActor(personId, facts), {
      ...{ accountId: null, action: "totp.disable", object: personId, after: { by } },
    });
    return null;
  });
}

/** For a person who lost the app and the recovery codes. */
export async function removeTotpByHand(db: Db, actor: Actor, email: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const person = await findPersonByEmail(tx, email);
    if (person === undefined || !(await deleteTotp(tx, person.id)))
      throw new ApiError("totp_not_enabled", {
        message: `Nobody with the address ${email} has an authenticator app.`,
      });
    await recordAudit(tx, actor, { accountId: null, action: "totp.remove", object: person.id });
  });
}

async function isPassword(
  ctx: PeopleContext,
  personId: PersonId,
  { password }: { password: string },
  { network }: RequestFacts,
): Promise<boolean> {
  const person = await findPerson(ctx.db, personId);
  return ctx.passwords.matches(person?.passwordHash ?? null, password, network);
}
