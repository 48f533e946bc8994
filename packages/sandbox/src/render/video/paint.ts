/** A still image, or a loop of them, that ffmpeg reads as raw video. */
export interface Image {
  width: number;
  height: number;
  pixelFormat: "rgb24" | "rgba";
  bytes: Buffer;
  /** How many follow each other in `bytes`; 1 unless told. */
  frames?: number;
}

/** A number in [0, 1); the same sequence for the same start. */
export type Random = () => number;

export function randomFrom(start: number): Random {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
