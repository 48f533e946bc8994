import { saveKeyUses } from "../accounts/keys/queries.ts";
import type { Context } from "../context.ts";
import type { KeyId } from "../ids.ts";
import { takeOldest } from "../take-oldest.ts";

const minuteMs = 60_000;
const defaults = {
  saveEveryMs: 5_000,
  /** In one statement. */
  batchMax: 1_000,
  /** Keys that are remembered with their minute, and uses that wait: more are not noted. */
  keysMax: 50_000,
};

export interface KeyUses {
  /** Never waits and never fails: it is called by every request. */
  note(keyId: KeyId): void;
  /** Saves what waits. */
  close(): Promise<void>;
}

/**
 * Notes when keys are used: once a minute for each key, saved for many at once beside the requests. A
 * database that is away costs uses, never a request.
 */
export function createKeyUses(
  { db, log }: Pick<Context, "db" | "log">,
  changes: Partial<typeof defaults> = {},
): KeyUses {
  const limits = { ...defaults, ...changes };
  /** The minute that was last noted for each key. */
  const minutes = new Map<KeyId, number>();
  const waiting = new Map<KeyId, Date>();
  let saving: Promise<void> | null = null;

  async function saveAll(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, limits.batchMax);
      for (const [keyId] of batch) waiting.delete(keyId);
      await saveKeyUses(
        db,
        batch.map(([keyId, usedAt]) => ({ keyId, usedAt })),
      );
    }
  }

  /** One at a time: a slow database must not collect connections. */
  function save(): Promise<void> {
    saving ??= saveAll()
      .catch((error) => log.warn({ event: "key_uses.lost", reason: String(error) }))
      .finally(() => {
        saving = null;
      });
    return saving;
  }

  const timer = setInterval(() => void save(), limits.saveEveryMs).unref();
  return {
    note(keyId) {
      const now = Date.now();
      const minute = Math.floor(now / minuteMs);
      if (minutes.get(keyId) === minute || waiting.size >= limits.keysMax) return;
      minutes.delete(keyId);
      minutes.set(keyId, minute);
      if (minutes.size > limits.keysMax) takeOldest(minutes, 1);
      waiting.set(keyId, new Date(now));
    },
    async close() {
      clearInterval(timer);
      await save();
    },
  };
}
