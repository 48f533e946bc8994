import assert from "node:assert";
import { createHash, randomBytes } from "node:crypto";

/** A video of any size that is never whole in memory: a small real one, and padding that players skip. */
export interface PaddedVideo {
  readonly name: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  parts(): Generator<Buffer>;
}

const boxHeadBytes = 8;
const blockBytes = 256 * 1024;

/** `video` is an MP4; the padding is a box at its end of the kind that is for nothing (`free`). */
export function padVideo(name: string, video: Buffer, sizeBytes: number): PaddedVideo {
  const paddingBytes = sizeBytes - video.length;
  assert(paddingBytes >= boxHeadBytes && paddingBytes < 2 ** 32, "no box has that size");
  const head = Buffer.alloc(boxHeadBytes);
  head.writeUInt32BE(paddingBytes, 0);
  head.write("free", 4, "latin1");
  const noise = randomBytes(blockBytes);
  function* parts() {
    yield video;
    yield head;
    yield* blocks(noise, paddingBytes - boxHeadBytes);
  }
  return described(name, sizeBytes, parts);
}

export function plainVideo(name: string, video: Buffer): PaddedVideo {
  return described(name, video.length, function* parts() {
    yield video;
  });
}

function described(name: string, sizeBytes: number, parts: PaddedVideo["parts"]): PaddedVideo {
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
