import { recordAudit } from "../../audit/record-audit.ts";
import { type DirectoryTx, inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { PeopleContext } from "../context.ts";
import { requirePassword } from "../me/require-password.ts";
import { noteUse } from "../passkeys/queries.ts";
import type { AssertionBody } from "../passkeys/schema.ts";
import { verifyPasskey } from "../passkeys/use-passkey.ts";
import { personActor, type RequestFacts } from "../request-facts.ts";
import { needsSecondFactor } from "../second-factor.ts";
import { noteProof, type Session } from "../session-queries.ts";
import { checkCode } from "../totp/check-code.ts";
import { settle } from "../totp/enrol-totp.ts";
import type { ProofBody, ProofWay } from "./schema.ts";

type Owner = Pick<Session, "id" | "personId">;

/** Proves that the user of a session is its person, by the same means as a sign-in. */
export async function prove(
  ctx: PeopleContext,
  session: Session,
  body: ProofBody,
  facts: RequestFacts,
): Promise<void> {
  if ("password" in body) return proveByPassword(ctx, session, body.password, facts);
  if ("code" in body) return proveByCode(ctx, session, body.code, facts);
  return proveByPasskey(ctx, session, body, facts);
}

async function proveByPassword(
  ctx: PeopleContext,
  session: Session,
  password: string,
  facts: RequestFacts,
): Promise<void> {
  await requirePassword(ctx, session, password, facts);
  await inTransaction(ctx.db, (tx) => noteFirstFactor(tx, session, "password", facts));
}

/** A password, or the word of a company's provider: not enough for a person with an authenticator app. */
export async function noteFirstFactor(
  tx: DirectoryTx,
  session: Owner,
  by: "password" | "oidc",
  facts: RequestFacts,
): Promise<void> {
  if (await needsSecondFactor(tx, session.personId)) throw new ApiError("second_factor_required");
  await note(tx, session, by, facts);
}

async function proveByCode(
  ctx: PeopleContext,
  session: Session,
  code: string,
  facts: RequestFacts,
): Promise<void> {
  await settle(ctx, async (tx) => {
    const check = await checkCode(tx, ctx.keyRing, session.personId, code);
    if (check.kind === "refused") return check.error;
    await note(tx, session, "code", facts);
    return null;
  });
}

async function proveByPasskey(
  ctx: PeopleContext,
  session: Session,
  body: AssertionBody,
  facts: RequestFacts,
): Promise<void> {
  const { id, counter } = await verifyPasskey(ctx, body, session.personId);
  await inTransaction(ctx.db, async (tx) => {
    if (!(await noteUse(tx, id, counter))) throw new ApiError("passkey_refused");
    await note(tx, session, "passkey", facts);
  });
}

async function note(
  tx: DirectoryTx,
  session: Owner,
  by: ProofWay,
  facts: RequestFacts,
): Promise<void> {
  await noteProof(tx, session, { isFactor: by === "code" || by === "passkey" });
  await recordAudit(tx, personActor(session.personId, facts), {
    accountId: null,
    action: "session.prove",
    object: session.id,
    after: { by },
  });
}
