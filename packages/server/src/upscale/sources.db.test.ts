import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeScratch, type Scratch } from "@zoetrope/dev/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FilmServer, startFilmServer } from "../../test/harness/film-server.ts";
import { readStreams } from "../../test/harness/read-film.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { workAllPieces } from "../../test/harness/work-all-pieces.ts";
import { fetchObject } from "../media/fetch-object.ts";
import { createUpscale } from "./create-upscale.ts";
import { joinFilm } from "./join-film.ts";
import { validateSource } from "./validate-source.ts";

const run = promisify(execFile);

let scratch: Scratch;
let films: FilmServer;
let bed: TestBed;
beforeAll(async () => {
  scratch = await makeScratch("sources");
  films = await startFilmServer(scratch.path);
  bed = await openTestBed({ UPSCALE_PRESET: "ultrafast", PIECE_INTERVAL_MS: "50" });
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await films[Symbol.asyncDispose]();
  await scratch.remove();
});

async function validate(path: string) {
  const account = await bed.openAccount();
  const source = { type: "url", url: films.urlOf(path) } as const;
  const body = { source, targetResolution: "1080p" } as const;
  const { taskId } = await createUpscale(bed.ctx, account, body, null);
  return { taskId, validation: await validateSource(bed.ctx, taskId) };
}

/** Makes a film larger as the service does; answers the result's path. */
async function enlarge(path: string): Promise<string> {
  const { taskId, validation } = await validate(path);
  expect(validation).toEqual({ kind: "settled" });
  await workAllPieces(bed.ctx, taskId);
  const joined = await joinFilm(bed.ctx, taskId);
  if (joined.kind !== "delivered") throw new Error(joined.kind);
  const result = join(scratch.path, joined.media.key);
  await fetchObject(bed.ctx.storage, joined.media.key, result);
  return result;
}

const frameCompared = 5;
const mosaicSide = 16;
/** Of 255: what two conversions and an encoder change in a large area. */
const colourDifferenceMax = 8;

/** A frame as it is shown, as a mosaic of red, green and blue; blurred, so that edges do not count. */
async function mosaicOf(path: string): Promise<number[]> {
  const filters = [
    `select=eq(n\\,${frameCompared})`,
    "scale=320:320:flags=bicubic+full_chroma_int+accurate_rnd",
    "format=gbrp,gblur=8",
    `scale=${mosaicSide}:${mosaicSide}:flags=area`,
    "format=rgb24",
  ].join(",");
  const picture = ["-frames:v", "1", "-vf", filters, "-f", "rawvideo", "-"];
  const args = ["-v", "error", "-nostdin", "-i", path, ...picture];
  const { stdout } = await run("ffmpeg", args, { encoding: "buffer" });
  expect(stdout).toHaveLength(3 * mosaicSide ** 2);
  return [...stdout];
}

const moving = (size: string, rate = 8) => [
  ...["-f", "lavfi", "-i", `testsrc2=s=${size}:r=${rate}:d=1`],
];
const small = moving("320x180");
const twice = moving("320x180", 16);
const x264 = ["-c:v", "libx264", "-preset", "veryfast"];
const x265 = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error"];
const vp9 = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"];
const pixels = (format: string) => ["-pix_fmt", format];
const fullRange = (format: string) => [
  ...["-vf", `scale=out_range=full,format=${format}`, "-color_range", "pc"],
];
const colours = (matrix: string, primaries: string, transfer: string) => [
  ...["-colorspace", matrix, "-color_primaries", primaries, "-color_trc", transfer],
];
const odd = ["-vf", "scale=321:181,setsar=1"];
const fields = (order: "tff" | "bff") => [
  ...["-vf", `interlace=scan=${order}`, ...x264, ...pixels("yuv420p")],
  ...["-flags", "+ilme+ildct", "-x264-params", `${order}=1`],
];

const proRes = (profile: string, format: string) => [
  ...["-c:v", "prores_ks", "-profile:v", profile, ...pixels(format)],
];
/** This encoder writes down what the frames say of their colours. */
const tagged = (matrix: string, primaries: string, transfer: string) => [
  "-vf",
  `scale=out_color_matrix=${matrix.slice(0, 6)},format=yuv422p10le,setparams=colorspace=${matrix}:color_primaries=${primaries}:color_trc=${transfer}`,
];
const dnxhr = (profile: string, format: string) => [
  ...["-c:v", "dnxhd", "-profile:v", profile, ...pixels(format)],
];

const wide = { width: 1920, height: 1080, color_space: "smpte170m", color_range: "tv" };
const large = { ...wide, color_space: "bt709" };
const oddSides = { ...wide, width: 1916 };

interface Taken {
  what: string;
  ending?: "webm" | "mov";
  args: string[];
  becomes: Record<string, unknown>;
  /** Added to the finished film. */
  label?: string[];
  /** A film that shows the same, where ffmpeg by itself does not see it in the source. */
  shows?: string[];
}

const taken: Taken[] = [
  { what: "8 bit 4:2:0", args: [...small, ...x264, ...pixels("yuv420p")], becomes: wide },
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
    ...{ what: "full range VP9", ending: "webm" },
    ...{ args: [...small, ...fullRange("yuv420p"), ...vp9], becomes: wide },
  },
  {
    ...{ what: "odd sides in 4:2:0", ending: "webm" },
    ...{ args: [...small, ...odd, ...vp9, ...pixels("yuv420p")], becomes: oddSides },
  },
  {
    ...{ what: "odd sides in 4:4:4" },
    ...{ args: [...small, ...odd, ...x264, ...pixels("yuv444p")], becomes: oddSides },
  },
  {
    ...{ what: "pixels that are not square" },
    args: [...moving("240x180"), "-vf", "setsar=4/3", ...x264, ...pixels("yuv420p")],
    becomes: wide,
  },
  {
    ...{ what: "turned by a quarter", ending: "mov" },
    ...{ args: [...small, ...x264, ...pixels("yuv420p")], label: ["-metadata:s:v", "rotate=90"] },
    becomes: { ...wide, width: 1080, height: 1920 },
  },
  {
    ...{ what: "fields, the upper one first", args: [...twice, ...fields("tff")] },
    ...{ becomes: wide, shows: [...twice, "-vf", "framestep=2", ...x264] },
  },
  {
    ...{ what: "fields, the lower one first", args: [...twice, ...fields("bff")] },
    ...{ becomes: wide, shows: [...twice, "-vf", "framestep=2", ...x264] },
  },
  {
    ...{ what: "large without a word on its colours" },
    ...{ args: [...moving("1280x720"), ...x264, ...pixels("yuv420p")], becomes: large },
    shows: [...moving("1280x720"), ...x264, ...pixels("yuv420p"), "-colorspace", "bt709"],
  },
  {
    ...{ what: "BT.709, small" },
    args: [...small, ...x264, ...pixels("yuv420p"), ...colours("bt709", "bt709", "bt709")],
    becomes: { ...wide, color_space: "bt709", color_transfer: "bt709", color_primaries: "bt709" },
  },
  {
    ...{ what: "BT.2020 of a standard range" },
    args: [...small, ...x265, ...pixels("yuv420p10le"), ...colours("bt2020nc", "bt2020", "bt709")],
    becomes: { ...wide, color_space: "bt2020nc", color_primaries: "bt2020" },
  },
  { what: "12 bit HEVC", args: [...small, ...x265, ...pixels("yuv420p12le")], becomes: wide },
  {
    ...{ what: "ProRes 422 of 10 bits", ending: "mov" },
    ...{ args: [...small, ...proRes("hq", "yuv422p10le")], becomes: wide },
  },
  {
    ...{ what: "ProRes 4444 without alpha", ending: "mov" },
    ...{ args: [...small, ...proRes("4444", "yuv444p10le")], becomes: wide },
  },
  {
    ...{ what: "ProRes of BT.709 with a time code", ending: "mov" },
    args: [
      ...[...moving("1280x720"), "-timecode", "01:00:00:00", ...tagged("bt709", "bt709", "bt709")],
      ...proRes("lt", "yuv422p10le"),
    ],
    becomes: { ...large, color_transfer: "bt709", color_primaries: "bt709" },
  },
  {
    ...{ what: "ProRes in fields, the upper one first", ending: "mov" },
    args: [
      ...[...twice, "-vf", "format=yuv422p10le,interlace=scan=tff"],
      ...[...proRes("hq", "yuv422p10le"), "-flags", "+ilme+ildct"],
    ],
    ...{ becomes: wide, shows: [...twice, "-vf", "framestep=2", ...x264] },
  },
  {
    ...{ what: "DNxHR of 8 bits", ending: "mov" },
    ...{ args: [...small, ...dnxhr("dnxhr_sq", "yuv422p")], becomes: large },
  },
  {
    ...{ what: "DNxHR of 10 bits", ending: "mov" },
    ...{ args: [...small, ...dnxhr("dnxhr_hqx", "yuv422p10le")], becomes: large },
  },
  { what: "MPEG-4 part 2", args: [...small, "-c:v", "mpeg4", "-q:v", "2"], becomes: wide },
  {
    ...{ what: "MPEG-4 part 2 with B-frames", ending: "mov" },
    ...{ args: [...small, "-c:v", "mpeg4", "-q:v", "2", "-bf", "2", "-g", "4"], becomes: wide },
  },
  {
    ...{ what: "Motion JPEG in MOV", ending: "mov" },
    args: [...small, "-c:v", "mjpeg", "-q:v", "2", ...pixels("yuvj422p")],
    becomes: { ...wide, color_space: "bt470bg" },
  },
  {
    ...{ what: "Motion JPEG in MP4" },
    args: [...small, "-c:v", "mjpeg", "-q:v", "2", ...pixels("yuvj420p")],
    becomes: { ...wide, color_space: "bt470bg" },
  },
];

test.each(taken)("taken: $what", async ({ what, ending, args, ...row }) => {
  const name = what.replaceAll(/\W/g, "-");
  const made = await films.render(`${name}.${ending ?? "mp4"}`, args);
  const path =
    row.label === undefined
      ? made
      : await films.render(`${name}-labelled.mp4`, ["-i", made, "-c", "copy", ...row.label]);
  const result = await enlarge(path);
  const [picture] = await readStreams(result);
  expect(picture).toMatchObject({
    ...{ codec_name: "h264", pix_fmt: "yuv420p", field_order: "progressive" },
    ...{ sample_aspect_ratio: "1:1", nb_frames: "8", ...row.becomes },
  });
  const shown = row.shows === undefined ? path : await films.render(`${name}-shown.mp4`, row.shows);
  const [before, after] = [await mosaicOf(shown), await mosaicOf(result)];
  const differences = after.map((value, place) => Math.abs(value - (before[place] ?? 0)));
  expect(Math.max(...differences)).toBeLessThanOrEqual(colourDifferenceMax);
});

const bright = "The source has a high dynamic range. Convert it to a standard one first.";
const ten = [...x265, ...pixels("yuv420p10le")];
const alpha = "The source has an alpha channel. Convert it to an opaque video first.";
const refused: { what: string; ending?: "mov"; args: string[]; message: string }[] = [
  {
    ...{ what: "PQ", args: [...small, ...ten, ...colours("bt2020nc", "bt2020", "smpte2084")] },
    message: bright,
  },
  {
    ...{ what: "HLG", args: [...small, ...ten, ...colours("bt2020nc", "bt2020", "arib-std-b67")] },
    message: bright,
  },
  {
    ...{ what: "RGB", args: [...small, "-c:v", "libx264rgb"] },
    message: "The source's pixels are gbrp; 8, 10 and 12 bit YUV are taken.",
  },
  {
    ...{ what: "ProRes with alpha", ending: "mov" },
    ...{ args: [...small, ...proRes("4444", "yuva444p10le")], message: alpha },
  },
  {
    ...{ what: "ProRes of HLG", ending: "mov", message: bright },
    args: [
      ...[...small, ...tagged("bt2020nc", "bt2020", "arib-std-b67")],
      ...proRes("hq", "yuv422p10le"),
    ],
  },
  {
    ...{ what: "Motion JPEG of 125 frames a second", ending: "mov" },
    args: [...moving("32x32", 125), "-c:v", "mjpeg", ...pixels("yuvj420p")],
    message: "The source has more than 120 frames a second.",
  },
  {
    ...{ what: "125 frames a second", args: [...moving("32x32", 125), ...x264] },
    message: "The source has more than 120 frames a second.",
  },
];

test.each(refused)("refused with a sentence: $what", async ({ what, ending, args, message }) => {
  const path = await films.render(`${what.replaceAll(" ", "-")}.${ending ?? "mp4"}`, args);
  const { validation } = await validate(path);
  expect(validation).toEqual({ kind: "failed", code: "UNSUPPORTED_MEDIA_TYPE", message });
});

test("refused with a sentence: a codec that is on no list", async () => {
  const path = await films.render("animation.mov", [...small, "-c:v", "qtrle"]);
  expect((await validate(path)).validation).toMatchObject({
    code: "UNSUPPORTED_MEDIA_TYPE",
    message: expect.stringContaining("with a supported codec (H.264"),
  });
});

test("120 frames a second are taken", async () => {
  const path = await films.render("120.mp4", [...moving("32x32", 120), ...x264]);
  expect((await validate(path)).validation).toEqual({ kind: "settled" });
});
