import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, symlink } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

/** A copy of the server beside which neither reviewer nor signer is installed. */
let scratch: Awaited<ReturnType<typeof makeScratch>>;

beforeAll(async () => {
  scratch = await makeScratch("no-packages");
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  const server = join(scratch.path, "packages/server");
  await cp(join(root, "packages/server/src"), join(server, "src"), { recursive: true });
  await cp(join(root, "packages/server/package.json"), join(server, "package.json"));
  await symlink(join(root, "node_modules"), join(scratch.path, "node_modules"));
});
afterAll(() => scratch.remove());

function start(role: "api" | "worker", settings: Record<string, string>) {
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
  const server = spawn(process.execPath, [main, role], { env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void server.kill()); // also when the test fails
  return server;
}

test("a worker whose reviewer line names automatic refuses to start without the package, and says what to install", async () => {
  const server = start("worker", { REVIEW_VIDEO: "automatic,manual" });
  const [[code], stderr] = await Promise.all([once(server, "close"), text(server.stderr)]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      "The reviewer automatic needs the package @zoetrope/reviewer. Install it with " +
      "`npm ci --prefix packages/reviewer`, or remove automatic from the review settings.\n",
  });
});

test("a worker with a certificate refuses to start without the signer, and says what to install", async () => {
  const server = start("worker", { LABEL_CERTIFICATE: "pem", LABEL_KEY: "pem" });
  const [[code], stderr] = await Promise.all([once(server, "close"), text(server.stderr)]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      "LABEL_CERTIFICATE is set. Signing files and reading their signatures needs the package @zoetrope/signer. " +
      "Install it with `npm ci --prefix packages/signer`.\n",
  });
});

test("without the signer 'labels certificate' says what to install", async () => {
  const main = join(scratch.path, "packages/server/src/operator/main.ts");
  const options = ["--dir", join(scratch.path, "certificates"), "--organisation", "Example"];
  const command = spawn(process.execPath, [main, "labels", "certificate", ...options]);
  const [[code], stderr] = await Promise.all([once(command, "close"), text(command.stderr)]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining("Install it with `npm ci --prefix packages/signer`."),
  });
});

test.each([
  ["a worker whose reviewer lines do not name automatic", "worker", "manual"],
  ["an api, which judges nothing,", "api", "automatic,manual"],
] as const)("%s starts without the package", async (_who, role, line) => {
  const server = start(role, { REVIEW_VIDEO: line });
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
