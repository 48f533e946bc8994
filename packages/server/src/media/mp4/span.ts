import type { CodecFacts } from "./codec.ts";
import type { Track } from "./track.ts";
import { unless } from "./unusual.ts";

const durationMsMax = 24 * 60 * 60 * 1000;
/** `probe.ts` disregards audio that begins or ends less than 0.1 s outside the video. */
const audioBeyondSecondsMax = 0.07;
const audioPacketsHiddenMax = 4;
/** ffprobe takes a tick for a frame below this if frames are out of order. */
const timescaleMin = 1_000;

/** The beginning and the end of something, in seconds. */
interface Span {
  from: number;
  to: number;
}

/**
 * Returns the span in which the frames of a video are shown. Times are rounded like those that ffprobe
 * prints.
 */
export function spanOf(video: Track, codec: CodecFacts): Span {
  const { times, timescale, edit, declaredTicks } = video;
  unless(edit === null || edit.from === times.firstShownAt, "an edit that hides frames");
  const shift = edit?.from ?? 0;
  if (edit !== null) unless(times.lastShownAt - shift < edit.lasts, "an edit that hides frames");
  const from = printed(times.firstShownAt - shift, timescale);
  const at = (ticks: number) => printed(ticks, timescale);
  if (!times.hasOffsets) {
    const ends = Math.min(times.totalTicks, declaredTicks, edit?.lasts ?? times.totalTicks);
    unless(ends > times.lastDecodedAt, "a header that contradicts the samples");
    return { from, to: at(times.lastDecodedAt) + at(ends - times.lastDecodedAt) };
  }
  const { evenTicks } = times;
  unless(evenTicks !== null, "frames of different lengths out of order");
  requireRate(codec, evenTicks, timescale);
  return { from, to: at(times.lastShownAt - shift) + at(evenTicks) };
}

/**
 * Requires that the rate in the stream's parameters matches: for frames out of order, ffprobe takes their
 * duration from it.
 */
function requireRate({ rate, repeatsFrames }: CodecFacts, ticks: number, timescale: number): void {
  unless(!repeatsFrames, "frames that may repeat");
  unless(timescale >= timescaleMin, "a coarse timescale");
  if (rate === null) return;
  const ticksByRate = Math.floor((rate.under * timescale) / rate.over);
  unless(ticksByRate === ticks, "frame rates that contradict each other");
}

/**
 * Requires that audio does not exceed the video by more than padding. Otherwise it counts, and is not
 * measured here.
 */
export function requireQuietAudio(audio: Track, video: Span): void {
  const { times, timescale, edit } = audio;
  unless(!times.hasOffsets, "audio out of order");
  const packetSeconds = times.firstTicks / timescale;
  unless(packetSeconds > 0.005 && packetSeconds < 0.1, "unusual audio");
  const before = edit?.from ?? 0;
  const after = Math.max(0, times.totalTicks - before - (edit?.lasts ?? times.totalTicks));
  unless(before + after <= audioPacketsHiddenMax * times.firstTicks, "an edit that hides audio");
  unless(video.from + before / timescale < audioBeyondSecondsMax, "audio before the video");
  const ends = (times.totalTicks - before) / timescale;
  unless(ends - video.to < audioBeyondSecondsMax, "audio after the video");
}

export function lastingMs({ from, to }: Span): number {
  const durationMs = Math.round(1000 * (to - from));
  unless(durationMs > 0 && durationMs <= durationMsMax, "an unusual length");
  return durationMs;
}

/** Ticks as seconds with six decimals, computed and rounded (half to even) as by ffprobe. */
export function printed(ticks: number, timescale: number): number {
  const seconds = ticks * (1 / timescale);
  const of128 = seconds * 128;
  if (!Number.isInteger(of128) || of128 % 2 === 0) return Number(seconds.toFixed(6));
  const below = Math.floor(of128 * 7812.5); // halfway between two numbers of six decimals
  return (below % 2 === 0 ? below : below + 1) / 1_000_000;
}
