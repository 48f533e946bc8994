import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runOperator } from "@zoetrope/dev/prepare-database.ts";
import { type ServerProcess, type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { type FaultyProxy, startFaultyProxy } from "@zoetrope/testkit/faulty-proxy.ts";
import { checkOutPreviousRelease } from "@zoetrope/testkit/previous-release.ts";
import { startWorkerFront, type WorkerFront } from "@zoetrope/testkit/services/worker-front.ts";
import { copyServer } from "../../kit/copy-server.ts";

/** Longer than a worker may drain. */
const stopGraceMs = 400_000;

/** The intervals of a usual deployment, divided by what an hour is divided by. */
const serverEnv = {
  LOG_LEVEL: "info",
  UPSCALE_PRESET: "ultrafast",
  SWEEP_INTERVAL_MS: "200",
  SUBMIT_RETRY_MS: "1000",
  DELIVERY_SPEED: "15",
};
const sandboxEnv = { SANDBOX_QUEUED_MS: "200", SANDBOX_RUNNING_MS: "1000" };

/** An api and a worker of one release. */
export interface Release {
  readonly api: Pick<ServerProcess, "stop" | "restart">;
  readonly worker: Pick<ServerProcess, "stop" | "restart">;
  readonly apiUrl: string;
}

export interface Releases extends AsyncDisposable {
  readonly stack: Stack;
  /** The public address, in front of one of the apis: for links and for callbacks of vendors. */
  readonly front: FaultyProxy;
  readonly previous: Release;
  /** Runs `operator migrate` of this release. */
  expand(): Promise<void>;
  /** Starts this release beside the other. */
  join(): Promise<Release>;
  /** Runs the migrations of releases to come: a column is added, filled and dropped. */
  contract(): Promise<void>;
}

/** A deployment of the previous release, on the schema that it was released with. */
export async function startPrevious(dir: string): Promise<Releases> {
  const { serverDir } = await checkOutPreviousRelease(dir);
  await using started = new AsyncDisposableStack();
  const front = started.use(await startFaultyProxy(0));
  const workers = started.use(await startWorkerFront({ dir: join(dir, "worker-front"), count: 2 }));
  const stack = started.use(
    await startStack({
      dir,
      serverDir,
      schemaDir: serverDir,
      stopGraceMs,
      sandboxEnv,
      serverEnv: { ...serverEnv, PUBLIC_URL: front.url, ...workers.envOf(0) },
    }),
  );
  front.target = stack.apiUrl;
  const urls = { owner: stack.databaseOwnerUrl, service: stack.databaseUrl };
  const everything = started.move();
  return {
    stack,
    front,
    previous: { api: stack.api, worker: stack.worker, apiUrl: stack.apiUrl },
    async expand() {
      await runOperator(urls, ["migrate"]);
    },
    join: () => startThis(stack, workers, dir),
    async contract() {
      const copy = join(dir, "later-releases");
      await copyServer(copy);
      for (const [file, text] of Object.entries(later)) {
        await writeFile(join(copy, "migrations", file), text);
        await runOperator(urls, ["migrate"], {}, copy);
      }
    },
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}

async function startThis(stack: Stack, workers: WorkerFront, dir: string): Promise<Release> {
  const serverDir = join(dir, "this-release");
  await copyServer(serverDir);
  const of = { serverDir, isRegistered: true, env: workers.envOf(1) };
  const api = await stack.startServer({ ...of, role: "api", name: "api-this" });
  const worker = await stack.startServer({ ...of, role: "worker", name: "worker-this" });
  return { api, worker, apiUrl: api.url };
}

/** The migrations of three later releases, in which a column comes, is filled, and goes. */
const later = {
  "9997-add-note.sql": `alter table tasks add column upgrade_note text;
alter table open_tasks add column upgrade_note text not null default 'none';
`,
  "9998-fill-note.sql": `update open_tasks set upgrade_note = 'filled';
`,
  "9999-drop-note.sql": `alter table open_tasks drop column upgrade_note;
alter table tasks drop column upgrade_note;
`,
};
