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

/** `0xRRGGBB`, as ffmpeg spells a colour. */
export function ffmpegColour(colour: Rgb): string {
  return `0x${colour.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}
