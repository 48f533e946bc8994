import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { watchCpu } from "./cpu-watch.ts";

/**
 * Measures the processor time of a shell and its children while it runs a script, watched from
 * before until after.
 */
async function watchScript(script: string) {
  const stdio = ["pipe", "pipe", "inherit"] as const;
  const shell = spawn("sh", ["-c", `read begin; ${script}; echo over; read end`], {
    stdio: [...stdio],
  });
  const watch = watchCpu(shell.pid ?? 0);
  shell.stdin.write("\n");
  await once(shell.stdout, "data");
  const used = await watch.stop();
  shell.stdin.end();
  await once(shell, "close");
  return used;
}

test("processes that have ended cost what they used, and nothing for having ended", async () => {
  const many = Array.from({ length: 30 }, () => "sleep 0.03").join("; ");
  const { seconds, started } = await watchScript(many);
  expect(started).toBeGreaterThan(0);
  expect(seconds).toBeLessThan(started * 0.02);
});

test("a process that works is counted until it has ended", async () => {
  const work = "const end = () => process.cpuUsage().user > 500_000; while (!end());";
  const { seconds } = await watchScript(`"${process.execPath}" -e "${work}"`);
  expect(seconds).toBeGreaterThan(0.4);
});
