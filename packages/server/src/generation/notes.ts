import type { StoredMedia } from "../db/tables/tasks.ts";
import type { ModelRequest } from "../models/request.ts";

/** Where a task deviates from the request, as sentences for its owner. */
export interface Note {
  param: string;
  message: string;
}

/** The `notes` of a response; omitted if there are none. */
export function notesOf(
  request: Partial<ModelRequest>,
  output: readonly StoredMedia[] | null,
): { notes?: Note[] } {
  const notes: Note[] = [];
  const isVideo = request.kind === "video";
  if (isVideo && request.promptCut !== undefined && request.prompt != null)
    notes.push({
      param: "inputs.prompt",
      message: `The prompt was cut after ${[...request.prompt].length} characters: ${request.model} accepts ${request.promptCut.unitsMax}, and each CJK character counts as two.`,
    });
  const target = isVideo ? request.upscaleResolution : null;
  const [video] = output ?? [];
  if (target && video !== undefined && video.source === undefined)
    notes.push({
      param: "inputs.upscaleResolution",
      message: `The model rendered ${video.width}x${video.height}, which is not lower than ${target}. The video was not upscaled.`,
    });
  return notes.length === 0 ? {} : { notes };
}
