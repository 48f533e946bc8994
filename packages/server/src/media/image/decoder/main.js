import { buffer } from "node:stream/consumers";
import { drawLabel } from "./draw-label.js";
import { fitBytes, scaleUp } from "./fit-bytes.js";
import { makePoster } from "./make-poster.js";
import { measure } from "./measure.js";
import { readViews } from "./read-views.js";
import { readXmp } from "./read-xmp.js";

/**
 * The program that opens one image of a stranger. It ends with its result. It is JavaScript, because it
 * starts for every image, and what removes types takes longer to load than everything else here.
 *
 * @import { Answer, Head, Request } from "./protocol.ts"
 */
const request = /** @type {Request} */ (JSON.parse(process.argv[2] ?? ""));
const image = await buffer(process.stdin);
const { head, parts } = await answer().then(
  ({ facts, parts }) => ({ head: { facts, lengths: parts.map(({ length }) => length) }, parts }),
  (error) => ({ head: { fault: messageOf(error) }, parts: [] }),
);
await write(Buffer.from(`${JSON.stringify(/** @satisfies {Head} */ (head))}\n`));
for (const part of parts) await write(part);

/** @returns {Promise<Answer<Request["kind"]>>} */
function answer() {
  switch (request.kind) {
    case "measure":
      return measure(image);
    case "fit":
      return fitBytes(image, request.sizeBytesMax);
    case "scaleUp":
      return scaleUp(image, request.shortSide);
    case "label":
      return drawLabel(image, request.place);
    case "poster":
      return makePoster(image);
    case "xmp":
      return readXmp(image);
    case "views":
      return readViews(image);
  }
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : "unreadable";
}

/**
 * @param {Uint8Array} bytes
 * @returns {Promise<void>}
 */
function write(bytes) {
  return new Promise((resolve) => process.stdout.write(bytes, () => resolve()));
}
