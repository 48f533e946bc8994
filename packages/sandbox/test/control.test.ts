import { expect, test } from "vitest";
import { cheap, receiverForTest, sandboxForTest } from "./support.ts";

test("the control asks for its token, whatever keys of vendors are sent", async () => {
  const sandbox = await sandboxForTest();
  const headers = [{}, { authorization: "" }, { authorization: "Bearer a-token-for-test" }];
  for (const given of headers)
    for (const [method, path] of [
      ["GET", "/stats"],
      ["GET", "/jobs"],
      ["PUT", "/ark-keys"],
      ["POST", "/faults"],
    ] as const) {
      const answer = await sandbox.call(method, `/_sandbox${path}`, undefined, given);
      expect(answer.status, `${method} ${path}`).toBe(401);
    }
});

test("without a token there is no control", async () => {
  const sandbox = await sandboxForTest({ controlToken: undefined });
  expect((await sandbox.control("GET", "/stats")).status).toBe(404);
});

test("stats count what the sandbox was given, by status", async () => {
  const sandbox = await sandboxForTest();
  const failed = await sandbox.created("[sandbox:fail]");
  const hung = await sandbox.created("[sandbox:hang]");
  await sandbox.create("[sandbox:lost]");
  await sandbox.post({});
  await sandbox.reaches(failed, "failed");
  await sandbox.reaches(hung, "running");
  const { status, body } = await sandbox.control("GET", "/stats");
  expect(status).toBe(200);
  expect(body).toMatchObject({
    jobs: 2,
    creates: 4,
    accepted: 2,
    byStatus: { queued: 0, running: 1, succeeded: 0, failed: 1, expired: 0, cancelled: 0 },
  });
});

test("the jobs are listed oldest first, page after page", async () => {
  const sandbox = await sandboxForTest();
  const receiver = await receiverForTest();
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) {
    ids.push(await sandbox.created(`fox ${count} [sandbox:hang]`, { callback_url: receiver.url }));
  }
  const first = await sandbox.control("GET", "/jobs?limit=3");
  expect(first.body).toMatchObject({ next: 3, jobs: ids.slice(0, 3).map((id) => ({ id })) });
  const second = await sandbox.control("GET", "/jobs?limit=3&after=3");
  expect(second.body).toMatchObject({
    next: null,
    jobs: [
      {
        id: ids[3],
        prompt: "fox 3 [sandbox:hang]",
        callbackUrl: receiver.url,
        createdAt: expect.any(Number),
      },
      { id: ids[4] },
    ],
  });
});

test("a fault applies to the next creates whatever their prompt, as often as requested", async () => {
  const sandbox = await sandboxForTest();
  await sandbox.control("POST", "/faults", { fault: "refuse=AccessDenied", times: 2 });
  const ordered = await sandbox.control("POST", "/faults", { fault: "[sandbox:throttle]" });
  expect(ordered.body).toEqual({
    faults: [
      { fault: "refuse=AccessDenied", times: 2 },
      { fault: "throttle", times: 1 },
    ],
  });
  const statuses: number[] = [];
  for (let count = 0; count < 4; count++) statuses.push((await sandbox.create(cheap)).status);
  expect(statuses).toEqual([403, 403, 429, 200]);
  expect(await sandbox.stats()).toMatchObject({ faults: [] });
});

test("a create that is invalid anyway uses up no fault, and faults can be taken back", async () => {
  const sandbox = await sandboxForTest();
  await sandbox.control("POST", "/faults", { fault: "lost", times: 5 });
  await sandbox.post({});
  expect(await sandbox.stats()).toMatchObject({ faults: [{ fault: "lost", times: 5 }] });
  expect((await sandbox.control("DELETE", "/faults")).body).toEqual({ faults: [] });
  expect((await sandbox.create(cheap)).status).toBe(200);
});

test.each([{ fault: "hnag" }, { fault: "hang", times: 0 }, {}, "{"])(
  "a fault for %j answers 400",
  async (body) => {
    const sandbox = await sandboxForTest();
    expect((await sandbox.control("POST", "/faults", body)).status).toBe(400);
  },
);

test("a hung job can be made to succeed, with its video", async () => {
  const sandbox = await sandboxForTest();
  const fields = { resolution: "480p", duration: 4, generate_audio: false };
  const id = await sandbox.created("[sandbox:hang]", fields);
  await sandbox.reaches(id, "running");
  const answer = await sandbox.control("POST", `/jobs/${id}/finish`, { status: "succeeded" });
  expect(answer).toMatchObject({ status: 200, body: { id, status: "succeeded" } });
  const { content } = await sandbox.get(id);
  expect((await fetch(content?.video_url ?? "")).status).toBe(200);
});

test("a hung job can be made to fail or expire, once, and its callback is sent", async () => {
  const sandbox = await sandboxForTest();
  const receiver = await receiverForTest();
  const [first, second] = [
    await sandbox.created("[sandbox:hang]", { callback_url: receiver.url }),
    await sandbox.created("[sandbox:hang]", { callback_url: receiver.url }),
  ];
  await receiver.receives(4);
  const failing = { status: "failed", code: "OutputVideoRiskDetection" };
  const answer = await sandbox.control("POST", `/jobs/${first}/finish`, failing);
  expect(answer.body).toMatchObject({ status: "failed", code: "OutputVideoRiskDetection" });
  expect((await sandbox.control("POST", `/jobs/${first}/finish`, failing)).status).toBe(409);
  await sandbox.control("POST", `/jobs/${second}/finish`, { status: "expired" });
  await receiver.receives(6);
  expect(receiver.statuses().slice(4).sort()).toEqual(["expired", "failed"]);
});

test("a callback can be sent again with the present state, even for a silent job", async () => {
  const sandbox = await sandboxForTest();
  const receiver = await receiverForTest();
  const id = await sandbox.created("[sandbox:silent] [sandbox:hang]", {
    callback_url: receiver.url,
  });
  await sandbox.reaches(id, "running");
  expect((await sandbox.control("POST", `/jobs/${id}/callback`)).status).toBe(200);
  await receiver.receives(1);
  expect(receiver.received()[0]?.task).toEqual(await sandbox.get(id));
});

test("finish and callback answer 404 for a job that does not exist", async () => {
  const sandbox = await sandboxForTest();
  expect((await sandbox.control("POST", "/jobs/none/finish", { status: "failed" })).status).toBe(
    404,
  );
  expect((await sandbox.control("POST", "/jobs/none/callback")).status).toBe(404);
  const deaf = await sandbox.created("[sandbox:hang]");
  expect((await sandbox.control("POST", `/jobs/${deaf}/callback`)).status).toBe(409);
});
