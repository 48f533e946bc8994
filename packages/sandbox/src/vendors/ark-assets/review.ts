import { writeFile } from "node:fs/promises";
import { createGate } from "../../kit/gate.ts";
import { InputError } from "../../kit/input-error.ts";
import type { FetchInput } from "../../kit/inputs.ts";
import type { Schedule } from "../../kit/schedule.ts";
import type { Asset } from "./asset.ts";
import { type AssetFailure, inspectMedia } from "./inspect-media.ts";
import { failureOf } from "./outcomes.ts";

/** Files in memory at a time. */
const reviewsMax = 8;

export interface Reviews {
  /** Fetches the asset's bytes into `path` and judges them; a hung review never ends. */
  start(asset: Asset, path: string, conclude: (failure: AssetFailure | null) => void): void;
  stop(): Promise<void>;
}

/** A review lasts as long as the settings or the asset's script say, or as its download takes. */
export function openReviews(schedule: Schedule, reviewMs: number, fetchInput: FetchInput): Reviews {
  const stopping = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  const gate = createGate(reviewsMax);

  /** Never rejects. */
  async function judge(asset: Asset, path: string): Promise<AssetFailure | null> {
    if (asset.script.fail !== undefined) return failureOf(asset.script.fail);
    try {
      return await gate.pass(async () => {
        await writeFile(path, await fetchInput(asset.sourceUrl));
        return inspectMedia(path, asset.type, stopping.signal);
      });
    } catch (error) {
      return failureOf(error instanceof InputError ? error.outcome : "vendor_failed");
    }
  }

  return {
    start(asset, path, conclude) {
      if (asset.script.hang) return;
      const verdict = judge(asset, path);
      underWay.add(verdict);
      void verdict.then(() => underWay.delete(verdict));
      schedule.after(asset.script.runningMs ?? reviewMs, () => {
        void verdict.then((failure) => {
          if (!stopping.signal.aborted) conclude(failure);
        });
      });
    },
    async stop() {
      stopping.abort();
      await Promise.all(underWay);
    },
  };
}
