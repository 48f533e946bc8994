import { connect } from "node:net";
import { expect, test } from "vitest";
import { createPath, dashScopeKey, dashscopeSandbox, t2v } from "./dashscope-support.ts";
import { cheap, probe, until } from "./support.ts";

test.each([
  ["input_blocked", "DataInspectionFailed", /^Input/],
  ["output_blocked", "DataInspectionFailed", /^Output/],
  ["copyright_blocked", "IPInfringementSuspect", /infringement/],
  ["real_person_blocked", "DataInspectionFailed", /^Input/],
  ["input_unusable", "InvalidImage.FileFormat", /image/],
  ["input_unreachable", "InvalidParameter.DataInspection", /download/],
  ["vendor_refused", "InvalidParameter", /./],
  ["vendor_failed", "InternalError", /./],
  ["vendor_unavailable", "Arrearage", /good standing/],
  ["Throttling.AllocationQuota", "Throttling.AllocationQuota", /./],
])("[sandbox:fail=%s]: the task is accepted and fails with %s", async (outcome, code, message) => {
  const sandbox = await dashscopeSandbox();
  const id = await sandbox.created(`a horse [sandbox:fail=${outcome}]`);
  const { output } = await sandbox.reaches(id, "FAILED");
  expect(output).toMatchObject({ code, message: expect.stringMatching(message) });
});

test.each([
  ["input_blocked", 400, "DataInspectionFailed"],
  ["vendor_failed", 500, "InternalError"],
  ["vendor_unavailable", 400, "Arrearage"],
  ["AccessDenied.Unpurchased", 403, "AccessDenied.Unpurchased"],
  ["InvalidApiKey", 401, "InvalidApiKey"],
  ["ModelNotExist", 404, "ModelNotExist"],
  ["Throttling.BurstRate", 429, "Throttling.BurstRate"],
])(
  "[sandbox:refuse=%s]: the create is refused with %i and makes no job",
  async (outcome, status, code) => {
    const sandbox = await dashscopeSandbox();
    const answer = await sandbox.create(`a horse [sandbox:refuse=${outcome}]`);
    expect(answer).toMatchObject({ status, body: { request_id: expect.any(String), code } });
    expect((await sandbox.stats()).accepted).toBe(0);
  },
);

test("a misspelt directive is refused", async () => {
  const sandbox = await dashscopeSandbox();
  expect(await sandbox.create("a horse [sandbox:hnag]")).toMatchObject({
    status: 400,
    body: { code: "InvalidParameter", message: expect.stringMatching(/hnag/) },
  });
});

test("[sandbox:throttle=2]: the first two creates of a prompt answer 429, the third is accepted", async () => {
  const sandbox = await dashscopeSandbox();
  const statuses: number[] = [];
  for (let count = 0; count < 3; count++) {
    statuses.push((await sandbox.create("[sandbox:throttle=2] [sandbox:hang]")).status);
  }
  expect(statuses).toEqual([429, 429, 200]);
  expect(await sandbox.create("[sandbox:throttle]")).toMatchObject({
    body: { code: "Throttling.RateQuota" },
  });
});

test.each(["500", "reset", "garbage"])(
  "[sandbox:%s]: the caller gets no task id, yet the job runs",
  async (directive) => {
    const sandbox = await dashscopeSandbox();
    const answer = await sandbox
      .create(`[sandbox:${directive}] ${cheap}`)
      .catch((error) => error.cause.code);
    expect(JSON.stringify(answer)).not.toMatch(/task_id/);
    const [job] = await sandbox.jobs();
    await sandbox.reaches(job?.id ?? "", "SUCCEEDED");
  },
);

test("[sandbox:timeout]: no byte of an answer comes while the socket stays open, yet the job runs", async () => {
  const sandbox = await dashscopeSandbox();
  const { hostname, port } = new URL(sandbox.url);
  const body = JSON.stringify({ model: t2v, input: { prompt: `[sandbox:timeout] ${cheap}` } });
  const socket = connect(Number(port), hostname);
  let [bytes, closed] = [0, false];
  socket.on("data", (part) => {
    bytes += part.length;
  });
  socket.on("close", () => {
    closed = true;
  });
  const headers = `Host: x\r\nAuthorization: Bearer ${dashScopeKey}\r\nX-DashScope-Async: enable`;
  const head = `POST ${createPath} HTTP/1.1\r\n${headers}\r\nContent-Type: application/json`;
  socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  const job = await until("the job is there", async () => (await sandbox.jobs())[0]);
  await sandbox.reaches(job.id, "SUCCEEDED");
  expect({ bytes, closed }).toEqual({ bytes: 0, closed: false });
  socket.destroy();
});

test("[sandbox:lost]: answers 500, and no job exists", async () => {
  const sandbox = await dashscopeSandbox();
  expect(await sandbox.create("[sandbox:lost]")).toMatchObject({
    status: 500,
    body: { code: "InternalError" },
  });
  expect(await sandbox.stats()).toMatchObject({ creates: 1, accepted: 0, jobs: 0 });
});

test("[sandbox:hang]: the task stays in RUNNING", async () => {
  const sandbox = await dashscopeSandbox();
  const id = await sandbox.created(`[sandbox:hang] ${cheap}`);
  await sandbox.reaches(id, "RUNNING");
  await sandbox.reaches(await sandbox.created(cheap), "SUCCEEDED");
  expect((await sandbox.get(id)).output.task_status).toBe("RUNNING");
});

test("[sandbox:slow=2]: the task runs for that many seconds", async () => {
  const sandbox = await dashscopeSandbox();
  const id = await sandbox.created(`[sandbox:slow=2] ${cheap}`);
  await sandbox.reaches(id, "RUNNING");
  const started = performance.now();
  await sandbox.reaches(id, "SUCCEEDED");
  expect(performance.now() - started).toBeGreaterThan(1_000);
});

test.each(["duplicate", "late", "silent", "expire", "thought"])(
  "[sandbox:%s] has no effect: there are no callbacks and no expiry",
  async (directive) => {
    const sandbox = await dashscopeSandbox();
    await sandbox.reaches(await sandbox.created(`[sandbox:${directive}] ${cheap}`), "SUCCEEDED");
    expect((await sandbox.stats()).callbacksSent).toBe(0);
  },
);

test("[sandbox:badvideo] gives bytes that are no video, [sandbox:deadlink] a link that answers 403", async () => {
  const sandbox = await dashscopeSandbox();
  const bad = await sandbox.reaches(await sandbox.created("[sandbox:badvideo]"), "SUCCEEDED");
  await expect(probe(bad.output.video_url ?? "")).rejects.toThrow(/Invalid data/);
  const dead = await sandbox.reaches(await sandbox.created("[sandbox:deadlink]"), "SUCCEEDED");
  expect((await fetch(dead.output.video_url ?? "")).status).toBe(403);
});

test("[sandbox:brokenlink]: the link answers 500", async () => {
  const sandbox = await dashscopeSandbox();
  const { output } = await sandbox.reaches(
    await sandbox.created("[sandbox:brokenlink]"),
    "SUCCEEDED",
  );
  expect((await fetch(output.video_url ?? "")).status).toBe(500);
});

test("a video's link expires after the time in the settings", async () => {
  const sandbox = await dashscopeSandbox({ linkMs: 50 });
  const { output } = await sandbox.reaches(await sandbox.created(cheap), "SUCCEEDED");
  await until("the link is dead", async () =>
    (await fetch(output.video_url ?? "")).status === 403 ? true : undefined,
  );
});

test("a fault without a vendor meets the next create of any, one with a vendor waits for that vendor", async () => {
  const sandbox = await dashscopeSandbox();
  await sandbox.control("POST", "/faults", { fault: "lost", vendor: "ark" });
  await sandbox.control("POST", "/faults", { fault: "refuse=vendor_unavailable" });
  await sandbox.control("POST", "/faults", { fault: "lost", vendor: "dashscope", times: 2 });
  const statuses: number[] = [];
  for (let count = 0; count < 4; count++) statuses.push((await sandbox.create(cheap)).status);
  expect(statuses).toEqual([400, 500, 500, 200]);
  expect((await sandbox.control("GET", "/faults")).body).toEqual({
    faults: [{ fault: "lost", times: 1, vendor: "ark" }],
  });
  const unknown = { fault: "lost", vendor: "nobody" };
  expect((await sandbox.control("POST", "/faults", unknown)).status).toBe(400);
});
