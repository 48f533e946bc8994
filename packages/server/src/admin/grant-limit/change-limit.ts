import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import {
  decideLimitRow,
  findLimit,
  findPendingLimit,
  insertLimit,
  lockLimit,
} from "../../credits/limit-queries.ts";
import { inTransaction, withDirectory } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import { type Actor, type GrantLimitId, newId } from "../../ids.ts";
import { notifyOperators } from "../../people/staff/notify-operators.ts";
import { requireSecondPerson } from "../../people/staff/require-second-person.ts";
import { storedActor } from "../actor.ts";

type GrantLimitContext = Pick<Context, "db" | "directory">;

/** Sets the limit, or has it wait for a second person where it becomes higher. Replaces what waited. */
export async function changeLimit(
  ctx: GrantLimitContext,
  actor: Actor,
  credits: number | null,
): Promise<{ status: "set" | "pending" }> {
  const by = storedActor(actor);
  return withDirectory(ctx, async (tx, inDirectory) => {
    await lockLimit(tx);
    const before = await findLimit(tx);
    const most = before?.credits ?? null;
    const isRaised = most !== null && (credits === null || credits > most);
    const status = isRaised ? "pending" : "set";
    const waiting = await findPendingLimit(tx);
    if (waiting !== undefined) await decideLimitRow(tx, waiting.id, { isApproved: false, by });
    const id = newId<GrantLimitId>(0);
    await insertLimit(tx, { id, credits, status, by });
    await recordAudit(tx, actor, {
      accountId: null,
      action: isRaised ? "grant_limit.ask" : "grant_limit.set",
      object: id,
      before: { credits: most },
      after: { credits, status },
    });
    const kind = isRaised ? "limitWaits" : "limitSet";
    await inDirectory((directory) => notifyOperators(directory, actor, { kind, credits }));
    return { status };
  });
}

export async function decideLimit(
  ctx: GrantLimitContext,
  actor: Actor,
  { isApproved }: { isApproved: boolean },
): Promise<void> {
  const by = storedActor(actor);
  await withDirectory(ctx, async (tx, inDirectory) => {
    await lockLimit(tx);
    const waiting = await findPendingLimit(tx);
    if (waiting === undefined) throw new ApiError("grant_decided");
    const asked = { kind: waiting.askedKind, name: waiting.askedBy };
    if (isApproved)
      await inDirectory((directory) => requireSecondPerson(directory, actor, asked, null));
    await decideLimitRow(tx, waiting.id, { isApproved, by });
    await recordAudit(tx, actor, {
      accountId: null,
      action: isApproved ? "grant_limit.approve" : "grant_limit.reject",
      object: waiting.id,
      after: { credits: waiting.credits },
    });
    const notice = { kind: "limitApproved", credits: waiting.credits } as const;
    if (isApproved) await inDirectory((directory) => notifyOperators(directory, actor, notice));
  });
}

/** The first limit of a deployment is that of its setting. Afterwards only the row counts. */
export async function adoptLimit(
  { db }: Pick<GrantLimitContext, "db">,
  credits: number | null,
): Promise<void> {
  if (credits === null) return;
  await inTransaction(db, async (tx) => {
    await lockLimit(tx);
    if ((await findLimit(tx)) !== undefined) return;
    const by = { kind: "command", name: "GRANT_APPROVAL_ABOVE" } as const;
    await insertLimit(tx, { id: newId<GrantLimitId>(0), credits, status: "set", by });
  });
}

/** Warns that one operator may grant any number of credits alone. In development that is usual. */
export async function warnOfNoLimit({
  db,
  log,
  config,
}: Pick<Context, "db" | "log" | "config">): Promise<void> {
  if (!config.isProduction) return;
  const limit = await findLimit(db);
  if (limit !== undefined && limit.credits !== null) return;
  const command = "run `zoetrope admin grant-limit set --credits N`";
  const next = limit === undefined ? `set GRANT_APPROVAL_ABOVE, or ${command}` : command;
  log.warn({
    event: "grants.unlimited",
    reason: `one operator may grant any number of credits without a second person: ${next}`,
  });
}
