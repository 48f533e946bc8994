import type { ListTasksAnswer } from "@zoetrope/sdk/answers";
import type { Tone } from "../../components/badge.tsx";
import type { LiveEvent } from "../../lib/share-events.ts";

/** A task of either kind, as lists have it. */
export type Task = ListTasksAnswer["items"][number];
export type MediaFile = NonNullable<Extract<Task, { kind: "generation" }>["output"]>[number];
export type Status = "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";

export interface Facts {
  status: Status;
  createdAt: number;
  endedAt: number | null;
  files: readonly MediaFile[];
  error: { code: string; message: string } | null;
  /** The progress in percent; null where it is not measured. */
  progress: number | null;
}

const statusOfUpscale = {
  validating: "PENDING",
  processing: "PROCESSING",
  completed: "COMPLETED",
  failed: "FAILED",
} as const;

/** Returns the facts that both kinds of task have, under the same names. */
export function factsOf(task: Task): Facts {
  if (task.kind === "generation")
    return {
      status: task.status,
      createdAt: task.createTime,
      endedAt: task.completeTime,
      files: task.output ?? [],
      error: task.errorCode === null ? null : { code: task.errorCode, message: task.error ?? "" },
      progress: null,
    };
  return {
    status: statusOfUpscale[task.status],
    createdAt: Date.parse(task.createdAt),
    endedAt: task.finishedAt === null ? null : Date.parse(task.finishedAt),
    files: task.result === null ? [] : [task.result],
    error: task.error,
    progress: task.status === "processing" ? task.progress : null,
  };
}

/** Returns the task of an event; null if the event is about something else. */
export function taskOfEvent(
  { type, data }: LiveEvent,
  before: Task | undefined,
  isTest: boolean,
): Task | null {
  if (typeof data["taskId"] !== "string") return null;
  const listed = { mode: isTest ? "test" : "live", keyId: before?.keyId ?? null };
  if (type.startsWith("generation."))
    return { ...data, ...listed, kind: "generation", credits: data["creditsUsed"] } as Task;
  if (!type.startsWith("upscale.")) return null;
  const credits = data["status"] === "failed" ? 0 : (data["creditsConsumed"] ?? before?.credits);
  return { ...data, ...listed, kind: "upscale", model: "upscale", credits: credits ?? 0 } as Task;
}

export const toneOf: Readonly<Record<Status, Tone>> = {
  PENDING: "warn",
  PROCESSING: "accent",
  COMPLETED: "good",
  FAILED: "bad",
};

/** Whether the file can be had: its link has not expired, and nobody has deleted its media. */
export function isKept({ expiresAt }: MediaFile): boolean {
  return expiresAt === null || expiresAt > Date.now();
}

export function withoutMedia(task: Task): Task {
  const gone = { expiresAt: Date.now(), posterUrl: null };
  if (task.kind === "generation")
    return { ...task, output: task.output?.map((file) => ({ ...file, ...gone })) ?? null };
  return { ...task, result: task.result && { ...task.result, ...gone } };
}

export function isVideo({ mediaType }: MediaFile): boolean {
  return mediaType.startsWith("video/");
}

/** Files that can be had now. */
export function keptFiles(task: Task): MediaFile[] {
  return factsOf(task).files.filter(isKept);
}

export function fileNameOf(taskId: string, index: number, { mediaType }: MediaFile): string {
  const ending = mediaType.split("/")[1]?.replace("quicktime", "mov") ?? "bin";
  return `${taskId}${index === 0 ? "" : `-${index + 1}`}.${ending}`;
}
