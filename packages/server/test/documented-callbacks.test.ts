import { execFile } from "node:child_process";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { type ReceivedRequest, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApi } from "../src/api/build-api.ts";
import { createTask } from "../src/generation/create-task.ts";
import { finishTask } from "../src/tasks/finish-task.ts";
import { deliverDue } from "../src/webhooks/deliver-due.ts";
import { rotateSecret, showSecret } from "../src/webhooks/rotate-secret.ts";
import { sendTest } from "../src/webhooks/send-test.ts";
import { byCommand } from "./harness/judge.ts";
import { openTestBed, type TestBed } from "./harness/test-context.ts";

/** The snippets about callbacks in docs/api.md are run exactly as documented. */

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));

let bed: TestBed;
let scratch: Scratch;
let section: string;
beforeAll(async () => {
  bed = await openTestBed({ DELIVERY_INTERVAL_MS: "20" });
  scratch = await makeScratch("docs");
  await symlink(join(root, "node_modules"), join(scratch.path, "node_modules"));
  await writeFile(join(scratch.path, "package.json"), '{"type":"module"}');
  const document = await readFile(join(root, "docs/api.md"), "utf8");
  section = document.split("## Callbacks and events\n")[1]?.split("\n## ")[0] ?? "";
});
afterAll(async () => {
  await bed?.[Symbol.asyncDispose]();
  await scratch?.remove();
});

interface Callback {
  headers: Record<string, string>;
  body: string;
  secret: string;
}

/** Runs the snippet that exports the function, followed by the given code, in a separate process. */
async function runSnippet(name: string, code: string, input: unknown): Promise<unknown> {
  const snippets = [...section.matchAll(/```ts\n(.*?)```/gs)].map(([, text]) => text ?? "");
  const [snippet, ...others] = snippets.filter((text) => text.includes(`function ${name}(`));
  expect({ name, found: snippet !== undefined, others }).toEqual({ name, found: true, others: [] });
  const file = join(scratch.path, `${name}.ts`);
  const read = `const input = ${JSON.stringify(input)};`;
  await writeFile(file, `${snippet}\n${read}\nconsole.log(JSON.stringify(await (${code})()));\n`);
  const { stdout } = await run(process.execPath, [file]);
  return JSON.parse(stdout);
}

function isGenuine(callback: Callback, nowMs = Date.now()): Promise<unknown> {
  const code = `() => { Date.now = () => ${nowMs}; return isGenuine(input.headers, input.body, input.secret); }`;
  return runSnippet("isGenuine", code, callback);
}

function readCallback(callback: Callback): Promise<unknown> {
  const code = `() => { try { return readCallback(input.headers, input.body, input.secret) } catch (error) { return error.message } }`;
  return runSnippet("readCallback", code, callback);
}

function callbackOf({ headers, body }: ReceivedRequest, secret: string): Callback {
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
  return { headers: Object.fromEntries(names.map((n) => [n, String(headers[n])])), body, secret };
}

test("the published example of a signature is what the official library makes, and the documented code takes it for five minutes", async () => {
  const cell = (name: string) =>
    section.match(new RegExp(`^\\| \`?${name}\`? +\\| \`(.*?)\` +\\|$`, "m"))?.[1] ?? "";
  const [id, timestamp, signature, body, secret] = [
    cell("webhook-id"),
    cell("webhook-timestamp"),
    cell("webhook-signature"),
    cell("body"),
    cell("secret"),
  ] as const;
  const sentAt = new Date(Number(timestamp) * 1000);
  expect(new Webhook(secret).sign(id, sentAt, body)).toBe(signature);
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signature,
  };
  const at = (seconds: number) => sentAt.getTime() + seconds * 1000;
  expect(await isGenuine({ headers, body, secret }, at(299))).toBe(true);
  expect(await isGenuine({ headers, body, secret }, at(-299))).toBe(true);
  expect(await isGenuine({ headers, body, secret }, at(301))).toBe(false);
  expect(await isGenuine({ headers, body: `${body} `, secret }, at(0))).toBe(false);
});

test("the documented code, with and without the library, takes what the service sends, also while two secrets sign, and nothing else", async () => {
  await using receiver = await startReceiver();
  const account = await bed.openAccount();
  const { secret: before } = await showSecret(bed.ctx, account);
  const { secret: now } = await rotateSecret(bed.ctx, byCommand, account.id, 1);
  const { deliveryId } = await sendTest(bed.ctx, account, receiver.url);
  const stop = new AbortController();
  const delivering = deliverDue(bed.ctx, stop.signal);
  const [sent] = await receiver.arrived(1);
  stop.abort();
  await delivering;
  if (sent === undefined) throw new Error("nothing was sent");
  for (const secret of [before, now]) {
    expect(await isGenuine(callbackOf(sent, secret))).toBe(true);
    expect(await readCallback(callbackOf(sent, secret))).toMatchObject({ test: true, deliveryId });
  }
  const strange = callbackOf(sent, "whsec_YW4gZXhhbXBsZSwgbm90IGEgc2VjcmV0");
  expect(await isGenuine(strange)).toBe(false);
  expect(await isGenuine({ ...strange, headers: {} })).toBe(false);
  expect(await readCallback(strange)).toMatch(/signature/i);
});

test("the documented loop reads every event once, in order, and goes on where it stopped", async () => {
  const app = await buildApi(bed.ctx);
  const api = `${await app.listen({ host: "127.0.0.1", port: 0 })}/api/v1`;
  try {
    const account = await bed.openAccount({ openTasksMax: 300, credits: 100_000 });
    const endOne = async () => {
      const body = { model: "sd2", inputs: { prompt: "a fox" } };
      const { taskId } = await createTask(bed.ctx, account, body, null);
      await finishTask(bed.ctx, taskId, { kind: "failed", code: "vendor_failed" });
      return taskId;
    };
    const ended: string[] = [];
    for (let n = 0; n < 105; n += 1) ended.push(await endOne()); // more than a page
    const code = `async () => { const ids = [];
      const next = await catchUp(input.api, input.key, input.after, (event) => void ids.push(event.taskId));
      return { ids, next }; }`;
    const loop = (after: number) => runSnippet("catchUp", code, { api, key: account.key, after });
    const first = (await loop(0)) as { ids: string[]; next: number };
    expect(first.ids).toEqual(ended);
    const late = await endOne();
    expect(await loop(first.next)).toMatchObject({ ids: [late] });
  } finally {
    await app.close();
  }
});
