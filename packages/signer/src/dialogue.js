import { createInterface } from "node:readline";

/** @import { Answer, Outcome, Question, Request } from "./protocol.ts" */

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
/** @type {Promise<unknown>} */
let last = Promise.resolve();

/** @returns {Promise<Request>} */
export async function readRequest() {
  return JSON.parse(await readLine());
}

/**
 * Asks one question at a time.
 *
 * @param {Question["ask"]} kind
 * @param {Uint8Array} bytes
 * @returns {Promise<Buffer>}
 */
export function ask(kind, bytes) {
  const answered = last.then(async () => {
    await write({ ask: kind, bytes: Buffer.from(bytes).toString("base64") });
    const answer = /** @type {Answer} */ (JSON.parse(await readLine()));
    return Buffer.from(answer.bytes, "base64");
  });
  last = answered.catch(() => {});
  return answered;
}

/**
 * @param {Question | Outcome} line
 * @returns {Promise<void>}
 */
export function write(line) {
  return new Promise((resolve) =>
    process.stdout.write(`${JSON.stringify(line)}\n`, () => resolve()),
  );
}

/** @returns {Promise<string>} */
async function readLine() {
  const { done, value } = await lines.next();
  if (done) throw new Error("stdin ended before an answer");
  return value;
}
