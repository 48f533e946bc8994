import type { Context } from "../../context.ts";
import { inTransaction } from "../../db/database.ts";
import type { EndpointId } from "../../ids.ts";
import type { AttemptResult } from "../queries.ts";
import { type HealthChange, pauseFailing, saveHealth } from "./health-queries.ts";
import { tellPaused } from "./tell-paused.ts";

const defaults = {
  saveEveryMs: 1_000,
  /** In one statement. */
  batchMax: 500,
  /** Endpoints that wait to be saved: what is beyond is not noted. */
  endpointsMax: 20_000,
  pauseAfterDays: 5,
};

interface HealthNotes {
  /** Never waits and never fails. */
  note(endpointId: EndpointId, result: AttemptResult, at?: Date): void;
  /** Saves what waits. */
  close(): Promise<void>;
}

/**
 * Collects how endpoints answer and saves it for many at once, so that an endpoint with many attempts is one
 * write a second. What a process that dies had not saved is missing, which the next attempt makes good. An
 * endpoint that failed for days is paused here.
 */
export function createHealthNotes(
  ctx: Context,
  changes: Partial<typeof defaults> = {},
): HealthNotes {
  const limits = { ...defaults, ...changes };
  const waiting = new Map<EndpointId, HealthChange>();
  let saving: Promise<void> | null = null;

  async function saveAll(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting.values()].slice(0, limits.batchMax);
      for (const { endpointId } of batch) waiting.delete(endpointId);
      await saveHealth(ctx.db, batch);
      const failing = batch.filter(({ failures }) => failures > 0);
      await pause(failing.map(({ endpointId }) => endpointId));
    }
  }

  async function pause(failing: readonly EndpointId[]): Promise<void> {
    if (failing.length === 0) return;
    const paused = await inTransaction(ctx.db, async (tx) => {
      const endpoints = await pauseFailing(tx, failing, limits.pauseAfterDays);
      for (const endpoint of endpoints) await tellPaused(ctx, tx, endpoint);
      return endpoints;
    });
    for (const { id: endpointId, accountId } of paused)
      ctx.log.warn({ event: "endpoint.paused", endpointId, accountId });
  }

  function save(): Promise<void> {
    saving ??= saveAll()
      .catch((error) => ctx.log.warn({ event: "endpoint_health.lost", reason: String(error) }))
      .finally(() => {
        saving = null;
      });
    return saving;
  }

  const timer = setInterval(() => void save(), limits.saveEveryMs).unref();
  return {
    note(endpointId, result, at = new Date()) {
      const before = waiting.get(endpointId);
      if (before === undefined && waiting.size >= limits.endpointsMax) return;
      waiting.set(endpointId, addResult(before, { endpointId, ...result }, at));
    },
    async close() {
      clearInterval(timer);
      await save();
    },
  };
}

/** What some attempts in a row say together. */
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
