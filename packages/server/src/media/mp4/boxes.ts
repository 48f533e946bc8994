import { printable } from "./file-boxes.ts";
import { unless } from "./unusual.ts";

/** Boxes that have no part in what is measured. */
const skipped: readonly string[] = ["free", "skip"];
const boxesMax = 64;

/**
 * The boxes directly in a part of the index. Each is of a known name and occurs once (`many`: more than
 * once): what is not known may change what is shown.
 */
export function boxesIn<Name extends string>(
  bytes: Buffer,
  names: readonly Name[],
  many?: Name,
): Map<Name, Buffer[]> {
  const found = new Map<Name, Buffer[]>();
  let boxes = 0;
  for (let at = 0; at < bytes.length; ) {
    unless(++boxes <= boxesMax, "many boxes");
    unless(at + 8 <= bytes.length, "it ends inside a box");
    const size = bytes.readUInt32BE(at);
    unless(size >= 8 && at + size <= bytes.length, "a box of an unusual size");
    const text = bytes.toString("latin1", at + 4, at + 8);
    const inside = bytes.subarray(at + 8, at + size);
    at += size;
    if (skipped.includes(text)) continue;
    const name = names.find((known) => known === text);
    unless(name !== undefined, `a box ${printable(text)}`);
    const before = found.get(name) ?? [];
    unless(before.length === 0 || name === many, `more than one ${name}`);
    found.set(name, [...before, inside]);
  }
  return found;
}

export function required<Name extends string>(boxes: Map<Name, Buffer[]>, name: Name): Buffer {
  const [box] = boxes.get(name) ?? [];
  unless(box !== undefined, `no ${name}`);
  return box;
}

/** A box whose body has one length per version; gives the version. */
export function versionOf(box: Buffer, lengths: readonly [v0: number, v1: number]): 0 | 1 {
  const version = box.length > 0 ? box.readUInt8(0) : 2;
  unless(version < 2 && box.length === lengths[version], "a header of an unusual size");
  return version === 0 ? 0 : 1;
}

/** A table of entries of one size, after its flags and its count. */
export function tableIn(box: Buffer, entryBytes: number): { count: number; entries: Buffer } {
  unless(box.length >= 8, "a table without a size");
  const count = box.readUInt32BE(4);
  unless(box.length === 8 + count * entryBytes, "a table of an unusual size");
  return { count, entries: box.subarray(8) };
}

/** An unsigned number of 64 bits that is exact. */
export function readLong(box: Buffer, at: number): number {
  const value = Number(box.readBigUInt64BE(at));
  unless(Number.isSafeInteger(value), "a number that is too large");
  return value;
}
