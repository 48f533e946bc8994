import { readPartitions } from "../engine/canary/queries.ts";
import type { Commands } from "./command.ts";
import { withDatabase } from "./with-database.ts";

const partitionsMax = 1_024;
const silentSecondsMax = 90;

export const engineCommands: Commands = {
  "engine partitions": {
    takes: "",
    does: "lists when each partition of the engine last ran what it was sent",
    run: () =>
      withDatabase(async (db) => {
        const rows = await readPartitions(db, partitionsMax);
        const silent = rows.filter(({ silentSeconds }) => silentSeconds > silentSecondsMax);
        return {
          facts: rows.map(({ partition, askedAt, answeredAt, silentSeconds }) => ({
            partition,
            asked: askedAt.toISOString(),
            answered: answeredAt.toISOString(),
            silentSeconds: Math.round(silentSeconds),
          })),
          ...(silent.length === 0
            ? {}
            : {
                next: `${silent.length} partitions do not run what they accept: docs/engine-cluster.md says what to do`,
              }),
        };
      }),
  },
};
