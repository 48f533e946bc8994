import { recordAudit } from "../../audit/record-audit.ts";
import type { DirectoryContext } from "../../context.ts";
import { type DirectoryTx, inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { PersonActor, PersonId } from "../../ids.ts";
import { noticeTo } from "../me/queue-notice.ts";
import { noteProof, type Session } from "../session-queries.ts";
import { checkCode } from "./check-code.ts";
import { confirm, lockTotp, putUnconfirmed, replaceRecoveryCodes } from "./queries.ts";
import { hashRecoveryCode, newRecoveryCodes } from "./recovery-codes.ts";
import { newTotpSecret, otpauthUrlOf, storedTotpSecret } from "./totp.ts";

/** Authenticator apps show it above the code. */
const issuerOf = (publicUrl: string) => `Zoetrope (${new URL(publicUrl).host})`;

/** Makes a secret for an authenticator app. Sign-in asks for its codes once one was confirmed. */
export async function enrolTotp(ctx: DirectoryContext, actor: PersonActor, email: string) {
  const { personId } = actor;
  const secret = newTotpSecret();
  await inTransaction(ctx.db, async (tx) => {
    const stored = storedTotpSecret(ctx.keyRing, secret, personId);
    if (!(await putUnconfirmed(tx, personId, stored))) throw new ApiError("totp_enabled");
    await recordAudit(tx, actor, { accountId: null, action: "totp.enrol", object: personId });
  });
  return { secret, otpauthUrl: otpauthUrlOf(secret, issuerOf(ctx.config.links.publicUrl), email) };
}

/** Turns the authenticator app on, by a code of it. The recovery codes are shown this once. */
export async function confirmTotp(
  ctx: DirectoryContext,
  session: Pick<Session, "id" | "personId">,
  actor: PersonActor,
  code: string,
) {
  const { personId } = actor;
  return settle(ctx, async (tx) => {
    const row = await lockTotp(tx, personId);
    if (row?.isConfirmed) throw new ApiError("totp_enabled");
    const check = await checkCode(tx, ctx.keyRing, personId, code);
    if (check.kind === "refused") return check.error;
    await confirm(tx, personId);
    await recordAudit(tx, actor, { accountId: null, action: "totp.confirm", object: personId });
    await noteProof(tx, session, { isFactor: true });
    await noticeTo(ctx, tx, personId, "totpEnabled");
    return { recoveryCodes: await makeRecoveryCodes(tx, personId) };
  });
}

/** Replaces all recovery codes. */
export async function renewRecoveryCodes(ctx: DirectoryContext, actor: PersonActor) {
  const { personId } = actor;
  return inTransaction(ctx.db, async (tx) => {
    const row = await lockTotp(tx, personId);
    if (!row?.isConfirmed) throw new ApiError("totp_not_enabled");
    const change = { accountId: null, action: "recovery_codes.renew", object: personId } as const;
    await recordAudit(tx, actor, change);
    await noticeTo(ctx, tx, personId, "recoveryCodes");
    return { recoveryCodes: await makeRecoveryCodes(tx, personId) };
  });
}

async function makeRecoveryCodes(tx: DirectoryTx, personId: PersonId): Promise<string[]> {
  const codes = newRecoveryCodes();
  await replaceRecoveryCodes(tx, personId, codes.map(hashRecoveryCode));
  return codes;
}

/** A refusal is thrown after the commit: that a code was wrong stays counted. */
export async function settle<Result>(
  ctx: DirectoryContext,
  work: (tx: DirectoryTx) => Promise<Result | ApiError>,
): Promise<Result> {
  const result = await inTransaction(ctx.db, work);
  if (result instanceof ApiError) throw result;
  return result;
}
