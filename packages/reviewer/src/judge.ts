import { once } from "node:events";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";

/** Rows of red, green and blue, a byte each. */
export interface Pixels {
  data: Uint8Array;
  width: number;
  height: number;
}

/** The models' certainties, from 0 to 1. */
export interface Scores {
  /** Pornography, photographed or drawn. */
  explicit: number;
  /** The above, or nudity. */
  sexual: number;
  /** A face: the most certain one. */
  face: number;
}

/** The models, in a thread that starts with the first image. One image at a time. */
export interface Judge {
  judge(pixels: Pixels): Promise<Scores>;
  close(): Promise<void>;
}

const judgeMsMax = 60_000; // the first one also loads the models
const heapMegabytesMax = 512;

// A missing dependency fails the import, not the first image.
createRequire(import.meta.url).resolve("@tensorflow/tfjs");

export function createJudge(): Judge {
  let worker: Worker | null = null;

  /** Whatever went wrong, the next image gets a new thread. */
  const stop = async () => {
    const stopped = worker;
    worker = null;
    await stopped?.terminate();
  };

  return {
    async judge(pixels) {
      worker ??= startWorker();
      const answered = new AbortController();
      const signal = AbortSignal.any([answered.signal, AbortSignal.timeout(judgeMsMax)]);
      try {
        const ended = once(worker, "exit", { signal }).then(() => {
          throw new Error("the classifier thread has ended");
        });
        const answer = once(worker, "message", { signal }); // or its error
        worker.postMessage(pixels);
        const [scores]: Scores[] = await Promise.race([answer, ended]);
        if (scores === undefined) throw new Error("the classifier returned no scores");
        return scores;
      } catch (error) {
        await stop();
        throw error;
      } finally {
        answered.abort();
      }
    },
    close: stop,
  };
}

function startWorker(): Worker {
  const worker = new Worker(new URL("./judge-worker.ts", import.meta.url), {
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
  });
  worker.on("error", () => {}); // reported by `judge`; without a listener it would end the process
  worker.unref(); // an idle one keeps no process alive
  return worker;
}
