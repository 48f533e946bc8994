import { recordAudit } from "../audit/record-audit.ts";
import { type DirectoryDb, inTransaction } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { Actor } from "../ids.ts";
import { deleteLinksOf } from "./links.ts";
import { findPersonByEmail, updatePerson } from "./queries.ts";
import { deleteOtherSessions } from "./session-queries.ts";
import { requireChangeable } from "./staff/require-changeable.ts";
import { revokeServiceKeysOf } from "./staff/service-keys/queries.ts";
import { deleteTotp } from "./totp/queries.ts";
import { deleteWays, listWays, type Way } from "./ways-to-sign-in.ts";

/**
 * Ends all sessions of a person whom somebody else may have taken over. With `removesWays` nothing signs
 * in any longer, neither the password nor a passkey, a company sign-in or an authenticator app: a link
 * that is mailed to the person's address sets a new password. The service keys that the person issued end, too.
 */
export async function signOutByHand(
  db: DirectoryDb,
  actor: Actor,
  { email, removesWays }: { email: string; removesWays: boolean },
): Promise<{ ended: number; hasPassword: boolean; ways: Way[] }> {
  return inTransaction(db, async (tx) => {
    const person = await findPersonByEmail(tx, email);
    if (person === undefined)
      throw new ApiError("person_not_found", { message: `Nobody has the address ${email}.` });
    await requireChangeable(tx, actor, person.id);
    const ended = await deleteOtherSessions(tx, person.id, null);
    await deleteLinksOf(tx, person.id, ["password", "email"]);
    const ways = await listWays(tx, person.id);
    const revokedKeys = removesWays ? await revokeServiceKeysOf(tx, person.id) : [];
    if (removesWays) {
      await deleteWays(tx, person.id, "all");
      await deleteTotp(tx, person.id);
      await updatePerson(tx, person.id, { password_hash: null });
    }
    await recordAudit(tx, actor, {
      accountId: null,
      action: "person.sign_out",
      object: person.id,
      after: {
        ended,
        removed: removesWays ? ways.map(({ kind, id }) => `${kind} ${id}`) : [],
        revokedKeys: revokedKeys.length === 0 ? undefined : revokedKeys,
      },
    });
    return { ended, hasPassword: !removesWays && person.passwordHash !== null, ways };
  });
}
