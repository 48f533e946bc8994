import type { ArkJob } from "../vendors/ark/ark-job.ts";
import { describeJob } from "../vendors/ark/describe-job.ts";
import { isOpen } from "./job.ts";
import type { Journal } from "./journal.ts";
import type { Reach } from "./reach.ts";
import type { Schedule } from "./schedule.ts";

const answerMsMax = 5_000;
const resendsMax = 3;
const inFlightMax = 256;
const duplicateCopies = 3;
const lateMs = 2_000;

export interface Callbacks {
  /** Sends the job's present state to its callback URL, as its script says. Never throws. */
  announce(job: ArkJob): void;
  /** One more, whatever the script says; false when the job has no callback URL. */
  repeat(job: ArkJob): boolean;
  stats(): { sent: number; acknowledged: number; waiting: number };
  stop(): void;
}

interface Letter {
  jobId: string;
  url: string;
  status: string;
  body: string;
  attempt: number;
  attemptsMax: number;
}

interface Parts {
  schedule: Schedule;
  journal: Journal;
  retryMs: number;
  mayReach: Reach;
}

/** Sends callbacks like the vendor: no signature, in no guaranteed order, ends sent again until a 2xx. */
export function openCallbacks({ schedule, journal, retryMs, mayReach }: Parts): Callbacks {
  const waiting: Letter[] = [];
  const stopping = new AbortController();
  let [sent, acknowledged, inFlight] = [0, 0, 0];

  function post(letter: Letter) {
    waiting.push(letter);
    if (inFlight >= inFlightMax) return;
    inFlight++;
    void sendWaiting();
  }

  async function sendWaiting() {
    for (let letter = waiting.shift(); letter; letter = waiting.shift()) await send(letter);
    inFlight--;
  }

  async function send(letter: Letter) {
    sent++;
    const { answered, error } = mayReach(letter.url)
      ? await deliver(letter, stopping.signal)
      : { answered: null, error: "not an address of the service" };
    const { jobId, status, url: callbackUrl, attempt } = letter;
    journal.write({ event: "callback", jobId, status, callbackUrl, attempt, answered, error });
    if (answered !== null && answered >= 200 && answered < 300) acknowledged++;
    else if (attempt < letter.attemptsMax) {
      schedule.after(retryMs, () => post({ ...letter, attempt: attempt + 1 }));
    }
  }

  function write(job: ArkJob): Letter | undefined {
    const url = job.request.callbackUrl;
    if (url === undefined) return undefined;
    const resent = job.status === "succeeded" || job.status === "failed";
    const body = JSON.stringify(describeJob(job));
    const attemptsMax = resent ? 1 + resendsMax : 1;
    return { jobId: job.id, url, status: job.status, body, attempt: 1, attemptsMax };
  }

  return {
    announce(job) {
      const style = job.script.callbacks;
      const letter = style === "silent" ? undefined : write(job);
      if (!letter) return;
      const copies = style === "duplicate" ? duplicateCopies : 1;
      for (let copy = 0; copy < copies; copy++) post(letter);
      if (style !== "late" || isOpen(job)) return;
      const stale = write({ ...job, status: "running", error: null });
      schedule.after(lateMs, () => {
        post(letter);
        if (stale) post(stale);
      });
    },
    repeat(job) {
      const letter = write(job);
      if (letter) post({ ...letter, attemptsMax: 1 });
      return letter !== undefined;
    },
    stats: () => ({ sent, acknowledged, waiting: waiting.length }),
    stop() {
      waiting.length = 0;
      stopping.abort();
    },
  };
}

async function deliver(letter: Letter, stopping: AbortSignal) {
  try {
    const response = await fetch(letter.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: letter.body,
      redirect: "manual",
      signal: AbortSignal.any([stopping, AbortSignal.timeout(answerMsMax)]),
    });
    await response.arrayBuffer(); // read to its end, so that the connection can serve the next one
    return { answered: response.status, error: null };
  } catch (error) {
    return { answered: null, error: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
