import { join } from "node:path";
import { renderFile } from "@zoetrope/testkit/make-media.ts";
import { readMosaic, readStreams } from "@zoetrope/testkit/read-video.ts";
import { type FileServer, serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { workAllSegments } from "../../test/harness/work-all-segments.ts";
import { fetchObject } from "../media/storage/fetch-object.ts";
import { createUpscale } from "./create-upscale.ts";
import { joinVideo } from "./segments/join-video.ts";
import { validateSource } from "./validate-source.ts";

let scratch: Scratch;
let videos: FileServer;
let bed: TestBed;
beforeAll(async () => {
  scratch = await makeScratch("sources");
  videos = await serveFiles({ dir: scratch.path });
  bed = await openTestBed({ UPSCALE_PRESET: "ultrafast", SEGMENT_INTERVAL_MS: "50" });
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await videos[Symbol.asyncDispose]();
  await scratch.remove();
});

async function validate(path: string) {
  const account = await bed.openAccount();
  const source = { type: "url", url: videos.urlOf(path) } as const;
  const body = { source, targetResolution: "1080p" } as const;
  const { taskId } = await createUpscale(bed.ctx, account, body, null);
  return { taskId, validation: await validateSource(bed.ctx, taskId) };
}

/** A side of a result that is made at a third of its size, which takes a fraction of the time. */
const thirdOf = (side: number) => 2 * Math.round(side / 6);

/** Upscales a video as the service does, at a third of the size unless all of it is wanted; returns the result's path. */
async function upscale(path: string, isWhole: boolean): Promise<string> {
  const { taskId, validation } = await validate(path);
  expect(validation).toEqual({ kind: "settled" });
  const [row] = await bed.database.sql<{ plan: { width: number; height: number } }>(
    "select plan from upscales where task_id = $1",
    [taskId],
  );
  const { width = 0, height = 0 } = row?.plan ?? {};
  if (!isWhole)
    await bed.database.sql("update upscales set plan = plan || $2::jsonb where task_id = $1", [
      taskId,
      JSON.stringify({ width: thirdOf(width), height: thirdOf(height) }),
    ]);
  await workAllSegments(bed.ctx, taskId);
  const joined = await joinVideo(bed.ctx, taskId);
  if (joined.kind !== "delivered") throw new Error(joined.kind);
  const result = join(scratch.path, joined.media.key);
  await fetchObject(bed.ctx.storage, joined.media.key, result);
  return result;
}

const frameCompared = 2;
/** Of 255: what two conversions and an encoder change in a large area. */
const colourDifferenceMax = 8;

const moving = (size: string, rate = 4) => [
  "-f",
  "lavfi",
  "-i",
  `testsrc2=s=${size}:r=${rate}:d=1`,
];
const small = moving("320x180");
const twice = moving("320x180", 8);
const x264 = ["-c:v", "libx264", "-preset", "veryfast"];
const x265 = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error"];
const vp9 = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"];
const pixels = (format: string) => ["-pix_fmt", format];
const fullRange = (format: string) => [
  "-vf",
  `scale=out_range=full,format=${format}`,
  "-color_range",
  "pc",
];
const colours = (matrix: string, primaries: string, transfer: string) => [
  "-colorspace",
  matrix,
  "-color_primaries",
  primaries,
  "-color_trc",
  transfer,
];
const odd = ["-vf", "scale=321:181,setsar=1"];
const fields = (order: "tff" | "bff") => [
  "-vf",
  `interlace=scan=${order}`,
  ...x264,
  ...pixels("yuv420p"),
  "-flags",
  "+ilme+ildct",
  "-x264-params",
  `${order}=1`,
];

const proRes = (profile: string, format: string) => [
  "-c:v",
  "prores_ks",
  "-profile:v",
  profile,
  ...pixels(format),
];
/** This encoder writes the colour metadata of the frames. */
const tagged = (matrix: string, primaries: string, transfer: string) => [
  "-vf",
  `scale=out_color_matrix=${matrix.slice(0, 6)},format=yuv422p10le,setparams=colorspace=${matrix}:color_primaries=${primaries}:color_trc=${transfer}`,
];
const dnxhr = (profile: string, format: string) => [
  "-c:v",
  "dnxhd",
  "-profile:v",
  profile,
  ...pixels(format),
];

const wide = { width: 1920, height: 1080, color_space: "smpte170m", color_range: "tv" };
const large = { ...wide, color_space: "bt709" };
const oddSides = { ...wide, width: 1916 };

interface Taken {
  what: string;
  ending?: "webm" | "mov";
  args: string[];
  becomes: typeof wide & Record<string, unknown>;
  /** Made at its whole size. */
  isWhole?: true;
  /** Added to the finished video. */
  label?: string[];
  /** A video that shows the same, where ffmpeg by itself does not see it in the source. */
  shows?: string[];
}

const taken: Taken[] = [
  {
    what: "8 bit 4:2:0",
    args: [...small, ...x264, ...pixels("yuv420p")],
    becomes: wide,
    isWhole: true,
  },
  { what: "8 bit 4:2:2", args: [...small, ...x264, ...pixels("yuv422p")], becomes: wide },
  { what: "8 bit 4:4:4", args: [...small, ...x264, ...pixels("yuv444p")], becomes: wide },
  { what: "luma alone", args: [...small, ...x264, ...pixels("gray")], becomes: wide },
  { what: "10 bit H.264", args: [...small, ...x264, ...pixels("yuv420p10le")], becomes: wide },
  { what: "10 bit HEVC", args: [...small, ...x265, ...pixels("yuv420p10le")], becomes: wide },
  { what: "full range H.264", args: [...small, ...x264, ...pixels("yuvj420p")], becomes: wide },
  {
    what: "full range HEVC",
    args: [...small, ...fullRange("yuv420p10le"), ...x265],
    becomes: wide,
  },
  {
    what: "full range VP9",
    ending: "webm",
    args: [...small, ...fullRange("yuv420p"), ...vp9],
    becomes: wide,
  },
  {
    what: "odd sides in 4:2:0",
    ending: "webm",
    args: [...small, ...odd, ...vp9, ...pixels("yuv420p")],
    becomes: oddSides,
  },
  {
    what: "odd sides in 4:4:4",
    args: [...small, ...odd, ...x264, ...pixels("yuv444p")],
    becomes: oddSides,
  },
  {
    what: "pixels that are not square",
    args: [...moving("240x180"), "-vf", "setsar=4/3", ...x264, ...pixels("yuv420p")],
    becomes: wide,
  },
  {
    what: "turned by a quarter",
    ending: "mov",
    args: [...small, ...x264, ...pixels("yuv420p")],
    label: ["-metadata:s:v", "rotate=90"],
    becomes: { ...wide, width: 1080, height: 1920 },
  },
  {
    what: "fields, the upper one first",
    args: [...twice, ...fields("tff")],
    becomes: wide,
    shows: [...twice, "-vf", "framestep=2", ...x264],
  },
  {
    what: "fields, the lower one first",
    args: [...twice, ...fields("bff")],
    becomes: wide,
    shows: [...twice, "-vf", "framestep=2", ...x264],
  },
  {
    what: "large, without colour metadata",
    args: [...moving("1280x720"), ...x264, ...pixels("yuv420p")],
    becomes: large,
    shows: [...moving("1280x720"), ...x264, ...pixels("yuv420p"), "-colorspace", "bt709"],
  },
  {
    what: "BT.709, small",
    args: [...small, ...x264, ...pixels("yuv420p"), ...colours("bt709", "bt709", "bt709")],
    becomes: { ...wide, color_space: "bt709", color_transfer: "bt709", color_primaries: "bt709" },
  },
  {
    what: "BT.2020 of a standard range",
    args: [...small, ...x265, ...pixels("yuv420p10le"), ...colours("bt2020nc", "bt2020", "bt709")],
    becomes: { ...wide, color_space: "bt2020nc", color_primaries: "bt2020" },
  },
  { what: "12 bit HEVC", args: [...small, ...x265, ...pixels("yuv420p12le")], becomes: wide },
  {
    what: "ProRes 422 of 10 bits",
    ending: "mov",
    args: [...small, ...proRes("hq", "yuv422p10le")],
    becomes: wide,
  },
  {
    what: "ProRes 4444 without alpha",
    ending: "mov",
    args: [...small, ...proRes("4444", "yuv444p10le")],
    becomes: wide,
  },
  {
    what: "ProRes of BT.709 with a time code",
    ending: "mov",
    args: [
      ...moving("1280x720"),
      "-timecode",
      "01:00:00:00",
      ...tagged("bt709", "bt709", "bt709"),
      ...proRes("lt", "yuv422p10le"),
    ],
    becomes: { ...large, color_transfer: "bt709", color_primaries: "bt709" },
  },
  {
    what: "ProRes in fields, the upper one first",
    ending: "mov",
    args: [
      ...twice,
      "-vf",
      "format=yuv422p10le,interlace=scan=tff",
      ...proRes("hq", "yuv422p10le"),
      "-flags",
      "+ilme+ildct",
    ],
    becomes: wide,
    shows: [...twice, "-vf", "framestep=2", ...x264],
  },
  {
    what: "DNxHR of 8 bits",
    ending: "mov",
    args: [...small, ...dnxhr("dnxhr_sq", "yuv422p")],
    becomes: large,
  },
  {
    what: "DNxHR of 10 bits",
    ending: "mov",
    args: [...small, ...dnxhr("dnxhr_hqx", "yuv422p10le")],
    becomes: large,
  },
  { what: "MPEG-4 part 2", args: [...small, "-c:v", "mpeg4", "-q:v", "2"], becomes: wide },
  {
    what: "MPEG-4 part 2 with B-frames",
    ending: "mov",
    args: [...small, "-c:v", "mpeg4", "-q:v", "2", "-bf", "2", "-g", "4"],
    becomes: wide,
  },
  {
    what: "Motion JPEG in MOV",
    ending: "mov",
    args: [...small, "-c:v", "mjpeg", "-q:v", "2", ...pixels("yuvj422p")],
    becomes: { ...wide, color_space: "bt470bg" },
  },
  {
    what: "Motion JPEG in MP4",
    args: [...small, "-c:v", "mjpeg", "-q:v", "2", ...pixels("yuvj420p")],
    becomes: { ...wide, color_space: "bt470bg" },
  },
];

test.each(taken)("taken: $what", async ({ what, ending, args, ...row }) => {
  const name = what.replaceAll(/\W/g, "-");
  const made = await renderFile(join(scratch.path, `${name}.${ending ?? "mp4"}`), args);
  const path =
    row.label === undefined
      ? made
      : await renderFile(join(scratch.path, `${name}-labelled.mp4`), [
          "-i",
          made,
          "-c",
          "copy",
          ...row.label,
        ]);
  const { isWhole = false, becomes } = row;
  const result = await upscale(path, isWhole);
  const [image] = await readStreams(result);
  expect(image).toMatchObject({
    codec_name: "h264",
    pix_fmt: "yuv420p",
    field_order: "progressive",
    sample_aspect_ratio: "1:1",
    nb_frames: "4",
    ...becomes,
    width: isWhole ? becomes.width : thirdOf(becomes.width),
    height: isWhole ? becomes.height : thirdOf(becomes.height),
  });
  const shown =
    row.shows === undefined
      ? path
      : await renderFile(join(scratch.path, `${name}-shown.mp4`), row.shows);
  const [before, after] = [
    await readMosaic(shown, frameCompared),
    await readMosaic(result, frameCompared),
  ];
  const differences = after.map((value, index) => Math.abs(value - (before[index] ?? 0)));
  expect(Math.max(...differences)).toBeLessThanOrEqual(colourDifferenceMax);
});

const bright =
  "The source has a high dynamic range (HDR). Convert it to a standard dynamic range first.";
const ten = [...x265, ...pixels("yuv420p10le")];
const alpha = "The source has an alpha channel. Convert it to an opaque video first.";
const refused: { what: string; ending?: "mov"; args: string[]; message: string }[] = [
  {
    what: "PQ",
    args: [...small, ...ten, ...colours("bt2020nc", "bt2020", "smpte2084")],
    message: bright,
  },
  {
    what: "HLG",
    args: [...small, ...ten, ...colours("bt2020nc", "bt2020", "arib-std-b67")],
    message: bright,
  },
  {
    what: "RGB",
    args: [...small, "-c:v", "libx264rgb"],
    message: "The source has the pixel format gbrp; 8, 10 and 12 bit YUV are supported.",
  },
  {
    what: "ProRes with alpha",
    ending: "mov",
    args: [...small, ...proRes("4444", "yuva444p10le")],
    message: alpha,
  },
  {
    what: "ProRes of HLG",
    ending: "mov",
    message: bright,
    args: [
      ...small,
      ...tagged("bt2020nc", "bt2020", "arib-std-b67"),
      ...proRes("hq", "yuv422p10le"),
    ],
  },
  {
    what: "Motion JPEG of 125 frames a second",
    ending: "mov",
    args: [...moving("32x32", 125), "-c:v", "mjpeg", ...pixels("yuvj420p")],
    message: "The source has more than 120 frames per second.",
  },
  {
    what: "125 frames a second",
    args: [...moving("32x32", 125), ...x264],
    message: "The source has more than 120 frames per second.",
  },
];

test.each(refused)("refused with a sentence: $what", async ({ what, ending, args, message }) => {
  const path = await renderFile(
    join(scratch.path, `${what.replaceAll(" ", "-")}.${ending ?? "mp4"}`),
    args,
  );
  const { validation } = await validate(path);
  expect(validation).toEqual({ kind: "failed", code: "UNSUPPORTED_MEDIA_TYPE", message });
});

test("refused with a sentence: a codec that is on no list", async () => {
  const path = await renderFile(join(scratch.path, "animation.mov"), [...small, "-c:v", "qtrle"]);
  expect((await validate(path)).validation).toMatchObject({
    code: "UNSUPPORTED_MEDIA_TYPE",
    message: expect.stringContaining("qtrle"),
  });
});

test("120 frames a second are taken", async () => {
  const path = await renderFile(join(scratch.path, "120.mp4"), [...moving("32x32", 120), ...x264]);
  expect((await validate(path)).validation).toEqual({ kind: "settled" });
});
