import { rename, rm, writeFile } from "node:fs/promises";
import { partitionsUsual } from "@zoetrope/dev/services/restate.ts";
import { canaryKeys } from "@zoetrope/server/engine/canary/canary-keys.ts";
import { blockPartition } from "@zoetrope/testkit/services/block-partition.ts";
import { jobs } from "../jobs.ts";
import type { Scenario } from "./scenario.ts";

/** A part of the deployment goes away. */
export const outages: readonly Scenario[] = [
  {
    breaks: "the engine is killed",
    alert: "EngineNotTakingWork",
    async run({ stack: { restate } }) {
      await restate.kill();
      return { repair: restate.restart };
    },
  },
  {
    breaks: "a partition accepts work and does not run it",
    alert: "EnginePartitionStuck",
    labels: { partition: "2" },
    async run({ stack: { restate } }) {
      const blocked = await blockPartition(restate, canaryKeys(partitionsUsual)[2] ?? "");
      return { repair: async () => blocked[Symbol.asyncDispose]() };
    },
  },
  {
    breaks: "the worker is killed",
    alert: "ProcessDown",
    labels: { job: jobs.worker },
    async run({ stack: { worker } }) {
      await worker.kill();
      return { repair: worker.restart };
    },
  },
  {
    breaks: "PostgreSQL is killed",
    alert: "DatabaseDown",
    async run({ stack: { postgres } }) {
      await postgres.kill();
      return { repair: postgres.restart };
    },
  },
  {
    breaks: "a file is where the folder of the storage should be",
    alert: "StorageFailing",
    async run({ stack: { serverEnv } }) {
      const { STORAGE_DIR: folder = "" } = serverEnv;
      await rename(folder, `${folder}-away`);
      await writeFile(folder, "");
      return {
        async repair() {
          await rm(folder);
          await rename(`${folder}-away`, folder);
        },
      };
    },
  },
];
