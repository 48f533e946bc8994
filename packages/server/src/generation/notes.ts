import type { StoredMedia } from "../db/tables/tasks.ts";
import { notUpscaledNote, promptCutNote } from "../http/note-texts.ts";
import type { ModelRequest } from "../models/request.ts";

/** A deviation of the task from the request, as a sentence for its owner. */
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
      message: promptCutNote(
        [...request.prompt].length,
        request.model ?? "",
        request.promptCut.unitsMax,
      ),
    });
  const target = isVideo ? request.upscaleResolution : null;
  const [video] = output ?? [];
  if (target && video !== undefined && video.source === undefined)
    notes.push({
      param: "inputs.upscaleResolution",
      message: notUpscaledNote(`${video.width}x${video.height}`, target),
    });
  return notes.length === 0 ? {} : { notes };
}
