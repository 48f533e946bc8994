import { ask, readRequest, write } from "./dialogue.js";
import { readManifest } from "./read-manifest.js";
import { signFile } from "./sign-file.js";

/**
 * The program that signs or reads one file and ends. It has no keys and needs no network: whoever started it
 * signs the bytes and calls the time-stamp authority. It is JavaScript, because it starts for every file,
 * and removing types takes time.
 *
 * @import { Outcome, Request } from "./protocol.ts"
 */
await write(await run(await readRequest()).catch((error) => ({ fault: messageOf(error) })));
process.exit(0); // a signer with a callback keeps Node alive

/**
 * @param {Request} request
 * @returns {Promise<Outcome>}
 */
async function run(request) {
  if (request.operation === "read") return { read: await readManifest(request) };
  return { signed: await signFile(request, ask) };
}

/** @param {unknown} error */
function messageOf(error) {
  return (error instanceof Error ? error.message : String(error)).slice(0, 1_000);
}
