import { randomBytes } from "node:crypto";
import {
  damaged,
  type MediaFile,
  type Outcome,
  refused,
  unknownType,
  video,
} from "../media-file.ts";
import { box, boxOf, insides, numbers, replaced, withLengthOneSecond } from "./mp4-boxes.ts";
import { h264, moving, type Renderer, tone } from "./render.ts";

function offered(name: string, body: Buffer, upload: Outcome): MediaFile {
  return { name, declaredType: "VIDEO", body, upload };
}

/** Videos as they should be, and the same cut short. */
export async function plainVideos({ render }: Renderer): Promise<MediaFile[]> {
  const whole = await render("plain.mp4", ...moving(320, 240, 25, 2), ...tone(2), ...h264);
  const small = moving(320, 240, 25, 4);
  const webm = await render("whole.webm", ...small, "-c:v", "libvpx", "-deadline", "realtime");
  const first = await render("index-first.mp4", ...small, ...h264, "-movflags", "+faststart");
  const fragments = ["-movflags", "frag_keyframe+empty_moov+default_base_moof"];
  const noise = randomBytes(100_000);
  const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);
  return [
    offered("plain.mp4", whole, video(320, 240, 2, "mp4")),
    offered("whole.webm", webm, video(320, 240, 4, "webm")),
    offered("index-first.mp4", first, video(320, 240, 4, "mp4")),
    offered(
      "in-fragments.mp4",
      await render("in-fragments.mp4", ...small, ...h264, ...fragments),
      video(320, 240, 4, "mp4"),
    ),
    offered("cut-index-last.mp4", half(whole), damaged),
    offered("cut-index-first.mp4", half(first), damaged),
    offered("cut.webm", half(webm), damaged),
    offered("empty.mp4", Buffer.alloc(0), unknownType),
    offered("noise.mp4", Buffer.concat([Buffer.from([0]), noise]), unknownType),
    offered("noise-after-a-head.mp4", Buffer.concat([whole.subarray(0, 32), noise]), damaged),
    offered("noise-in-the-middle.webm", Buffer.concat([webm.subarray(0, 500), noise]), damaged),
    offered("only-the-head.mp4", whole.subarray(0, 40), damaged),
    offered(
      "matroska.webm",
      await render("m.mkv", ...small, ...h264),
      refused(
        "is a Matroska video that is not WebM, which is not supported; send MP4, MOV or WebM",
      ),
    ),
    offered(
      "audio-only.mp4",
      await render("audio-only.mp4", ...tone(2)),
      refused("has no video track"),
    ),
  ];
}

/** Around 15 s, where clips end, and around 600 s; and those with false metadata. */
export async function longVideos({ render }: Renderer): Promise<MediaFile[]> {
  const tiny = (rate: number, seconds: number) => [...moving(16, 16, rate, seconds), ...h264];
  const clip = (seconds: number) => [...moving(64, 64, 25, seconds), ...tone(seconds), ...h264];
  const long = async (name: string, rate: number, seconds: number, ending = "mp4") =>
    offered(name, await render(name, ...tiny(rate, seconds)), video(16, 16, seconds, ending));
  const half = await render("half-a-minute.mp4", ...tiny(25, 30), "-g", "25");
  const ten = await render("ten-minutes.mp4", ...tiny(1, 600));
  const [track] = insides(half, "mvhd");
  const scale = track?.readUInt32BE(12) ?? 1000;
  const oneSecondOf = box("elst", numbers(0, 1, scale, 0, 0x10000));
  return [
    offered("14.96-s.mp4", await render("14.96.mp4", ...clip(14.96)), video(64, 64, 14.96, "mp4")),
    offered("15-s.mp4", await render("15.mp4", ...clip(15)), video(64, 64, 15, "mp4")),
    offered("15-s.mov", await render("15.mov", ...clip(15)), video(64, 64, 15, "mov")),
    offered("15.04-s.mp4", await render("15.04.mp4", ...clip(15.04)), video(64, 64, 15.04, "mp4")),
    await long("16-s.mp4", 25, 16),
    await long("599.96-s.mp4", 25, 599.96),
    await long("600.04-s.mov", 25, 600.04, "mov"),
    await long("601-s.mp4", 1, 601),
    offered("says-1-s-is-30.mp4", withLengthOneSecond(half), video(16, 16, 30, "mp4")),
    offered("says-1-s-is-600.mp4", withLengthOneSecond(ten), video(16, 16, 600, "mp4")),
    offered("shows-1-s-of-30.mp4", replaced(half, "elst", oneSecondOf), video(16, 16, 30, "mp4")),
  ];
}

/** Sides: smallest, largest, turned, and of pixels that are not square. */
export async function sidesOfVideos({ render }: Renderer): Promise<MediaFile[]> {
  const still = (width: number, height: number) => [
    "-f",
    "lavfi",
    "-i",
    `color=s=${width}x${height}:r=5:d=1`,
    ...h264,
  ];
  const made = async (name: string, args: string[], upload: Outcome) =>
    offered(name, await render(name, ...args), upload);
  const flat = await render("flat.mp4", ...moving(320, 180, 25, 1), ...h264);
  const turned = (matrix: number[]) => {
    const bytes = Buffer.from(flat);
    for (const track of insides(bytes, "tkhd")) numbers(...matrix).copy(track, 40);
    return bytes;
  };
  const one = 0x10000;
  const last = 0x40000000;
  const anamorphic = ["-vf", "setsar=16/11"];
  const wide = await render("wide.mp4", ...moving(720, 576, 25, 1), ...anamorphic, ...h264);
  const wideAndTurned = Buffer.from(wide);
  for (const track of insides(wideAndTurned, "tkhd"))
    numbers(0, one, 0, -one, 0, 0, 0, 0, last).copy(track, 40);
  return [
    await made("16-px.mp4", still(16, 16), video(16, 16, 1, "mp4")),
    await made("16384-px.mp4", still(16_384, 16), video(16_384, 16, 1, "mp4")),
    await made("35-megapixels.mp4", still(16_384, 2_160), video(16_384, 2_160, 1, "mp4")),
    await made(
      "37-megapixels.mp4",
      still(16_384, 2_304),
      refused("has frames of more than 36 megapixels"),
    ),
    offered(
      "turned-90.mp4",
      turned([0, one, 0, -one, 0, 0, 0, 0, last]),
      video(180, 320, 1, "mp4"),
    ),
    offered(
      "turned-180.mp4",
      turned([-one, 0, 0, 0, -one, 0, 0, 0, last]),
      video(320, 180, 1, "mp4"),
    ),
    offered(
      "turned-270.mp4",
      turned([0, -one, 0, one, 0, 0, 0, 0, last]),
      video(180, 320, 1, "mp4"),
    ),
    offered("anamorphic.mp4", wide, video(1047, 576, 1, "mp4")),
    offered("anamorphic-turned.mp4", wideAndTurned, video(576, 1047, 1, "mp4")),
    offered(
      "pixels-without-width.mp4",
      withAspect(wide, 1, 0x7fffffff),
      video(1047, 576, 1, "mp4"),
    ),
    offered(
      "pixels-without-end.mp4",
      withAspect(wide, 0x7fffffff, 1),
      refused("has a side of more than 32768 pixels"),
    ),
  ];
}

function withAspect(wide: Buffer, over: number, under: number): Buffer {
  const bytes = Buffer.from(wide);
  const at = bytes.indexOf("pasp");
  numbers(over, under).copy(bytes, at + 4);
  return bytes;
}

/** Videos that exhaust the memory or time of a careless reader, or overflow its numbers. */
export async function bombs({ render }: Renderer): Promise<MediaFile[]> {
  const bare = await render("bare.mp4", ...moving(64, 64, 25, 1), ...h264);
  const track = boxOf(bare, "trak");
  const tracks = Buffer.concat(Array<Buffer>(1_001).fill(track));
  const sizes = box("stsz", numbers(0, 1, 0xfffffff0));
  const times = box("stts", numbers(0, 1, 0xfffffff0, 512));
  const slow = box("stts", numbers(0, 1, 25, 0x7fffffff));
  const packed = box("cmov", box("dcom", Buffer.from("zlib")), box("cmvd", numbers(0xffffff00)));
  const magic = await render("magic.mov", ...moving(64, 64, 25, 1), "-c:v", "magicyuv");
  const old = await render("part-2.mp4", ...moving(64, 64, 25, 1), "-c:v", "mpeg4");
  return [
    offered("1001-streams.mp4", replaced(bare, "trak", tracks), refused("has more than 32 tracks")),
    offered(
      "4-billion-samples.mp4",
      replaced(replaced(bare, "stsz", sizes), "stts", times),
      damaged,
    ),
    offered("a-year-per-image.mp4", replaced(bare, "stts", slow), damaged),
    offered(
      "packed-index.mov",
      replaced(bare, "moov", box("moov", packed)),
      refused("has a compressed index, which is not supported"),
    ),
    offered("magicyuv.mov", magic, refused("has the codec magicyuv, which is not supported")),
    {
      ...offered("mpeg4-part-2.mp4", old, video(64, 64, 1, "mp4")),
      trials: [{ entryPoint: "sd2 video", via: "asset", fault: "must be encoded as h264 or hevc" }],
    },
  ];
}
