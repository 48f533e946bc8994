import { chmod, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed } from "../../test/harness/test-context.ts";
import { createHealth, type HealthReport } from "../http/health.ts";
import { createLog } from "../log.ts";
import { runUnconfined } from "../media/probe/confine.ts";
import { startHealthServer } from "../worker/health-server.ts";
import { startWorker } from "../worker/start-worker.ts";
import { buildApi } from "./build-api.ts";

const waitLimits = { timeoutMs: 300_000 };

/** An engine that says it is well. */
const engine = createServer((_request, response) => response.end());
let engineUrl: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => engine.listen(0, "127.0.0.1", resolve));
  engineUrl = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
});
afterAll(() => {
  engine.closeAllConnections();
  engine.close();
});

type Ready = { status: number; report: HealthReport };
const outcomes = ({ parts }: HealthReport) =>
  Object.fromEntries(Object.entries(parts).map(([name, { status }]) => [name, status]));

/** An api and a worker, and how each says whether it is ready. */
async function open(settings: Record<string, string> = {}) {
  const bed = await openTestBed({
    RESTATE_INGRESS_URL: engineUrl,
    WORKER_PORT: "0",
    HEALTH_PORT: "0",
    ...settings,
  });
  const api = await buildApi(bed.ctx);
  const worker = await startWorker(bed.ctx);
  const askApi = async (path = "ready"): Promise<Ready> => {
    const answer = await api.inject({ url: `/health/${path}` });
    return { status: answer.statusCode, report: answer.json() };
  };
  const askWorker = async (path = "ready"): Promise<Ready> => {
    const answer = await fetch(`http://127.0.0.1:${worker.healthPort}/health/${path}`);
    return { status: answer.status, report: (await answer.json()) as HealthReport };
  };
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await worker.stop();
    isStopped = true;
  };
  return {
    bed,
    api,
    worker,
    stop,
    roles: { api: askApi, worker: askWorker },
    async [Symbol.asyncDispose]() {
      await stop();
      await api.close();
      await bed[Symbol.asyncDispose]();
    },
  };
}

/** Returns the report once it has the expected status. */
async function eventually(
  ask: () => Promise<Ready>,
  status: HealthReport["status"],
): Promise<Ready> {
  let last = await ask();
  await waitUntil(
    `health is ${status}`,
    async () => {
      last = await ask();
      return last.report.status === status;
    },
    waitLimits,
  );
  return last;
}

test("with all parts there both roles are ready, say since when each part works, and show no secrets", async () => {
  await using opened = await open();
  for (const [role, ask] of Object.entries(opened.roles)) {
    const { status, report } = await ask();
    expect([role, status, report.status]).toEqual([role, 200, "ready"]);
    const expected = { database: "ok", storage: "ok", engine: "ok" };
    expect(outcomes(report)).toMatchObject(
      role === "api" ? expected : { ...expected, loops: "ok", confinement: "ok" },
    );
    for (const { since } of Object.values(report.parts))
      expect(Math.abs(Date.now() - Date.parse(since))).toBeLessThan(60_000);
    const text = JSON.stringify(report);
    expect(text).not.toContain("127.0.0.1");
    expect(text).not.toContain(opened.bed.ctx.config.database.url);
    expect((await ask("live")).status).toBe(200);
  }
});

test("a database that is away makes both roles unready and leaves them alive; back again, they are ready", async () => {
  await using opened = await open();
  const { bed } = opened;
  const [row] = await bed.database.sql<{ name: string }>("select current_database() as name");
  const name = row?.name ?? "";
  for (const ask of Object.values(opened.roles)) expect((await ask()).status).toBe(200);
  await bed.database.sql(`revoke connect on database ${name} from public, zoetrope_app`);
  await bed.database.sql(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  for (const ask of Object.values(opened.roles)) {
    const { status, report } = await eventually(ask, "unready");
    expect([status, report.parts["database"]?.status]).toEqual([503, "failed"]);
    expect((await ask("live")).status).toBe(200);
  }
  await bed.database.sql(`grant connect on database ${name} to public`);
  for (const ask of Object.values(opened.roles))
    expect((await eventually(ask, "ready")).status).toBe(200);
});

test("without engine or storage a role is degraded, names the part and stays in service", async () => {
  await using opened = await open({ RESTATE_INGRESS_URL: "http://127.0.0.1:9" });
  for (const ask of Object.values(opened.roles)) {
    const { status, report } = await ask();
    expect([status, report.status, report.parts["engine"]?.status]).toEqual([
      200,
      "degraded",
      "failed",
    ]);
  }
  const root = opened.bed.storageDir;
  await rm(root, { recursive: true });
  await writeFile(root, ""); // a file where the folder was
  for (const ask of Object.values(opened.roles))
    await waitUntil(
      "storage is reported",
      async () => (await ask()).report.parts["storage"]?.status === "failed",
      waitLimits,
    );
  await chmod(root, 0o600);
  await rm(root);
});

test("a stopping process is unready at once, and alive until it has stopped", async () => {
  await using opened = await open();
  opened.api.drain();
  const { status, report } = await opened.roles.api();
  expect([status, report.status]).toEqual([503, "draining"]);
  expect((await opened.roles.api("live")).status).toBe(200);

  const leaving = await startHealthServer(opened.bed.ctx, opened.worker.loops);
  const ask = async (path: string) =>
    (await fetch(`http://127.0.0.1:${leaving.port}/health/${path}`)).status;
  await expect.poll(() => ask("ready")).toBe(200); // a loop may be late on a busy machine
  expect(await ask("live")).toBe(200);
  leaving.drain();
  expect([await ask("ready"), await ask("live")]).toEqual([503, 200]);
  await leaving.close();
});

test("however often it is asked, each part is checked once at a time and at most once a second", async () => {
  let checks = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = {
    isVital: true,
    check() {
      checks++;
      return promise;
    },
  };
  const health = createHealth({ slow });
  const asked = Array.from({ length: 1_000 }, () => health.read());
  resolve();
  for (const { status } of await Promise.all(asked)) expect(status).toBe("ready");
  expect(checks).toBe(1);
  const startedAt = performance.now();
  for (let i = 0; i < 1_000; i++) await health.read();
  expect(checks).toBeLessThanOrEqual(2 + Math.ceil((performance.now() - startedAt) / 1_000));
});

test("a check that never ends is a failed part, not a question without an answer", async () => {
  const health = createHealth({ hung: { isVital: true, check: () => new Promise(() => {}) } });
  const { status, parts } = await health.read();
  expect([status, parts["hung"]?.status]).toEqual(["unready", "failed"]);
});

test("readiness takes no connection from the pool, also when the pool is used up", async () => {
  await using opened = await open({ DATABASE_CONNECTIONS_MAX: "2" });
  const { pool } = opened.bed.ctx;
  await opened.stop(); // the worker's loops share this pool
  const held = [await pool.connect(), await pool.connect()];
  expect((await opened.roles.api()).status).toBe(200);
  for (const client of held) client.release();
});

test("a worker whose ffmpeg is not confined says so: unready in production, degraded elsewhere", async () => {
  await using opened = await open();
  runUnconfined("no bubblewrap");
  const elsewhere = await eventually(opened.roles.worker, "degraded");
  expect([elsewhere.status, elsewhere.report.parts["confinement"]?.status]).toEqual([
    200,
    "failed",
  ]);
  const { ctx } = opened.bed;
  const live = { ...ctx, config: { ...ctx.config, isProduction: true } };
  const server = await startHealthServer(live, opened.worker.loops);
  expect((await fetch(`http://127.0.0.1:${server.port}/health/ready`)).status).toBe(503);
  await server.close();
});

test("the line of a probe is at level debug, unless the process is not ready; that of any other request at info", async () => {
  await using bed = await openTestBed({ RESTATE_INGRESS_URL: engineUrl });
  const lines: { event: string; route?: string; status?: number; level: number }[] = [];
  const log = createLog("debug", "test", { write: (line) => void lines.push(JSON.parse(line)) });
  const api = await buildApi({ ...bed.ctx, log });
  await using _closing = { [Symbol.asyncDispose]: () => api.close() };
  const urls = ["/health", "/health/live", "/health/ready", "/api/v1/banner"];
  for (const url of urls) expect((await api.inject({ url })).statusCode).toBe(200);
  api.drain();
  expect((await api.inject({ url: "/health/ready" })).statusCode).toBe(503);
  const seen = lines.filter(({ event }) => event === "request.completed");
  expect(seen.map(({ route, status, level }) => [route, status, log.levels.labels[level]])).toEqual(
    [
      ["/health", 200, "debug"],
      ["/health/live", 200, "debug"],
      ["/health/ready", 200, "debug"],
      ["/api/v1/banner", 200, "info"],
      ["/health/ready", 503, "info"],
    ],
  );
});
