import { Transform } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const passedBytesMax = 8 * 1024 * 1024;

setFlagsFromString("--expose-gc"); // Node has no other way to it
const collect: unknown = runInNewContext("gc");

let passedBytes = 0;

/**
 * Called for every buffer of a large stream. V8 frees buffers during garbage collection, and a stream
 * allocates so few objects that 64 MB of buffers pile up before one runs. A minor collection takes a
 * millisecond.
 */
export function countPassed(bytes: number): void {
  passedBytes += bytes;
  if (passedBytes < passedBytesMax || typeof collect !== "function") return;
  passedBytes = 0;
  collect({ type: "minor" });
}

/** Returns a step of a pipeline that calls `countPassed` for every buffer. */
export function freeBuffers(): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      countPassed(chunk.length);
      done(null, chunk);
    },
  });
}
