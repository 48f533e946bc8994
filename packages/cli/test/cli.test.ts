import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { unwrapWebhook } from "@zoetrope/sdk";
import { renderFile } from "@zoetrope/testkit/make-media.ts";
import { probeVideo } from "@zoetrope/testkit/probe-video.ts";
import { serve } from "@zoetrope/testkit/serve.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readRecording, recordGenerate, withoutPoster } from "./record-generate.ts";
import { openHome, type Person, runCli, startCli } from "./start-cli.ts";

let scratch: Scratch;
let stack: Stack;
let people = 0;
const limit = { timeoutMs: 300_000 };
beforeAll(async () => {
  scratch = await makeScratch("cli");
  stack = await startStack({
    dir: scratch.path,
    serverEnv: { POLL_FIRST_MS: "500", REVIEW_IMAGE: "vendor" },
    sandboxEnv: { SANDBOX_DRAFT: "true" },
  });
});
afterAll(async () => {
  await stack?.stop();
  await scratch?.remove();
});

async function openPerson(
  account: { credits?: number; openTasksMax?: number } = {},
): Promise<Person> {
  const name = `person-${++people}`;
  const { key } = await stack.openAccount({ name, credits: 10_000, ...account });
  const env = { ZOETROPE_API_KEY: key, ZOETROPE_BASE_URL: stack.apiUrl };
  return { home: await openHome(scratch.path, name), env };
}

test("generate writes a file that plays, and prints the task as JSON when piped", async () => {
  const person = await openPerson();
  const args = ["generate", "a heron", "--model", "sd2", "--duration", "4s"];
  const { code, stdout, stderr } = await runCli(person, [...args, "-o", "out/{taskId}.{ext}"]);
  expect(stderr).toContain("Generating · sd2");
  expect(code).toBe(0);
  const task = JSON.parse(stdout);
  expect(task).toMatchObject({ status: "COMPLETED", paths: [`out/${task.taskId}.mp4`] });
  expect((await probeVideo(join(person.home, task.paths[0]))).seconds).toBeCloseTo(4, 0);
  expect(stderr + stdout).not.toContain(person.env["ZOETROPE_API_KEY"]);
});

test("a local file is uploaded, and a repeated command with its idempotency key makes one task", async () => {
  const person = await openPerson();
  const image = ["-f", "lavfi", "-i", "testsrc2=s=640x640:d=1", "-frames:v", "1"];
  await renderFile(join(person.home, "a.png"), image);
  const args = ["generate", "at night", "-m", "image-plus-2", "--image", "./a.png", "--async"];
  const twice = [];
  for (const _ of [1, 2]) twice.push(await runCli(person, [...args, "--idempotency-key", "one"]));
  const [first, second] = twice;
  expect(first?.stderr).toContain("Uploading a.png");
  expect(first?.code).toBe(0);
  expect(second?.stdout).toBe(first?.stdout);
  expect(second?.stderr).not.toContain("Uploading");
});

test("Ctrl-C while waiting says that the task goes on and how to find it again", async () => {
  const person = await openPerson();
  const running = startCli(person, ["generate", "a heron [sandbox:hang]", "-m", "sd2"]);
  await waitUntil("it waits", () => /task [0-9a-f-]{36}/.test(running.stderr()), limit);
  const [, taskId] = running.stderr().match(/task ([0-9a-f-]{36})/) ?? [];
  running.child.kill("SIGINT");
  const { code, stderr } = await running.ended;
  expect(code).toBe(130);
  expect(stderr).toContain(`'zoetrope tasks wait ${taskId}' waits for it again.`);
});

test("errors are a sentence with a code, what to do next and the request id, and have their exit code", async () => {
  const person = await openPerson({ credits: 1 });
  const model = ["generate", "a heron", "-m", "sd2"];
  const poor = await runCli(person, model);
  expect(poor.code).toBe(4);
  expect(poor.stderr).toMatch(
    /^Error: .*\n {2}Ask the operator .*\n {2}code insufficient_credits · request \S+\n$/m,
  );
  const wrong = await runCli(person, [...model, "--duration", "99s", "--json"]);
  expect(wrong.code).toBe(2);
  expect(JSON.parse(wrong.stderr.split("\n").at(-2) ?? "")).toMatchObject({
    error: { code: "invalid_parameters", param: "inputs.duration", requestId: expect.any(String) },
  });
  expect(await runCli(person, [...model, "--output-resolution", "8k"])).toMatchObject({ code: 2 });
  const above = await runCli(await openPerson(), [...model, "--max-credits", "1"]);
  expect(above.code).toBe(4);
  const stranger = { ...person, env: { ...person.env, ZOETROPE_API_KEY: "zoe_live_none" } };
  expect(await runCli(stranger, model)).toMatchObject({ code: 3 });
  const failing = await runCli(await openPerson(), ["generate", "[sandbox:fail]", "-m", "sd2"]);
  expect(failing.code).toBe(5);
  const slow = ["generate", "a heron [sandbox:hang]", "-m", "sd2", "--timeout", "1"];
  const late = await runCli(await openPerson(), slow);
  expect(late.code).toBe(6);
  expect(late.stderr).toContain("zoetrope tasks wait");
  for (const { stderr } of [poor, wrong, above, failing, late])
    expect(stderr).not.toMatch(/ at .*:\d+/);
});

test("a login is kept in a file that its owner alone can read, and its key goes to no other service", async () => {
  const { env, home } = await openPerson();
  const { ZOETROPE_API_KEY: key = "", ZOETROPE_BASE_URL: url = "" } = env;
  const person = { home, env: {} };
  expect(await runCli(person, ["credits"])).toMatchObject({ code: 3 });
  const login = await runCli(person, ["login", "--base-url", url], `${key}\n`);
  expect(login).toMatchObject({ code: 0 });
  expect(JSON.parse(login.stdout)).toMatchObject({ baseUrl: url, storedIn: "file" });
  const file = join(home, "config/zoetrope/credentials.json");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const credits = await runCli(person, ["credits"]);
  expect(JSON.parse(credits.stdout)).toMatchObject({ availableCredits: 10_000 });
  const elsewhere = await runCli(person, ["credits", "--base-url", "http://127.0.0.1:9"]);
  expect(elsewhere).toMatchObject({ code: 3 });
  const mixed = await runCli({ home, env: { ZOETROPE_API_KEY: key } }, ["credits"]);
  expect(mixed).toMatchObject({ code: 3 });
  const exported = await runCli({ home, env }, ["credits", "--base-url", "http://127.0.0.1:9"]);
  expect(exported).toMatchObject({ code: 3 });
  await chmod(file, 0o644);
  expect(await runCli(person, ["credits"])).toMatchObject({ code: 3 });
  await chmod(file, 0o600);
  await runCli(person, ["logout"]);
  expect(await runCli(person, ["credits"])).toMatchObject({ code: 3 });
  for (const { stdout, stderr } of [login, credits, elsewhere, mixed, exported])
    expect(stdout + stderr).not.toContain(key);
});

test("a batch runs every line, tells each result, and repeated with its key makes no task twice", async () => {
  const person = await openPerson({ openTasksMax: 2 });
  const lines = ["a fox", "a heron [sandbox:fail]", "an owl"].map((prompt) =>
    JSON.stringify({ inputs: { prompt } }),
  );
  await writeFile(join(person.home, "all.jsonl"), `${lines.join("\n")}\n\n`);
  const args = ["generate", "-m", "image-plus-2", "--resolution", "1k", "--batch", "all.jsonl"];
  const all = [...args, "-o", "out/{line}.{ext}", "--idempotency-key", "batch"];
  const first = await runCli(person, all);
  expect(first.code).toBe(5);
  const results = first.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(new Set(results.map(({ line, status }) => `${line} ${status}`))).toEqual(
    new Set(["1 completed", "2 failed", "3 completed"]),
  );
  expect((await readdir(join(person.home, "out"))).sort()).toEqual(["1.png", "3.png"]);
  await runCli(person, all);
  const { stdout } = await runCli(person, ["tasks", "list"]);
  expect(JSON.parse(stdout).items).toHaveLength(3);
  const same = await runCli(person, [...args, "-o", "same.png"]);
  expect(same).toMatchObject({ code: 2 });
});

test("tasks of both kinds can be listed, shown, waited for and opened, with their costs", async () => {
  const person = await openPerson();
  const made = await runCli(person, ["generate", "a fox", "-m", "image-plus-2"]);
  const { taskId, output } = JSON.parse(made.stdout);
  const read = async (...args: string[]) => JSON.parse((await runCli(person, args)).stdout);
  expect(await read("tasks", "get", taskId)).toMatchObject({ kind: "generation", taskId });
  expect(await read("tasks", "wait", taskId, "-o", "a.png")).toMatchObject({ paths: ["a.png"] });
  expect(await read("tasks", "open", taskId)).toEqual({ taskId, url: output[0].url });
  expect((await read("tasks", "timeline", taskId)).entries.length).toBeGreaterThan(2);
  expect(await runCli(person, ["tasks", "get", "none"])).toMatchObject({ code: 7 });
  const source = ["-f", "lavfi", "-i", "testsrc2=s=320x180:d=1"];
  await renderFile(join(person.home, "a.mp4"), source);
  const upscale = ["upscale", "a.mp4", "--to", "1080p"];
  const above = await runCli(person, [...upscale, "--max-credits", "1"]);
  expect(above.stderr).toContain("price_above_max");
  const once = [...upscale, "--async", "--idempotency-key", "up"];
  const { taskId: upscaleId } = await read(...once);
  expect(await read(...once)).toEqual({ taskId: upscaleId });
  const waited = await read("tasks", "wait", upscaleId, "-o", "{model}.{ext}");
  expect(waited).toMatchObject({ taskId: upscaleId, paths: ["upscale.mp4"] });
  expect((await probeVideo(join(person.home, "upscale.mp4"))).height).toBe(1080);
  const listed = await read("tasks", "list", "--kind", "upscale");
  expect(listed.items).toMatchObject([{ taskId: upscaleId }]);
  expect((await read("ledger", "--limit", "1")).items).toHaveLength(1);
  expect((await read("usage", "--group", "model")).items).toMatchObject([
    { value: "image-plus-2" },
    { value: "upscale" },
  ]);
  expect((await read("assets", "list")).items).toMatchObject([{ type: "VIDEO", name: "a.mp4" }]);
});

test("ends of tasks reach a local receiver, signed with the secret that the command prints", async () => {
  const person = await openPerson();
  const bodies: Promise<unknown>[] = [];
  let secret = "";
  await using receiver = await serve(async (request, response) => {
    const body = await text(request);
    if (request.url === "/local") bodies.push(unwrapWebhook(body, request.headers, secret));
    response.end();
  });
  const listen = startCli(person, [
    "webhooks",
    "listen",
    "--forward-to",
    `${receiver.url}/local`,
    "--after",
    "0",
  ]);
  await waitUntil("it listens", () => listen.stderr().includes("whsec_"), limit);
  secret = listen.stderr().match(/whsec_\S+/)?.[0] ?? "";
  const made = await runCli(person, ["generate", "a fox", "-m", "image-plus-2"]);
  const { taskId } = JSON.parse(made.stdout);
  await waitUntil("it was forwarded", () => listen.stdout().includes("\n"), limit);
  listen.child.kill("SIGINT");
  expect(await listen.ended).toMatchObject({ code: 130 });
  expect(JSON.parse(listen.stdout())).toMatchObject({ taskId, status: 200 });
  expect(await Promise.all(bodies)).toMatchObject([{ taskId, status: "COMPLETED" }]);
  const tail = await runCli(person, ["events", "tail", "--after", "0", "--no-follow"]);
  expect(JSON.parse(tail.stdout)).toMatchObject({ taskId, type: "generation.completed" });
  const rotated = await runCli(person, ["webhooks", "rotate"]);
  expect(JSON.parse(rotated.stdout).secret).toMatch(/^whsec_/);
  const sent = await runCli(person, ["webhooks", "test", `${receiver.url}/from-service`]);
  const { deliveryId } = JSON.parse(sent.stdout);
  const list = ["webhooks", "list", "--outcome", "delivered"];
  await waitUntil(
    "it is delivered",
    async () => JSON.parse((await runCli(person, list)).stdout).items.length === 1,
    limit,
  );
  const again = await runCli(person, ["webhooks", "again", deliveryId]);
  expect(JSON.parse(again.stdout)).toMatchObject({ queued: 1 });
});

test("an operator's key creates and revokes keys", async () => {
  const { home, env } = await openPerson();
  const { accountId } = await stack.openAccount({ name: "keys", credits: 1 });
  const operator = { home, env: { DATABASE_URL: stack.databaseUrl, ...stack.serverEnv } };
  const scopes = ["--scopes", "keys,account"];
  const admin = ["admin", "key", "create", "--account", accountId, "--name", "k", ...scopes];
  const made = await runCli(operator, [...admin, "--json"]);
  expect(made.stderr).toBe("");
  const person = { home, env: { ...env, ZOETROPE_API_KEY: JSON.parse(made.stdout).key } };
  const created = await runCli(person, ["keys", "create", "ci", "--scopes", "account"]);
  const { keyId } = JSON.parse(created.stdout);
  expect(await runCli(person, ["keys", "revoke", keyId])).toMatchObject({ code: 0 });
  const { stdout } = await runCli(person, ["keys", "list"]);
  expect(JSON.parse(stdout).items[0]).toMatchObject({ keyId, status: "revoked" });
});

test("a flag that the kept models do not have is asked for again", async () => {
  const person = await openPerson();
  await runCli(person, ["models"]);
  const cache = join(person.home, "cache/zoetrope");
  const [name = ""] = await readdir(cache);
  const kept = (await readFile(join(cache, name), "utf8")).replaceAll('"seed"', '"sown"');
  await writeFile(join(cache, name), kept);
  const quoted = await runCli(person, ["quote", "a fox", "-m", "sd2", "--seed", "1"]);
  expect(JSON.parse(quoted.stdout)).toMatchObject({ credits: 30 });
  const spelt = ["quote", "a fox", "-msd2", "--outputResolution=1080p"];
  expect(await runCli(person, spelt)).toMatchObject({ code: 0 });
  const help = await runCli(person, ["generate", "-m", "sd2", "--help"]);
  expect(help.stdout).toContain("--upscale-resolution <text>");
});

test("the recorded run of the README is what the command prints", async () => {
  const recorded = await recordGenerate(await openPerson());
  const committed = await readRecording();
  expect(recorded.text).toBe(committed.text);
  expect(withoutPoster(recorded.svg)).toBe(committed.svg);
  expect(recorded.svg).toContain("base64,UklGR"); // a WebP
});
