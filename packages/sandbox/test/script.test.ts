import { connect } from "node:net";
import { expect, test } from "vitest";
import { knownDirectives, neutralOutcomes, readScript } from "../src/kit/script.ts";
import { probe, receiverForTest, sandboxForTest, until } from "./support.ts";

test("these are the directives, and there are no others", () => {
  const directives = "refuse throttle reset timeout 500 garbage lost fail expire hang slow";
  const more = "duplicate late silent badvideo deadlink brokenlink wrong-length thought";
  expect([...knownDirectives].sort()).toEqual(`${directives} ${more}`.split(" ").sort());
});

test("a misspelt directive is refused, so that no script passes for a normal run by mistake", async () => {
  const sandbox = await sandboxForTest();
  for (const directive of [
    "hnag",
    "FAIL",
    "constructor",
    "slow",
    "slow=x",
    "slow=9999",
    "hang=1",
    "refuse",
    "fail=a b",
    "",
  ]) {
    expect(await sandbox.create(`a fox [sandbox:${directive}]`), directive).toMatchObject({
      status: 400,
      body: { error: { code: "InvalidParameter", param: "content.text" } },
    });
  }
});

test("several directives in one prompt add up", () => {
  expect(readScript("[sandbox:hang] a fox [sandbox:reset][sandbox:silent]")).toEqual({
    hang: true,
    answer: "reset",
    callbacks: "silent",
  });
});

const neutral = {
  input_blocked: "InputTextSensitiveContentDetected",
  output_blocked: "OutputVideoSensitiveContentDetected",
  copyright_blocked: "OutputVideoSensitiveContentDetected.PolicyViolation",
  real_person_blocked: "InputImageSensitiveContentDetected.PrivacyInformation",
  input_unusable: "InvalidImageURL.InvalidFormat",
  input_unreachable: "InvalidParameter",
  vendor_refused: "InvalidParameter",
  vendor_failed: "InternalServiceError",
  vendor_unavailable: "AccountOverdueError",
};

test("every neutral name has a code of Ark's, for a refusal and for a failure", async () => {
  expect(Object.keys(neutral)).toEqual([...neutralOutcomes]);
  const sandbox = await sandboxForTest();
  for (const [name, code] of Object.entries(neutral)) {
    const refused = await sandbox.create(`a fox [sandbox:refuse=${name}]`);
    expect(refused.body, name).toMatchObject({ error: { code } });
    const failed = await sandbox.created(`a fox [sandbox:fail=${name}]`);
    expect((await sandbox.reaches(failed, "failed")).error?.code, name).toBe(code);
  }
});

test("an input that cannot be downloaded differs from other bad parameters in its message", async () => {
  const sandbox = await sandboxForTest();
  const messageOf = async (name: string) =>
    (await sandbox.reaches(await sandbox.created(`[sandbox:fail=${name}]`), "failed")).error
      ?.message;
  expect(await messageOf("input_unreachable")).toMatch(/^Error while downloading: http/);
  expect(await messageOf("vendor_refused")).not.toMatch(/downloading/);
});

test("codes of other vendors' making are taken too: digits, dots, dashes, underscores", () => {
  for (const code of ["Data-Inspection.Failed_2", "content_policy_violation", "e"]) {
    expect(readScript(`[sandbox:fail=${code}][sandbox:refuse=${code}]`)).toEqual({
      fail: code,
      refuse: code,
    });
  }
  for (const code of ["2fast", "_x", "a b", "a:b", ""])
    expect(() => readScript(`[sandbox:fail=${code}]`), code).toThrow("is not a directive");
});

test("[sandbox:expire]: the task runs and then expires, with a callback", async () => {
  const sandbox = await sandboxForTest();
  const receiver = await receiverForTest();
  const id = await sandbox.created("[sandbox:expire]", { callback_url: receiver.url });
  const task = await sandbox.reaches(id, "expired");
  expect(task.content).toBeUndefined();
  await receiver.receives(3);
  expect(receiver.statuses().sort()).toEqual(["expired", "queued", "running"]);
});

test("[sandbox:throttle=2]: the first two creates of a prompt answer 429, the third is accepted", async () => {
  const sandbox = await sandboxForTest();
  const statuses: number[] = [];
  for (const name of ["a", "a", "b", "a", "b", "b"]) {
    statuses.push((await sandbox.create(`${name} [sandbox:throttle=2] [sandbox:hang]`)).status);
  }
  expect(statuses).toEqual([429, 429, 429, 200, 429, 200]);
});

test("[sandbox:timeout]: no byte of an answer comes while the socket stays open, yet the job runs", async () => {
  const sandbox = await sandboxForTest();
  const { hostname, port } = new URL(sandbox.url);
  const body = JSON.stringify({
    model: "doubao-seedance-2-0-260128",
    content: [{ type: "text", text: "[sandbox:timeout] [sandbox:badvideo]" }],
  });
  const socket = connect(Number(port), hostname);
  let [bytes, closed] = [0, false];
  socket.on("data", (part) => {
    bytes += part.length;
  });
  socket.on("close", () => {
    closed = true;
  });
  socket.write(
    `POST /api/v3/contents/generations/tasks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a-key-for-tests\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const job = await until("the job is there", async () => (await sandbox.jobs())[0]);
  await sandbox.reaches(job.id, "succeeded");
  expect({ bytes, closed }).toEqual({ bytes: 0, closed: false });
  socket.destroy();
});

test.each(["500", "reset", "garbage"])(
  "[sandbox:%s]: the caller gets no id, yet the job runs",
  async (directive) => {
    const sandbox = await sandboxForTest();
    const answer = await sandbox
      .create(`[sandbox:${directive}] [sandbox:badvideo]`)
      .catch((error) => error.cause.code);
    const [job] = await sandbox.jobs();
    expect(JSON.stringify(answer)).not.toContain(job?.id);
    await sandbox.reaches(job?.id ?? "", "succeeded");
  },
);

test("[sandbox:lost]: answers the same 500, and no job exists", async () => {
  const sandbox = await sandboxForTest();
  expect(await sandbox.create("[sandbox:lost]")).toMatchObject({
    status: 500,
    body: { error: { code: "InternalServiceError" } },
  });
  expect(await sandbox.stats()).toMatchObject({ creates: 1, accepted: 0, jobs: 0 });
});

test("[sandbox:duplicate]: every callback comes three times, acknowledged or not", async () => {
  const sandbox = await sandboxForTest();
  const receiver = await receiverForTest();
  await sandbox.created("[sandbox:duplicate] [sandbox:fail]", { callback_url: receiver.url });
  await receiver.receives(9);
  const expected = ["failed", "queued", "running"].flatMap((status) => Array(3).fill(status));
  expect(receiver.statuses().sort()).toEqual(expected);
});

test("[sandbox:late]: two seconds after the end it comes again, and a stale running too", async () => {
  const sandbox = await sandboxForTest();
  const receiver = await receiverForTest();
  const id = await sandbox.created("[sandbox:late] [sandbox:badvideo]", {
    callback_url: receiver.url,
  });
  await receiver.receives(3);
  const ended = performance.now();
  await receiver.receives(5);
  expect(performance.now() - ended).toBeGreaterThan(1_000);
  expect(receiver.statuses().slice(0, 3).sort()).toEqual(["queued", "running", "succeeded"]);
  expect(receiver.statuses().slice(3).sort()).toEqual(["running", "succeeded"]);
  expect((await sandbox.get(id)).status).toBe("succeeded");
});

test("[sandbox:silent]: no callback is ever sent", async () => {
  const sandbox = await sandboxForTest();
  const receiver = await receiverForTest();
  const id = await sandbox.created("[sandbox:silent] [sandbox:badvideo]", {
    callback_url: receiver.url,
  });
  await sandbox.reaches(id, "succeeded");
  expect(receiver.received()).toEqual([]);
  expect((await sandbox.stats()).callbacksSent).toBe(0);
});

test("[sandbox:slow=2]: the task runs for that many seconds", async () => {
  const sandbox = await sandboxForTest();
  const id = await sandbox.created("[sandbox:slow=2] [sandbox:badvideo]");
  await sandbox.reaches(id, "running");
  const started = performance.now();
  await sandbox.reaches(id, "succeeded");
  expect(performance.now() - started).toBeGreaterThan(1_000);
});

test("[sandbox:badvideo]: the link gives bytes that no player takes", async () => {
  const sandbox = await sandboxForTest();
  const { content } = await sandbox.reaches(
    await sandbox.created("[sandbox:badvideo]"),
    "succeeded",
  );
  const response = await fetch(content?.video_url ?? "");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("video/mp4");
  expect((await response.bytes()).length).toBe(Number(response.headers.get("content-length")));
  await expect(probe(content?.video_url ?? "")).rejects.toThrow(/Invalid data/);
});

test("[sandbox:deadlink]: the link answers 403", async () => {
  const sandbox = await sandboxForTest();
  const { content } = await sandbox.reaches(
    await sandbox.created("[sandbox:deadlink]"),
    "succeeded",
  );
  const response = await fetch(content?.video_url ?? "");
  expect(response.status).toBe(403);
  expect(await response.text()).toMatch(/<Code>AccessDenied<\/Code>/);
});

test("[sandbox:wrong-length]: the video is half as long as the task says", async () => {
  const sandbox = await sandboxForTest();
  const fields = { resolution: "480p", duration: 4, generate_audio: false };
  const id = await sandbox.created("[sandbox:wrong-length]", fields);
  const task = await sandbox.reaches(id, "succeeded");
  expect(task).toMatchObject({ duration: 4 });
  expect(await probe(task.content?.video_url ?? "")).toMatchObject({ seconds: 2 });
});
