import { setTimeout as pause } from "node:timers/promises";
import type { OpenedAccount } from "@zoetrope/dev/open-accounts.ts";
import { runClient, type SentTask, type Shared } from "../../kit/clients/run-client.ts";
import type { TaskRequest } from "../../kit/clients/task-request.ts";
import { promptMark } from "../../kit/secrets.ts";

const sentTwiceEvery = 10;
/** The others fail at the vendor: storing a video costs more than all else. */
const videoEvery = 3;

export interface Load {
  /** Requests of all accounts together. */
  readonly perSecond: number;
  /** The minimum number of tasks; more are sent until `stop`. */
  readonly tasksMin: number;
  readonly stop: AbortSignal;
}

/** Each account sends a request, repeats it under its key until it is accepted, and after a while the next. */
export async function runLoad(
  shared: Shared,
  accounts: readonly OpenedAccount[],
  load: Load,
): Promise<SentTask[]> {
  let number = 0;
  const everyMs = (1_000 * accounts.length) / load.perSecond;
  async function* requests(): AsyncGenerator<TaskRequest> {
    await pause(everyMs * Math.random());
    while (!load.stop.aborted || number < load.tasksMin) {
      yield requestOf(number++);
      await pause(everyMs * (0.5 + Math.random()));
    }
  }
  const clients = accounts.map((account) => runClient(shared, account, requests()));
  return (await Promise.all(clients)).flat();
}

function requestOf(number: number): TaskRequest {
  const directives = number % videoEvery === 0 ? "" : "[sandbox:fail]";
  const prompt = `A ${promptMark} above the reef ${directives}`.trim();
  return {
    key: `failover-${number}`,
    sourceUrl: null,
    prompt,
    directives,
    outputResolution: "720p",
    seconds: 4,
    behaviour: "well",
    isAffordable: true,
    isSentTwice: number % sentTwiceEvery === 0,
  };
}
