import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listFrames } from "./list-frames.ts";
import { probeFile, probeMedia } from "./probe.ts";

const run = promisify(execFile);
const h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];

let scratch: Scratch;
let video: Buffer; // 5 s of 64x48, its index last
beforeAll(async () => {
  scratch = await makeScratch("probe");
  video = await make("video.mp4", ...moving("64x48", 5), ...h264, "-g", "25");
});
afterAll(() => scratch.remove());

async function make(name: string, ...args: string[]): Promise<Buffer> {
  const path = join(scratch.path, name);
  await run("ffmpeg", ["-nostdin", "-loglevel", "error", "-y", ...args, path]);
  return readFile(path);
}

const moving = (size: string, seconds: number) => [
  "-f",
  "lavfi",
  "-i",
  `testsrc=s=${size}:r=25:d=${seconds}`,
];
const tone = (seconds: number) => ["-f", "lavfi", "-i", `sine=d=${seconds}`];

async function probe(bytes: Buffer) {
  const path = join(scratch.path, "probed");
  await writeFile(path, bytes);
  return probeMedia(path);
}

/** The bytes with some of them changed, counted from the name of the first box of that name. */
function changed(bytes: Buffer, name: string, at: number, ...values: number[]): Buffer {
  const copy = Buffer.from(bytes);
  const start = copy.indexOf(name) + at;
  for (const [index, value] of values.entries()) copy.writeUInt32BE(value, start + 4 * index);
  return copy;
}

const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);

test.each([
  ["png", ["-frames:v", "1"], "image/png"],
  ["jpg", ["-frames:v", "1"], "image/jpeg"],
  ["webp", ["-frames:v", "1", "-c:v", "libwebp"], "image/webp"],
  ["bmp", ["-frames:v", "1"], "image/bmp"],
])("a %s is measured, and is nothing when it was cut", async (ending, args, contentType) => {
  const whole = await make(`whole.${ending}`, ...moving("320x240", 1), ...args);
  const sides = { width: 320, height: 240, durationMs: null };
  expect(await probe(whole)).toMatchObject({ type: "IMAGE", contentType, ...sides });
  expect(await probe(half(whole))).toBeNull();
  expect(await probe(whole.subarray(0, 60))).toBeNull();
});

test("a cut image is nothing every time, also while others are measured", async () => {
  const whole = await make("often.jpg", ...moving("640x480", 1), "-frames:v", "1");
  const path = join(scratch.path, "often-cut");
  await writeFile(path, whole.subarray(0, whole.length - 100));
  for (let round = 0; round < 50; round++)
    expect(await Promise.all(Array.from({ length: 4 }, () => probeMedia(path)))).toEqual([
      null,
      null,
      null,
      null,
    ]);
});

test.each(["png", "webp", "gif"])("a %s that moves is no image", async (ending) => {
  const args = { png: ["-f", "apng"], webp: ["-c:v", "libwebp_anim"], gif: [] }[ending] ?? [];
  expect(await probe(await make(`moves.${ending}`, ...moving("64x48", 1), ...args))).toBeNull();
});

test.each([
  ["mp4", h264, "video/mp4", "h264"],
  ["mov", h264, "video/quicktime", "h264"],
  ["webm", ["-c:v", "libvpx", "-deadline", "realtime"], "video/webm", "vp8"],
])("a %s is measured by its bytes, whatever it is called", async (ending, args, type, codec) => {
  const bytes = await make(`a.${ending}`, ...moving("320x240", 2), ...args);
  expect(await probe(bytes)).toMatchObject({
    type: "VIDEO",
    contentType: type,
    width: 320,
    height: 240,
    durationMs: 2_000,
    videoCodec: codec,
    audioCodec: null,
  });
});

test("duration is measured, not believed: headers that declare one second do not count", async () => {
  const scale = (name: string) => video.readUInt32BE(video.indexOf(name) + 16);
  let lying = changed(video, "mvhd", 20, scale("mvhd"));
  lying = changed(lying, "tkhd", 24, scale("mvhd"));
  lying = changed(lying, "mdhd", 20, scale("mdhd"));
  expect(await probe(lying)).toMatchObject({ durationMs: 5_000 });
});

test("duration includes the last frame of a video that does not say how long its frames last", async () => {
  const slow = ["-f", "lavfi", "-i", "testsrc=s=64x48:r=5:d=1", "-fps_mode", "passthrough"];
  const bytes = await make("slow.mp4", ...slow, "-enc_time_base", "-1", "-c:v", "libx264");
  expect(await probe(bytes)).toMatchObject({ durationMs: 1_000 });
});

test("duration is of all that is in the video: what an edit list hides counts", async () => {
  const scale = video.readUInt32BE(video.indexOf("mvhd") + 16);
  expect(await probe(changed(video, "elst", 12, scale))).toMatchObject({ durationMs: 5_000 });
});

test("frames are those that are shown, as an upscale lists them", async () => {
  const path = join(scratch.path, "probed");
  const from = join(scratch.path, "video.mp4");
  const cut = await make("cut.mp4", "-ss", "0.5", "-i", from, "-c", "copy"); // hides what it needs to decode
  const outOfOrder = await make("order.mov", ...moving("64x48", 2), ...h264, "-bf", "3");
  const webm = await make("frames.webm", ...moving("64x48", 2), "-c:v", "libvpx");
  for (const [bytes, contentType, frames] of [
    [video, "video/mp4", 125],
    [cut, "video/mp4", 112],
    [outOfOrder, "video/quicktime", 50],
    [webm, "video/webm", 50],
  ] as const) {
    expect((await probe(bytes))?.frames).toBe(frames);
    expect((await listFrames(path, contentType))?.frames).toHaveLength(frames);
  }
});

test("duration is of what is seen and heard: padding that encoders add to audio does not count", async () => {
  const withAudio = [...moving("64x48", 3), ...tone(3)];
  for (const name of ["a.mp4", "a.mov"])
    expect(await probe(await make(name, ...withAudio, ...h264))).toMatchObject({
      durationMs: 3_000,
    });
  const webm = await make("a.webm", ...withAudio, "-c:v", "libvpx", "-c:a", "libopus");
  expect(await probe(webm)).toMatchObject({ durationMs: 3_000 });
  expect(await probe(await make("a.mp3", ...tone(3)))).toMatchObject({ durationMs: 3_000 });
});

test("duration is of the longest stream: audio that goes on after the video counts", async () => {
  const bytes = await make("audio.mp4", ...moving("64x48", 1), ...tone(4), ...h264);
  expect((await probe(bytes))?.durationMs).toBeGreaterThanOrEqual(4_000);
});

test("durations beyond any sense are refused", async () => {
  const scale = video.indexOf("mdhd") + 16;
  const slow = Buffer.from(video);
  slow.writeUInt32BE(1, scale); // a tick is a second now
  expect(await probe(changed(slow, "stts", 16, 0x00ffffff))).toBeNull();
});

test("audio files are measured, with or without a cover", async () => {
  expect(await probe(await make("b.wav", ...tone(2)))).toMatchObject({
    type: "AUDIO",
    durationMs: 2_000,
    width: null,
    height: null,
    audioCodec: "pcm_s16le",
  });
  const cover = ["-map", "0", "-map", "1", "-c:v", "mjpeg", "-frames:v", "1"];
  const args = [...tone(2), ...moving("64x48", 1), ...cover, "-disposition:v", "attached_pic"];
  const facts = { type: "AUDIO", durationMs: 2_000, videoCodec: null, audioCodec: "mp3" };
  expect(await probe(await make("cover.mp3", ...args))).toMatchObject(facts);
});

test("a video that was cut is broken, also when its index came first", async () => {
  const first = await make("first.mp4", ...moving("64x48", 4), ...h264, "-movflags", "+faststart");
  expect(await probe(first)).not.toBeNull();
  expect(await probe(half(first))).toBeNull();
  expect(await probe(half(video))).toBeNull();
  const webm = await make("c.webm", ...moving("64x48", 4), "-c:v", "libvpx");
  expect(await probe(half(webm))).toBeNull();
  for (const noise of ["something else", "\x00", "\x06", "\x1f", "\xff"]) {
    const rest = Buffer.alloc(50_000, noise, "latin1");
    expect(await probe(Buffer.concat([webm.subarray(0, 500), rest])), noise).toBeNull();
  }
});

test("a video that was written while it was made, without sizes or fragmented, is read whole", async () => {
  const live = await make("live.webm", ...moving("64x48", 2), "-c:v", "libvpx", "-live", "1");
  expect(await probe(live)).toMatchObject({ durationMs: 2_000 });
  const fragmented = ["-movflags", "frag_keyframe+empty_moov+default_base_moof"];
  const video = await make("fragmented.mp4", ...moving("64x48", 2), ...h264, ...fragmented);
  expect(await probe(video)).toMatchObject({ durationMs: 2_000 });
});

test.each([
  ["a quarter", [0, 0x10000, 0, -0x10000 >>> 0, 0], { width: 48, height: 64 }],
  ["half", [-0x10000 >>> 0, 0, 0, 0, -0x10000 >>> 0], { width: 64, height: 48 }],
  ["three quarters", [0, -0x10000 >>> 0, 0, 0x10000, 0], { width: 48, height: 64 }],
])("a video turned by %s has the sides that are seen", async (_name, matrix, sides) => {
  expect(await probe(changed(video, "tkhd", 44, ...matrix))).toMatchObject(sides);
});

test("pixels that are not square are made so, before the video is turned", async () => {
  const args = [...moving("720x576", 1), "-vf", "setsar=16/11", ...h264];
  const wide = await make("wide.mp4", ...args);
  expect(await probe(wide)).toMatchObject({ width: 1047, height: 576 });
  const turned = changed(wide, "tkhd", 44, 0, 0x10000, 0, -0x10000 >>> 0, 0);
  expect(await probe(turned)).toMatchObject({ width: 576, height: 1047 });
  expect(await probe(changed(wide, "pasp", 4, 0x7fffffff, 1))).toBeNull();
});

test("only codecs on the list are a video, and frames up to 36 megapixels", async () => {
  for (const codec of ["magicyuv", "qtrle", "huffyuv", "png"])
    expect(await probe(await make("codec.mov", ...moving("64x48", 1), "-c:v", codec))).toBeNull();
  const large = ["-f", "lavfi", "-i", "color=s=16384x2304:r=1:d=1", ...h264];
  expect(await probe(await make("large.mp4", ...large))).toBeNull();
});

test("a WAV of a codec that nobody knows is refused by its code, not as damaged", async () => {
  const bytes = await make("unknown.wav", ...tone(1));
  bytes.write("BB", bytes.indexOf("fmt ") + 8, "latin1");
  await writeFile(join(scratch.path, "unknown.wav"), bytes);
  const reason = "has the codec 'BB[0][0]', which is not supported";
  expect(await probeFile(join(scratch.path, "unknown.wav"))).toEqual({ kind: "refused", reason });
});

test("an image of more than 100 megapixels is refused for that, not as damaged", async () => {
  const large = ["-f", "lavfi", "-i", "color=gray:s=10002x10000:r=1:d=1", "-frames:v", "1"];
  await make("large.png", ...large, "-pix_fmt", "gray");
  const reason = "has more than 100 megapixels";
  expect(await probeFile(join(scratch.path, "large.png"))).toEqual({ kind: "refused", reason });
});

test("a thousand streams are refused", async () => {
  const at = video.indexOf("trak") - 4;
  const track = video.subarray(at, at + video.readUInt32BE(at));
  const tracks = Buffer.concat(Array<Buffer>(1_000).fill(track));
  const many = Buffer.concat([video.subarray(0, at), tracks, video.subarray(at)]);
  const moov = video.indexOf("moov") - 4;
  many.writeUInt32BE(video.readUInt32BE(moov) + tracks.length, moov);
  expect(await probe(many)).toBeNull();
});

test("playlists and references are refused, and nobody asks where they point", async () => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked++;
    response.end(video);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.mp4`;
  const head = video.subarray(0, video.readUInt32BE(0));
  const lists = [
    `#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\n${url}\n`,
    `ffconcat version 1.0\nfile '${url}'\nfile 'video.mp4'\n`,
    `<?xml version="1.0"?><MPD><Period><BaseURL>${url}</BaseURL></Period></MPD>`,
  ];
  for (const list of lists)
    for (const before of [Buffer.alloc(0), head, Buffer.from("ID3\x04\0\0\0\0\0\0", "latin1")])
      expect(await probe(Buffer.concat([before, Buffer.from(list)]))).toBeNull();
  expect(await probe(changed(video, "url ", 4, 0))).toBeNull(); // "my media is at another address"
  expect(asked).toBe(0);
  server.close();
});

test("an index that is packed, or leads to another video, is refused", async () => {
  const moov = video.indexOf("moov");
  for (const name of ["cmov", "rmra"]) {
    const bytes = Buffer.from(video);
    bytes.write(name, moov + 8, "latin1"); // in place of mvhd
    expect(await probe(bytes)).toBeNull();
  }
});
