import { expect, test } from "vitest";
import { dashscopeSandbox } from "./dashscope-support.ts";
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

test("a misspelt directive is refused", async () => {
  const sandbox = await dashscopeSandbox();
  expect(await sandbox.create("a horse [sandbox:hnag]")).toMatchObject({
    status: 400,
    body: { code: "InvalidParameter", message: expect.stringMatching(/hnag/) },
  });
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
