import { join } from "node:path";
import {
  alike,
  type OpenedAccount,
  openAccounts,
  putForwardingRows,
} from "@zoetrope/dev/open-accounts.ts";
import { type DatabaseUrls, prepareDatabase, runOperator } from "@zoetrope/dev/prepare-database.ts";
import { type Postgres, startPostgres } from "@zoetrope/dev/services/postgres.ts";
import type { RunningProcess } from "@zoetrope/dev/services/process.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";

const serverEnv = { LOG_LEVEL: "info" };
const sandboxEnv = { SANDBOX_QUEUED_MS: "100", SANDBOX_RUNNING_MS: "1500" };
const settings = { track_commit_timestamp: "on" };

/** Two PostgreSQL servers, two api processes that know both, and a worker for each. */
export interface ShardedStack extends AsyncDisposable {
  readonly stack: Stack;
  readonly shards: readonly DatabaseUrls[];
  readonly apiUrls: readonly string[];
  readonly servers: readonly RunningProcess[];
  /** Opens this many accounts in each shard, by turns. */
  openAccounts(ofShard: number): Promise<OpenedAccount[]>;
  /** An operator's command in a shard. */
  operate(shard: number, ...args: string[]): Promise<Record<string, unknown>>;
}

export async function startShards(dir: string): Promise<ShardedStack> {
  await using started = new AsyncDisposableStack();
  const start = async (name: string) =>
    started.use(await startPostgres({ dir: join(dir, name), settings }));
  const [first, second] = await Promise.all([start("postgres"), start("postgres-1")]);
  const shards = [await prepare(first, 0), await prepare(second, 1)];
  const SHARDS = shards.map(({ service }) => service).join(",");
  const stack = started.use(
    await startStack({ dir, sandboxEnv, postgres: first, serverEnv: { ...serverEnv, SHARDS } }),
  );
  const api = await stack.startServer({ role: "api", name: "api-2" });
  const worker = await stack.startServer({
    role: "worker",
    name: "worker-of-1",
    isRegistered: true,
    env: { SHARD: "1" },
  });
  const more = {
    SHARDS,
    SHARD_OWNERS: shards.map(({ owner }) => owner).join(","),
    KEY_RING: stack.serverEnv["KEY_RING"] ?? "",
  };
  const everything = started.move();
  const [firstShard] = shards;
  if (firstShard === undefined) throw new Error("there is no first shard");
  return {
    stack,
    shards,
    apiUrls: [stack.apiUrl, api.url],
    servers: [stack.api, api, stack.worker, worker],
    async openAccounts(ofShard) {
      const plan = { name: "customer", credits: 10_000_000, openTasksMax: 10_000 };
      const opened = await Promise.all(
        shards.map(({ owner }, shard) => openAccounts(owner, alike(ofShard, plan), shard)),
      );
      await putForwardingRows(firstShard.owner, opened[1] ?? [], 1);
      return opened.flat();
    },
    operate: (shard, ...args) => runOperator(firstShard, args, { ...more, SHARD: String(shard) }),
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}

function prepare(postgres: Postgres, shard: number): Promise<DatabaseUrls> {
  return prepareDatabase(postgres, "zoetrope", undefined, shard);
}
