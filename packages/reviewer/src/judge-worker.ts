import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parentPort } from "node:worker_threads";
import * as tf from "@tensorflow/tfjs";
import { setThreadsCount, setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
import { load } from "nsfwjs/core";
import { MobileNetV2MidModel } from "nsfwjs/models/mobilenet_v2_mid";
import type { Pixels, Scores } from "./judge.ts";

// A thread of its own: an image keeps it busy for a third of a second. It judges one at a time.

const facesMax = 5;
const faceScoreMin = 0.1;

const packages = createRequire(import.meta.url);
const wasmDir = `${dirname(packages.resolve("@tensorflow/tfjs-backend-wasm/package.json"))}/dist/`;
const humanDir = dirname(dirname(packages.resolve("@vladmandic/human")));

// The weights lie in packages. Whatever is asked for here is a local file: any other URL throws.
globalThis.fetch = async (url) => new Response(await readFile(new URL(String(url))));

// The packages' greetings do not belong into our log. (Worker's own `stdout: true` would keep the
// process alive.) What goes wrong is thrown.
Object.assign(console, { log() {}, info() {}, warn() {} });

setWasmPaths(wasmDir);
setThreadsCount(1);
tf.enableProdMode();
await tf.setBackend("wasm");
const classifier = await load("MobileNetV2Mid", { modelDefinitions: [MobileNetV2MidModel] });
const faces = await openFaceDetector();

parentPort?.on("message", async (pixels: Pixels) => parentPort?.postMessage(await judge(pixels)));

async function judge({ data, width, height }: Pixels): Promise<Scores> {
  const image = tf.tensor3d(data, [height, width, 3], "int32");
  try {
    const classes = await classifier.classify(image);
    const likely = (name: string) =>
      classes.find(({ className }) => className === name)?.probability ?? 0;
    const explicit = likely("Porn") + likely("Hentai");
    return { explicit, sexual: explicit + likely("Sexy"), face: await bestFace(image) };
  } finally {
    image.dispose();
  }
}

/** The detector misses faces that lie or stand on their head: it sees the image in all four turns. */
async function bestFace(image: tf.Tensor3D): Promise<number> {
  const lying = tf.transpose(image, [1, 0, 2]);
  const turns = [image, tf.reverse(image, [0, 1]), tf.reverse(lying, 0), tf.reverse(lying, 1)];
  try {
    let best = 0;
    for (const turn of turns) {
      const { face, error } = await faces.detect(turn);
      if (error !== null && error !== undefined) throw new Error(error);
      best = Math.max(best, ...face.map(({ boxScore }) => boxScore));
    }
    return best;
  } finally {
    tf.dispose([lying, ...turns.slice(1)]);
  }
}

/**
 * Opens the detector alone of the package's many models, from its build for wasm, which is not
 * among its exports.
 */
async function openFaceDetector() {
  const bundle: typeof import("@vladmandic/human") = packages(
    join(humanDir, "dist/human.node-wasm.js"),
  );
  const off = { enabled: false };
  const human = new bundle.Human({
    backend: "wasm",
    wasmPath: wasmDir,
    debug: false,
    async: false,
    warmup: "none",
    modelBasePath: pathToFileURL(`${humanDir}/models/`).href,
    cacheModels: false,
    cacheSensitivity: 0, // an image has nothing to do with the one before it
    filter: off,
    gesture: off,
    body: off,
    hand: off,
    object: off,
    segmentation: off,
    face: {
      enabled: true,
      detector: { maxDetected: facesMax, minConfidence: faceScoreMin, rotation: false },
      mesh: off,
      attention: off,
      iris: off,
      description: off,
      emotion: off,
      antispoof: off,
      liveness: off,
    },
  });
  await human.load();
  return human;
}
