import { saveKeyUses } from "../accounts/keys/queries.ts";
import type { Context } from "../context.ts";
import { takeOldest } from "../flow/take-oldest.ts";
import { createWriteBehind } from "../flow/write-behind.ts";
import type { KeyId } from "../ids.ts";

const minuteMs = 60_000;
const defaults = {
  waitMs: 5_000,
  rowsMax: 1_000,
  /** Keys that are remembered with their minute, and uses that wait. */
  keysMax: 50_000,
};

export interface KeyUses {
  note(keyId: KeyId): void;
  close(): Promise<void>;
}

/**
 * Records when keys are used, once a minute for each key. An unreachable database costs uses, never a
 * request.
 */
export function createKeyUses(
  { db, log }: Pick<Context, "db" | "log">,
  changes: Partial<typeof defaults> = {},
): KeyUses {
  const { keysMax, ...limits } = { ...defaults, ...changes };
  /** The minute that was last noted for each key. */
  const minutes = new Map<KeyId, number>();
  const uses = createWriteBehind<KeyId, { keyId: KeyId; usedAt: Date }>({
    ...limits,
    waitingMax: keysMax,
    save: (rows) => saveKeyUses(db, rows),
    lost: (rows, error) =>
      log.warn({ event: "key_uses.lost", keys: rows.length, reason: String(error) }),
  });
  return {
    note(keyId) {
      const now = Date.now();
      const minute = Math.floor(now / minuteMs);
      if (minutes.get(keyId) === minute) return;
      if (!uses.note(keyId, { keyId, usedAt: new Date(now) })) return;
      minutes.delete(keyId);
      minutes.set(keyId, minute);
      if (minutes.size > keysMax) takeOldest(minutes, 1);
    },
    close: () => uses.close(),
  };
}
