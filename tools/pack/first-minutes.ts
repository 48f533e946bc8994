import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { probeVideo } from "@zoetrope/testkit/probe-video.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { installPackages } from "./install-packages.ts";
import { root } from "./list-packages.ts";
import { startDev } from "./start-dev.ts";

const run = promisify(execFile);
const videoMsMax = 600_000;

interface FirstMinutes {
  /** Seconds until everything runs, with nothing there before. */
  readonly coldS: number;
  /** Seconds from the first line of the caller's code to the file. */
  readonly videoS: number;
}

/** The steps that the README of @zoetrope/dev describes, block by block. */
/** The settings of a service that nobody has configured: a person reviews. */
export const manual = "REVIEW_IMAGE=manual REVIEW_VIDEO=manual REVIEW_AUDIO=manual";

export interface Quickstart {
  /** The command that starts the service. */
  readonly start: string;
  readonly code: string;
  /** The commands to type in another terminal. */
  readonly commands: string;
}

/**
 * The first minutes of a developer: an empty folder, the packages, the service, and the README's code to a
 * video that plays.
 */
export async function firstMinutes(): Promise<FirstMinutes> {
  await using scratch = await makeScratch("first-minutes");
  const app = join(scratch.path, "app");
  await installPackages(join(scratch.path, "tarballs"), app);
  const quickstart = await readQuickstart();
  await using dev = await startDev(quickstart.start, app);
  const videoS = await makeVideo(quickstart, app);
  await dev.interrupt();
  return { coldS: dev.startS, videoS };
}

export async function readQuickstart(): Promise<Quickstart> {
  const text = await readFile(join(root, "packages/dev/README.md"), "utf8");
  const blocks = [...text.matchAll(/^```(sh|js)\n(.*?)^```$/gms)];
  const [install, code, commands] = blocks.map(([, language, block = ""]) => ({ language, block }));
  const start = install?.block.trim().split("\n").at(-1);
  if (start === undefined || code?.language !== "js" || commands?.language !== "sh")
    throw new Error("the README of @zoetrope/dev does not begin with its quickstart");
  // The usual port may be another program's.
  return {
    start: `${start} --port ${await freePort()}`,
    code: code.block,
    commands: commands.block,
  };
}

/** Seconds that the README's code took to a video that plays, with audio. */
export async function makeVideo({ code, commands }: Quickstart, app: string): Promise<number> {
  await writeFile(join(app, "boat.mjs"), code);
  const startedAt = performance.now();
  await run("bash", ["-ec", commands], { cwd: app, timeout: videoMsMax });
  const videoS = (performance.now() - startedAt) / 1_000;
  const { seconds, video, audio } = await probeVideo(join(app, "boat.mp4"));
  if (seconds < 4 || video === undefined || audio === "none")
    throw new Error(`the video has ${seconds} s, video ${video} and audio ${audio}`);
  return videoS;
}
