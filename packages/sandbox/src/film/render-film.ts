import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { composeScene, type FilmSpec } from "./compose.ts";
import { writeRecipe } from "./ffmpeg-arguments.ts";

/** The longest film at 4k takes some 30 s on two idle cores; this leaves room for busy ones. */
const renderMsMax = 300_000;
const complaintCharactersMax = 2_000;

export interface Studio {
  /** Each render works in a folder of its own below this one. */
  workDir: string;
  /** The ffmpegs at work, for stop() to end. */
  children: Set<ChildProcess>;
  stopped: boolean;
}

/** Renders a film and moves it to `path` when it is complete: nobody ever sees half a film. */
export async function renderFilm(studio: Studio, spec: FilmSpec, path: string): Promise<void> {
  const folder = await mkdtemp(join(studio.workDir, "render-"));
  try {
    const { files, args } = writeRecipe(spec, composeScene(spec), "film.mp4");
    for (const file of files) await writeFile(join(folder, file.name), file.bytes);
    await runFfmpeg(studio, folder, args);
    await rename(join(folder, "film.mp4"), path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runFfmpeg(studio: Studio, folder: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    if (studio.stopped) throw new Error("the sandbox is stopping");
    const child = spawn("ffmpeg", args, {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
      timeout: renderMsMax,
      killSignal: "SIGKILL",
    });
    studio.children.add(child);
    let complaint = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint = (complaint + text).slice(-complaintCharactersMax);
    });
    child.on("error", (error) => {
      studio.children.delete(child);
      reject(new Error("ffmpeg could not be started", { cause: error }));
    });
    child.on("close", (exitCode, signal) => {
      studio.children.delete(child);
      if (exitCode === 0) resolve();
      else reject(new Error(`ffmpeg ended with ${exitCode ?? signal}: ${complaint}`));
    });
  });
}
