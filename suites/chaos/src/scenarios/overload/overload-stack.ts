import { join } from "node:path";
import { prepareDatabase } from "@zoetrope/dev/prepare-database.ts";
import { databaseOnlySettings } from "@zoetrope/dev/server-settings.ts";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { startPostgres } from "@zoetrope/dev/services/postgres.ts";
import type { RunningProcess } from "@zoetrope/dev/services/process.ts";
import { startServer } from "@zoetrope/dev/start-server.ts";
import { startSink } from "@zoetrope/testkit/start-sink.ts";

/**
 * The settings that make every commit wait for a standby that is not there. The bottleneck is then
 * the database and not the machine, which generator and service share: refusals and the generator
 * take nothing from creates, and what else the machine does matters less.
 */
const slowCommits = { commit_delay: 100_000, commit_siblings: 0 };

/**
 * The stack that creates need and no more: PostgreSQL, one api, and something that takes the
 * engine's wake-ups.
 */
export interface OverloadStack extends AsyncDisposable {
  readonly apiPort: number;
  readonly metricsUrl: string;
  readonly databaseOwnerUrl: string;
  readonly api: RunningProcess;
  readonly postgres: RunningProcess;
}

export async function startOverloadStack(dir: string): Promise<OverloadStack> {
  await using started = new AsyncDisposableStack();
  const postgres = started.use(
    await startPostgres({
      dir: join(dir, "postgres"),
      settings: {
        track_commit_timestamp: "on",
        shared_buffers: "512MB",
        max_wal_size: "8GB",
        checkpoint_timeout: "30min",
        ...slowCommits,
      },
    }),
  );
  const { owner, service } = await prepareDatabase(postgres, "zoetrope");
  const engine = started.use(await startSink());
  const opsPort = await freePort();
  const env = {
    ...(await databaseOnlySettings(dir, service)),
    RESTATE_INGRESS_URL: engine.url,
    OPS_PORT: String(opsPort),
  };
  const api = started.use(await startServer({ role: "api", env, dir }));
  const everything = started.move();
  return {
    apiPort: Number(env.API_PORT),
    databaseOwnerUrl: owner,
    api,
    postgres,
    metricsUrl: `http://127.0.0.1:${opsPort}/metrics`,
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}
