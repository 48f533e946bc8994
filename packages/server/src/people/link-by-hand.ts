import { recordAudit } from "../audit/record-audit.ts";
import { type DirectoryDb, inTransaction } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { Actor } from "../ids.ts";
import { deleteLinksOf, insertLink, tokenByHand } from "./links.ts";
import { findPersonByEmail } from "./queries.ts";

/**
 * Makes a link that sets a new password, for a person who gets no mail. The operator who runs the command
 * hands it over.
 */
export async function linkByHand(
  db: DirectoryDb,
  actor: Actor,
  email: string,
): Promise<{ token: string }> {
  return inTransaction(db, async (tx) => {
    const person = await findPersonByEmail(tx, email);
    if (person === undefined)
      throw new ApiError("person_not_found", { message: `Nobody has the address ${email}.` });
    await deleteLinksOf(tx, person.id, ["password"]);
    const purpose = { kind: "password", personId: person.id } as const;
    const linkId = await insertLink(tx, person.email, purpose);
    await recordAudit(tx, actor, {
      accountId: null,
      action: "person.link_password",
      object: person.id,
    });
    return tokenByHand(tx, linkId);
  });
}
