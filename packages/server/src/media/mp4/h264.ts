import { type Bits, readBits, requireSquarePixels } from "./bits.ts";
import { type CodecFacts, chromaSides, skipColours } from "./codec.ts";
import { unless } from "./unusual.ts";

const profilesPlain: readonly number[] = [66, 77];
const profilesHigh: readonly number[] = [100, 110, 122];
const sideMacroblocksMax = 2_048;
const cpbsMax = 32;
const spsType = 7;

/** Reads an `avcC` box with one sequence parameter set. */
export function readAvcConfiguration(box: Buffer): CodecFacts {
  unless(box.length >= 8 && box.readUInt8(0) === 1, "an unusual avcC");
  unless((box.readUInt8(5) & 0x1f) === 1, "not one SPS");
  const end = 8 + box.readUInt16BE(6);
  unless(box.length > end && box.readUInt8(end) > 0, "no PPS");
  const sps = box.subarray(8, end);
  const lengthBytes = (box.readUInt8(4) & 3) + 1;
  return { name: "h264", ...readSps(sps), parameterSets: [sps], lengthBytes };
}

function readSps(sps: Buffer) {
  unless(sps.length > 4 && (sps.readUInt8(0) & 0x1f) === spsType, "not an SPS");
  const from = readBits(sps.subarray(1));
  const { bits, ue, is } = from;
  const profile = bits(8);
  bits(16); // constraints, level
  ue();
  const chroma = chromaSides[readChroma(from, profile)];
  unless(chroma !== undefined, "an unusual chroma format");
  skipOrder(from);
  const [wide, high] = [ue() + 1, ue() + 1];
  unless(Math.max(wide, high) <= sideMacroblocksMax, "a large frame");
  unless(is(), "interlaced");
  bits(1);
  const [left, right, top, bottom] = is() ? [ue(), ue(), ue(), ue()] : [0, 0, 0, 0];
  return {
    width: 16 * wide - chroma.wide * (left + right),
    height: 16 * high - chroma.high * (top + bottom),
    ...(is() ? readVui(from) : { rate: null, repeatsFrames: false }),
  };
}

function readChroma({ bits, ue, is }: Bits, profile: number): number {
  if (profilesPlain.includes(profile)) return 1;
  unless(profilesHigh.includes(profile), "an unusual profile");
  const chroma = ue();
  ue();
  ue(); // bits of luma and chroma
  bits(1);
  unless(!is(), "scaling lists");
  return chroma;
}

/** Skips the fields that define how frames are numbered. */
function skipOrder({ bits, ue }: Bits): void {
  ue();
  const type = ue();
  unless(type === 0 || type === 2, "an unusual order of frames");
  if (type === 0) ue();
  ue();
  bits(1);
}

function readVui(from: Bits): Pick<CodecFacts, "rate" | "repeatsFrames"> {
  const { bits, is } = from;
  if (is()) requireSquarePixels(from);
  skipColours(from);
  let rate: CodecFacts["rate"] = null;
  if (is()) {
    const [under, over] = [2 * bits(32), bits(32)]; // a tick is a field
    unless(under > 0 && over > 0, "an unusual frame rate");
    rate = { over, under };
    bits(1);
  }
  const hasBuffer = [skipBuffer(from), skipBuffer(from)];
  if (hasBuffer.includes(true)) bits(1);
  return { rate, repeatsFrames: is() };
}

function skipBuffer({ bits, ue, is }: Bits): boolean {
  if (!is()) return false;
  const count = ue() + 1;
  unless(count <= cpbsMax, "an unusual buffer");
  bits(8);
  for (let at = 0; at < count; at++) {
    ue();
    ue();
    bits(1);
  }
  bits(20);
  return true;
}
