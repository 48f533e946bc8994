import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { printsLine, type RunningProcess, startProcess } from "@zoetrope/dev/services/process.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { createClient } from "@zoetrope/testkit/api-client.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const taskMsMax = 150_000;

describe("several workers, each with an address of its own", () => {
  const cleanUp = new AsyncDisposableStack();
  let scratch: Scratch;
  let stack: Stack;
  let client: ReturnType<typeof createClient>;
  beforeAll(async () => {
    scratch = cleanUp.use(await makeScratch("workers"));
    stack = cleanUp.use(
      await startStack({
        dir: scratch.path,
        serverEnv: { POLL_FIRST_MS: "500", SUBMIT_RETRY_MS: "1000", SWEEP_INTERVAL_MS: "300" },
        sandboxEnv: { SANDBOX_QUEUED_MS: "100", SANDBOX_RUNNING_MS: "200" },
      }),
    );
    const { key } = await stack.openAccount({ name: "a", credits: 10_000, openTasksMax: 50 });
    client = createClient(stack.apiUrl, key);
  });
  afterAll(() => cleanUp.disposeAsync());

  async function startSecond(name: string, balancer?: Balancer): Promise<RunningProcess> {
    const port = await freePort();
    balancer?.ports.push(port);
    return startProcess({
      name,
      command: process.execPath,
      args: [main, "worker"],
      env: {
        ...stack.serverEnv,
        WORKER_PORT: String(port),
        WORKER_URL: balancer?.url ?? `http://127.0.0.1:${port}`,
        WORK_DIR: join(scratch.path, name),
      },
      logFile: join(scratch.path, "logs", `${name}.log`),
      isReady: printsLine(/"event":"worker\.registered"/),
      stopGraceMs: 60_000,
    });
  }

  async function submitsOf(worker: RunningProcess): Promise<number> {
    const lines = (await readFile(worker.logFile, "utf8")).split("\n");
    return lines.filter((line) => line.includes('"call":"submit"')).length;
  }

  const finishOne = async (prompt: string) => {
    const task = await client.finished(await client.create("sd2", { prompt }), taskMsMax);
    expect(task.status).toBe("COMPLETED");
  };

  async function deployments(): Promise<string[]> {
    const response = await fetch(`${stack.restate.adminUrl}/deployments`);
    const body = (await response.json()) as { deployments: { uri: string }[] };
    return body.deployments.map(({ uri }) => uri.replace(/\/$/, "")).sort();
  }

  const ownUrl = () => String(stack.serverEnv["WORKER_URL"]);

  test("when the newest worker is stopped, the other one completes new tasks, and the engine forgets it", async () => {
    const second = await startSecond("second");
    await finishOne("the newest worker gets it");
    expect([await submitsOf(stack.worker), await submitsOf(second)]).toEqual([0, 1]);
    await second.stop();
    expect(await deployments()).toEqual([ownUrl()]);
    await finishOne("the other worker gets it");
    expect(await submitsOf(stack.worker)).toBe(1);
  });

  test("when the newest worker is killed, the other one takes over, and the engine forgets it", async () => {
    const second = await startSecond("killed");
    await finishOne("the newest worker gets it");
    await second.kill();
    await finishOne("the other worker takes over");
    await waitUntil(
      "the dead worker is forgotten",
      async () => (await deployments()).join() === ownUrl(),
      { timeoutMs: taskMsMax, intervalMs: 500 },
    );
  });

  test("a worker that starts under an earlier address gets the work again", async () => {
    await using second = await startSecond("newer");
    await finishOne("the newer worker gets it");
    await stack.worker.restart();
    const before = await submitsOf(second);
    await finishOne("the worker of the earlier address gets it");
    expect(await submitsOf(second)).toBe(before);
  });

  test("a worker that leaves an address which others serve too leaves the work there", async () => {
    await using balancer = await startBalancer();
    const first = await startSecond("pool-1", balancer);
    await using second = await startSecond("pool-2", balancer);
    const elsewhere = await submitsOf(stack.worker);
    await finishOne("one of the pool gets it");
    await first.stop();
    expect(await deployments()).toContain(balancer.url);
    await finishOne("the other one of the pool gets it");
    expect(await submitsOf(stack.worker)).toBe(elsewhere);
    expect(await submitsOf(second)).toBeGreaterThan(0);
  });
});

interface Balancer extends AsyncDisposable {
  url: string;
  ports: number[];
}

/** One address in front of several workers: each connection goes to the next one that listens. */
async function startBalancer(): Promise<Balancer> {
  const ports: number[] = [];
  const sockets = new Set<Socket>();
  let turn = 0;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  };
  function forward(client: Socket, triesLeft: number): void {
    const port = ports[turn++ % ports.length];
    if (triesLeft === 0 || port === undefined) return void client.destroy();
    const backend = connect(port, "127.0.0.1");
    track(backend);
    backend.once("error", () => forward(client, triesLeft - 1));
    backend.once("connect", () => {
      client.pipe(backend).pipe(client);
      backend.on("close", () => client.destroy());
      client.on("close", () => backend.destroy());
    });
  }
  const server = createServer((client) => {
    track(client);
    forward(client, ports.length);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ports,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
