import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../src/config.ts";
import { clientOf, until } from "./support.ts";

function startProgram(environment: Record<string, string>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "../src/main.ts")], {
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const output = { out: "", error: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output.out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output.error += text;
  });
  const exit = new Promise<number | null>((resolve) => child.on("close", resolve));
  return { child, output, exit };
}

function childrenOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .trim()
    .split(" ")
    .filter(Boolean);
}

test.each(["SIGTERM", "SIGINT"] as const)(
  "the program says where it listens in one line, and on %s ends itself and its ffmpegs",
  async (signal) => {
    const dir = mkdtempSync(join(tmpdir(), "sandbox-main-test-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const { child, output, exit } = startProgram({
      SANDBOX_DIR: dir,
      SANDBOX_QUEUED_MS: "0",
      SANDBOX_RUNNING_MS: "0",
    });
    const text = await until("it listens", () =>
      output.out.endsWith("\n") ? output.out : undefined,
    );
    const said = JSON.parse(text);
    expect(said).toEqual({
      event: "sandbox.listening",
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      linkUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    });
    const client = clientOf(said.url, "sandbox-ark-key");
    await client.created("a long video", { resolution: "4k", duration: 15 });
    const [ffmpeg] = await until("ffmpeg works", () => {
      const children = childrenOf(child.pid ?? 0);
      return children.length > 0 ? children : undefined;
    });
    child.kill(signal);
    expect(await exit).toBe(0);
    expect(existsSync(`/proc/${ffmpeg}`)).toBe(false);
    expect(output.out).toBe(text);
    expect(output.error).toBe("");
    expect(readFileSync(join(dir, "sandbox.jsonl"), "utf8")).not.toMatch(/"to":"failed"/);
  },
);

test("a setting that makes no sense stops the program with its name", async () => {
  const { output, exit } = startProgram({ SANDBOX_QUEUED_MS: "soon" });
  expect(await exit).not.toBe(0);
  expect(output.error).toMatch(/SANDBOX_QUEUED_MS/);
});

test("without any setting there are defaults for all", () => {
  expect(readConfig({})).toEqual({
    host: "127.0.0.1",
    port: 0,
    linkHost: "127.0.0.1",
    linkPort: 0,
    controlToken: undefined,
    serviceUrl: undefined,
    arkKey: "sandbox-ark-key",
    openaiKey: "sandbox-openai-key",
    geminiKey: "sandbox-gemini-key",
    dashScopeKey: "sandbox-dashscope-key",
    falKey: "sandbox-fal-key",
    arkAccessKey: "sandbox-ark-access-key",
    arkSecretKey: "sandbox-ark-secret-key",
    assetMs: 1_000,
    imageMs: 300,
    queuedMs: 500,
    runningMs: 1_500,
    dir: undefined,
    logPath: undefined,
    rendersMax: 2,
    publicUrl: undefined,
    callbackRetryMs: 1_000,
    linkMs: 86_400_000,
    expirySecondMs: 1_000,
    rateLimits: false,
    isDraft: false,
  });
});
