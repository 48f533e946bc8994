import { type Bits, readBits, requireSquarePixels } from "./bits.ts";
import { type CodecFacts, chromaSides, skipColours } from "./codec.ts";
import { unless } from "./unusual.ts";

const types = { vps: 32, sps: 33, pps: 34 };
const arraysMax = 16;
const unitsMax = 16;
const referenceSetsMax = 64;
const referencesMax = 16;
const longReferencesMax = 32;

/** Reads an `hvcC` box with one video and one sequence parameter set. */
export function readHevcConfiguration(box: Buffer): CodecFacts {
  unless(box.length > 23 && box.readUInt8(0) === 1, "an unusual hvcC");
  const units = readUnits(box);
  const [vps, otherVps] = units.filter((unit) => typeOf(unit) === types.vps);
  const [sps, otherSps] = units.filter((unit) => typeOf(unit) === types.sps);
  unless(vps !== undefined && otherVps === undefined, "not one VPS");
  unless(sps !== undefined && otherSps === undefined, "not one SPS");
  unless(
    units.some((unit) => typeOf(unit) === types.pps),
    "no PPS",
  );
  const rateOfLayers = readVps(vps);
  const { rate, ...sides } = readSps(sps);
  return {
    name: "hevc",
    ...sides,
    rate: rateOfLayers ?? rate,
    repeatsFrames: false,
    parameterSets: [vps, sps],
    lengthBytes: (box.readUInt8(21) & 3) + 1,
  };
}

function typeOf(unit: Buffer): number {
  return (unit.readUInt8(0) >> 1) & 0x3f;
}

function readUnits(box: Buffer): Buffer[] {
  const units: Buffer[] = [];
  const arrays = box.readUInt8(22);
  unless(arrays <= arraysMax, "many parameter sets");
  let at = 23;
  for (let array = 0; array < arrays; array++) {
    unless(at + 3 <= box.length, "parameters that end early");
    const count = box.readUInt16BE(at + 1);
    at += 3;
    unless(units.length + count <= unitsMax, "many parameter sets");
    for (let unit = 0; unit < count; unit++) {
      unless(at + 2 <= box.length, "parameters that end early");
      const end = at + 2 + box.readUInt16BE(at);
      unless(end <= box.length && end > at + 4, "parameters that end early");
      units.push(box.subarray(at + 2, end));
      at = end;
    }
  }
  return units;
}

/** The rate, if it is stated here. */
function readVps(vps: Buffer): CodecFacts["rate"] {
  const from = readBits(vps.subarray(2));
  const { bits, ue, is } = from;
  bits(6);
  unless(bits(6) === 0, "several layers");
  const layers = bits(3);
  bits(17);
  skipProfile(from, layers);
  skipOrdering(from, layers);
  bits(6);
  unless(ue() === 0, "several layers");
  return is() ? readRate(from) : null;
}

function readRate({ bits }: Bits): CodecFacts["rate"] {
  const [under, over] = [bits(32), bits(32)];
  unless(under > 0 && over > 0, "an unusual frame rate");
  return { over, under };
}

function skipProfile({ bits, is }: Bits, layers: number): void {
  bits(96);
  const has = Array.from({ length: layers }, () => [is(), is()] as const);
  if (layers > 0) bits(2 * (8 - layers));
  for (const [hasProfile, hasLevel] of has) {
    if (hasProfile) bits(88);
    if (hasLevel) bits(8);
  }
}

function skipOrdering({ ue, is }: Bits, layers: number): void {
  const times = is() ? layers + 1 : 1;
  for (let at = 0; at < 3 * times; at++) ue();
}

function readSps(sps: Buffer) {
  const from = readBits(sps.subarray(2));
  const { bits, ue, is } = from;
  bits(4);
  const layers = bits(3);
  bits(1);
  skipProfile(from, layers);
  ue();
  const chroma = chromaSides[ue()];
  unless(chroma !== undefined, "an unusual chroma format");
  const [wide, high] = [ue(), ue()];
  const [left, right, top, bottom] = is() ? [ue(), ue(), ue(), ue()] : [0, 0, 0, 0];
  ue();
  ue(); // bits of luma and chroma
  const orderBits = ue() + 4;
  unless(orderBits <= 16, "an unusual order of frames");
  skipOrdering(from, layers);
  skipTools(from);
  skipReferences(from, orderBits);
  bits(2);
  return {
    width: wide - chroma.wide * (left + right),
    height: high - chroma.high * (top + bottom),
    rate: is() ? readVui(from) : null,
  };
}

/** Sizes of blocks and which tools of the codec are on. */
function skipTools({ bits, ue, is }: Bits): void {
  for (let at = 0; at < 6; at++) ue();
  unless(!is(), "scaling lists");
  bits(2);
  if (!is()) return;
  bits(8);
  ue();
  ue();
  bits(1);
}

function skipReferences(from: Bits, orderBits: number): void {
  const { bits, ue, is } = from;
  const sets = ue();
  unless(sets <= referenceSetsMax, "many reference sets");
  let before = 0;
  for (let set = 0; set < sets; set++)
    before = set > 0 && is() ? skipPredictedSet(from, before) : skipSet(from);
  if (!is()) return;
  const count = ue();
  unless(count <= longReferencesMax, "many references");
  for (let at = 0; at < count; at++) bits(orderBits + 1);
}

function skipSet({ bits, ue }: Bits): number {
  const count = ue() + ue();
  unless(count <= referencesMax, "many references");
  for (let at = 0; at < count; at++) {
    ue();
    bits(1);
  }
  return count;
}

function skipPredictedSet({ bits, ue, is }: Bits, before: number): number {
  bits(1);
  ue();
  let count = 0;
  for (let at = 0; at <= before; at++) if (is() || is()) count++;
  unless(count <= referencesMax, "many references");
  return count;
}

function readVui(from: Bits): CodecFacts["rate"] {
  const { bits, is } = from;
  if (is()) requireSquarePixels(from);
  skipColours(from);
  bits(1);
  unless(!is(), "interlaced");
  bits(1);
  unless(!is(), "a display window");
  return is() ? readRate(from) : null;
}
