import type { Db } from "../db/database.ts";
import type { PersonId } from "../ids.ts";
import { hasTotp } from "./totp/queries.ts";

/** Whether a password, or the word of a company's provider, is not enough for this person. */
export function needsSecondFactor(db: Db, personId: PersonId): Promise<boolean> {
  return hasTotp(db, personId);
}
