import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import type { Stack } from "@zoetrope/dev/stack.ts";
import { unwrapWebhook } from "@zoetrope/sdk";
import { renderFile } from "@zoetrope/testkit/make-media.ts";
import { probeVideo } from "@zoetrope/testkit/probe-video.ts";
import { serve } from "@zoetrope/testkit/serve.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { adminOf, type CliBed, openCliBed } from "./cli-bed.ts";
import { readRecording, recordGenerate, withoutPoster } from "./record-generate.ts";
import { openHome, runCli, startCli } from "./start-cli.ts";

const limit = { timeoutMs: 300_000 };
let bed: CliBed;
let stack: Stack;
let openPerson: CliBed["openPerson"];
let openOperator: CliBed["openOperator"];
beforeAll(async () => {
  bed = await openCliBed();
  ({ stack, openPerson, openOperator } = bed);
});
afterAll(() => bed[Symbol.asyncDispose]());

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

test("a local file is uploaded and used while it waits for its review, and a repeated command with its idempotency key makes one task", async () => {
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
  const { stdout } = await runCli(person, ["assets", "list"]);
  expect(JSON.parse(stdout).items).toMatchObject([{ name: "a.png", status: "PROCESSING" }]);
});

test("Ctrl-C while waiting says that the task is still running and how to wait for it", async () => {
  const person = await openPerson();
  const running = startCli(person, ["generate", "a heron [sandbox:hang]", "-m", "sd2"]);
  await waitUntil("it waits", () => /task [0-9a-f-]{36}/.test(running.stderr()), limit);
  const [, taskId] = running.stderr().match(/task ([0-9a-f-]{36})/) ?? [];
  running.child.kill("SIGINT");
  const { code, stderr } = await running.ended;
  expect(code).toBe(130);
  expect(stderr).toContain(`Run 'zoetrope tasks wait ${taskId}' to wait for it.`);
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

test("an upscale takes what a task made: by its id, its reference or its link, or an asset", async () => {
  const person = await openPerson({ openTasksMax: 10 });
  const read = async (...args: string[]) => {
    const { stdout, stderr } = await runCli(person, args);
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout);
  };
  const { taskId, output } = await read(
    "generate",
    "a heron",
    "-m",
    "sd2-fast",
    "--duration",
    "4s",
  );
  const [{ url }] = output;
  expect(url).toMatch(/^http:\/\/localhost:/);
  await read("tasks", "wait", taskId, "-o", "heron.mp4");
  const { storageUrl, upstreamAssetId } = await read("assets", "upload", "heron.mp4", "--async");
  const names = [taskId, `task://${taskId}`, `task://${taskId}/0`, url, storageUrl];
  for (const from of [...names, `asset://${upstreamAssetId}`])
    expect(await read("upscale", from, "--to", "1080p", "--async")).toEqual({
      taskId: expect.any(String),
    });
  const edit = ["generate", "at night", "-m", "image-plus-2", "--async", "--image"];
  const made = await read("generate", "a fox", "-m", "image-plus-2");
  for (const name of [made.output[0].url, `task://${made.taskId}`])
    expect(await read(...edit, name)).toEqual({ taskId: expect.any(String) });
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

/** Somebody with a service key of every scope. */
test("an operator opens an account, gives it credits and a key that makes keys, and finds all of it again", async () => {
  const admin = adminOf(await openOperator());
  const { accountId, webhookSecret } = (await admin("accounts create Ada_&_Co")).answer;
  expect(webhookSecret).toMatch(/^whsec_/);
  const granted = await admin(`grants create ${accountId} --credits 70 --note first_credits`);
  expect(granted.answer).toMatchObject({ status: "posted" });
  const taken = await admin(`grants adjust ${accountId} --credits=-20 --note a_correction`);
  expect(taken.answer).toMatchObject({ status: "posted" });
  expect((await admin(`accounts change ${accountId} --open-tasks-max 7`)).code).toBe(0);
  expect((await admin(`accounts show ${accountId}`)).answer).toMatchObject({
    name: "Ada & Co",
    credits: 50,
    openTasksMax: 7,
  });
  const found = (await admin("accounts list --name ada")).answer.items;
  expect(found).toContainEqual(expect.objectContaining({ accountId }));
  const made = await admin(`keys create ${accountId} --name first --scopes keys,account`);
  const person = await openPerson();
  const env = { ...person.env, ZOETROPE_API_KEY: made.answer.key };
  const own = { ...person, env };
  const created = await runCli(own, ["keys", "create", "ci", "--scopes", "account"]);
  const { keyId } = JSON.parse(created.stdout);
  expect((await admin(`keys revoke ${accountId} ${keyId}`)).code).toBe(0);
  const { stdout } = await runCli(own, ["keys", "list"]);
  expect(JSON.parse(stdout).items[0]).toMatchObject({ keyId, status: "revoked" });
  const audit = (await admin(`audit list --account ${accountId}`)).answer.items;
  expect(audit.map((entry: { actor: { kind: string } }) => entry.actor.kind)).toContain("service");
});

test("an operator records an agreement of a file, reads it and ends it", async () => {
  const operator = await openOperator();
  const admin = adminOf(operator);
  const { accountId } = (await admin("accounts create Film")).answer;
  const file = join(operator.home, "agreement.txt");
  const when = "--agreed-by Example_Co. --agreed-at 2026-01-31T12:00:00Z";
  const record = `label-agreements record ${accountId} ${when} --text-file ${file}`;
  expect((await admin(record)).code).toBe(2); // there is no such file
  await writeFile(file, "We label what we publish.\n");
  const { agreementId } = (await admin(record)).answer;
  const list = async () => (await admin(`label-agreements list ${accountId}`)).answer.items;
  const agreement = { agreementId, agreedBy: "Example Co.", text: "We label what we publish." };
  expect(await list()).toMatchObject([{ ...agreement, endedAt: null }]);
  const end = `label-agreements end ${accountId} ${agreementId} --reason over`;
  expect((await admin(end)).code).toBe(0);
  expect(await list()).toMatchObject([{ ...agreement, endReason: "over" }]);
  const outputs = await admin(`label-agreements outputs ${accountId}`);
  expect(outputs.answer).toEqual({ items: [], nextCursor: null });
});

test("an operator adds a vendor account by a key on stdin, changes it and removes it, and no key is printed", async () => {
  const admin = adminOf(await openOperator());
  const url = `${stack.sandboxUrl}/api/v3`;
  const said = [];
  for (const [args, stdin] of [
    [`vendors add spare --kind ark --url ${url} --weight 0 --test`, "sandbox-ark-key\n"],
    ["vendors test spare"],
    ["vendors pause spare --reason maintenance"],
    ["vendors change spare --weight 0 --open-jobs-max none"],
    ["vendors rotate spare", "sandbox-ark-key"],
    ["vendors list"],
    ["grant-limit set --credits none"],
    ["vendors remove spare"],
  ] as const)
    said.push({ args, ...(await admin(args, stdin)) });
  expect(said.map(({ args, code, stderr }) => (code === 0 ? "ok" : `${args}: ${stderr}`))).toEqual(
    said.map(() => "ok"),
  );
  expect(JSON.stringify(said)).not.toContain("sandbox-ark-key");
  const listed = said[5]?.answer.items.find(({ name }: { name: string }) => name === "spare");
  expect(listed).toMatchObject({ state: "paused", weight: 0, openJobsMax: null });
  const refused = await admin(`vendors add spare --kind ark --url ${url}`, "hunter2");
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("refuses the key") });
});

test("a task is failed, a model is switched off and on, a banner is set, and nothing is stuck", async () => {
  const admin = adminOf(await openOperator());
  const { accountId, key } = await stack.openAccount({ name: "failed", credits: 100 });
  const env = { ZOETROPE_API_KEY: key, ZOETROPE_BASE_URL: stack.apiUrl };
  const customer = { home: await openHome(bed.dir, "failed"), env };
  const slow = ["generate", "a fox [sandbox:slow=300]", "-m", "sd2", "--async"];
  const { taskId } = JSON.parse((await runCli(customer, slow)).stdout);
  const [task] = (await admin(`tasks list --account ${accountId}`)).answer.items;
  expect(task).toMatchObject({ taskId, model: "sd2" });
  expect((await admin(`tasks fail ${taskId} --reason asked_by_mail`)).code).toBe(0);
  const again = await admin(`tasks fail ${taskId} --reason asked_by_mail`);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("task_over") });
  expect((await admin(`tasks show ${taskId}`)).answer).toMatchObject({ taskId });
  expect((await admin("models off sd2-fast --message Back_at_noon.")).code).toBe(0);
  const { models } = (await admin("models list")).answer;
  expect(models).toContainEqual({ model: "sd2-fast", isOn: false, message: "Back at noon." });
  expect((await admin("models on sd2-fast")).code).toBe(0);
  const text = "--severity info --text Hello --text-zh 你好 --until 2099-01-01T00:00:00Z";
  expect((await admin(`banner set ${text}`)).code).toBe(0);
  expect((await admin("banner show")).answer.banner).toMatchObject({ severity: "info" });
  expect((await admin("banner remove")).code).toBe(0);
  expect((await admin("stuck list")).answer).toEqual({ items: [] });
  expect((await admin("system show")).answer.parts).toMatchObject({ database: true });
});

test("mistakes in an operator's command are refused with what is near, and refusals of the service with what to do", async () => {
  const operator = await openOperator();
  const admin = adminOf(operator);
  for (const [args, code, hint] of [
    ["acounts list", 2, "Did you mean accounts?"],
    ["vendors pauze ark", 2, "Did you mean pause?"],
    ["vendors pause ark --weight 5", 2, "Unknown option '--weight'"],
    ["tasks fail x", 2, "Required option '--reason <text>' not specified"],
    ["grants create x --credits 1e3 --note x", 2, "not a whole number"],
    ["accounts create", 2, "Missing required argument 'name'"],
    ["accounts list extra", 2, "Too many arguments"],
    ["accounts show 0", 7, "account_not_found"],
  ] as const)
    expect(await admin(args), args).toMatchObject({ code, stderr: expect.stringContaining(hint) });
  const nobody = { home: operator.home, env: { ZOETROPE_BASE_URL: stack.apiUrl } };
  const signedOut = await runCli(nobody, ["admin", "accounts", "list"]);
  expect(signedOut).toMatchObject({ code: 3, stderr: expect.stringContaining("admin login") });
  const wrong = { ...operator, env: { ...operator.env, ZOETROPE_SERVICE_KEY: "zoe_ops_wrong" } };
  const refused = await runCli(wrong, ["admin", "accounts", "list", "--json"]);
  expect(refused.code).toBe(3);
  expect(JSON.parse(refused.stderr).error).toMatchObject({ code: "unauthorized", exitCode: 3 });
});

test("a service key that was stored by admin login is used by admin alone, beside the API key of the same service", async () => {
  const { env } = await openOperator();
  const customer = await openPerson();
  const home = await openHome(bed.dir, "both");
  const person = { home, env: { ZOETROPE_BASE_URL: stack.apiUrl } };
  const serviceKey = env["ZOETROPE_SERVICE_KEY"];
  const stored = await runCli(person, ["admin", "login"], serviceKey);
  expect(JSON.parse(stored.stdout)).toMatchObject({ name: "stack", storedIn: "file" });
  expect((await runCli(person, ["login"], customer.env["ZOETROPE_API_KEY"])).code).toBe(0);
  expect((await runCli(person, ["admin", "accounts", "list"])).code).toBe(0);
  expect((await runCli(person, ["credits"])).code).toBe(0);
  expect((await runCli(person, ["admin", "logout"])).code).toBe(0);
  expect((await runCli(person, ["admin", "accounts", "list"])).code).toBe(3);
  expect((await runCli(person, ["credits"])).code).toBe(0);
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
