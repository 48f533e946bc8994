import { createServer, type ServerHttp2Session } from "node:http2";
import { join } from "node:path";
import * as restate from "@restatedev/restate-sdk";
import { queryEngine, registerWorker } from "@zoetrope/testkit/services/restate-admin.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isAlive } from "./is-alive.ts";
import { freePort } from "./ports.ts";
import { type Restate, startRestate } from "./restate.ts";
import { waitUntil } from "./wait-until.ts";

let scratch: Scratch;
let server: Restate;
let worker: Worker;

beforeAll(async () => {
  scratch = await makeScratch("restate");
  [server, worker] = await Promise.all([
    startRestate({ dir: join(scratch.path, "server") }),
    startWorker([greeter("hello")]),
  ]);
});

afterAll(async () => {
  await server.stop();
  await worker[Symbol.asyncDispose]();
  await scratch.remove();
});

/** Handlers wait at the gate once it is set, so that a kill can be timed to meet them. */
let gate: Promise<void> | undefined;
let waiting = 0;

function greeter(greeting: string) {
  return restate.object({
    name: "greeter",
    handlers: {
      greet: async (ctx: restate.ObjectContext, name: string) =>
        ctx.run("greet", async () => {
          waiting += 1;
          await gate;
          return `${greeting} ${name}`;
        }),
    },
  });
}

interface Worker extends AsyncDisposable {
  readonly url: string;
}

async function startWorker(services: ReturnType<typeof greeter>[], at?: number): Promise<Worker> {
  const port = at ?? (await freePort());
  const logger = () => undefined;
  const http2 = createServer(restate.createEndpointHandler({ services, logger }));
  const sessions = new Set<ServerHttp2Session>();
  http2.on("session", (session) => sessions.add(session));
  await new Promise<void>((resolve) => http2.listen(port, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      http2.close(() => resolve());
      for (const session of sessions) session.destroy();
    });
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}

async function post(path: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${server.ingressUrl}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

async function greetAll(): Promise<unknown[]> {
  const names = Array.from({ length: 20 }, (_, index) => `k${index}`);
  const answers = await Promise.all(names.map((name) => post(`/greeter/${name}/greet`, name)));
  return answers.map((answer) => answer.body);
}

const everyHello = Array.from({ length: 20 }, (_, index) => `hello k${index}`);

test("a registered service answers on every partition, at once", async () => {
  await registerWorker(server.adminUrl, worker.url);
  expect(await greetAll()).toEqual(everyHello);
});

test("an accepted invocation survives kill -9 and is finished after the restart", async () => {
  await registerWorker(server.adminUrl, worker.url);
  const open = Promise.withResolvers<void>();
  gate = open.promise;
  waiting = 0;
  const sent = await post("/greeter/survivor/greet/send", "survivor");
  expect(sent.status).toBe(202);
  await waitUntil("the handler runs", () => waiting === 1, { timeoutMs: 300_000 });
  const rows = await queryEngine(
    server.adminUrl,
    "select status from sys_invocation where target_service_key = 'survivor'",
  );
  expect(rows).toEqual([{ status: "running" }]);

  const killedPid = server.pid;
  await server.kill();
  expect(isAlive(killedPid)).toBe(false);
  await server.restart();
  open.resolve();
  gate = undefined;
  const { invocationId } = sent.body as { invocationId: string };
  const attached = await fetch(`${server.ingressUrl}/restate/invocation/${invocationId}/attach`);
  expect(await attached.json()).toBe("hello survivor");
});

test("every partition serves as soon as restart returns", async () => {
  for (let round = 0; round < 3; round += 1) {
    await server.kill();
    await server.restart();
    expect(await greetAll()).toEqual(everyHello);
  }
});

test("a URL registered again is only discovered again with force", async () => {
  const port = await freePort();
  const first = await startWorker([greeter("one")], port);
  const id = await registerWorker(server.adminUrl, first.url);
  expect((await post("/greeter/x/greet", "x")).body).toBe("one x");
  await first[Symbol.asyncDispose]();

  // Nobody listens: without force Restate does not notice; with force it is tried until one does,
  // and a registration that was given up does not come through later.
  expect(await registerWorker(server.adminUrl, first.url)).toBe(id);
  const givenUp = registerWorker(server.adminUrl, first.url, { force: true, timeoutMs: 100 });
  await expect(givenUp).rejects.toThrow("is registered");
  const forced = registerWorker(server.adminUrl, first.url, { force: true });
  await using _ = await startWorker([greeter("two")], port);
  expect(await forced).toBe(id);
  expect((await post("/greeter/x/greet", "x")).body).toBe("two x");
  const revisions = await queryEngine(
    server.adminUrl,
    "select revision from sys_service where name = 'greeter'",
  );
  expect(revisions).toEqual([{ revision: 3 }]);

  // The first worker's URL is known: without force it does not get the service back.
  await registerWorker(server.adminUrl, worker.url);
  expect((await post("/greeter/x/greet", "x")).body).toBe("two x");
  await registerWorker(server.adminUrl, worker.url, { force: true });
  expect((await post("/greeter/x/greet", "x")).body).toBe("hello x");
});

test("what Restate refuses fails at once and says why", async () => {
  await expect(registerWorker(server.adminUrl, "nonsense")).rejects.toThrow("refused");
  await expect(queryEngine(server.adminUrl, "selec 1")).rejects.toThrow("ParserError");
});

test("two at once get different ports, and a stopped one is gone", async () => {
  await using other = await startRestate({
    dir: join(scratch.path, "other"),
    partitions: 2,
    env: { RESTATE_WORKER__INVOKER__INACTIVITY_TIMEOUT: "0s" },
  });
  const ports = [...Object.values(server.ports), ...Object.values(other.ports)];
  expect(new Set(ports).size).toBe(6);
  await other.stop();
  expect(isAlive(other.pid)).toBe(false);
});
