import type { Answer } from "@zoetrope/testkit/api-client.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { limited, waitFor } from "../src/client.ts";
import { openPrompt } from "../src/examples.ts";
import { expectInvalid, expectRefusal } from "../src/expect-refusal.ts";

const limit = 3;
const body = { model: "sd2-fast", inputs: { prompt: openPrompt, duration: "4s" } };
/** 330 credits: more than the account may have. */
const dearest = {
  model: "sd2",
  inputs: {
    prompt: openPrompt,
    duration: "15s",
    outputResolution: "1080p",
    upscaleResolution: "4k",
  },
};

function expectLimit(answer: Answer): void {
  expectRefusal(answer, { status: 429, code: "concurrency_limit" });
  expect(answer.headers.get("retry-after")).toMatch(/^[1-9][0-9]*$/);
}

/** Waits for the end of what is open, then makes as many tasks as there may be; gives their ids. */
async function fillUp(): Promise<string[]> {
  await limited.idle();
  const taskIds: string[] = [];
  while (taskIds.length < limit) taskIds.push(await limited.create(body.model, body.inputs));
  return taskIds;
}

describe("three tasks are open", () => {
  beforeAll(async () => {
    await fillUp();
  });

  test("§8 3 tasks at once per account: the 4th is a 429 with Retry-After and holds nothing", async () => {
    const before = await limited.balance();
    expect(before.credits - before.availableCredits).toBe(limit * 20);
    expectLimit(await limited.createTask(body));
    expect(await limited.balance()).toEqual(before);
  });

  test("§8 tasks of every model count together", async () => {
    expectLimit(await limited.createTask({ model: "image-pro-2", inputs: { prompt: "A boat" } }));
    expectLimit(await limited.createTask({ model: "happyhorse", inputs: { prompt: "A boat" } }));
  });

  test("§7 429 comes before 402: at the limit, a task that costs too much is a 429", async () => {
    expect((await limited.balance()).credits, "credits of this account").toBeLessThan(330);
    expectLimit(await limited.createTask(dearest));
    expectLimit(await limited.createTask({ ...body, maxCredits: 0 }));
  });

  test("§7 400 comes before 429: at the limit, a wrong body is a 400", async () => {
    expectInvalid(await limited.createTask({ ...body, model: "sd3" }), "model");
  });

  test("a quote needs no free place", async () => {
    expect((await limited.quote(body)).status).toBe(200);
  });
});

test("§8 the limit holds for requests at the same moment: of eight, three are accepted", async () => {
  await limited.idle();
  const answers = await Promise.all(Array.from({ length: 8 }, () => limited.createTask(body)));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(8 - limit);
  for (const answer of refused) expectLimit(answer);
});

test("§8 only open tasks count: after one has ended the next is accepted", async () => {
  const taskIds = await fillUp();
  await waitFor("one of the tasks has ended", async () => {
    const tasks = await Promise.all(taskIds.map((taskId) => limited.task(taskId)));
    return tasks.some(({ completeTime }) => completeTime !== null);
  });
  const answer = await limited.createTask(body);
  expect(answer.status, answer.text).toBe(200);
});
