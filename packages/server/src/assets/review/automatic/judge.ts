import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Pixels } from "./read-pixels.ts";
import type { Scores } from "./scores.ts";

/** The models, in a thread that is started by the first image. One image at a time. */
export interface Judge {
  judge(pixels: Pixels): Promise<Scores>;
  close(): Promise<void>;
}

const judgeMsMax = 60_000; // the first one also loads the models
const heapMegabytesMax = 512;

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
    ...{ env: {}, argv: [], execArgv: [] },
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
  });
  worker.on("error", () => {}); // told to whoever asks; without a listener it would end the process
  worker.unref(); // an idle one keeps no process alive
  return worker;
}
