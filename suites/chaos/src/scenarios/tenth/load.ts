import { setTimeout as pause } from "node:timers/promises";
import type { OpenedAccount } from "@zoetrope/dev/open-accounts.ts";
import { runClient, type SentTask, type Shared } from "../../kit/clients/run-client.ts";
import type { TaskRequest } from "../../kit/clients/task-request.ts";
import { promptMark } from "../../kit/secrets.ts";

/** The vendor's treatment of the requests that are sent now. */
export interface Mood {
  vendor: "well" | "slow" | "lies";
}

export interface Load {
  readonly tasks: number;
  readonly perSecond: number;
  readonly seed: number;
  /** A video of `clipSeconds`. */
  readonly clipUrl: string;
}

const sentTwiceEvery = 10;
/** The others fail at the vendor: storing a video costs more than all else. */
const videoEvery = 50;
/** Upscales of a clip, which is longer than the least that an upscale costs. */
const upscaleEvery = 200;
export const clipSeconds = 7;
/** More are not sent: what waits would only wait longer. */
const openMax = 1_000;

const slowness = "[sandbox:slow=8][sandbox:fail]";
const lies = [
  "[sandbox:500][sandbox:badvideo]",
  "[sandbox:reset]",
  "[sandbox:timeout][sandbox:badvideo]",
  "[sandbox:garbage][sandbox:badvideo]",
  "[sandbox:throttle=1][sandbox:fail]",
  "[sandbox:duplicate]",
  "[sandbox:late]",
  "[sandbox:silent]",
  "[sandbox:lost]",
  "[sandbox:deadlink]",
  "[sandbox:refuse=InputTextSensitiveContentDetected]",
];
const behaviours = ["well", "well", "well", "500-first", "drop-first", null] as const;

/** Each account sends a request, repeats it under its key until it is accepted, and after a while the next. */
export async function runLoad(
  shared: Shared,
  accounts: readonly OpenedAccount[],
  load: Load,
  mood: Mood,
): Promise<SentTask[]> {
  let number = 0;
  const everyMs = (1_000 * accounts.length) / load.perSecond;
  const isFull = () => shared.tally.accepted - shared.tally.ended >= openMax;
  async function* requests(): AsyncGenerator<TaskRequest> {
    await pause(everyMs * Math.random());
    while (number < load.tasks) {
      if (!isFull()) yield requestOf(load, number++, mood);
      await pause(everyMs * (0.5 + Math.random()));
    }
  }
  const clients = accounts.map((account) => runClient(shared, account, requests()));
  return (await Promise.all(clients)).flat();
}

function requestOf({ seed, clipUrl }: Load, number: number, { vendor }: Mood): TaskRequest {
  const usual = number % videoEvery === 0 ? "" : "[sandbox:fail]";
  const directives =
    vendor === "well" ? usual : vendor === "slow" ? slowness : (lies[number % lies.length] ?? "");
  // The vendor counts throttles by prompt.
  const place = directives.includes("throttle") ? `wreck ${number}` : "reef";
  const prompt = `A ${promptMark} above the ${place} ${directives}`.trim();
  const isUpscale = number % upscaleEvery === upscaleEvery - 1;
  return {
    key: `full-${seed}-${number}`,
    prompt,
    directives: isUpscale ? "" : directives,
    ...(isUpscale
      ? { sourceUrl: clipUrl, outputResolution: "1080p", seconds: clipSeconds }
      : { sourceUrl: null, outputResolution: "720p", seconds: 4 }),
    isAffordable: true,
    behaviour: behaviours[number % behaviours.length] ?? null,
    isSentTwice: number % sentTwiceEvery === 0,
  };
}
