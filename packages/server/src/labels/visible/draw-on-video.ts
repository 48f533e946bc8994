import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { TaskId } from "../../ids.ts";
import type { Log } from "../../log.ts";
import { ConfinementError } from "../../media/probe/confine.ts";
import { encodeHead, encodeWhole, type VideoFile } from "./encode-video.ts";
import { type Cut, findCut } from "./find-cut.ts";
import { describeVideo, listPackets, type PacketList, type VideoStream } from "./list-packets.ts";

/** The maximum difference in length that another order of frames or another container causes. */
const differenceSecondsMax = 0.1;
const progressive: readonly string[] = ["unknown", "progressive"];

export type { VideoFile };

/**
 * Draws the visible label into the first two seconds of a video. Of a usual MP4 with H.264 only the frames
 * before the next key frame are encoded again, and the rest is copied; any other video is encoded whole. The
 * result is read back: whatever differs from the source throws. Returns the path of a file below `dir`.
 */
export async function drawOnVideo(
  ctx: { log: Log },
  source: VideoFile & {
    /** Whether it has the usual form of a vendor's MP4: one video, at most one audio, no rotation. */
    isUsual: boolean;
  },
  { taskId, dir }: { taskId: TaskId; dir: string },
): Promise<string> {
  const visibleDir = join(dir, "visible");
  await mkdir(visibleDir, { recursive: true });
  const { path, contentType } = source;
  const stream = await describeVideo(path, contentType);
  const list = (file: string) =>
    listPackets(file, { contentType, codec: stream.codec_name, dir: visibleDir });
  const packets = await list(path);
  const work = { source, packets, dir: visibleDir };
  const cut = source.isUsual && isCopied(stream) ? findCut(packets) : null;
  if (cut !== null) {
    const joined = await attempt(async () => {
      const file = await encodeHead(work, cut);
      requireSame(packets, await list(file), { copiedFrom: cut, isExact: true });
      return file;
    });
    if (typeof joined === "string") return joined;
    ctx.log.info({ event: "labels.encoded_whole", taskId, reason: joined.message });
  }
  const whole = await encodeWhole(work, stream);
  const codec = await describeVideo(whole, contentType);
  const options = { contentType, codec: codec.codec_name, dir: visibleDir };
  const result = await listPackets(whole, options);
  requireSame(packets, result, { copiedFrom: null, isExact: source.isUsual });
  return whole;
}

/** Whether frames that we encode can stand before the stream's own. */
function isCopied({
  codec_name: codec,
  pix_fmt: format,
  field_order: order,
}: VideoStream): boolean {
  return codec === "h264" && format === "yuv420p" && progressive.includes(order);
}

async function attempt(work: () => Promise<string>): Promise<string | Error> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConfinementError || !(error instanceof Error)) throw error;
    return error;
  }
}

/**
 * Throws unless the result has the frames and the audio of the source at their times, and from the cut on the
 * very packets. `isExact`: the times are counted alike. Elsewhere a length that differs is tolerated.
 */
function requireSame(
  source: PacketList,
  result: PacketList,
  { copiedFrom, isExact }: { copiedFrom: Cut | null; isExact: boolean },
): void {
  const before = shown(source);
  const after = shown(result);
  if (Math.abs(spanOf(before) - spanOf(after)) > differenceSecondsMax)
    throw new Error(`it lasts ${spanOf(after)} s instead of ${spanOf(before)}`);
  if (isExact && before.length !== after.length)
    throw new Error(`it has ${after.length} frames instead of ${before.length}`);
  const isMoved = before.some(({ from }, at) => Math.abs(from - (after[at]?.from ?? 0)) > 0.001);
  if (isExact && isMoved) throw new Error("its frames have other times");
  if (copiedFrom !== null) {
    const { index } = copiedFrom;
    const isChanged = source.video.some(
      ({ hash }, at) => at >= index && hash !== result.video[at]?.hash,
    );
    if (isChanged) throw new Error("the frames that were copied have changed");
  }
  const [audioBefore, audioAfter] = [soundOf(source, isExact), soundOf(result, isExact)];
  if (audioBefore !== audioAfter) throw new Error("its audio has changed");
}

/** The frames in the order in which they are shown, in seconds. */
function shown({ video, tick: { over, under } }: PacketList): { from: number; to: number }[] {
  return video
    .map(({ pts, duration }) => ({
      from: (pts * over) / under,
      to: ((pts + duration) * over) / under,
    }))
    .sort((one, other) => one.from - other.from);
}

function spanOf(frames: readonly { from: number; to: number }[]): number {
  return (frames.at(-1)?.to ?? 0) - (frames[0]?.from ?? 0);
}

/** The audio to compare: packets with their times, or where containers pack them otherwise, the bytes. */
function soundOf({ audio }: PacketList, isExact: boolean): string {
  if (!isExact) return String(audio.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
  return audio
    .map(({ stream, pts, hash, tick: { over, under } }) =>
      [stream, Math.round((pts * over * 1_000) / under), hash].join(" "),
    )
    .join("\n");
}
