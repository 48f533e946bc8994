import type { DirectoryDb } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { Actor, PersonId } from "../../ids.ts";
import { findStaff } from "./queries.ts";

/** Refuses a service key that would change how somebody of the staff signs in. */
export async function requireChangeable(
  db: DirectoryDb,
  actor: Actor,
  personId: PersonId,
): Promise<void> {
  if (actor.kind === "service" && (await findStaff(db, personId)) !== undefined)
    throw new ApiError("person_required", {
      message: {
        en: "This person is of the staff, whom no service key changes. Sign in to do it.",
        zh: "此人是工作人员，服务密钥不能更改。请登录后操作。",
      },
    });
}
