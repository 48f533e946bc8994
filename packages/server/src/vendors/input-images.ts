import type { Image } from "../media/image/fit-image.ts";
import type { ModelRequest } from "../models/request.ts";
import { detailOf } from "./detail.ts";
import type { SubmitResult, VendorJob } from "./vendor.ts";

const megabyte = 1024 * 1024;

/**
 * Returns the memory for a response, which is in memory four times for a moment: text, JSON, base64 and
 * bytes.
 */
export function answerMemoryBytes(request: ModelRequest): number {
  return request.kind === "image" && Number.parseInt(request.resolution, 10) >= 4
    ? 64 * megabyte
    : 16 * megabyte;
}

export type Prepared =
  | { kind: "ready"; images: Image[]; callMsMax: number }
  | Extract<SubmitResult, { kind: "refused" | "unavailable" }>;

/**
 * The request's images as an image vendor takes them, in the caller's order. It is part of the
 * submit and has half of its time; the call gets what is left, so that a submit ends when it must
 * even if this process was stopped in between. One after the other: each may need much memory.
 */
export async function prepareImages(
  job: VendorJob,
  limits: { sizeBytesMax: number; submitMsMax: number },
): Promise<Prepared> {
  const startedAt = performance.now();
  const images: Image[] = [];
  for (const [index, ref] of job.request.images.entries()) {
    const image = await job.imageOf(ref, limits.sizeBytesMax).catch(unavailableOf);
    if (image.kind === "unavailable")
      return { kind: "unavailable", detail: image.detail, isOurs: true };
    if (image.kind === "fault") {
      const detail = detailOf(`inputs.urls[${index}]: ${image.fault}`);
      return { kind: "refused", code: "input_unusable", detail };
    }
    images.push(image);
    if (performance.now() - startedAt > limits.submitMsMax / 2)
      return {
        kind: "unavailable",
        detail: "the inputs took too long to prepare",
        isOurs: true,
      };
  }
  const callMsMax = Math.floor(limits.submitMsMax - (performance.now() - startedAt));
  return { kind: "ready", images, callMsMax };
}

/** A failure in this service says nothing about the file: the submit is retried. */
function unavailableOf(error: unknown): { kind: "unavailable"; detail: string } {
  const detail = detailOf(error instanceof Error ? error.message : String(error));
  return { kind: "unavailable", detail };
}
