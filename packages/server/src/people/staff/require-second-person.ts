import type { AskedBy } from "../../credits/limit-queries.ts";
import type { DirectoryDb } from "../../db/database.ts";
import { ApiError, type Text } from "../../errors.ts";
import { type AccountId, type Actor, type PersonId, personOf } from "../../ids.ts";
import { isPersonOf } from "../members/queries.ts";
import { findStaff } from "./queries.ts";

/** The minimum number of days on the staff for a second person. */
export const staffDaysMin = 7;

/**
 * Refuses a second person who is not independent of the first: the same one, somebody of the same chain of
 * invitations, somebody new, or a person of the account that gets the credits. Operators of separate chains
 * were all made by a command, and people who run commands are trusted, since they have access to the
 * database. A service key is the person who issued it.
 */
export async function requireSecondPerson(
  directory: DirectoryDb,
  actor: Actor,
  asked: AskedBy,
  accountId: AccountId | null,
): Promise<void> {
  const refuse = (message: Text): never => {
    throw new ApiError("second_person_needed", { message });
  };
  if (actor.kind === "command" && asked.kind === "command" && actor.user === asked.name)
    throw new ApiError("second_person_needed");
  const personId = personOf(actor);
  if (personId === null) return;
  if (asked.kind === "person" && asked.name === personId)
    throw new ApiError("second_person_needed");
  const staff = await findStaff(directory, personId);
  if (staff === undefined || staff.days < staffDaysMin)
    return refuse({
      en: `Who approves must have been of the staff for ${staffDaysMin} days. Ask another operator.`,
      zh: `批准人成为工作人员须满 ${staffDaysMin} 天。请联系另一位运营人员。`,
    });
  const asker = asked.kind === "person" ? await findStaff(directory, asked.name as PersonId) : null;
  if (asker === undefined || (asker !== null && asker.role !== "operator"))
    return refuse({
      en: "Who asked is no longer an operator. Ask for it again, and have another operator approve it.",
      zh: "申请人已不是运营人员。请重新申请，并由另一位运营人员批准。",
    });
  if (asker?.origin === staff.origin)
    return refuse({
      en: "You and who asked are of one chain of invitations: one of you has invited the other, or somebody has invited both. Ask an operator who was made by 'operator person create-operator'.",
      zh: "您与申请人属于同一邀请链：一方邀请了另一方，或双方由同一人邀请。请联系由命令 'operator person create-operator' 创建的运营人员。",
    });
  if (accountId !== null && (await isPersonOf(directory, accountId, personId)))
    return refuse({
      en: "You belong to the account that it is for. Another operator must approve it.",
      zh: "您属于该账户，须由另一位运营人员批准。",
    });
}
