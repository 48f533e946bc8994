import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { cheap, model, receiverForTest, sandboxForTest, until } from "./support.ts";

test("each change of status is posted to the callback URL, with the body that get answers", async () => {
  const sandbox = await sandboxForTest({ queuedMs: 1_000 });
  const receiver = await receiverForTest();
  const url = `${receiver.url}/task-1/token?x=1`;
  const id = await sandbox.created(`[sandbox:hang] ${cheap}`, { callback_url: url });
  const queued = await sandbox.get(id);
  await receiver.receives(2);
  const running = await sandbox.get(id);
  await sandbox.control("POST", `/jobs/${id}/finish`, { status: "succeeded" });
  await receiver.receives(3);
  const succeeded = await sandbox.get(id);
  expect(receiver.received().map(({ task }) => task)).toEqual([queued, running, succeeded]);
  expect(receiver.statuses()).toEqual(["queued", "running", "succeeded"]);
  expect(new Set(receiver.received().map(({ path }) => path))).toEqual(
    new Set(["/hook/task-1/token?x=1"]),
  );
});

test("without a callback URL nothing is sent", async () => {
  const sandbox = await sandboxForTest();
  await sandbox.reaches(await sandbox.created(cheap), "succeeded");
  expect((await sandbox.stats()).callbacksSent).toBe(0);
});

/** Answers 503 except to what `acknowledges` says; counts by path and status. */
async function deafReceiver(acknowledges: (path: string, count: number) => boolean = () => false) {
  const count = (name: string, status: string) =>
    receiver
      .received()
      .filter(({ path, task }) => path === `/hook/${name}` && task.status === status).length;
  const receiver = await receiverForTest((task, path) => {
    const name = path.slice("/hook/".length);
    return acknowledges(name, count(name, task.status)) ? 204 : 503;
  });
  return { ...receiver, count };
}

test.each([
  ["succeeded", cheap],
  ["failed", "[sandbox:fail]"],
])("%s is sent again until it is acknowledged, and four times at most", async (end, prompt) => {
  const sandbox = await sandboxForTest();
  const receiver = await deafReceiver((name, count) => name === "third" && count === 3);
  const sent = async (name: string, count: number) => {
    await sandbox.created(prompt, { callback_url: `${receiver.url}/${name}` });
    await until(
      `${name} came ${count} times`,
      () => receiver.count(name, end) >= count || undefined,
    );
  };
  await sent("third", 3);
  await sent("never", 4);
  await sent("later", 4); // takes longer than one more attempt of the others would
  expect(receiver.count("third", end)).toBe(3);
  expect(receiver.count("never", end)).toBe(4);
});

test("queued, running and expired are sent once, acknowledged or not", async () => {
  const sandbox = await sandboxForTest({ expirySecondMs: 0.02 });
  const receiver = await deafReceiver();
  await sandbox.created("[sandbox:hang]", {
    callback_url: `${receiver.url}/hung`,
    execution_expires_after: 3_600,
  });
  await until("expired came", () => receiver.count("hung", "expired") === 1 || undefined);
  await sandbox.created("[sandbox:fail]", { callback_url: `${receiver.url}/later` });
  await until("later failed", () => receiver.count("later", "failed") === 4 || undefined);
  for (const status of ["queued", "running", "expired"])
    expect(receiver.count("hung", status)).toBe(1);
});

test("no answer within five seconds is no acknowledgement", async () => {
  const sandbox = await sandboxForTest();
  const times: number[] = [];
  const receiver = await receiverForTest(({ status }) => {
    const failed = status === "failed";
    if (failed) times.push(performance.now());
    return !failed || times.length > 1 ? 200 : "nothing";
  });
  await sandbox.created("[sandbox:fail]", { callback_url: receiver.url });
  const [first = 0, second = 0] = await until("it came twice", () =>
    times.length === 2 ? times : undefined,
  );
  expect(second - first).toBeGreaterThan(4_900);
  expect(second - first).toBeLessThan(60_000);
});

test("a redirect is not followed: callbacks go to the given URL only", async () => {
  const sandbox = await sandboxForTest();
  const receiver = await receiverForTest(() => 307);
  await sandbox.created("[sandbox:fail]", { callback_url: receiver.url });
  await receiver.receives(6); // queued, running, four times failed
  expect(receiver.received().map(({ path }) => path)).toEqual(Array(6).fill("/hook"));
});

const line = z.looseObject({ at: z.number(), event: z.string(), jobId: z.string().nullable() });

test("the journal has a line for each create, status and callback, with what was answered", async () => {
  const sandbox = await sandboxForTest();
  let failures = 0;
  const receiver = await receiverForTest(({ status }) => {
    if (status === "failed") failures++;
    return failures === 1 ? 500 : 200;
  });
  const fields = { callback_url: receiver.url, safety_identifier: "account-1" };
  const id = await sandbox.created("[sandbox:fail]", fields);
  await sandbox.create("[sandbox:refuse=InputTextRiskDetection]", fields);
  const read = () =>
    readFileSync(join(sandbox.dir, "sandbox.jsonl"), "utf8")
      .trimEnd()
      .split("\n")
      .map((text) => line.parse(JSON.parse(text)));
  const callbacks = await until("four callbacks are in the journal", () => {
    const lines = read().filter(({ event }) => event === "callback");
    return lines.length === 4 ? lines : undefined;
  });
  const create = {
    event: "create",
    vendor: "ark",
    model,
    callbackUrl: receiver.url,
    safetyIdentifier: "account-1",
  };
  expect(read().filter(({ event }) => event === "create")).toMatchObject([
    { ...create, prompt: "[sandbox:fail]", jobId: id, accepted: true, answer: 200, code: null },
    { ...create, jobId: null, accepted: false, answer: 400, code: "InputTextRiskDetection" },
  ]);
  expect(read().filter(({ event }) => event === "status")).toMatchObject([
    { jobId: id, from: null, to: "queued", code: null },
    { jobId: id, from: "queued", to: "running", code: null },
    { jobId: id, from: "running", to: "failed", code: "InternalServiceError" },
  ]);
  const sent = { jobId: id, callbackUrl: receiver.url };
  // no order is promised between callbacks of different states
  const byStatus = (status: string) => callbacks.filter((each) => each["status"] === status);
  expect(byStatus("queued")).toMatchObject([{ ...sent, attempt: 1, error: null }]);
  expect(byStatus("running")).toMatchObject([{ ...sent, attempt: 1, error: null }]);
  expect(byStatus("failed")).toMatchObject([
    { ...sent, attempt: 1, answered: 500 },
    { ...sent, attempt: 2, answered: 200 },
  ]);
});
