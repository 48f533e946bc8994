import { unless } from "./unusual.ts";

const zerosMax = 31;

export type Bits = ReturnType<typeof readBits>;

/** Reads the bits of a NAL unit, from which the emulation prevention bytes are removed. */
export function readBits(nal: Buffer) {
  const bytes = withoutEscapes(nal);
  let at = 0;
  const flag = () => {
    const byte = bytes[at >> 3];
    unless(byte !== undefined, "parameters that end early");
    return (byte >> (7 - (at++ & 7))) & 1;
  };
  const bits = (count: number) => {
    let value = 0;
    for (let bit = 0; bit < count; bit++) value = value * 2 + flag();
    return value;
  };
  /** Exp-Golomb. */
  const ue = () => {
    let zeros = 0;
    while (flag() === 0) unless(++zeros <= zerosMax, "a parameter that is too large");
    return 2 ** zeros - 1 + bits(zeros);
  };
  return { flag, bits, ue, is: () => flag() === 1 };
}

/** Removes the escapes: 0 0 3 is read as 0 0. */
function withoutEscapes(nal: Buffer): Buffer {
  const bytes = Buffer.alloc(nal.length);
  let length = 0;
  let zeros = 0;
  for (const byte of nal) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    bytes[length++] = byte;
  }
  return bytes.subarray(0, length);
}

const otherRatio = 255;

/** The aspect ratio of a pixel: square, or not stated. */
export function requireSquarePixels({ bits }: Bits): void {
  const ratio = bits(8);
  const [wide, high] = ratio === otherRatio ? [bits(16), bits(16)] : [1, 1];
  unless(ratio <= 1 || ratio === otherRatio, "pixels that are not square");
  unless(wide === high && wide > 0, "pixels that are not square");
}
