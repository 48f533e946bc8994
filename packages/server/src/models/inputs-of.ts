import type { Model } from "./model.ts";
import { textOfOutput } from "./output-ref.ts";
import type { MediaRef, ModelRequest } from "./request.ts";
import { ratioOfResolution } from "./sd2-fields.ts";

/**
 * The inputs of a stored request in their normal form: planning them gives the same request. Null if
 * what the caller wrote was purged, or if the model has no such mode any more.
 */
export function inputsOf(model: Model, request: ModelRequest): Record<string, unknown> | null {
  const mode = model.modes.find(({ name }) => name === request.mode);
  if (mode === undefined || isPurged(request)) return null;
  const entries = Object.keys(mode.inputs.shape).flatMap((name): [string, unknown][] => {
    const control = mode.fields[name]?.control;
    if (control === "unused") return [];
    const value = control === "fixed" ? mode.example[name] : storedInput(name, request);
    const isEmpty = value === undefined || value === null || value === "";
    return isEmpty || (Array.isArray(value) && value.length === 0) ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

/** An accepted request has a prompt or a file, and never an empty prompt. */
export function isPurged(request: Partial<ModelRequest>): boolean {
  if (request.kind === undefined || request.prompt === "") return true;
  return request.prompt == null && request.images?.length === 0 && videosOf(request).length === 0;
}

function videosOf(request: Partial<ModelRequest>): readonly MediaRef[] {
  return request.kind === "video" ? (request.videos ?? []) : [];
}

/** Most inputs have the name that the request has for them. */
function storedInput(name: string, request: ModelRequest): unknown {
  const named: Readonly<Record<string, unknown>> = { ...request };
  if (name === "urls") return request.images.map(textOf);
  if (request.kind === "image") return named[name];
  switch (name) {
    case "videoUrls":
      return request.videos.map(textOf);
    case "audioUrls":
      return request.audios.map(textOf);
    case "duration":
      return String(request.durationSeconds);
    case "resolution":
      return Object.entries(ratioOfResolution).find(([, ratio]) => ratio === request.ratio)?.[0];
    default:
      return named[name];
  }
}

/** A file as its caller names it. */
export function textOf(ref: MediaRef): string {
  if (ref.task !== undefined) return textOfOutput(ref);
  return ref.asset === undefined ? ref.url : `asset://${ref.asset}`;
}
