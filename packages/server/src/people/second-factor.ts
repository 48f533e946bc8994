import type { Db } from "../db/database.ts";
import type { PersonId } from "../ids.ts";

/** Whether the password alone is not enough for this person. */
export async function needsSecondFactor(_db: Db, _personId: PersonId): Promise<boolean> {
  return false;
}
