import { setTimeout as pause } from "node:timers/promises";
import { requireReviewer } from "./assets/review/automatic/load-reviewer.ts";
import type { LoopReport } from "./db/processes.ts";
import { reportProcess } from "./db/report-process.ts";
import { watchShards } from "./db/this-shard.ts";
import { startOpsServer } from "./http/ops-server.ts";
import { requireSigner } from "./labels/require-signer.ts";
import { requireStorage } from "./media/storage/require-storage.ts";
import type { OpenContext } from "./open-context.ts";
import { openShards } from "./open-context.ts";
import { findVendorFaults } from "./routing/read-settings.ts";
import { watchKeyRing } from "./secrets/current-key.ts";
import { readConfig } from "./settings/config.ts";
import { readEnvironment } from "./settings/environment.ts";
import { readVersion } from "./settings/version.ts";

const roles = ["api", "worker"] as const;
type Role = (typeof roles)[number];

const apiDrainMsMax = 25_000;

const role = roles.find((name) => name === process.argv[2]);
if (role === undefined) {
  process.stderr.write(`Usage: node main.ts ${roles.join("|")}\n`);
  process.exit(2);
}
try {
  await run(role);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}

/** config → context → start the role, loading its code alone → drain on a signal */
async function run(name: Role): Promise<void> {
  const config = readConfig(readEnvironment(), findVendorFaults);
  const { image, video, audio } = config.review;
  if (name === "worker") await requireReviewer([image, video, audio].flat()); // an api judges nothing
  if (name === "worker") await requireSigner(config);
  const shards = openShards(config, name);
  const [ctx] = shards;
  const watching = watchShards(shards, () => process.exit(1));
  await requireStorage(ctx);
  const ringWatching = await watchKeyRing(ctx, () => process.exit(1));
  const tracing = await openTracing(ctx, name);
  await ctx.vendorAccounts.watch();
  await ctx.switches.watch();
  const books = [ctx.prices, ctx.costs];
  for (const one of books) await one.watch();
  ctx.metrics.loopAlive.observe(() =>
    books.map((one) => {
      const { name: loop, isAlive } = one.state();
      return [isAlive ? 1 : 0, { loop }];
    }),
  );
  const ops = await startOpsServer(ctx, ctx.renderMetrics);
  const running = name === "api" ? await runApi() : await runWorker();
  const reports = reportProcess(ctx, { role: name, version: readVersion(), listLoops });
  ctx.log.info({ event: "process.started", address: running.address });
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, drain);

  function listLoops(): LoopReport[] {
    return [...running.loops(), ...books.map((one) => one.state())].map(
      ({ name: loop, lastSuccessAt, isAlive }) => ({
        name: loop,
        lastSuccessAt: lastSuccessAt?.getTime() ?? null,
        isAlive,
      }),
    );
  }

  async function runApi() {
    const { startApi } = await import("./api/start-api.ts");
    const { app, address } = await startApi(shards);
    return {
      address,
      loops: () => [],
      drainMsMax: apiDrainMsMax,
      async stop() {
        app.drain();
        await pause(ctx.config.api.drainNoticeMs);
        await app.close();
      },
    };
  }

  async function runWorker() {
    const { drainMsMaxOf } = await import("./worker/drain-ms-max.ts");
    const { startWorker } = await import("./worker/start-worker.ts");
    const worker = await startWorker(ctx);
    const address = `${ctx.config.worker.host}:${worker.port}`;
    const { stop } = worker;
    return {
      address,
      stop,
      loops: () => worker.loops.list(),
      /** The maximum time to drain, by the vendor accounts at the time of the stop. */
      get drainMsMax() {
        return drainMsMaxOf(ctx.config.worker, ctx.vendors);
      },
    };
  }

  function drain(): void {
    const giveUp = setTimeout(() => process.exit(1), running.drainMsMax);
    running
      .stop()
      .then(() => reports.close())
      .then(() => ops?.close())
      .then(() => tracing?.close())
      .then(() => Promise.all([watching.close(), ringWatching.close()]))
      .then(() => ctx.close())
      .then(() => {
        ctx.log.info({ event: "process.drained" });
        clearTimeout(giveUp);
        process.exit(0);
      })
      .catch((error) => {
        ctx.log.error({ event: "process.drain.failed", reason: String(error) });
        process.exit(1);
      });
  }
}

/** Its code is loaded only where it is used. */
async function openTracing({ config, log }: OpenContext, role: Role) {
  const { endpoint } = config.traces;
  if (endpoint === null) return null;
  const { startTracing } = await import("./tracing/start-tracing.ts");
  return startTracing(endpoint, role, log);
}
