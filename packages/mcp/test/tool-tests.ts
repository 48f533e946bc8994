import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { renderFile } from "@zoetrope/testkit/make-media.ts";
import { serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { assert, expect, test } from "vitest";
import { approve, bed, callOf, connect, credits, image, openAccount, post } from "./bed.ts";
import { connectStdio, revisions } from "./connect.ts";

const renderFrame = (path: string) =>
  renderFile(path, ["-f", "lavfi", "-i", "testsrc2=s=640x640:d=1", "-frames:v", "1"]);

const tasksExtension = { extensions: { "io.modelcontextprotocol/tasks": {} } };

test.each(revisions)("%s: nine tools with hints, in less than 2,500 tokens", async (revision) => {
  const { key } = await openAccount();
  await using agent = await connect(key, { revision });
  const { tools } = await agent.client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual([
    "describe_model",
    "generate",
    "get_account",
    "get_task",
    "list_assets",
    "list_models",
    "quote",
    "upload_asset",
    "upscale",
  ]);
  for (const { annotations } of tools) expect(annotations?.readOnlyHint).toBeTypeOf("boolean");
  const spending = tools.filter(({ annotations }) => !annotations?.readOnlyHint);
  expect(spending.map(({ name }) => name).sort()).toEqual(["generate", "upload_asset", "upscale"]);
  expect(JSON.stringify(tools).length / 4).toBeLessThan(2_500); // four characters are about one token
});

test("every tool refuses an argument that it does not have, and names it: a misspelt limit spends nothing", async () => {
  const { key, service } = await openAccount();
  await using agent = await connect(key, {});
  const { tools } = await agent.client.listTools();
  for (const { name, inputSchema } of tools)
    expect(inputSchema, name).toMatchObject({ additionalProperties: false });
  const misspelt = { ...image, maxCredits: 3, max_credits: 1 };
  const refused = await agent.client
    .callTool({ name: "generate", arguments: misspelt })
    .then(({ isError, content }) => ({ isError, text: JSON.stringify(content) }))
    .catch((error: Error) => ({ isError: true, text: error.message }));
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining("max_credits") });
  expect((await service.tasks.list()).items).toEqual([]);
});

test.each(revisions)(
  "%s: a video is a link with a small poster, never its bytes",
  async (revision) => {
    const { key, service } = await openAccount();
    await using agent = await connect(key, { revision });
    const inputs = { prompt: "a heron", duration: "4s" };
    const quoted = await agent.call("quote", { model: "sd2-fast", inputs });
    const maxCredits = quoted.value.credits;
    const made = await agent.call("generate", { model: "sd2-fast", inputs, maxCredits });
    const { value, content } = made.value.next
      ? await agent.call("get_task", { taskId: made.value.taskId, waitSeconds: 50 })
      : made;
    expect(value).toMatchObject({ status: "COMPLETED", credits: maxCredits });
    const [, link, poster, ...more] = content;
    const { url, sizeBytes } = value.outputs[0];
    expect(link).toMatchObject({ type: "resource_link", uri: url, mimeType: "video/mp4" });
    assert(poster?.type === "image");
    expect(poster.mimeType).toBe("image/webp");
    expect(Buffer.from(poster.data, "base64").subarray(8, 12).toString()).toBe("WEBP");
    expect(more).toEqual([]);
    expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(sizeBytes);
    expect((await service.credits()).credits).toBe(credits - maxCredits);
  },
);

test("a client that declared tasks gets a handle, whose id is the task's", async () => {
  const { key, service } = await openAccount();
  const capabilities = tasksExtension;
  const call = callOf("generate", { ...image, maxCredits: 3 });
  const { result } = await post(key, { ...call, capabilities });
  expect(result).toMatchObject({ resultType: "task", status: "working", ttlMs: null });
  const { taskId } = result;
  const read = () => post(key, { method: "tasks/get", params: { taskId }, capabilities });
  expect((await read()).result.status).toMatch(/^working|completed$/);
  expect(
    (await post(key, { method: "tasks/cancel", params: { taskId }, capabilities })).result,
  ).toMatchObject({ resultType: "complete" });
  await service.tasks.wait(taskId);
  const over = (await read()).result;
  expect(over).toMatchObject({ resultType: "complete", status: "completed", taskId });
  expect(over.result.content[1].type).toBe("resource_link");
  const undeclared = await post(key, { method: "tasks/get", params: { taskId } });
  expect(undeclared.error.code).toBe(-32_021);
  const { key: strangersKey } = await openAccount();
  const foreign = { method: "tasks/get", params: { taskId }, capabilities };
  expect((await post(strangersKey, foreign)).error.code).toBe(-32_602);
});

test.each(revisions)("%s: whoever asks for progress is told it", async (revision) => {
  const { key } = await openAccount();
  await using agent = await connect(key, { revision });
  const reported: number[] = [];
  const call = { name: "generate", arguments: { ...image, maxCredits: 3 } };
  await agent.client.callTool(call, { onprogress: ({ progress }) => reported.push(progress) });
  expect(reported).toEqual(reported.toSorted((a, b) => a - b));
  expect(reported.length).toBeGreaterThan(0);
});

test("a task that takes longer is answered within 25 s, with how to go on", async () => {
  const { key } = await openAccount();
  await using agent = await connect(key);
  const inputs = { prompt: "a heron [sandbox:hang]" };
  const { value } = await agent.call("generate", { model: "sd2-fast", inputs, maxCredits: 500 });
  expect(value.next).toContain(`Call get_task with taskId ${value.taskId}`);
  const again = await agent.call("get_task", { taskId: value.taskId, waitSeconds: 1 });
  expect(again.value).toMatchObject({ next: value.next });
});

test("a task that fails is an error with its code, and costs nothing", async () => {
  const { key, service } = await openAccount();
  await using agent = await connect(key);
  const failing = { ...image, inputs: { prompt: "a fox [sandbox:fail]" }, maxCredits: 10 };
  const { isError, value } = await agent.call("generate", failing);
  expect(isError).toBe(true);
  expect(value).toMatchObject({
    status: "FAILED",
    charged: 0,
    error: { code: expect.any(String) },
  });
  expect((await service.credits()).credits).toBe(credits);
});

test("the scopes of the key are those of any other call", async () => {
  const { key } = await openAccount({ scopes: ["read"] });
  await using agent = await connect(key);
  const { models } = (await agent.call("list_models", { kind: "image" })).value;
  expect(models[0].prices.images[0].creditsPerImage).toBeGreaterThan(0);
  const refused = await agent.call("generate", { ...image, maxCredits: 3 });
  expect(refused.value).toMatchObject({
    error: { code: "scope_missing", requestId: expect.any(String) },
  });
});

test("names of users are data: nothing in them is hidden or moves the text", async () => {
  const { key } = await openAccount();
  await using agent = await connect(key);
  const name = "fox\u202e\u200b\u{e0041}\u001b[2J.png";
  await using files = await serveFiles({ dir: bed().scratch.path });
  const url = files.urlOf(await renderFrame(join(bed().scratch.path, "fox.png")));
  const { value } = await agent.call("upload_asset", { url, type: "IMAGE", name });
  expect(value).toMatchObject({ type: "IMAGE" });
  const listed = await agent.call("list_assets", { assetId: value.assetId });
  expect(listed.value.name).toBe("fox    [2J.png");
});

test("a model without review takes an uploaded file at once, while the file waits for a person", async () => {
  const { key, service } = await openAccount();
  await using agent = await connect(key);
  await using files = await serveFiles({ dir: bed().scratch.path });
  const url = files.urlOf(await renderFrame(join(bed().scratch.path, "review.png")));
  const { value } = await agent.call("upload_asset", { url, type: "IMAGE" });
  expect(value).toMatchObject({
    status: "PROCESSING",
    usableBy: expect.arrayContaining([image.model]),
    usableAfterReview: ["sd2", "sd2-fast"],
    next: expect.stringContaining("in review"),
  });
  const request = { model: image.model, inputs: { ...image.inputs, urls: [value.input] } };
  const { value: price } = await agent.call("quote", request);
  const made = await agent.call("generate", { ...request, maxCredits: price.credits });
  expect(await service.tasks.wait(made.value.taskId)).toMatchObject({ status: "COMPLETED" });
  expect(await service.assets.get(value.assetId)).toMatchObject({ status: "PROCESSING" });
});

test.each(revisions)(
  "%s: a process on stdio serves the same tools, and asks too",
  async (revision) => {
    const { key, count } = await openAccount();
    const cwd = join(bed().scratch.path, `stdio-${revision}`);
    await mkdir(cwd);
    await writeFile(join(bed().scratch.path, "secret.txt"), "secret");
    await renderFrame(join(cwd, "frame.png"));
    const questions: string[] = [];
    await using agent = await connectStdio(
      { apiUrl: bed().stack.apiUrl, key, cwd },
      {
        revision,
        onQuestion: (message) => {
          questions.push(message);
          return approve;
        },
      },
    );
    expect((await agent.client.listTools()).tools).toHaveLength(9);
    const uploaded = await agent.call("upload_asset", { path: "frame.png", type: "IMAGE" });
    expect(uploaded.value).toMatchObject({ input: expect.stringMatching(/^asset:/) });
    const outside = await agent.call("upload_asset", { path: "../secret.txt", type: "IMAGE" });
    expect(outside.isError).toBe(true);
    const { value, content } = await agent.call("generate", { ...image, maxCredits: 2 });
    expect(value).toMatchObject({ status: "COMPLETED" });
    expect(content.at(-1)?.type).toBe("image");
    expect(questions).toHaveLength(1);
    expect(await count()).toBe(1);
  },
);
