import { giveUpTask } from "../../tasks/stuck-tasks.ts";
import {
  claimUnsent,
  listUnsent,
  listUpscaleFiles,
  redoSegment,
} from "../../upscale/segments/reconcile-queries.ts";
import type { Difference, ReconcileContext } from "./difference.ts";

/**
 * Upscales that were over after the point have lost their files, and a vendor may have been asked for
 * videos that the rows hold as not sent; it lists nothing.
 */
export async function compareUpscales(ctx: ReconcileContext): Promise<Difference[]> {
  const { db, storage } = ctx;
  const differences: Difference[] = [];
  for (const { taskId, sourceKey, done } of await listUpscaleFiles(db)) {
    if ((await storage.locate(sourceKey)) === null) {
      differences.push(sourceGone(ctx, taskId));
      continue;
    }
    for (const { number, key } of done)
      if ((await storage.locate(key)) === null)
        differences.push({
          kind: "file missing",
          id: taskId,
          detail: `segment ${number} of its upscale is no longer stored`,
          action: "make the segment again",
          apply: () => redoSegment(db, taskId, number),
        });
  }
  return [...differences, ...(await listUnsent(db)).map((taskId) => unsent(ctx, taskId))];
}

type UpscaleTask = Parameters<typeof claimUnsent>[1];

function sourceGone({ db }: ReconcileContext, taskId: UpscaleTask): Difference {
  return {
    kind: "file missing",
    id: taskId,
    detail: "the source of its upscale is no longer stored: it was over after the point",
    action: "fail the task without a charge",
    apply: async () => {
      await giveUpTask(db, taskId);
    },
  };
}

function unsent({ db }: ReconcileContext, taskId: UpscaleTask): Difference {
  return {
    kind: "submit unconfirmed",
    id: taskId,
    detail: "the vendor may have upscaled it already and lists nothing",
    action: "never submit it again: it fails without a charge",
    apply: () => claimUnsent(db, taskId),
  };
}
