import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lavfi, renderFile } from "@zoetrope/testkit/make-media.ts";
import { quickUpscale } from "@zoetrope/testkit/quick-upscale.ts";
import { type FileServer, serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, describe, type ExpectStatic, expect, test } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { trackFiles } from "../../test/harness/track-files.ts";
import { readBalance } from "../credits/ledger.ts";
import type { TaskId } from "../ids.ts";
import { tracksMax } from "../media/probe/codecs.ts";
import { type MediaFacts, probeMedia } from "../media/probe/probe.ts";
import { fetchObject } from "../media/storage/fetch-object.ts";
import { completeTask } from "../tasks/complete-task.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { createUpscale } from "./create-upscale.ts";
import { forgetUpscale } from "./forget-upscale.ts";
import { queryUpscale } from "./query-upscale.ts";
import { joinVideo } from "./segments/join-video.ts";
import { listSegments } from "./segments/queries.ts";
import { workSegments } from "./segments/work-segments.ts";
import { validateSource } from "./validate-source.ts";

/**
 * Containers, codecs and tracks: every combination completes for the price of its seconds, or is refused
 * for the reason it has, and then costs nothing.
 */
const seconds = 5.5;
const price = 6 * 3;
const credits = 100;
const waitLimits = { timeout: 500_000 };

let scratch: Scratch;
let videos: FileServer;
let bed: TestBed;
const stop = new AbortController();
let working: Promise<void>;
beforeAll(async () => {
  scratch = await makeScratch("containers");
  videos = await serveFiles({ dir: scratch.path });
  for (const [name, file] of Object.entries(trackFiles))
    await writeFile(join(scratch.path, name), file);
  bed = await openTestBed({ ...quickUpscale, WORK_DIR: `${scratch.path}/work` });
  working = workSegments(bed.ctx, stop.signal);
});
afterAll(async () => {
  stop.abort();
  await working;
  await checkMoney(bed.database);
  await bed[Symbol.asyncDispose]();
  await videos[Symbol.asyncDispose]();
  await scratch.remove();
});

interface Row {
  name: string;
  ending: string;
  /** The names of `trackFiles` stand for their paths. */
  args: string[];
  /** Changes the rendered file before it is sent. */
  change?: (file: Buffer) => Buffer;
}

const image = lavfi(`testsrc2=s=64x36:r=2:d=${seconds}`);
const tone = lavfi(`sine=d=${seconds}:r=48000`);
const h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
const encoders: Readonly<Record<string, string[]>> = {
  h264,
  hevc: ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error:bframes=0"],
  mpeg4: ["-c:v", "mpeg4"],
  mpeg2: ["-c:v", "mpeg2video", "-r", "25"],
  mjpeg: ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"],
  vp8: ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8"],
  vp9: ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"],
  av1: ["-c:v", "libaom-av1", "-cpu-used", "8", "-usage", "realtime"],
  prores: ["-c:v", "prores_ks", "-profile:v", "0"],
  dnxhr: ["-c:v", "dnxhd", "-profile:v", "dnxhr_lb", "-pix_fmt", "yuv422p", "-s", "256x144"],
};
const audio: Readonly<Record<string, string[]>> = {
  none: [],
  ...Object.fromEntries(
    [
      "aac",
      "ac3",
      "eac3",
      "flac",
      "alac",
      "pcm_s16le",
      "pcm_s16be",
      "pcm_s24le",
      "pcm_f32le",
      "pcm_alaw",
      "pcm_mulaw",
      "adpcm_ima_qt",
      "adpcm_ms",
      "mp2",
    ].map((codec) => [codec, ["-c:a", codec]]),
  ),
  mp3: ["-c:a", "libmp3lame"],
  dts: ["-c:a", "dca", "-ac", "2"],
  truehd: ["-c:a", "truehd", "-ac", "2"],
  opus: ["-c:a", "libopus"],
  vorbis: ["-c:a", "libvorbis"],
};

function combination(ending: string, video: string, sound: string): Row {
  const encoder = encoders[video];
  const track = audio[sound];
  if (encoder === undefined || track === undefined) throw new Error(`${video}, ${sound}`);
  const inputs = sound === "none" ? image : [...image, ...tone];
  const args = [...inputs, ...encoder, ...track, "-strict", "-2"];
  return { name: `${ending}: ${video}, audio ${sound}`, ending, args };
}

const each = (ending: string, video: string, sounds: string[]) =>
  sounds.map((sound) => combination(ending, video, sound));

/** Returns a source with so many tracks of audio beside the video. */
const manyTracks = (ending: string, count: number, codec: string[]): Row => ({
  name: `${ending}: h264 with ${count} tracks of audio`,
  ending,
  args: [
    ...image,
    ...lavfi(`sine=d=${seconds}:r=8000`),
    "-map",
    "0:v",
    ...Array.from({ length: count }, () => ["-map", "1:a"]).flat(),
    ...h264,
    ...codec,
  ],
});

/** Another major brand, and the compatible ones that follow it. */
const withBrand =
  (major: string, compatible?: string) =>
  (file: Buffer): Buffer => {
    const changed = Buffer.from(file);
    changed.write(major, 8, "latin1");
    for (let at = 16; compatible !== undefined && at < changed.readUInt32BE(0); at += 4)
      changed.write(compatible, at, "latin1");
    return changed;
  };
const branded = (major: string, compatible?: string): Row => ({
  name: `mp4 of the brand '${major}'${compatible === undefined ? "" : `, compatible with '${compatible}'`}`,
  ending: "mp4",
  args: [...image, ...h264],
  change: withBrand(major, compatible),
});

/** Replaces the code of a track's codec, by default with one that no program knows. */
const withCode =
  (code: string, other = "zzzz") =>
  (file: Buffer): Buffer => {
    const changed = Buffer.from(file);
    const entries = changed.lastIndexOf("stsd", changed.lastIndexOf(code), "latin1");
    changed.write(other, changed.indexOf(code, entries, "latin1"), "latin1");
    return changed;
  };

const completed: Row[] = [
  ...each("mp4", "h264", ["none", "aac", "mp3", "ac3", "eac3", "flac", "alac", "opus"]),
  ...each("mp4", "h264", ["mp2", "dts", "truehd"]),
  ...each("mov", "h264", ["aac", "mp3", "ac3", "eac3", "alac", "pcm_s16le", "pcm_s16be"]),
  ...each("mov", "h264", ["pcm_s24le", "pcm_f32le", "pcm_alaw", "pcm_mulaw"]),
  ...each("mov", "h264", ["adpcm_ima_qt", "adpcm_ms", "mp2", "dts"]),
  ...each("webm", "vp8", ["none", "vorbis", "opus"]),
  ...each("webm", "vp9", ["opus", "vorbis"]),
  ...each("webm", "av1", ["opus"]),
  ...["hevc", "mpeg4", "mpeg2", "mjpeg", "vp9", "av1"].map((video) =>
    combination("mp4", video, "aac"),
  ),
  ...["hevc", "mpeg4", "mpeg2", "mjpeg", "prores", "dnxhr"].map((video) =>
    combination("mov", video, "pcm_s16le"),
  ),
  manyTracks("mov", 9, ["-c:a", "aac"]),
  manyTracks("mov", 16, ["-c:a", "pcm_s16le", "-timecode", "00:00:00:00"]),
  manyTracks("mov", tracksMax - 1, ["-c:a", "pcm_s16le"]),
  {
    name: "mp4, fragmented",
    ending: "mp4",
    args: [...image, ...h264, "-movflags", "frag_keyframe+empty_moov"],
  },
  ...["pcm_s16le", "aac"].map((sound) => ({
    name: `mov: h264 with frames out of order at 10 a second, audio ${sound}`,
    ending: "mov",
    args: [
      ...lavfi(`testsrc2=s=64x36:r=10:d=${seconds}`),
      ...tone,
      ...h264,
      "-bf",
      "2",
      "-c:a",
      sound,
    ],
  })),
  ...(
    [
      ["mp4", h264, ["-c:s", "mov_text"]],
      ["mov", h264, ["-c:s", "mov_text"]],
      ["webm", encoders["vp8"] ?? [], ["-c:s", "webvtt"]],
    ] as const
  ).map(([ending, video, subtitles]) => ({
    name: `${ending} with subtitles in ${subtitles[1]}`,
    ending,
    args: [...image, "-i", "subtitles.srt", ...video, ...subtitles],
  })),
  {
    name: "mov with captions in eia_608",
    ending: "mov",
    args: [...image, "-i", "captions.scc", ...h264, "-c:s", "copy"],
  },
  {
    name: "mp4 with subtitles of a DVD",
    ending: "mp4",
    args: [...image, "-fix_sub_duration", "-i", "subtitles.sup", ...h264, "-c:s", "dvdsub"],
  },
  ...["narrow.amr", "wide.amr"].map((sound) => ({
    name: `mov: h264, audio ${sound}`,
    ending: "mov",
    args: [...image, "-i", sound, ...h264, "-c:a", "copy"],
  })),
  ...["M4V ", "3gp5", "avc1", "MSNV", "iso9"].map((brand) => branded(brand)),
  branded("ZZZZ", "isom"),
];

/** The sources that are refused, and the rest of the message after "The source". */
const refused: (Row & { reason: string })[] = [
  ...(
    [
      ["jpeg2000", "JPEG 2000 (jpeg2000)", ["-c:v", "jpeg2000"]],
      ["qtrle", "QuickTime Animation (qtrle)", ["-c:v", "qtrle"]],
      ["cfhd", "CineForm (cfhd)", ["-c:v", "cfhd", "-pix_fmt", "yuv422p10le", "-s", "128x96"]],
      ["h263", "H.263 (h263)", ["-c:v", "h263", "-s", "128x96", "-r", "25"]],
      ["rawvideo", "uncompressed video (rawvideo)", ["-c:v", "rawvideo", "-pix_fmt", "yuv420p"]],
    ] as const
  ).map(([codec, name, args]) => ({
    name: `mov: ${codec}`,
    ending: "mov",
    args: [...image, ...args],
    reason: `has the codec ${name}, which is not supported`,
  })),
  {
    name: "mov: h264, audio nellymoser",
    ending: "mov",
    args: [...image, ...tone, ...h264, "-c:a", "nellymoser", "-ar", "8000"],
    reason: "has the codec Nellymoser (nellymoser), which is not supported",
  },
  {
    name: "mp4 with a video that nobody knows",
    ending: "mp4",
    args: [...image, ...h264],
    change: withCode("avc1"),
    reason: "has the codec 'zzzz', which is not supported",
  },
  {
    name: "mov with audio that nobody knows",
    ending: "mov",
    args: [...image, ...tone, ...h264, "-c:a", "alac"],
    change: withCode("alac"),
    reason: "has the codec 'zzzz', which is not supported",
  },
  {
    name: "mp4: h264, audio mhm1",
    ending: "mp4",
    args: [...image, ...tone, ...h264, "-c:a", "alac"],
    change: withCode("alac", "mhm1"),
    reason: "has the codec MPEG-H 3D Audio (mpegh_3d_audio), which is not supported",
  },
  {
    name: "mp4: h264, second audio mhm1",
    ending: "mp4",
    args: [
      ...image,
      ...tone,
      "-map",
      "0:v",
      "-map",
      "1:a",
      "-map",
      "1:a",
      ...h264,
      "-c:a:0",
      "aac",
      "-c:a:1",
      "alac",
    ],
    change: withCode("alac", "mhm1"),
    reason: "has the codec MPEG-H 3D Audio (mpegh_3d_audio), which is not supported",
  },
  { ...manyTracks("mov", tracksMax, ["-c:a", "pcm_s16le"]), reason: "has more than 32 tracks" },
  {
    name: "mp4 without a video track",
    ending: "mp4",
    args: [...tone, "-c:a", "aac"],
    reason: "has no video track",
  },
  ...(
    [
      ["avif", "an AVIF image", "JPEG, PNG or WebP"],
      ["avis", "an AVIF image", "JPEG, PNG or WebP"],
      ["heic", "a HEIC image", "JPEG, PNG or WebP"],
      ["mif1", "a HEIC image", "JPEG, PNG or WebP"],
      ["crx ", "a Canon raw image (CR3)", "JPEG, PNG or WebP"],
      ["jp2 ", "a JPEG 2000 image", "JPEG, PNG or WebP"],
      ["M4A ", "an M4A audio file", "WAV or MP3"],
    ] as const
  ).map(([brand, what, instead]) => ({
    ...branded(brand),
    reason: `is ${what}, which is not supported; send ${instead}`,
  })),
  {
    ...branded("ZZZZ", "YYYY"),
    reason: "is not an image, video or audio file of a supported type",
  },
  {
    name: "an AVIF as encoders write it",
    ending: "avif",
    args: [...lavfi("testsrc2=s=64x48:d=1:r=1"), "-frames:v", "1", "-c:v", "libaom-av1"],
    reason: "is an AVIF image, which is not supported; send JPEG, PNG or WebP",
  },
  {
    name: "an M4A as encoders write it",
    ending: "m4a",
    args: [...tone, "-c:a", "aac"],
    reason: "is an M4A audio file, which is not supported; send WAV or MP3",
  },
  {
    name: "mkv",
    ending: "mkv",
    args: [...image, ...h264],
    reason: "is a Matroska video that is not WebM, which is not supported; send MP4, MOV or WebM",
  },
  {
    name: "avi",
    ending: "avi",
    args: [...image, ...h264],
    reason: "is an AVI video, which is not supported; send MP4, MOV or WebM",
  },
  {
    name: "gif",
    ending: "gif",
    args: image,
    reason: "is a GIF image, which is not supported; send JPEG, PNG or WebP",
  },
  {
    name: "wav",
    ending: "wav",
    args: tone,
    reason: "is audio/wav, not a video. Use MP4, MOV or WebM",
  },
  {
    name: "an animated webp",
    ending: "webp",
    args: [...image, "-c:v", "libwebp_anim"],
    reason: "is animated; send a single image",
  },
  {
    name: "a truncated mp4",
    ending: "mp4",
    args: [...image, ...h264],
    change: (file) => file.subarray(0, file.length / 2),
    reason: "is damaged",
  },
];

/** The audio of the result: kept, or encoded as AAC. */
function audioOf({ ending, args }: Row): string | null {
  if (!args.some((arg) => arg.startsWith("sine=") || arg.endsWith(".amr"))) return null;
  const isMpeg = args.includes("libmp3lame") || (ending === "mp4" && args.includes("mp2")); // MP4 tells no layer
  return isMpeg ? "mp3" : "aac";
}

let files = 0;
async function offer({ ending, args, change }: Row): Promise<string> {
  const path = join(scratch.path, `${files++}.${ending}`);
  await renderFile(
    path,
    args.map((arg) => (arg in trackFiles ? join(scratch.path, arg) : arg)),
  );
  if (change !== undefined) await writeFile(path, change(await readFile(path)));
  return videos.urlOf(path);
}

async function start(row: Row) {
  const account = await bed.openAccount({ credits });
  const source = { type: "url", url: await offer(row) } as const;
  const body = { source, targetResolution: "1080p" } as const;
  const { taskId } = await createUpscale(bed.ctx, account, body, null);
  return { account, taskId, validation: await validateSource(bed.ctx, taskId) };
}

/** The facts of the result. */
async function finish(taskId: TaskId, expect: ExpectStatic): Promise<MediaFacts | null> {
  const areDone = async () =>
    (await listSegments(bed.ctx.db, taskId)).every(({ objectKey }) => objectKey !== null);
  await expect.poll(areDone, waitLimits).toBe(true);
  const joined = await joinVideo(bed.ctx, taskId);
  if (joined.kind !== "delivered") throw new Error(joined.kind);
  await completeTask(bed.ctx, taskId, joined.media);
  await forgetUpscale(bed.ctx, taskId);
  const path = join(scratch.path, taskId);
  await fetchObject(bed.ctx.storage, joined.media.key, path);
  return await probeMedia(path);
}

test("the table has at least 60 rows, each with a name of its own", () => {
  const names = [...completed, ...refused].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(60);
});

describe.concurrent("completes for the price of its seconds:", () => {
  test.for(completed)("$name", async (row, { expect }) => {
    const { account, taskId, validation } = await start(row);
    expect(validation).toEqual({ kind: "settled" });
    const result = await finish(taskId, expect);
    expect(result?.audioCodec).toBe(audioOf(row));
    expect(await queryUpscale(bed.ctx, account, taskId)).toMatchObject({
      status: "completed",
      creditsConsumed: price,
      result: { height: 1080 },
    });
  });
});

describe.concurrent("is refused for its reason, and costs nothing:", () => {
  test.for(refused)("$name: $reason", async ({ reason, ...row }, { expect }) => {
    const { account, taskId, validation } = await start(row);
    expect(validation).toMatchObject({
      kind: "failed",
      code: "UNSUPPORTED_MEDIA_TYPE",
      message: `The source ${reason}.`,
    });
    if (validation.kind === "failed") await finishTask(bed.ctx, taskId, validation);
    expect(await readBalance(bed.ctx.db, account.id)).toMatchObject({ availableCredits: credits });
  });
});
