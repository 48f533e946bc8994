import { recordAudit } from "../../audit/record-audit.ts";
import type { DirectoryContext } from "../../context.ts";
import { ApiError } from "../../errors.ts";
import { beginForPerson } from "../begin-for-person.ts";
import { personActor, type RequestFacts } from "../request-facts.ts";
import { deleteSession, type Session } from "../session-queries.ts";
import { checkCode } from "./check-code.ts";
import { settle } from "./enrol-totp.ts";

/** Ends the session that waits for a code and begins one that is signed in. */
export async function passSecondFactor(
  ctx: DirectoryContext,
  session: Session,
  code: string,
  facts: RequestFacts,
) {
  if (!session.awaitsFactor) throw new ApiError("second_factor_done");
  const { personId } = session;
  return settle(ctx, async (tx) => {
    const check = await checkCode(tx, ctx.keyRing, personId, code);
    if (check.kind === "refused") return check.error;
    if (!(await deleteSession(tx, session))) throw new ApiError("signed_out");
    if (check.by === "recovery_code")
      await recordAudit(tx, personActor(personId, facts), {
        accountId: null,
        action: "recovery_code.use",
        object: personId,
      });
    return beginForPerson(ctx, tx, personId, facts, { hasFactor: true });
  });
}
