import { recordAudit } from "../audit/record-audit.ts";
import type { DirectoryContext } from "../context.ts";
import { inTransaction } from "../db/database.ts";
import { personActor, type RequestFacts } from "./request-facts.ts";
import { deleteSession, type Session } from "./session-queries.ts";

/** Ends the session at once, everywhere. */
export async function signOut(
  ctx: DirectoryContext,
  session: Session,
  facts: RequestFacts,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    if (!(await deleteSession(tx, session))) return;
    await recordAudit(tx, personActor(session.personId, facts), {
      accountId: null,
      action: "session.end",
      object: session.id,
    });
  });
}
