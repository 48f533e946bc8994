import type { AttemptResult } from "../../batches/record-attempts.ts";
import type { Context } from "../../context.ts";
import { withDirectory } from "../../db/database.ts";
import { createWriteBehind } from "../../flow/write-behind.ts";
import type { EndpointId } from "../../ids.ts";
import { type HealthChange, pauseFailing, saveHealth } from "./health-queries.ts";
import { notifyPaused } from "./notify-paused.ts";

const defaults = {
  waitMs: 1_000,
  rowsMax: 500,
  /** Endpoints that wait to be saved. */
  waitingMax: 20_000,
};
const pauseAfterDaysUsual = 5;

interface HealthNotes {
  note(endpointId: EndpointId, result: AttemptResult, at?: Date): void;
  close(): Promise<void>;
}

/**
 * Collects the results of endpoints, so that an endpoint with many attempts is one write a second. Unsaved
 * results of a process that dies are lost; the next attempt replaces them. An endpoint that failed for days
 * is paused here.
 */
export function createHealthNotes(
  ctx: Context,
  changes: Partial<typeof defaults & { pauseAfterDays: number }> = {},
): HealthNotes {
  const { pauseAfterDays = pauseAfterDaysUsual, ...limits } = { ...defaults, ...changes };

  async function pause(failing: readonly EndpointId[]): Promise<void> {
    if (failing.length === 0) return;
    const paused = await withDirectory(ctx, async (tx, inDirectory) => {
      const endpoints = await pauseFailing(tx, failing, pauseAfterDays);
      for (const endpoint of endpoints) await notifyPaused(ctx, inDirectory, endpoint);
      return endpoints;
    });
    for (const { id: endpointId, accountId } of paused)
      ctx.log.warn({ event: "endpoint.paused", endpointId, accountId });
  }

  const health = createWriteBehind<EndpointId, HealthChange>({
    ...limits,
    async save(rows) {
      await saveHealth(ctx.db, rows);
      const failing = rows.filter(({ failures }) => failures > 0);
      await pause(failing.map(({ endpointId }) => endpointId));
    },
    lost: (rows, error) =>
      ctx.log.warn({
        event: "endpoint_health.lost",
        endpoints: rows.length,
        reason: String(error),
      }),
  });
  return {
    note(endpointId, result, at = new Date()) {
      const before = health.waitingOf(endpointId);
      health.note(endpointId, addResult(before, { endpointId, ...result }, at));
    },
    close: () => health.close(),
  };
}

/** Returns the combined result of consecutive attempts. */
export function addResult(
  before: HealthChange | undefined,
  {
    endpointId,
    status,
    reason,
  }: Pick<AttemptResult, "status" | "reason"> & { endpointId: EndpointId },
  at: Date,
): HealthChange {
  const isFailure = reason !== null;
  const isSame = before !== undefined && before.status === status && before.reason === reason;
  const hasFailed = before !== undefined && before.failures > 0;
  return {
    endpointId,
    status,
    reason,
    since: isSame ? before.since : at,
    /** Nothing else happened in between, so that an earlier row may go on. */
    isUniform: before === undefined || (isSame && before.isUniform),
    failures: isFailure ? (before?.failures ?? 0) + 1 : 0,
    failingSince: isFailure ? (hasFailed ? before.failingSince : at) : null,
    lastAttemptAt: at,
    lastSuccessAt: isFailure ? (before?.lastSuccessAt ?? null) : at,
  };
}
