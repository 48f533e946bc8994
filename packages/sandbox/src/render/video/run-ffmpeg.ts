import { type ChildProcess, spawn } from "node:child_process";

/** The longest video at 4k takes some 30 s on two idle cores; this leaves room for busy ones. */
const renderMsMax = 300_000;
const complaintCharactersMax = 2_000;

export interface Studio {
  /** The folder below which each render has its work folder. */
  workDir: string;
  /** The ffmpegs at work, for stop() to end. */
  children: Set<ChildProcess>;
  stopped: boolean;
  /** Whether what is rendered only has to have its size and length. */
  isDraft: boolean;
}

/** Runs ffmpeg in `folder`; rejects with its complaint unless it ends well. */
export function runFfmpeg(
  studio: Studio,
  folder: string,
  args: string[],
  msMax = renderMsMax,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (studio.stopped) throw new Error("the sandbox is stopping");
    const child = spawn("ffmpeg", args, {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
      timeout: msMax,
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
