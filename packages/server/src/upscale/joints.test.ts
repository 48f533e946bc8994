import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeScratch, type Scratch } from "@zoetrope/dev/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  compareFrames,
  hashSound,
  readStreams,
  readTrack,
  soundBeginsAt,
  type Track,
} from "../../test/harness/read-film.ts";
import { openDiskStorage } from "../media/disk-storage.ts";
import { measureFile } from "../media/fetch-object.ts";
import { joinPieces } from "../media/join-pieces.ts";
import { newObjectKey } from "../media/storage.ts";
import { createFfmpegUpscaler } from "./ffmpeg-upscaler.ts";
import { planFilm } from "./start-upscale.ts";

const run = promisify(execFile);

/** Small and few, so that a film takes seconds. All else is as in the service. */
const sides = { width: 320, height: 180 };
const framesPerPiece = 12;
const asUsual = { preset: "veryfast", crf: 20, sharpness: 0.4 };
const lossless = { ...asUsual, preset: "ultrafast", crf: 0 };

/**
 * What another choice of frame types changes at most in one frame, anywhere in these films. Two frames
 * side by side are alike by less than a half, so one in another's place is seen at once.
 */
const ssimSlack = 0.01;
/** On average the frames at joints are as near to the pictures that were encoded as without joints. */
const ssimMeanSlack = 0.002;
const framesAroundJoint = [-2, -1, 0, 1];

let scratch: Scratch;
beforeAll(async () => {
  scratch = await makeScratch("joints");
});
afterAll(() => scratch.remove());

async function render(name: string, args: readonly string[]): Promise<string> {
  const path = join(scratch.path, name);
  await run("ffmpeg", ["-v", "error", "-nostdin", "-y", ...args, path]);
  return path;
}

const contentTypes: Record<string, string> = {
  mp4: "video/mp4",
  mov: "video/quicktime",
  webm: "video/webm",
};

async function planOf(path: string) {
  const contentType = contentTypes[path.slice(path.lastIndexOf(".") + 1)] ?? "";
  const local = { path, contentType, width: 160, height: 90, durationMs: 6_000 };
  const planned = await planFilm(local, "1080p");
  if ("fault" in planned) throw new Error(planned.fault);
  return { film: { ...planned.plan, by: "us" as const, ...sides }, frames: planned.frames };
}

/** As a worker does it, piece by piece. Answers the whole, and the numbers of the first frames of pieces. */
async function enlarge(path: string, pieceFrames: number, settings = asUsual) {
  const { film, frames } = await planOf(path);
  const { contentType } = film;
  const dir = `${path}-${pieceFrames}-${settings.crf}`;
  await mkdir(dir);
  const storage = openDiskStorage({ root: join(dir, "media"), publicUrl: "", secret: "" });
  const sourceKey = newObjectKey("mp4");
  await storage.putFile(sourceKey, path, { contentType, ...(await measureFile(path)) });
  const pieceMegapixels = (pieceFrames * sides.width * sides.height) / 1_000_000;
  const upscaler = createFfmpegUpscaler({ storage, workDir: dir, settings, pieceMegapixels });
  const plans = upscaler.cut(film, frames);
  const pieces: { path: string; ticks: number }[] = [];
  for (const [number, piece] of plans.entries()) {
    const order = { taskId: "", film, piece, sourceKey, vendorJobId: null, askedMsAgo: null };
    const made = await upscaler.work(order, await runIn(join(dir, String(number))));
    if (made.kind !== "done") throw new Error(made.kind);
    pieces.push({ path: made.path, ticks: piece.to - piece.from });
  }
  const parts = { source: { path, contentType }, film, pieces, hasOwnTimes: false };
  const joined = await joinPieces({ ...parts, bytesMax: 100_000_000 }, { dir, msMax: 60_000 });
  const joints = plans.slice(1).map(({ from }) => frames.findIndex(({ at }) => at === from));
  return { joined, joints };
}

async function runIn(dir: string) {
  await mkdir(dir);
  const nobody = { claimAsk: async () => false, noteAsk: async () => false };
  return { dir, signal: AbortSignal.timeout(60_000), onFrames: () => {}, ...nobody };
}

/** Nothing in it stands still. */
const moving = (rate: number | string, seconds: number) => [
  ...["-f", "lavfi", "-i", `testsrc2=s=160x90:r=${rate}:d=${seconds},scroll=horizontal=0.03`],
];
/** Silent for the first second. */
const tone = (seconds: number) => [
  ...["-f", "lavfi", "-i", `sine=f=440:d=${seconds},volume=0:enable='lt(t,1)'`],
];
const x264 = (params: string) => [
  ...["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p"],
  ...["-x264-params", `b-adapt=0:scenecut=0:${params}`],
];
const closed = x264("bframes=3:keyint=15:min-keyint=15");
const interlaced = [...x264("bframes=3:keyint=15:min-keyint=15:tff=1"), "-flags", "+ilme+ildct"];
const x265 = "log-level=error:b-adapt=0:scenecut=0:open-gop=1:bframes=3:keyint=15:min-keyint=15";
const aac = ["-c:a", "aac"];
const asTimed = ["-fps_mode", "passthrough", "-enc_time_base", "1/90000"];
const finely = [...asTimed, "-video_track_timescale", "90000"];
const six = [...moving(10, 6), ...tone(6)];

/** How the sound of a source is in the result: as it was, or encoded anew. */
type Sound = "kept" | "new";

const films: [what: string, file: string, sound: Sound, args: string[]][] = [
  ["H.264 with closed groups and B-frames", "closed.mp4", "kept", [...six, ...closed, ...aac]],
  [
    ...(["H.264 with open groups", "open.mp4", "kept"] as const),
    [...six, ...x264("bframes=3:keyint=15:min-keyint=15:open-gop=1"), ...aac],
  ],
  [
    ...(["H.264 with groups shorter than its reordering", "tiny.mp4", "kept"] as const),
    [...moving(5, 9), ...tone(9), ...x264("bframes=3:keyint=4:min-keyint=1:open-gop=1"), ...aac],
  ],
  [
    ...(["HEVC with open groups", "hevc.mp4", "kept"] as const),
    [...six, "-c:v", "libx265", "-x265-params", x265, "-pix_fmt", "yuv420p", ...aac],
  ],
  [
    ...(["VP9 with hidden frames, and Opus", "vp9.webm", "new"] as const),
    [...six, "-c:v", "libvpx-vp9", "-b:v", "200k", "-auto-alt-ref", "1", "-g", "15"],
  ],
  [
    ...(["frames at irregular times", "jitter.mp4", "kept"] as const),
    [...six, "-vf", "settb=1/90000,setpts=PTS+3000*random(1)", ...finely, ...closed, ...aac],
  ],
  [
    ...(["one frame rate after another", "rates.mp4", "kept"] as const),
    [...six, "-vf", "settb=1/90000,setpts=PTS*(1+2*gte(N\\,25))", ...finely, ...closed, ...aac],
  ],
  [
    ...(["29.97 frames a second", "ntsc.mp4", "kept"] as const),
    [...moving("30000/1001", 2), ...tone(2), ...closed, ...aac],
  ],
  [
    ...(["a minute without a key frame", "keyless.mp4", "kept"] as const),
    [...moving(4, 60), ...tone(60), ...x264("bframes=3:keyint=infinite"), ...aac],
  ],
  [
    ...(["sound that begins before the picture", "sound-first.mp4", "kept"] as const),
    ["-itsoffset", "0.7", ...moving(10, 6), ...tone(7), ...asTimed, ...closed, ...aac],
  ],
  [
    ...(["sound that begins after the picture", "sound-later.mov", "kept"] as const),
    [...moving(10, 6), "-itsoffset", "0.7", ...tone(5), ...closed, ...aac],
  ],
  [
    ...(["a film in fragments", "fragments.mp4", "kept"] as const),
    [...six, ...closed, ...aac, "-movflags", "frag_keyframe+empty_moov+default_base_moof"],
  ],
  [
    ...(["interlaced frames", "interlaced.mp4", "kept"] as const),
    [...moving(20, 6), ...tone(6), "-vf", "scale=160:96,interlace=scan=tff", ...interlaced, ...aac],
  ],
  ["MP3 sound", "mp3.mp4", "kept", [...six, ...closed, "-c:a", "libmp3lame"]],
  [
    ...(["ProRes with PCM of 24 bits", "prores.mov", "new"] as const),
    [...six, "-c:v", "prores_ks", "-profile:v", "lt", "-c:a", "pcm_s24be"],
  ],
  [
    ...(["DNxHR with PCM", "dnxhr.mov", "new"] as const),
    [
      ...[...six, "-vf", "scale=256:144", "-c:v", "dnxhd", "-profile:v", "dnxhr_lb"],
      ...["-pix_fmt", "yuv422p", "-c:a", "pcm_s16le"],
    ],
  ],
  [
    ...(["MPEG-4 part 2 with B-frames", "mpeg4.mp4", "kept"] as const),
    [...six, "-c:v", "mpeg4", "-bf", "2", "-g", "15", "-q:v", "3", ...aac],
  ],
  [
    ...(["Motion JPEG with ALAC", "mjpeg.mov", "new"] as const),
    [...six, "-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-q:v", "3", "-c:a", "alac"],
  ],
];

test.concurrent.each(films)("%s: no joint is seen or heard", async (...row) => {
  const [, file, sound, args] = row;
  await expectSeamless(await render(file, args), sound);
});

test.concurrent("a film whose beginning is hidden: no joint is seen or heard", async () => {
  const whole = await render("to-hide.mp4", [...moving(10, 9), ...tone(9), ...closed, ...aac]);
  const source = await render("hidden.mp4", ["-ss", "2.2", "-i", whole, "-c", "copy"]);
  await expectSeamless(source, "kept");
});

async function expectSeamless(source: string, sound: Sound): Promise<void> {
  const cut = await enlarge(source, framesPerPiece);
  expect(cut.joints.length).toBeGreaterThanOrEqual(3);
  expect(timesOf(await readTrack(cut.joined, "v:0"))).toEqual(
    timesOf(await readTrack(source, "v:0")),
  );
  await expectUnseen(source, cut);
  if (sound === "kept") await expectSoundKept(source, cut.joined);
  else await expectSoundAnew(source, cut.joined);
}

/** Cutting changes no picture that is encoded, and encoding treats those at joints as well as others. */
async function expectUnseen(source: string, cut: { joined: string; joints: number[] }) {
  const given = await enlarge(source, Number.POSITIVE_INFINITY, lossless);
  const cutGiven = await enlarge(source, framesPerPiece, lossless);
  const same = await compareFrames(cutGiven.joined, given.joined);
  expect(Math.min(...same)).toBe(1);

  const uncut = await enlarge(source, Number.POSITIVE_INFINITY);
  expect(uncut.joints).toEqual([]);
  const near = new Set(cut.joints.flatMap((at) => framesAroundJoint.map((by) => at + by)));
  const atJoints = (values: number[]) => values.filter((_, frame) => near.has(frame));
  const elsewhere = (values: number[]) => values.filter((_, frame) => !near.has(frame));
  const alike = await compareFrames(cut.joined, uncut.joined);
  expect(Math.min(...atJoints(alike))).toBeGreaterThan(Math.min(...elsewhere(alike)) - ssimSlack);
  const ofCut = await compareFrames(cut.joined, given.joined);
  const ofUncut = await compareFrames(uncut.joined, given.joined);
  expect(mean(atJoints(ofCut))).toBeGreaterThan(mean(atJoints(ofUncut)) - ssimMeanSlack);
}

/** The same packets at the same times, without a gap, and as far from the picture as they were. */
async function expectSoundKept(source: string, joined: string): Promise<void> {
  expect(await hashSound(joined)).toBe(await hashSound(source));
  const [heard, kept] = [await readTrack(source, "a:0"), await readTrack(joined, "a:0")];
  expect(timesOf(kept)).toEqual(timesOf(heard));
  const gaps = kept.packets.slice(1).map(({ at }, place) => at - endOf(kept, place));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(1); // a tick
  const [before, after] = [await readTrack(source, "v:0"), await readTrack(joined, "v:0")];
  const moved = startOf(after) - startOf(kept) - (startOf(before) - startOf(heard));
  expect(Math.abs(moved)).toBeLessThanOrEqual(before.over / before.under);
}

const aacFrameSeconds = 1024 / 44_100;
/** Encoders smear the beginning of a tone. */
const smearSeconds = 0.005;

async function expectSoundAnew(source: string, joined: string): Promise<void> {
  expect(await readStreams(joined)).toMatchObject([{}, { codec_name: "aac" }]);
  const [heard, made] = [await readTrack(source, "a:0"), await readTrack(joined, "a:0")];
  expect(Math.abs(lengthOf(made) - lengthOf(heard))).toBeLessThanOrEqual(aacFrameSeconds);
  const gaps = made.packets.slice(1).map(({ at }, place) => at - endOf(made, place));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(1);
  const [before, after] = [await readTrack(source, "v:0"), await readTrack(joined, "v:0")];
  const moved =
    (await soundBeginsAt(joined)) -
    startOf(after) -
    ((await soundBeginsAt(source)) - startOf(before));
  expect(Math.abs(moved)).toBeLessThanOrEqual(smearSeconds);
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function startOf({ packets, over, under }: Track): number {
  return ((packets[0]?.at ?? Number.NaN) * over) / under;
}

function endOf({ packets }: Track, place: number): number {
  const { at, lasts } = packets[place] ?? { at: Number.NaN, lasts: 0 };
  return at + lasts;
}

function lengthOf(track: Track): number {
  return (endOf(track, track.packets.length - 1) * track.over) / track.under - startOf(track);
}

/** Since the first, in seconds, as exact fractions: tracks with other ticks can be compared. */
function timesOf({ packets, over, under }: Track): string[] {
  const first = packets[0]?.at ?? 0;
  return packets.map(({ at }) => {
    const [ticks, perSecond] = [(at - first) * over, under];
    const common = gcd(ticks, perSecond);
    return `${ticks / common}/${perSecond / common}`;
  });
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
