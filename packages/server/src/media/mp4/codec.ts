import type { Bits } from "./bits.ts";

/** The facts in the parameter sets of a video stream. */
export interface CodecFacts {
  name: "h264" | "hevc";
  width: number;
  height: number;
  /** Frames per second, as `over / under`; null where they do not say. */
  rate: { over: number; under: number } | null;
  /** A frame may be shown longer than the rate says. */
  repeatsFrames: boolean;
  /** The first frame must repeat them unchanged or leave them out. */
  parameterSets: Buffer[];
  /** Bytes of the length before each NAL unit. */
  lengthBytes: number;
}

/** The sizes in pixels of one chroma sample, the unit of cropping, by `chroma_format_idc`. 4:4:4 is unusual. */
export const chromaSides = [
  { wide: 1, high: 1 },
  { wide: 2, high: 2 },
  { wide: 2, high: 1 },
] as const;

/** The part of the VUI that both codecs have: after the aspect ratio, before what is their own. */
export function skipColours({ bits, is, ue }: Bits): void {
  if (is()) bits(1); // overscan
  if (is()) {
    bits(4);
    if (is()) bits(24);
  }
  if (is()) {
    ue(); // where chroma samples are
    ue();
  }
}
