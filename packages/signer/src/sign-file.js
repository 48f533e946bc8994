import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { Builder, CallbackSigner } from "@contentauth/c2pa-node";
import { settingsOf } from "./settings.js";

/**
 * @import { Question, SignRequest, Signed } from "./protocol.ts"
 * @typedef {(kind: Question["ask"], bytes: Uint8Array) => Promise<Buffer>} Ask
 */

const loopback = "127.0.0.1";
const generator = "Zoetrope";
const generated = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia";
const composite =
  "http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia";
/** The actions after `c2pa.opened`. */
const actionsWithParent = {
  created: { action: "c2pa.edited.metadata", digitalSourceType: generated },
  edited: { action: "c2pa.edited", digitalSourceType: composite },
  resized: { action: "c2pa.resized" },
};
/** The size that is reserved for the signature besides its certificates. */
const signatureBytesMax = 1_024;
/** A token has the certificates of the authority in it. */
const timeStampBytesMax = 16_384;

/**
 * Writes a signed copy of the file. A parent that c2pa-rs cannot read is named without its manifest, because
 * a stranger's file may be anything.
 *
 * @param {SignRequest} request
 * @param {Ask} ask
 * @returns {Promise<Signed>}
 */
export async function signFile(request, ask) {
  const { input, outputPath, origin, ignoresParent } = request;
  const signer = await openSigner(request, ask);
  const manifest = `urn:c2pa:${randomUUID()}`;
  /** @param {Signed["parent"]} parent */
  const signWith = async (parent) => {
    const builder = await describe(request, manifest, parent);
    const file = { path: input.path, mimeType: input.contentType };
    await builder.signAsync(signer, file, { path: outputPath });
    return { manifest, parent };
  };
  if (origin.parent === null) return await signWith("none");
  if (ignoresParent) return await signWith("unreadable");
  return await signWith("read").catch(() => signWith("unreadable"));
}

/**
 * @param {SignRequest} request
 * @param {Ask} ask
 */
async function openSigner({ algorithm, chain, isTimeStamped }, ask) {
  return CallbackSigner.newSigner(
    {
      alg: algorithm,
      certs: [Buffer.from(chain)],
      reserveSize: chain.length + signatureBytesMax + (isTimeStamped ? timeStampBytesMax : 0),
      directCoseHandling: false,
      ...(isTimeStamped ? { tsaUrl: await openTimeStamps(ask) } : {}),
    },
    (bytes) => ask("signature", bytes),
  );
}

/**
 * @param {SignRequest} request
 * @param {string} manifest
 * @param {Signed["parent"]} howParent
 */
async function describe({ title, origin, version, chain, isTimeStamped }, manifest, howParent) {
  const builder = Builder.withJson(
    {
      label: manifest,
      claim_generator_info: [{ name: generator, version }],
      title,
      assertions: [],
    },
    settingsOf({ trustAnchors: chain, allowedHosts: isTimeStamped ? [loopback] : [] }),
  );
  const { action, parent } = origin;
  if (parent === null) {
    builder.setIntent({ create: generated });
    return builder;
  }
  builder.setIntent("edit"); // adds c2pa.opened
  const { path, contentType } = parent;
  await builder.addIngredient(
    JSON.stringify({ title: "source", format: contentType, relationship: "parentOf" }),
    howParent === "read" ? { path, mimeType: contentType } : undefined,
  );
  builder.addAction(
    JSON.stringify({ ...actionsWithParent[action], softwareAgent: { name: generator } }),
  );
  return builder;
}

/**
 * c2pa-rs calls a time-stamp authority by its URL alone: it gets one of this process, which asks.
 *
 * @param {Ask} ask
 * @returns {Promise<string>}
 */
function openTimeStamps(ask) {
  const server = createServer(async (request, response) => {
    try {
      const reply = await ask("timeStamp", Buffer.concat(await request.toArray()));
      response.writeHead(200, { "content-type": "application/timestamp-reply" }).end(reply);
    } catch {
      response.writeHead(502).end();
    }
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, loopback, () => {
      const address = server.address();
      if (address === null || typeof address === "string") return reject(new Error("no port"));
      resolve(`http://${loopback}:${address.port}/`);
    });
  });
}
