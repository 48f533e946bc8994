import type { FileInput } from "./boundary.ts";

/** The number of files that a mode takes. `other` are links at its other lists. */
export interface Count extends Omit<FileInput, "input"> {
  taken: Numbers;
  refused: Numbers;
  param: string;
  message: string;
  more?: Record<string, unknown>;
}

export type Numbers = Partial<Record<FileInput["input"], number>>;

const reference = { videoInputMode: "reference", resolution: "1280x720" };

const sd2Counts = (["sd2", "sd2-fast"] as const).flatMap((model): Count[] => {
  const frames = { model, param: "inputs.urls" };
  const references = { model, mode: "reference", more: reference };
  const together = {
    ...references,
    param: "inputs.audioUrls",
    message: "at most 12 files in total",
  };
  return [
    {
      ...frames,
      mode: "image-to-video",
      taken: { urls: 1 },
      refused: { urls: 3 },
      message: "1 image",
    },
    ...[1, 3].map((urls) => ({
      ...frames,
      mode: "keyframe",
      taken: { urls: 2 },
      refused: { urls },
      message: "exactly 2 images",
      more: { videoInputMode: "keyframe" },
    })),
    {
      ...references,
      taken: { urls: 9 },
      refused: { urls: 10 },
      param: "inputs.urls",
      message: "at most 9 images",
    },
    {
      ...references,
      taken: { videoUrls: 3 },
      refused: { videoUrls: 4 },
      param: "inputs.videoUrls",
      message: "at most 3 videos",
    },
    {
      ...references,
      taken: { urls: 1, audioUrls: 3 },
      refused: { urls: 1, audioUrls: 4 },
      param: "inputs.audioUrls",
      message: "at most 3 audio files",
    },
    {
      ...references,
      taken: { urls: 1, audioUrls: 1 },
      refused: { audioUrls: 1 },
      param: "inputs.audioUrls",
      message: "cannot be the only reference",
    },
    {
      ...together,
      taken: { urls: 9, audioUrls: 3 },
      refused: { urls: 9, videoUrls: 1, audioUrls: 3 },
    },
    {
      ...together,
      taken: { urls: 9, videoUrls: 3 },
      refused: { urls: 9, videoUrls: 3, audioUrls: 1 },
    },
    {
      ...together,
      taken: { urls: 6, videoUrls: 3, audioUrls: 3 },
      refused: { urls: 7, videoUrls: 3, audioUrls: 3 },
    },
  ];
});

const horses: Count = {
  model: "happyhorse",
  mode: "reference-to-video",
  param: "inputs.urls",
  taken: { urls: 9 },
  refused: { urls: 10 },
  message: "1 to 9 reference images",
  more: { videoWorkflowTab: "multi-reference" },
};

export const counts: readonly Count[] = [
  ...sd2Counts,
  {
    model: "happyhorse",
    mode: "image-to-video",
    param: "inputs.urls",
    taken: { urls: 1 },
    refused: { urls: 2 },
    message: "exactly 1 image",
  },
  horses,
  { ...horses, taken: { urls: 1 }, refused: { urls: 0 } },
  ...(["image-pro-2", "image-plus-2"] as const).map((model) => ({
    model,
    mode: "edit",
    param: "inputs.urls",
    taken: { urls: 10 },
    refused: { urls: 11 },
    message: "at most 10 reference images",
  })),
];
