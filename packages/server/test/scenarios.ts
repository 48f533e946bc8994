import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { createClient } from "@zoetrope/testkit/api-client.ts";
import { probeVideo } from "@zoetrope/testkit/probe-video.ts";
import { quickUpscale } from "@zoetrope/testkit/quick-upscale.ts";
import { controlSandbox } from "@zoetrope/testkit/sandbox-control.ts";
import { type FileServer, serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { queryEngine } from "@zoetrope/testkit/services/restate-admin.ts";
import { startS3 } from "@zoetrope/testkit/services/s3.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenAccount, openAccountsIn } from "./harness/open-accounts.ts";
import { upscaleScenarios } from "./upscale-scenarios.ts";

const run = promisify(execFile);

/** Short times, so that every scenario is quick. */
const quick = {
  POLL_FIRST_MS: "500",
  SUBMIT_RETRY_MS: "1000",
  SWEEP_INTERVAL_MS: "300",
  VENDOR_BREAK_MS: "1", // faults come in a row here
  ...quickUpscale,
  UPSCALE_SEGMENT_MEGAPIXELS: "40", // several segments also of a few frames
};
const replay = {
  RESTATE_WORKER__INVOKER__INACTIVITY_TIMEOUT: "0s",
  RESTATE_DEFAULT_RETRY_POLICY__MAX_ATTEMPTS: "1",
  RESTATE_DEFAULT_RETRY_POLICY__ON_MAX_ATTEMPTS: "kill",
};

async function s3Settings(scratch: Scratch, cleanUp: AsyncDisposableStack) {
  const s3 = cleanUp.use(await startS3({ dir: join(scratch.path, "s3") }));
  const { endpoint, region, accessKeyId, secretAccessKey } = s3;
  await s3.createBucket("media");
  return {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: "media",
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  };
}

/** Runs over a whole stack, most of them at the same time: a scenario mostly waits. */
export function runScenarios({ isReplayed }: { isReplayed: boolean }): void {
  const cleanUp = new AsyncDisposableStack();
  let scratch: Scratch;
  let stack: Stack;
  let videos: FileServer;
  let openAccount: OpenAccount;
  let client: ReturnType<typeof createClient>;
  let sandbox: ReturnType<typeof controlSandbox>;
  beforeAll(async () => {
    scratch = cleanUp.use(await makeScratch("scenarios"));
    const storage = isReplayed ? await s3Settings(scratch, cleanUp) : {};
    stack = cleanUp.use(
      await startStack({
        dir: scratch.path,
        serverEnv: { ...quick, ...storage, ...(isReplayed ? { ENGINE_ATTEMPTS_MAX: "1" } : {}) },
        vendorTimes: { submitMsMax: 6_000, lostMsMax: 20_000 },
        sandboxEnv: { SANDBOX_QUEUED_MS: "100", SANDBOX_RUNNING_MS: "200" },
        restateEnv: isReplayed ? replay : {},
      }),
    );
    const accounts = cleanUp.use(openAccountsIn(stack.databaseUrl));
    openAccount = accounts.openAccount;
    const { key } = await openAccount({ credits: 100_000, openTasksMax: 100 });
    client = createClient(stack.apiUrl, key);
    sandbox = controlSandbox(stack.sandboxControl);
    videos = cleanUp.use(await serveFiles({ dir: scratch.path }));
  });
  afterAll(() => cleanUp.disposeAsync());

  describe.concurrent("side by side", () => {
    test("a prompt becomes a video of the requested length with audio, at the reported size", async () => {
      const taskId = await client.create("sd2", {
        prompt: "a heron lands",
        duration: "5s",
        resolution: "960x720",
      });
      const task = await client.finished(taskId);
      expect(task).toMatchObject({ status: "COMPLETED", creditsUsed: 30, error: null });
      const [video] = task.output ?? [];
      const response = await fetch(video?.url ?? "");
      expect(response.headers.get("content-type")).toBe("video/mp4");
      const path = join(scratch.path, "video.mp4");
      await writeFile(path, Buffer.from(await response.arrayBuffer()));
      expect(await probeVideo(path)).toEqual({
        seconds: expect.closeTo(5, 1),
        width: 1112,
        height: 834,
        video: "h264",
        audio: "aac",
      });
      expect(video).toMatchObject({ width: 1112, height: 834 });
    });

    test("a video can be read in parts, as players do", async () => {
      const task = await client.finished(await client.create("sd2", { prompt: "a heron lands" }));
      const url = task.output?.[0]?.url ?? "";
      const part = await fetch(url, { headers: { range: "bytes=4-7" } });
      expect(part.status).toBe(206);
      expect(await part.text()).toBe("ftyp");
    });

    test("the callback arrives after the end and says what the query says", async () => {
      await using receiver = await startReceiver();
      const taskId = await client.create(
        "sd2",
        { prompt: "a heron lands" },
        { callBackUrl: receiver.url },
      );
      const [callback] = await receiver.arrived(1);
      const task = await client.task(taskId);
      expect(task.status).toBe("COMPLETED");
      expect(JSON.parse(callback?.body ?? "")).toEqual(task);
    });

    test("a receiver that fails first gets the callback again with the same id", async () => {
      await using receiver = await startReceiver((_request, number) => (number === 1 ? 503 : 200));
      await client.create("sd2", { prompt: "a heron lands" }, { callBackUrl: receiver.url });
      const [first, second] = await receiver.arrived(2);
      expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
      expect(second?.body).toBe(first?.body);
    });

    test.each([
      ["fail", "vendor_failed"],
      ["fail=OutputVideoSensitiveContentDetected", "output_blocked"],
      ["fail=InputTextSensitiveContentDetected", "input_blocked"],
      ["refuse=InputTextSensitiveContentDetected", "input_blocked"],
      ["refuse=InvalidParameter", "vendor_refused"],
      ["badvideo", "output_unusable"],
      ["deadlink", "output_unusable"],
      ["lost", "vendor_unconfirmed"],
    ])(
      "%s: the task fails as %s and gives back exactly what it held",
      async (directive, errorCode) => {
        const { key } = await openAccount({ credits: 100 });
        const caller = createClient(stack.apiUrl, key);
        const taskId = await caller.create("sd2", { prompt: `[sandbox:${directive}]` });
        const task = await caller.finished(taskId);
        expect(task).toMatchObject({ status: "FAILED", errorCode, creditsUsed: 0, output: null });
        expect(await caller.balance()).toEqual({ credits: 100, availableCredits: 100 });
        expect((await sandbox.jobsOf(taskId)).length).toBeLessThanOrEqual(1);
      },
    );

    test.each([
      ["reset", "the connection is reset after the vendor accepted"],
      ["timeout", "the vendor accepts and never answers"],
      ["500", "the vendor accepts and answers 500"],
      ["garbage", "the vendor accepts and answers nonsense"],
      ["reset] [sandbox:silent", "the answer is lost and no callback comes"],
      ["silent", "no callback comes"],
      ["duplicate", "every callback comes three times"],
      ["throttle=2", "the vendor is busy twice"],
    ])("%s: completed with one vendor job although %s", async (directives) => {
      const { key } = await openAccount({ credits: 100 });
      const caller = createClient(stack.apiUrl, key);
      const taskId = await caller.create("sd2", {
        prompt: `${crypto.randomUUID()} [sandbox:${directives}]`,
      });
      expect(await caller.finished(taskId)).toMatchObject({ status: "COMPLETED" });
      expect(await sandbox.jobsOf(taskId)).toHaveLength(1);
      expect(await caller.balance()).toEqual({ credits: 70, availableCredits: 70 });
    });

    upscaleScenarios(() => ({ stack, openAccount, videos, dir: scratch.path }));

    test("late and repeated vendor callbacks change nothing", async () => {
      const taskId = await client.create("sd2", { prompt: "[sandbox:late] a heron lands" });
      const task = await client.finished(taskId);
      const [job] = await sandbox.jobsOf(taskId);
      const callbacksSent = async () =>
        (await readFile(stack.sandboxLog, "utf8"))
          .split("\n")
          .filter((line) => line.includes('"event":"callback"') && line.includes(taskId)).length;
      const before = await callbacksSent();
      for (let i = 0; i < 5; i++) await sandbox.repeatCallback(job?.id ?? "");
      await waitUntil(
        "the callbacks were sent",
        async () => (await callbacksSent()) >= before + 5,
        {
          timeoutMs: 300_000,
        },
      );
      expect(await client.task(taskId)).toEqual(task);
    });

    test("a forged vendor callback is answered like any other and changes nothing", async () => {
      const taskId = await client.create("sd2", { prompt: "[sandbox:hang]" });
      await waitUntil("it runs", async () => (await client.task(taskId)).status === "PROCESSING", {
        timeoutMs: 300_000,
      });
      const [job] = await sandbox.jobsOf(taskId);
      const forged = await fetch(`${stack.apiUrl}/vendors/ark/${taskId}/forged`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ id: job?.id, status: "failed", error: { code: "x", message: "" } }),
      });
      expect(forged.status).toBe(200);
      expect(await client.task(taskId)).toMatchObject({ status: "PROCESSING" });
      await sandbox.finish(job?.id ?? "", "succeeded");
      expect(await client.finished(taskId)).toMatchObject({ status: "COMPLETED" });
    });

    test("a waiting task leaves nothing in the engine", async () => {
      const ids = await Promise.all(
        Array.from({ length: 10 }, () =>
          client.create("sd2", { prompt: "[sandbox:hang] [sandbox:silent]" }),
        ),
      );
      const statuses = () => Promise.all(ids.map(async (id) => (await client.task(id)).status));
      await waitUntil("all run", async () => (await statuses()).every((s) => s === "PROCESSING"), {
        timeoutMs: 300_000,
      });
      const list = ids.map((id) => `'${id}'`).join(", ");
      const open = () =>
        queryEngine(
          stack.restate.adminUrl,
          `select status from sys_invocation where target_service_key in (${list}) and status <> 'completed'`,
        );
      await waitUntil("the engine is empty", async () => (await open()).length === 0, {
        timeoutMs: 300_000,
      });
      expect(await statuses()).toEqual(ids.map(() => "PROCESSING"));
    });
  });

  describe("alone", () => {
    test("createTask answers while the engine is down, and the task finishes once it is back", async () => {
      await stack.restate.kill();
      const taskIds = await Promise.all(
        ["a heron lands", "[sandbox:fail]"].map((prompt) => client.create("sd2", { prompt })),
      );
      expect((await client.task(taskIds[0] ?? "")).status).toBe("PENDING");
      await stack.restate.restart();
      const ends = await Promise.all(taskIds.map((taskId) => client.finished(taskId)));
      expect(ends.map((task) => task.status)).toEqual(["COMPLETED", "FAILED"]);
    });

    test("prompts and keys reach no log and nothing that the engine writes", async () => {
      const secret = `heron-${crypto.randomUUID()}`;
      await client.finished(await client.create("sd2", { prompt: secret }));
      const { stdout } = await run(
        "grep",
        [
          "-rlE",
          `${secret}|zoe_live_[0-9A-Za-z]{20}|token=`,
          "logs",
          "restate",
          "--exclude=sandbox*",
        ],
        { cwd: scratch.path },
      ).catch((nothing: { stdout: string; code: number }) => {
        if (nothing.code !== 1) throw nothing; // 1: no match
        return nothing;
      });
      expect(stdout).toBe("");
    });
  });
}
