import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { renderFile } from "@zoetrope/testkit/make-media.ts";
import {
  audioStartsAt,
  compareFrames,
  hashAudio,
  largestGapOf,
  lengthOf,
  readStreams,
  readTracks,
  startOf,
  timesOf,
} from "@zoetrope/testkit/read-video.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { taskNamed } from "../../../test/harness/named-ids.ts";
import { openDiskStorage } from "../../media/storage/disk-storage.ts";
import { measureFile } from "../../media/storage/fetch-object.ts";
import { newObjectKey } from "../../media/storage/storage.ts";
import { planVideo } from "../start-upscale.ts";
import { createFfmpegUpscaler } from "../upscalers/ffmpeg-upscaler.ts";
import { joinSegments } from "./join-segments.ts";

/** Small and few, so that a video takes seconds. All else is as in the service. */
const sides = { width: 320, height: 180 };
const framesPerSegment = 8;
const asUsual = { preset: "veryfast", crf: 20, sharpness: 0.4 };
const lossless = { ...asUsual, preset: "ultrafast", crf: 0 };

/** The maximum run time. Only an ffmpeg that hangs reaches it. */
const runMsMax = 500_000;

/**
 * The maximum difference that another choice of frame types makes in one frame, anywhere in these videos.
 * The similarity of neighbouring frames is below a half, so that a frame in another's place is detected.
 */
const ssimSlack = 0.01;
/**
 * The maximum mean difference: on average the frames at joints are as near to the images that were encoded
 * as without joints.
 */
const ssimMeanSlack = 0.002;
const framesAroundJoint = [-2, -1, 0, 1];

let scratch: Scratch;
beforeAll(async () => {
  scratch = await makeScratch("joints");
});
afterAll(() => scratch.remove());

const render = (name: string, args: readonly string[]) =>
  renderFile(join(scratch.path, name), args);

const contentTypes: Record<string, string> = {
  mp4: "video/mp4",
  mov: "video/quicktime",
  webm: "video/webm",
};

/** Read once for all upscales of it. */
type Source = Awaited<ReturnType<typeof openSource>>;

async function openSource(path: string) {
  const contentType = contentTypes[path.slice(path.lastIndexOf(".") + 1)] ?? "";
  const local = { path, contentType, width: 160, height: 90, durationMs: 4_000 };
  const planned = await planVideo(local, "1080p");
  if (planned.kind === "fault") throw new Error(planned.fault);
  const video = { ...planned.plan, by: "us" as const, ...sides };
  return { path, video, frames: planned.frames, ...(await readTracks(path)) };
}

/**
 * Upscales segment by segment, as a worker does. Returns the whole, and the number of the first frame of
 * each segment.
 */
async function upscale({ path, video, frames }: Source, segmentFrames: number, settings = asUsual) {
  const { contentType } = video;
  const dir = `${path}-${segmentFrames}-${settings.crf}`;
  await mkdir(dir);
  const storage = openDiskStorage({ root: join(dir, "media"), publicUrl: "", secret: "" });
  const sourceKey = newObjectKey("mp4");
  await storage.putFile(sourceKey, path, { contentType, ...(await measureFile(path)) });
  const segmentMegapixels = (segmentFrames * sides.width * sides.height) / 1_000_000;
  const upscaler = createFfmpegUpscaler({ storage, workDir: dir, settings, segmentMegapixels });
  const plans = upscaler.cut(video, frames);
  const segments: { path: string; ticks: number }[] = [];
  for (const [number, segment] of plans.entries()) {
    const request = {
      taskId: taskNamed("task"),
      video,
      segment,
      sourceKey,
      vendorJobId: null,
      submittedMsAgo: null,
    };
    const made = await upscaler.work(request, await runIn(join(dir, String(number))));
    if (made.kind !== "done") throw new Error(made.kind);
    segments.push({ path: made.path, ticks: segment.to - segment.from });
  }
  const parts = {
    source: { path, contentType },
    video,
    segments,
    secondsMax: null,
    hasOwnTimes: false,
    aigc: null,
  };
  const joined = await joinSegments({ ...parts, bytesMax: 100_000_000 }, { dir, msMax: runMsMax });
  const joints = plans.slice(1).map(({ from }) => frames.findIndex(({ at }) => at === from));
  return { joined, joints };
}

async function runIn(dir: string) {
  await mkdir(dir);
  const nobody = { claimSubmit: async () => false, recordSubmit: async () => false };
  return { dir, signal: AbortSignal.timeout(runMsMax), onFrames: () => {}, ...nobody };
}

/** Returns a source in which nothing stands still. */
const moving = (rate: number | string, seconds: number) => [
  "-f",
  "lavfi",
  "-i",
  `testsrc2=s=160x90:r=${rate}:d=${seconds},scroll=horizontal=0.03`,
];
/** Silent for the first second. */
const tone = (seconds: number) => [
  "-f",
  "lavfi",
  "-i",
  `sine=f=440:d=${seconds},volume=0:enable='lt(t,1)'`,
];
const x264 = (params: string) => [
  "-c:v",
  "libx264",
  "-preset",
  "veryfast",
  "-pix_fmt",
  "yuv420p",
  "-x264-params",
  `b-adapt=0:scenecut=0:${params}`,
];
const closed = x264("bframes=3:keyint=10:min-keyint=10");
const interlaced = [...x264("bframes=3:keyint=10:min-keyint=10:tff=1"), "-flags", "+ilme+ildct"];
const x265 = "log-level=error:b-adapt=0:scenecut=0:open-gop=1:bframes=3:keyint=10:min-keyint=10";
const aac = ["-c:a", "aac"];
const asTimed = ["-fps_mode", "passthrough", "-enc_time_base", "1/90000"];
const finely = [...asTimed, "-video_track_timescale", "90000"];
const four = [...moving(10, 4), ...tone(4)];

/** The handling of a source's audio in the result: kept as it was, or encoded again. */
type Audio = "kept" | "new";

const videos: [what: string, file: string, audio: Audio, args: string[]][] = [
  ["H.264 with closed groups and B-frames", "closed.mp4", "kept", [...four, ...closed, ...aac]],
  [
    ...(["H.264 with open groups", "open.mp4", "kept"] as const),
    [...four, ...x264("bframes=3:keyint=10:min-keyint=10:open-gop=1"), ...aac],
  ],
  [
    ...(["H.264 with groups shorter than its reordering", "tiny.mp4", "kept"] as const),
    [...moving(5, 7), ...tone(7), ...x264("bframes=3:keyint=4:min-keyint=1:open-gop=1"), ...aac],
  ],
  [
    ...(["HEVC with open groups", "hevc.mp4", "kept"] as const),
    [...four, "-c:v", "libx265", "-x265-params", x265, "-pix_fmt", "yuv420p", ...aac],
  ],
  [
    ...(["VP9 with hidden frames, and Opus", "vp9.webm", "new"] as const),
    [...four, "-c:v", "libvpx-vp9", "-b:v", "200k", "-auto-alt-ref", "1", "-g", "10"],
  ],
  [
    ...(["frames at irregular times", "jitter.mp4", "kept"] as const),
    [...four, "-vf", "settb=1/90000,setpts=PTS+3000*random(1)", ...finely, ...closed, ...aac],
  ],
  [
    ...(["one frame rate after another", "rates.mp4", "kept"] as const),
    [...four, "-vf", "settb=1/90000,setpts=PTS*(1+2*gte(N\\,17))", ...finely, ...closed, ...aac],
  ],
  [
    ...(["29.97 frames a second", "ntsc.mp4", "kept"] as const),
    [...moving("30000/1001", 1.4), ...tone(1.4), ...closed, ...aac],
  ],
  [
    ...(["a minute without a key frame", "keyless.mp4", "kept"] as const),
    [...moving("5/2", 60), ...tone(60), ...x264("bframes=3:keyint=infinite"), ...aac],
  ],
  [
    ...(["audio that begins before the image", "audio-first.mp4", "kept"] as const),
    ["-itsoffset", "0.7", ...moving(10, 4), ...tone(5), ...asTimed, ...closed, ...aac],
  ],
  [
    ...(["audio that begins after the image", "audio-later.mov", "kept"] as const),
    [...moving(10, 4), "-itsoffset", "0.7", ...tone(3), ...closed, ...aac],
  ],
  [
    ...(["a video in fragments", "fragments.mp4", "kept"] as const),
    [...four, ...closed, ...aac, "-movflags", "frag_keyframe+empty_moov+default_base_moof"],
  ],
  [
    ...(["interlaced frames", "interlaced.mp4", "kept"] as const),
    [...moving(20, 4), ...tone(4), "-vf", "scale=160:96,interlace=scan=tff", ...interlaced, ...aac],
  ],
  ["MP3 audio", "mp3.mp4", "kept", [...four, ...closed, "-c:a", "libmp3lame"]],
  [
    ...(["ProRes with PCM of 24 bits", "prores.mov", "new"] as const),
    [...four, "-c:v", "prores_ks", "-profile:v", "lt", "-c:a", "pcm_s24be"],
  ],
  [
    ...(["DNxHR with PCM", "dnxhr.mov", "new"] as const),
    [
      ...four,
      "-vf",
      "scale=256:144",
      "-c:v",
      "dnxhd",
      "-profile:v",
      "dnxhr_lb",
      "-pix_fmt",
      "yuv422p",
      "-c:a",
      "pcm_s16le",
    ],
  ],
  [
    ...(["MPEG-4 part 2 with B-frames", "mpeg4.mp4", "kept"] as const),
    [...four, "-c:v", "mpeg4", "-bf", "2", "-g", "10", "-q:v", "3", ...aac],
  ],
  [
    ...(["Motion JPEG with ALAC", "mjpeg.mov", "new"] as const),
    [...four, "-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-q:v", "3", "-c:a", "alac"],
  ],
];

test.concurrent.each(videos)("%s: no joint is seen or heard", async (...row) => {
  const [, file, audio, args] = row;
  await expectSeamless(await render(file, args), audio);
});

test.concurrent("a video whose beginning is hidden: no joint is seen or heard", async () => {
  const whole = await render("to-hide.mp4", [...moving(10, 7), ...tone(7), ...closed, ...aac]);
  const source = await render("hidden.mp4", ["-ss", "2.2", "-i", whole, "-c", "copy"]);
  await expectSeamless(source, "kept");
});

async function expectSeamless(path: string, audio: Audio): Promise<void> {
  const source = await openSource(path);
  const cut = await upscale(source, framesPerSegment);
  expect(cut.joints.length).toBeGreaterThanOrEqual(3);
  const made = { path: cut.joined, ...(await readTracks(cut.joined)) };
  expect(timesOf(made.image)).toEqual(timesOf(source.image));
  await expectUnseen(source, cut);
  if (audio === "kept") await expectAudioKept(source, made);
  else await expectAudioEncodedAgain(source, made);
}

type Tracks = Pick<Source, "path" | "image" | "audio">;

/** Cutting changes no image that is encoded, and encoding treats those at joints as well as others. */
async function expectUnseen(source: Source, cut: { joined: string; joints: number[] }) {
  const given = await upscale(source, Number.POSITIVE_INFINITY, lossless);
  const cutGiven = await upscale(source, framesPerSegment, lossless);
  const uncut = await upscale(source, Number.POSITIVE_INFINITY);
  expect(uncut.joints).toEqual([]);
  const [same = [], alike = [], ofCut = [], ofUncut = []] = await compareFrames(
    dirname(cut.joined),
    [
      [cutGiven.joined, given.joined],
      [cut.joined, uncut.joined],
      [cut.joined, given.joined],
      [uncut.joined, given.joined],
    ],
  );
  for (const values of [same, alike, ofCut, ofUncut])
    expect(values).toHaveLength(source.image.packets.length);
  expect(Math.min(...same)).toBe(1);

  const near = new Set(cut.joints.flatMap((at) => framesAroundJoint.map((by) => at + by)));
  const atJoints = (values: number[]) => values.filter((_, frame) => near.has(frame));
  const elsewhere = (values: number[]) => values.filter((_, frame) => !near.has(frame));
  expect(Math.min(...atJoints(alike))).toBeGreaterThan(Math.min(...elsewhere(alike)) - ssimSlack);
  expect(mean(atJoints(ofCut))).toBeGreaterThan(mean(atJoints(ofUncut)) - ssimMeanSlack);
}

/** Expects the same packets at the same times, without a gap, and with the same offset from the image. */
async function expectAudioKept(source: Tracks, joined: Tracks): Promise<void> {
  expect(await hashAudio(joined.path)).toBe(await hashAudio(source.path));
  expect(timesOf(joined.audio)).toEqual(timesOf(source.audio));
  expect(largestGapOf(joined.audio)).toBeLessThanOrEqual(1); // a tick
  const leadOf = ({ image, audio }: Tracks) => startOf(image) - startOf(audio);
  const { over, under } = source.image;
  expect(Math.abs(leadOf(joined) - leadOf(source))).toBeLessThanOrEqual(over / under);
}

const aacFrameSeconds = 1024 / 44_100;
/** Encoders smear the beginning of a tone. */
const smearSeconds = 0.005;

async function expectAudioEncodedAgain(source: Tracks, joined: Tracks): Promise<void> {
  expect(await readStreams(joined.path)).toMatchObject([{}, { codec_name: "aac" }]);
  const lengthened = lengthOf(joined.audio) - lengthOf(source.audio);
  expect(Math.abs(lengthened)).toBeLessThanOrEqual(aacFrameSeconds);
  expect(largestGapOf(joined.audio)).toBeLessThanOrEqual(1);
  const heardAt = async ({ path, image }: Tracks) => (await audioStartsAt(path)) - startOf(image);
  const moved = (await heardAt(joined)) - (await heardAt(source));
  expect(Math.abs(moved)).toBeLessThanOrEqual(smearSeconds);
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
