import assert from "node:assert";
import { createHash, randomBytes } from "node:crypto";

/** A film of any size that is never whole in memory: a small real one, and padding that players skip. */
export interface PaddedFilm {
  readonly name: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  parts(): Generator<Buffer>;
}

const boxHeadBytes = 8;
const blockBytes = 256 * 1024;

/** `film` is an MP4; the padding is a box at its end of the kind that is for nothing (`free`). */
export function padFilm(name: string, film: Buffer, sizeBytes: number): PaddedFilm {
  const paddingBytes = sizeBytes - film.length;
  assert(paddingBytes >= boxHeadBytes && paddingBytes < 2 ** 32, "no box has that size");
  const head = Buffer.alloc(boxHeadBytes);
  head.writeUInt32BE(paddingBytes, 0);
  head.write("free", 4, "latin1");
  const noise = randomBytes(blockBytes);
  function* parts() {
    yield film;
    yield head;
    yield* blocks(noise, paddingBytes - boxHeadBytes);
  }
  return described(name, sizeBytes, parts);
}

export function plainFilm(name: string, film: Buffer): PaddedFilm {
  return described(name, film.length, function* parts() {
    yield film;
  });
}

function described(name: string, sizeBytes: number, parts: PaddedFilm["parts"]): PaddedFilm {
  const hash = createHash("sha256");
  for (const part of parts()) hash.update(part);
  return { name, sizeBytes, sha256: hash.digest("hex"), parts };
}

/** Each block begins with its number: none can stand for another. */
function* blocks(noise: Buffer, bytes: number): Generator<Buffer> {
  for (let at = 0; at < bytes; at += blockBytes) {
    const block = Buffer.from(noise);
    block.writeUInt32BE(at / blockBytes, 0);
    yield block.subarray(0, Math.min(blockBytes, bytes - at));
  }
}
