import { expect, test } from "vitest";
import { cutVideo } from "./cut-video.ts";

/** A frame per tick, a key frame every so many. */
const framesOf = (count: number, keyEvery: number) =>
  Array.from({ length: count }, (_, at) => ({ at, isKey: at % keyEvery === 0 }));

/** Segments of ten frames or, at the end, of at least five. */
function cut(count: number, keyEvery: number) {
  const video = { width: 1_000, height: 1_000, firstAt: 0, endsAt: count };
  return cutVideo(video, framesOf(count, keyEvery), 10);
}

test("every frame is in one segment, and segments begin at key frames", () => {
  const segments = cut(100, 6);
  expect(segments[0]?.from).toBe(0);
  expect(segments.at(-1)?.to).toBe(100);
  for (const [number, { from, to, frames }] of segments.entries()) {
    expect(from % 6).toBe(0);
    expect(frames).toBe(to - from);
    expect(from).toBe(segments[number - 1]?.to ?? 0);
  }
  expect(segments.map(({ frames }) => frames)).toEqual([12, 12, 12, 12, 12, 12, 12, 16]);
});

test("no segment is more than half of what is left, as far as half the usual size", () => {
  expect(cut(75, 1).map(({ frames }) => frames)).toEqual([10, 10, 10, 10, 10, 10, 8, 7]);
  expect(cut(30, 1).map(({ frames }) => frames)).toEqual([10, 10, 5, 5]);
});

test("a rest of less than half a segment belongs to the segment before it", () => {
  expect(cut(24, 10).map(({ frames }) => frames)).toEqual([10, 14]);
  expect(cut(25, 10).map(({ frames }) => frames)).toEqual([10, 10, 5]);
});

test("where no key frame comes for long the video is cut all the same, into longer segments", () => {
  expect(cut(150, 1_000).map(({ frames }) => frames)).toEqual([60, 60, 30]);
});

test("a video that is shorter than a segment is one segment", () => {
  expect(cut(1, 1)).toEqual([{ from: 0, to: 1, frames: 1 }]);
  expect(cut(9, 1)).toEqual([{ from: 0, to: 9, frames: 9 }]);
});
