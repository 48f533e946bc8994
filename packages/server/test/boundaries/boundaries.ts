import { type Boundary, type FileInput, goodImage, megabyte, type Sample } from "./boundary.ts";

/** Every rule for every file of every mode, stated a second time, from the interface. */
const sd2Models = ["sd2", "sd2-fast"] as const;
const editModels = ["image-pro-2", "image-plus-2"] as const;
const either = ["asset", "address"] as const;
const unknown = "which is not supported";

const image = (width: number, height: number): Sample => ({ format: "png", width, height });
const turned = (width: number, height: number) => [image(width, height), image(height, width)];
const heavy = (sizeBytes: number): Sample => ({ ...goodImage, sizeBytes });
const audio = (durationMs: number, format: "wav" | "mp3" = "wav"): Sample => ({
  format,
  durationMs,
});
const inFormats = (...formats: Sample["format"][]) =>
  formats.map((format): Sample => ({ ...goodImage, format }));

function shortSide(place: FileInput, pixels: number): Boundary {
  return {
    ...place,
    rule: "shortSidePixelsMin",
    via: either,
    taken: [image(pixels, pixels), ...turned(pixels, pixels + 1)],
    refused: [image(pixels - 1, pixels - 1), ...turned(pixels - 1, pixels)],
    message: `must be at least ${pixels} px on its shortest side`,
  };
}

function longSide(place: FileInput): Boundary {
  return {
    ...place,
    rule: "longSidePixelsMax",
    via: either,
    taken: turned(6_000, 400),
    refused: turned(6_001, 400),
    message: "must be at most 6000 px on its longest side",
  };
}

function ratio(place: FileInput, limit: number, short: number): Boundary {
  const long = short * limit;
  return {
    ...place,
    rule: "ratioMax",
    via: either,
    taken: turned(long, short),
    refused: turned(long + 1, short),
    message: `must have an aspect ratio between 1:${limit} and ${limit}:1`,
  };
}

function size(place: FileInput, megabytes: number, via: Boundary["via"] = either): Boundary {
  return {
    ...place,
    rule: "sizeMegabytesMax",
    via,
    taken: [heavy(megabytes * megabyte)],
    refused: [heavy(megabytes * megabyte + 1)],
    message: `must be at most ${megabytes} MB`,
  };
}

/**
 * The boundary of file types that no reader supports. Such a file cannot become an asset: it is passed by
 * its address.
 */
function strangers(place: FileInput, taken: readonly Sample[]): Boundary {
  const refused: Sample[] = place.input === "urls" ? inFormats("gif") : [{ format: "ogg" }];
  return { ...place, rule: "formats", via: ["address"], taken, refused, message: unknown };
}

function kinds(place: FileInput, taken: readonly Sample[], refused: readonly Sample[]): Boundary {
  const message = `must be of type ${place.input === "urls" ? "IMAGE" : "AUDIO"}, but is`;
  return { ...place, rule: "formats", via: either, taken, refused, message };
}

const video: Sample = { format: "mp4", width: 64, height: 64, durationMs: 1_000 };

const frames = sd2Models.flatMap((model) =>
  ["image-to-video", "keyframe", "reference"].flatMap((mode) => {
    const place = { model, mode, input: "urls" } as const;
    const taken = inFormats("png", "jpeg", "webp", "bmp");
    return [
      longSide(place),
      size(place, 50, ["address"]),
      strangers(place, taken),
      kinds(place, taken, [audio(1_000), video]),
    ];
  }),
);

const references = sd2Models.flatMap((model): Boundary[] => {
  const place = { model, mode: "reference" } as const;
  const audios = { ...place, input: "audioUrls" } as const;
  const weighty = (sizeBytes: number): Sample => ({ ...audio(1_000), sizeBytes });
  return [
    shortSide({ ...place, input: "urls" }, 400),
    {
      ...place,
      input: "videoUrls",
      rule: "durationSecondsMax",
      via: ["asset"],
      taken: [{ ...video, durationMs: 15_000 }],
      refused: [{ ...video, durationMs: 15_001 }],
      message: "must be at most 15 s long, but is 15.001 s",
    },
    {
      ...place,
      input: "videoUrls",
      rule: "formats",
      via: ["asset"],
      taken: [video, { ...video, format: "mov" }],
      refused: [{ ...video, format: "webm" }],
      message: "must be mp4 or mov, but is webm",
    },
    {
      ...place,
      input: "videoUrls",
      rule: "videoCodecs",
      via: ["asset"],
      taken: [video, { ...video, videoCodec: "h264" }, { ...video, videoCodec: "hevc" }],
      refused: [{ ...video, format: "mov", videoCodec: "prores" }],
      message: "must be encoded as h264 or hevc, but is prores",
    },
    {
      ...audios,
      rule: "durationSecondsMax",
      via: either,
      taken: [audio(15_000), audio(15_000, "mp3")],
      refused: [audio(15_001), audio(15_001, "mp3")],
      message: "must be at most 15 s long, but is 15.001 s",
    },
    {
      ...size(audios, 50, ["address"]),
      taken: [weighty(50 * megabyte)],
      refused: [weighty(50 * megabyte + 1)],
    },
    strangers(audios, [audio(1_000), audio(1_000, "mp3")]),
    kinds(audios, [audio(1_000)], [goodImage, video]),
  ];
});

const horses = ["image-to-video", "reference-to-video"].flatMap((mode) => {
  const place = { model: "happyhorse", mode, input: "urls" } as const;
  const taken = inFormats("jpeg", "png", "bmp", "webp");
  return [
    shortSide(place, 300),
    ratio(place, 2.5, 300),
    size(place, 10),
    strangers(place, taken),
    kinds(place, taken, [audio(1_000), video]),
  ];
});

const edits = editModels.flatMap((model): Boundary[] => {
  const place = { model, mode: "edit", input: "urls" } as const;
  const taken = inFormats("jpeg", "png", "webp");
  return [
    shortSide(place, 256),
    ratio(place, 3, 256),
    size(place, 50),
    strangers(place, taken),
    kinds(place, taken, [audio(1_000), video]),
    {
      ...place,
      rule: "formats",
      via: either,
      taken,
      refused: inFormats("bmp"),
      message: "must be jpeg, png, webp, but is image/bmp",
    },
  ];
});

export const boundaries: readonly Boundary[] = [...frames, ...references, ...horses, ...edits];
