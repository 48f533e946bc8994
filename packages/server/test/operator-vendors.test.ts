import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { childEnv } from "@zoetrope/dev/services/command-line.ts";
import { type Sandbox, startSandbox } from "@zoetrope/testkit/start-sandbox.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { vendorAccountsSchema } from "../src/vendors/accounts.ts";
import { checkAccount } from "../src/vendors/check-account.ts";
import { type FreshDatabase, freshDatabase } from "./harness/fresh-database.ts";

const operator = fileURLToPath(new URL("../src/operator/main.ts", import.meta.url));
const paths = {
  ark: "/api/v3",
  dashscope: "/dashscope/api/v1",
  openai: "/openai/v1",
  gemini: "/gemini/v1beta",
} as const;

let database: FreshDatabase;
let sandbox: Sandbox;
beforeAll(async () => {
  [database, sandbox] = await Promise.all([freshDatabase(), startSandbox()]);
});
afterAll(async () => {
  await database.drop();
  await sandbox[Symbol.asyncDispose]();
});

const KEY_RING = `test ${randomBytes(32).toString("base64")}`;

/** Runs a command with a key on standard input; gives what it printed and how it ended. */
function operate(key: string, ...args: string[]): Promise<{ code: number; text: string }> {
  const env = childEnv({ DATABASE_URL: database.serviceUrl, KEY_RING });
  const { promise, resolve } = Promise.withResolvers<{ code: number; text: string }>();
  const child = execFile(process.execPath, [operator, ...args], { env }, (error, out, errors) =>
    resolve({ code: Number(error?.code ?? 0), text: out + errors }),
  );
  child.stdin?.end(`${key}\n`);
  return promise;
}

test.each(Object.entries(paths))(
  "%s: a call that costs nothing tells a good key from a bad one, a wrong address and a host that is not there",
  async (kind, path) => {
    const check = async (baseUrl: string, apiKey: string) => {
      const [account] = vendorAccountsSchema.parse([{ name: "a", kind, baseUrl, apiKey }]);
      if (account === undefined) throw new Error("no account");
      return checkAccount(account);
    };
    const good = await check(sandbox.url + path, `sandbox-${kind}-key`);
    expect(good).toEqual({ works: true, result: expect.stringContaining("accepts the key") });
    const bad = await check(sandbox.url + path, "hunter2");
    expect(bad).toEqual({ works: false, result: expect.stringMatching(/refuses the key/) });
    const wrong = await check(`${sandbox.url}/elsewhere`, `sandbox-${kind}-key`);
    expect(wrong).toEqual({ works: false, result: expect.stringContaining("check the base URL") });
    const absent = await check("http://127.0.0.1:9", "hunter2");
    expect(absent).toEqual({ works: false, result: expect.stringContaining("cannot be reached") });
    const { creates } = (await (await fetch(`${sandbox.url}/_sandbox/stats`)).json()) as {
      creates: number;
    };
    expect(creates).toBe(0);
  },
);

test("a vendor account is added, listed, tested, paused, rotated and removed; a bad key changes nothing, and no output has a key", async () => {
  const address = ["--kind", "ark", "--base-url", `${sandbox.url}/api/v3`];
  const add = (key: string) => operate(key, "vendor", "add", "--name", "ark", ...address);
  const refused = await add("hunter2");
  expect(refused).toEqual({ code: 2, text: expect.stringContaining("refuses the key") });
  const outputs = [refused, await add("sandbox-ark-key")];
  expect(outputs.at(-1)).toEqual({ code: 0, text: expect.stringContaining("accepts the key") });
  outputs.push(await add("sandbox-ark-key"));
  expect(outputs.at(-1)).toMatchObject({ code: 2 });
  const run = async (...args: string[]) => {
    const output = await operate("sandbox-ark-key", "vendor", ...args);
    outputs.push(output);
    return output.text;
  };
  expect(await run("pause", "--name", "ark")).toContain("0 open jobs are polled and collected");
  expect(await run("list")).toMatch(/name ark {2}kind ark {2}state paused/);
  expect(await run("test", "--name", "ark")).toContain("accepts the key");
  expect(await run("rotate", "--name", "ark")).toContain("revoke the old key at the vendor");
  expect((await operate("hunter2", "vendor", "rotate", "--name", "ark")).text).toContain(
    "Nothing was changed",
  );
  expect(await run("remove", "--name", "ark")).toContain("state removed");
  expect(await run("test", "--name", "ark")).toContain("no vendor account with this name");
  for (const { text } of outputs) expect(text).not.toMatch(/sandbox-ark-key|hunter2/);
});
