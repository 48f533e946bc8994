import type { Output } from "@zoetrope/sdk";
import type { Session } from "../session.ts";
import { cleanText } from "./clean-text.ts";
import { formatBytes } from "./format.ts";
import { renderPoster } from "./poster.ts";
import { formatSeconds } from "./spinner.ts";
import { linkOnStdout, onStdout } from "./talk.ts";

interface Shown {
  taskId: string;
  credits: number;
  tookMs: number | null;
  files: readonly Pick<
    Output,
    "url" | "width" | "height" | "sizeBytes" | "durationSeconds" | "posterUrl"
  >[];
  /** The paths to which the files were written; empty if they were not. */
  paths: readonly string[];
  notes?: readonly { param: string; message: string }[] | undefined;
}

/** Shows a finished task to a person: the poster, then what it is and where. */
export async function showCompleted(
  session: Session,
  { taskId, credits, tookMs, files, paths, notes = [] }: Shown,
  hasPoster: boolean,
): Promise<string[]> {
  const lines: string[] = [];
  const poster = files[0]?.posterUrl ?? null;
  const image = hasPoster ? await renderPoster(poster, session.signal) : null;
  if (image !== null) lines.push(image.trimEnd());
  const time = tookMs === null ? "" : ` in ${formatSeconds(tookMs)}`;
  const cost = cleanText(`${credits} ${credits === 1 ? "credit" : "credits"}`);
  lines.push(`${onStdout("green", "✔")} Completed${time} for ${cost}`);
  for (const [at, file] of files.entries()) {
    const path = paths[at];
    const where = path === undefined ? linkOnStdout(file.url) : onStdout("bold", cleanText(path));
    lines.push(`  ${where}  ${onStdout("dim", cleanText(describeFile(file)))}`);
  }
  for (const { message } of notes) lines.push(`  ${cleanText(message)}`);
  lines.push(onStdout("dim", `  task ${cleanText(taskId)}`));
  return lines;
}

function describeFile(file: Shown["files"][number]): string {
  const seconds =
    file.durationSeconds === null ? [] : [`${Number(file.durationSeconds.toFixed(1))} s`];
  return [`${file.width}×${file.height}`, ...seconds, formatBytes(file.sizeBytes)].join(" · ");
}
