import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { readTracks } from "@zoetrope/testkit/read-video.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { expect, test } from "vitest";
import { joinSegments } from "./join-segments.ts";

const run = promisify(execFile);
const tick = { over: 1, under: 90_000 };

test("a video of many segments has every frame at its time: what lengths lose by rounding does not add up", async () => {
  await using scratch = await makeScratch("join");
  const path = join(scratch.path, "segment.mp4");
  const image = ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=30:d=0.1,settb=1/90000,setpts=N*2501"];
  const clock = ["-fps_mode", "passthrough", "-enc_time_base", "1/90000"];
  const encoder = ["-c:v", "libx264", "-bf", "0", "-video_track_timescale", "90000"];
  await run("ffmpeg", ["-v", "error", ...image, ...clock, ...encoder, path]);

  const ticks = 3 * 2501; // 83,366.67 millionths of a second
  const segments = Array.from({ length: 60 }, () => ({ path, ticks }));
  const video = { tick, startsAtSeconds: 0, audioCodecs: [], firstAt: 0 };
  const source = { path, contentType: "video/mp4" };
  const joined = await joinSegments(
    {
      source,
      video,
      segments,
      secondsMax: null,
      hasOwnTimes: false,
      aigc: null,
      bytesMax: 10_000_000,
    },
    { dir: scratch.path, msMax: 60_000 },
  );
  const { packets, under } = (await readTracks(joined)).image;
  expect(under).toBe(90_000);
  expect(packets.map(({ at }) => at)).toEqual(Array.from({ length: 180 }, (_, n) => n * 2501));
});
