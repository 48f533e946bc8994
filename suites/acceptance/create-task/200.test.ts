import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { main, other, scheduleB } from "../src/client.ts";
import { freePrompt, modes } from "../src/examples.ts";

const sd2 = { model: "sd2", inputs: { prompt: freePrompt, duration: "4s" } };

for (const { model, mode, inputs, creditsA } of modes)
  test(`§4.1 ${model} takes ${mode}: 200 with a taskId, and ${creditsA} credits are held`, async () => {
    const answer = await main.createTask({ model, inputs, maxCredits: creditsA });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ taskId: expect.any(String) });
    const task = await main.task(String(answer.body["taskId"]));
    expect(task.model).toBe(model);
    // Where no vendor serves the model the task may be over already, and then it costs nothing.
    expect(task.creditsUsed).toBe(task.status === "FAILED" ? 0 : creditsA);
  });

test("§4.1 the answer is JSON", async () => {
  const answer = await main.createTask(sd2);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
});

test("§7 an answer that is no error carries X-Request-Id too", async () => {
  const [first, second] = await Promise.all([main.createTask(sd2), main.createTask(sd2)]);
  expect(first.headers.get("x-request-id")).toEqual(expect.any(String));
  expect(second.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
});

test("§4.1 callBackUrl, maxCredits and seed may be null, which is like leaving them out", async () => {
  const body = { ...sd2, callBackUrl: null, maxCredits: null };
  const answer = await main.createTask({ ...body, inputs: { ...sd2.inputs, seed: null } });
  expect(answer.status, answer.text).toBe(200);
});

test("§4.1 every optional input may be null, and seed may be blank, in a quote as well", async () => {
  const inputs = {
    ...sd2.inputs,
    resolution: null,
    outputResolution: null,
    upscaleResolution: null,
    generateAudio: null,
    videoInputMode: null,
    urls: null,
    seed: "",
  };
  const [plain, blank] = await Promise.all([main.quote(sd2), main.quote({ ...sd2, inputs })]);
  expect(blank.status, blank.text).toBe(200);
  expect(blank.body).toEqual(plain.body);
  const answer = await main.createTask({ ...sd2, inputs });
  expect(answer.status, answer.text).toBe(200);
});

test("§4.1 every createTask makes a task of its own, also with the same body", async () => {
  const [first, second] = await Promise.all([main.createTask(sd2), main.createTask(sd2)]);
  expect(first.body["taskId"]).not.toBe(second.body["taskId"]);
});

test("§8 an account on schedule B holds schedule B's price", async () => {
  const answer = await scheduleB.createTask({ ...sd2, maxCredits: 160 });
  expect(answer.status, answer.text).toBe(200);
  expect(await scheduleB.task(String(answer.body["taskId"]))).toMatchObject({ creditsUsed: 160 });
});

test("Idempotency-Key: the same key and body get the same answer, marked as replayed, and hold once", async () => {
  const before = await other.idle();
  const key = { "idempotency-key": randomUUID() };
  const first = await other.createTask(sd2, key);
  const held = await other.balance();
  const second = await other.createTask(sd2, key);
  expect(first.status, first.text).toBe(200);
  expect(first.headers.get("idempotent-replayed")).toBeNull();
  expect(second.status, second.text).toBe(200);
  expect(second.body).toEqual(first.body);
  expect(second.headers.get("idempotent-replayed")).toBe("true");
  expect(held.availableCredits).toBe(before.availableCredits - 24);
  expect(await other.balance()).toEqual(held);
  await other.idle();
});

test("Idempotency-Key: the same body in another order of members is the same body", async () => {
  const key = { "idempotency-key": randomUUID() };
  const first = await main.createTask({ model: "sd2", inputs: sd2.inputs }, key);
  const second = await main.createTask({ inputs: sd2.inputs, model: "sd2" }, key);
  expect(second.body).toEqual(first.body);
});

test("Idempotency-Key: twenty requests at once make one task", async () => {
  const key = { "idempotency-key": randomUUID() };
  const answers = await Promise.all(Array.from({ length: 20 }, () => main.createTask(sd2, key)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(new Set(answers.map(({ body }) => body["taskId"])).size).toBe(1);
});

test("Idempotency-Key: another account's key is not the same key", async () => {
  const key = { "idempotency-key": randomUUID() };
  const [mine, theirs] = await Promise.all([
    main.createTask(sd2, key),
    scheduleB.createTask(sd2, key),
  ]);
  expect(theirs.status, theirs.text).toBe(200);
  expect(theirs.body["taskId"]).not.toBe(mine.body["taskId"]);
});
