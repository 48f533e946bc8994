import type { z } from "zod";
import { findTestAccount } from "../../accounts/queries.ts";
import { discountOf, listNotes, type StaffAccountRow } from "../../accounts/staff-queries.ts";
import { readOwnLimits } from "../../assets/library-queries.ts";
import type { Context } from "../../context.ts";
import type { AccountId } from "../../ids.ts";
import { readInvitations, readMembers } from "../../people/members/read-members.ts";
import { createActorView, msOf } from "../schema.ts";
import { requireAccount } from "./require-account.ts";
import type { accountAnswer } from "./schema.ts";

const notesMax = 20;

/** An account with its limits, its usage, its people and the newest notes. */
export async function showAccount(
  { db, directory, config }: Pick<Context, "db" | "directory" | "config">,
  accountId: AccountId,
): Promise<z.output<typeof accountAnswer>> {
  const account = await requireAccount(db, accountId);
  const people = account.testOf ?? accountId; // a test account has those of its account
  const limits = await readOwnLimits(db, accountId);
  const notes = await listNotes(db, accountId, { before: null, rowsMax: notesMax });
  const view = await createActorView(
    { directory },
    notes.map(({ actorKind, actor }) => ({ kind: actorKind, by: actor })),
  );
  return {
    ...viewAccount(account),
    ...limits,
    testAccountId: (await findTestAccount(db, accountId)) ?? null,
    webhookTailHours: account.webhookTailHours,
    testMode: account.testMode,
    ...(await readMembers(directory, people)),
    ...(await readInvitations({ db: directory.db, config }, people)),
    notes: notes.map(({ id, note, actorKind, actor, createdAt }) => ({
      noteId: id,
      note,
      by: view(actorKind, actor),
      time: createdAt.getTime(),
    })),
  };
}

export function viewAccount(row: StaffAccountRow) {
  const { id, name, credits, held, priceBook, openTasksMax, testOf, suspendedReason } = row;
  const isSuspended = row.suspendedAt !== null;
  const state = row.closedAt !== null ? "closed" : isSuspended ? "suspended" : "active";
  return {
    accountId: id,
    name,
    state: state as "active" | "suspended" | "closed",
    suspendedAt: msOf(row.suspendedAt),
    suspendedReason,
    credits,
    availableCredits: credits - held,
    priceBook,
    discount: discountOf(row),
    openTasksMax,
    testOf,
    createdAt: row.createdAt.getTime(),
  };
}
