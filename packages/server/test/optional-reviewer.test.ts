import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, symlink } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

/** A copy of the server beside which no reviewer is installed. */
let scratch: Awaited<ReturnType<typeof makeScratch>>;

beforeAll(async () => {
  scratch = await makeScratch("no-reviewer");
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  const server = join(scratch.path, "packages/server");
  await cp(join(root, "packages/server/src"), join(server, "src"), { recursive: true });
  await cp(join(root, "packages/server/package.json"), join(server, "package.json"));
  await symlink(join(root, "node_modules"), join(scratch.path, "node_modules"));
});
afterAll(() => scratch.remove());

function start(settings: Record<string, string>) {
  const env = {
    DATABASE_URL: "postgres://nobody@127.0.0.1:9/none",
    PUBLIC_URL: "http://127.0.0.1:9",
    RESTATE_INGRESS_URL: "http://127.0.0.1:9",
    VENDORS: "[]",
    VENDOR_CALLBACK_SECRET: "0123456789abcdef0123456789abcdef",
    API_PORT: "0",
    WORKER_PORT: "0",
    DRAIN_NOTICE_MS: "0",
    STORAGE_DIR: join(scratch.path, "media"),
    ...settings,
  };
  const main = join(scratch.path, "packages/server/src/main.ts");
  const server = spawn(process.execPath, [main, "api"], { env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void server.kill()); // also when the test fails
  return server;
}

test("a server whose reviewer line names automatic refuses to start without the package, and says what to install", async () => {
  const server = start({ REVIEW_VIDEO: "automatic,manual" });
  const [[code], stderr] = await Promise.all([once(server, "close"), text(server.stderr)]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      "The reviewer automatic needs the package @zoetrope/reviewer. Install it with " +
      "`npm ci --prefix packages/reviewer`, or remove automatic from the review settings.\n",
  });
});

test("a server whose reviewer lines do not name automatic starts without the package", async () => {
  const server = start({ REVIEW_VIDEO: "manual" });
  const closed = once(server, "close");
  const events: unknown[] = [];
  for await (const line of createInterface(server.stdout)) {
    const { event } = JSON.parse(line);
    events.push(event);
    if (event === "process.started") break;
  }
  expect(events).toContain("process.started"); // beside complaints about the missing database
  server.kill();
  await closed;
});
