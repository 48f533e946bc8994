import { visibleSecondsMin } from "../../media/visible-label.ts";
import type { PacketList } from "./list-packets.ts";

/** The delay by which an encoder of ours can write its frames, in frames: none, or with B-frames. */
export type Delay = 0 | 1 | 2;

export interface Cut {
  /** The number of packets before it. */
  index: number;
  /** The time of the key frame from which on packets are copied, in ticks. */
  at: number;
  delay: Delay;
}

/**
 * Finds the first key frame after the label from which on a video can be copied: no frame before it is
 * decoded or shown after it. Null: there is none.
 */
export function findCut({ video, keys, tick }: PacketList): Cut | null {
  const [first] = video;
  if (first === undefined || video.some(({ dts, pts }) => !isTime(dts) || !isTime(pts)))
    return null;
  const startsAt = Math.min(...firstShown(video));
  const delay = video.filter(({ dts }) => dts < startsAt).length;
  if (delay !== 0 && delay !== 1 && delay !== 2) return null;
  const firstAfter = earliestFrom(video);
  let latest = Number.NEGATIVE_INFINITY;
  for (const [index, { pts }] of video.entries()) {
    const isLate = (pts - startsAt) * tick.over >= visibleSecondsMin * tick.under;
    const isClosed = latest < pts && pts < (firstAfter[index + 1] ?? Number.POSITIVE_INFINITY);
    if (isLate && isClosed && keys.has(pts)) return { index, at: pts, delay };
    latest = Math.max(latest, pts);
  }
  return null;
}

/** The times of the packets among which the first shown is: no encoder delays a frame by more. */
function firstShown(video: PacketList["video"]): number[] {
  return video.slice(0, 32).map(({ pts }) => pts);
}

/** The earliest time of each packet and those after it. */
function earliestFrom(video: PacketList["video"]): number[] {
  const earliest: number[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const { pts } of video.toReversed()) {
    least = Math.min(least, pts);
    earliest.push(least);
  }
  return earliest.reverse();
}

function isTime(ticks: number): boolean {
  return Number.isSafeInteger(ticks);
}
