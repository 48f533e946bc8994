import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { printsLine, startProcess } from "@zoetrope/dev/services/process.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { startStack } from "@zoetrope/dev/stack.ts";
import { createClient } from "@zoetrope/testkit/api-client.ts";
import { quickUpscale } from "@zoetrope/testkit/quick-upscale.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { expect, test } from "vitest";

const run = promisify(execFile);
const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** Runs a command where /usr/bin/bwrap is another file. */
function withBubblewrap(path: string, command: readonly string[]): string[] {
  const machine = ["--die-with-parent", "--dev-bind", "/", "/"];
  return ["/usr/bin/bwrap", ...machine, "--ro-bind", path, "/usr/bin/bwrap", ...command];
}

const refusing = `#!/bin/sh
echo "bwrap: No permissions to create new namespace" >&2
exit 1
`;

/** Too few addresses for Node, and enough for ffprobe. */
const narrow = `#!/bin/sh
case "$*" in *app/node*) ulimit -v 400000 ;; esac
exec "$REAL" "$@"
`;

const settings = {
  DATABASE_URL: "postgres://nobody@127.0.0.1:9/none",
  PUBLIC_URL: "https://example.com",
  RESTATE_INGRESS_URL: "http://127.0.0.1:9",
  VENDORS: "[]",
  VENDOR_CALLBACK_SECRET: "0123456789abcdef0123456789abcdef",
  WORKER_PORT: "0",
};

test.each([
  ["cannot make namespaces", refusing, "No permissions to create new namespace"],
  ["is not installed", null, "/usr/bin/bwrap is not installed"],
  ["answers without running anything", "#!/bin/sh\nexit 0\n", "cannot be confined"],
  ["runs ffprobe and no decoder of images", narrow, "decoder did not read an image"],
])(
  "in production a worker does not start where bubblewrap %s, and says what to do",
  async (_how, script, reason) => {
    await using scratch = await makeScratch("confinement");
    const fake = script === null ? "/dev/null" : join(scratch.path, "bwrap");
    if (script !== null) {
      const real = join(scratch.path, "real-bwrap");
      await copyFile("/usr/bin/bwrap", real);
      await chmod(real, 0o755);
      await writeFile(fake, script.replace("$REAL", real));
      await chmod(fake, 0o755);
    }
    const [command = "", ...args] = withBubblewrap(fake, [process.execPath, main, "worker"]);
    const env = {
      ...settings,
      NODE_ENV: "production",
      KEY_RING: `test ${randomBytes(32).toString("base64")}`,
      STORAGE_DIR: join(scratch.path, "media"),
      WORK_DIR: join(scratch.path, "work"),
    };
    const ended = await run(command, args, { env, timeout: 180_000 }).then(
      () => ({ code: 0, stderr: "" }),
      (error: { code: number; stderr: string }) => error,
    );
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(reason);
    expect(ended.stderr).toContain("Install bubblewrap");
  },
);

test("while videos cannot be opened because confinement broke, their tasks wait and complete afterwards", async () => {
  await using scratch = await makeScratch("confinement");
  const broken = join(scratch.path, "broken");
  await using stack = await startStack({
    dir: scratch.path,
    serverEnv: { ...quickUpscale, POLL_FIRST_MS: "500", SWEEP_INTERVAL_MS: "300" },
    sandboxEnv: { SANDBOX_QUEUED_MS: "100", SANDBOX_RUNNING_MS: "200" },
  });
  const { key } = await stack.openAccount({ name: "a", credits: 1_000 });
  const client = createClient(stack.apiUrl, key);
  await stack.worker.stop();

  const real = join(scratch.path, "real-bwrap");
  await copyFile("/usr/bin/bwrap", real);
  await chmod(real, 0o755);
  const fake = join(scratch.path, "bwrap");
  await writeFile(
    fake,
    `#!/bin/sh\nif [ -e ${broken} ]; then\n${refusing.split("\n").slice(1).join("\n")}fi\nexec ${real} "$@"\n`,
  );
  await chmod(fake, 0o755);
  const [command = "", ...args] = withBubblewrap(fake, [process.execPath, main, "worker"]);
  await using worker = await startProcess({
    name: "worker",
    command,
    args,
    env: stack.serverEnv,
    logFile: join(scratch.path, "logs", "worker.log"),
    isReady: printsLine(/"event":"worker\.registered"/),
    stopGraceMs: 60_000,
  });
  await writeFile(broken, "");
  // A video of the usual form alone would need no program; its upscale does.
  const inputs = { prompt: "a heron lands", duration: "4s", upscaleResolution: "1080p" };
  const taskId = await client.create("sd2", inputs);
  await waitUntil(
    "the worker has found that confinement is broken",
    async () => (await readFile(worker.logFile, "utf8")).includes("could not be run confined"),
    { timeoutMs: 120_000, intervalMs: 200 },
  );
  expect((await client.task(taskId)).completeTime).toBeNull();
  await rm(broken);
  expect((await client.finished(taskId, 120_000)).status).toBe("COMPLETED");
});
