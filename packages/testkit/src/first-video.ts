import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { print } from "./print.ts";
import { probeVideo } from "./probe-video.ts";
import { makeScratch } from "./services/scratch.ts";

/**
 * Follows the README's first steps: starts `npm run dev`, pastes the lines it
 * prints into a shell, fetches the video and probes it. The last line prints what it found.
 */
const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));
const startMsMax = 180_000;
const videoMsMax = 180_000;

await using scratch = await makeScratch("first-video");
// A process group of its own, so that it can be sent what Ctrl-C sends: a signal to all of them.
const port = String(await freePort()); // the usual one may be another program's
const options = ["--dir", join(scratch.path, "data"), "--port", port];
const dev = spawn("npm", ["run", "-s", "dev", "--", ...options], {
  cwd: root,
  stdio: ["ignore", "pipe", "inherit"],
  detached: true,
});
try {
  const found = await makeFirstVideo();
  await stopDev();
  print(found);
} finally {
  await stopDev();
}

async function makeFirstVideo(): Promise<string> {
  const { create, query } = await readPrintedLines();
  const { taskId } = JSON.parse(await paste(create)) as { taskId: string };
  const output = await waitForVideo(query.replace("TASK_ID", taskId));
  const path = join(scratch.path, "video.mp4");
  await writeFile(path, Buffer.from(await (await fetch(output.url)).arrayBuffer()));
  const { seconds, width, height, video, audio } = await probeVideo(path);
  if (width !== output.width || height !== output.height)
    throw new Error(`the task says ${output.width}x${output.height}, the file ${width}x${height}`);
  return `video_s=${seconds} width=${width} height=${height} video=${video} audio=${audio}`;
}

async function stopDev(): Promise<void> {
  if (dev.exitCode !== null || dev.signalCode !== null || dev.pid === undefined) return;
  process.kill(-dev.pid, "SIGINT");
  await once(dev, "exit");
}

/** The two curl lines that `npm run dev` prints. */
async function readPrintedLines(): Promise<{ create: string; query: string }> {
  const found: string[] = [];
  const reading = (async () => {
    for await (const line of createInterface({ input: dev.stdout })) {
      print(line);
      if (line.trimStart().startsWith("curl ")) found.push(line.trim());
    }
  })();
  reading.catch(() => {});
  await waitUntil(
    "npm run dev has printed its lines",
    () => {
      if (dev.exitCode !== null) throw new Error(`npm run dev ended with ${dev.exitCode}`);
      return found.length === 2;
    },
    { timeoutMs: startMsMax },
  );
  const [create = "", query = ""] = found;
  return { create, query };
}

async function paste(line: string): Promise<string> {
  const { stdout } = await run("bash", ["-c", line]);
  return stdout;
}

async function waitForVideo(
  query: string,
): Promise<{ url: string; width: number; height: number }> {
  let video: { url: string; width: number; height: number } | undefined;
  await waitUntil(
    "there is a video",
    async () => {
      const task = JSON.parse(await paste(query)) as {
        output: { url: string; width: number; height: number }[] | null;
      };
      video = task.output?.[0];
      return video !== undefined;
    },
    { timeoutMs: videoMsMax, intervalMs: 1_000 },
  );
  if (video === undefined) throw new Error("unreachable");
  return video;
}
