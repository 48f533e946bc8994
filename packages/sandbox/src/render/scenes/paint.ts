/** A still image, or a loop of them, that ffmpeg reads as raw video. */
export interface Image {
  width: number;
  height: number;
  pixelFormat: "rgb24" | "rgba";
  bytes: Buffer;
  /** The number of frames that follow each other in `bytes`. Default: 1. */
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

/** An RGB colour, 0..255 each. */
export type Rgb = readonly [number, number, number];

export interface Palette {
  skyTop: Rgb;
  skyMiddle: Rgb;
  skyLow: Rgb;
  light: Rgb;
  ground: Rgb;
  accent: Rgb;
  /** Goes with the accent. */
  second: Rgb;
  starry: boolean;
}

function hex(code: number): Rgb {
  return [(code >> 16) & 0xff, (code >> 8) & 0xff, code & 0xff];
}

type Colours = readonly [number, number, number, number, number, number, number];

export function palette(
  [top, middle, low, light, ground, accent, second]: Colours,
  starry = false,
): Palette {
  return {
    skyTop: hex(top),
    skyMiddle: hex(middle),
    skyLow: hex(low),
    light: hex(light),
    ground: hex(ground),
    accent: hex(accent),
    second: hex(second),
    starry,
  };
}

export function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const at = Math.min(1, Math.max(0, share));
  return [
    from[0] + (to[0] - from[0]) * at,
    from[1] + (to[1] - from[1]) * at,
    from[2] + (to[2] - from[2]) * at,
  ];
}
