/** An RGB colour, 0..255 each. */
export type Rgb = readonly [number, number, number];

export interface Palette {
  skyTop: Rgb;
  skyMiddle: Rgb;
  skyLow: Rgb;
  light: Rgb;
  ground: Rgb;
  accent: Rgb;
  starry: boolean;
}

function hex(code: number): Rgb {
  return [(code >> 16) & 0xff, (code >> 8) & 0xff, code & 0xff];
}

function palette(
  colours: readonly [number, number, number, number, number, number],
  starry: boolean,
) {
  const [top, middle, low, light, ground, accent] = colours;
  return {
    skyTop: hex(top),
    skyMiddle: hex(middle),
    skyLow: hex(low),
    light: hex(light),
    ground: hex(ground),
    accent: hex(accent),
    starry,
  } satisfies Palette;
}

/** Every sky is dark enough at the top to carry white text. */
export const palettes: readonly [Palette, ...Palette[]] = [
  palette([0x1b1a4b, 0x7a3b7a, 0xf6a06a, 0xffe2a8, 0x170d2e, 0xff8f6b], true), // dusk
  palette([0x060b24, 0x12285c, 0x4a78ab, 0xf4f1de, 0x040818, 0x9ad0ff], true), // night
  palette([0x2a3a6b, 0x8a6fa8, 0xffc9a3, 0xfff1cf, 0x1d1b38, 0xffb38a], false), // dawn
  palette([0x06283d, 0x1f7a8c, 0x9fd8cb, 0xfffbe0, 0x031a24, 0x7fe7d0], false), // sea air
  palette([0x3b1c32, 0xa64942, 0xffb567, 0xffe9b0, 0x240c19, 0xffcf70], false), // desert
  palette([0x04111f, 0x0b4a44, 0x55c295, 0xeafff4, 0x020c10, 0x7dffc4], true), // northern lights
  palette([0x140a33, 0x4b2a8c, 0xd38bd8, 0xffe6ff, 0x0b041d, 0xe8a6ff], true), // violet hour
  palette([0x102542, 0x3b6c98, 0xf4d58d, 0xfff6d6, 0x08162a, 0xffd166], false), // late summer
];

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
