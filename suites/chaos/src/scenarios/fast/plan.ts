import type { AccountPlan } from "@zoetrope/dev/open-accounts.ts";
import { priceOf } from "../../check/prices.ts";
import type { TaskRequest } from "../../kit/clients/task-request.ts";
import { createRandom, type Random } from "../../kit/random.ts";
import { promptMark } from "../../kit/secrets.ts";

/** Longer than the least that an upscale costs, so that its hold is raised. */
export const clipSeconds = 7;

/** Which account requests what, when, and how its receiver behaves. */
export interface ClientPlan {
  account: AccountPlan;
  startMs: number;
  requests: TaskRequest[];
  /** The credits that an operator takes away from the account; 0: none. */
  correctedBy: number;
}

/**
 * The vendor's treatment of the requests, besides those placed below. Most are plain. Few videos
 * are shared by many: rendering them costs more than all else.
 */
const deck: readonly { directives: string; count: number }[] = [
  { directives: "", count: 211 },
  { directives: "[sandbox:fail]", count: 6 },
  { directives: "[sandbox:refuse=InputTextSensitiveContentDetected]", count: 8 },
  { directives: "[sandbox:reset]", count: 8 },
  { directives: "[sandbox:duplicate]", count: 8 },
  { directives: "[sandbox:late]", count: 7 },
  { directives: "[sandbox:silent]", count: 6 },
  { directives: "[sandbox:500][sandbox:badvideo]", count: 5 },
  { directives: "[sandbox:timeout][sandbox:badvideo]", count: 4 },
  { directives: "[sandbox:garbage][sandbox:badvideo]", count: 4 },
  { directives: "[sandbox:throttle=2][sandbox:badvideo]", count: 4 }, // the first two of the four
  { directives: "[sandbox:throttle=1][sandbox:fail]", count: 3 },
  { directives: "[sandbox:badvideo]", count: 3 },
  { directives: "[sandbox:deadlink]", count: 2 },
];

/**
 * Requests whose position matters. Most keep a task of their account open for long, so an account
 * has one at most, beside others that end soon; and a lost response is hard to explain only where
 * the same account has other jobs.
 */
const placed: readonly { account: number; request: number; directives: string }[] = [
  { account: 10, request: 0, directives: "[sandbox:hang]" },
  { account: 11, request: 0, directives: "[sandbox:hang]" },
  { account: 12, request: 1, directives: "[sandbox:lost]" },
  { account: 13, request: 1, directives: "[sandbox:lost]" },
  { account: 14, request: 1, directives: "[sandbox:reset][sandbox:silent]" },
  { account: 15, request: 1, directives: "[sandbox:reset][sandbox:silent]" },
  { account: 16, request: 0, directives: "[sandbox:fail]" },
  { account: 17, request: 0, directives: "[sandbox:fail]" },
  { account: 0, request: 1, directives: "[sandbox:lost]" },
  { account: 1, request: 1, directives: "[sandbox:reset][sandbox:silent]" },
  { account: 2, request: 1, directives: "[sandbox:reset][sandbox:silent]" },
];

/** Accounts that upscale as well: a source that is there, and one that is not. */
const upscales: readonly { accounts: readonly number[]; path: string; seconds: number }[] = [
  { accounts: [20, 21, 22, 23, 24, 25], path: "", seconds: clipSeconds },
  { accounts: [26, 27], path: "/gone", seconds: clipSeconds },
];
/** Accounts that an operator corrects meanwhile: down by their additional credits, and back. */
const correctedAccounts = [30, 31, 32] as const;
const correctedBy = 50;

/** 10 accounts with more requests than they may have open tasks, 80 with few, 10 that cannot pay for all. */
const accountsMax = 100;
const openTasksMax = 3;
const startMsMax = 20_000;
const requestsOf = (account: number) =>
  account < 10 ? 6 : account < 20 ? 2 : account < 90 ? 3 : 1;
const isPoor = (account: number) => account >= 90;
const unaffordableEach = 2;
const poorCredits = 30; // one task of 24, never one of 90

/** `clipUrl`: a video of `clipSeconds`. */
export function planFast(seed: number, clipUrl: string): ClientPlan[] {
  const random = createRandom(seed);
  const shuffled = random.shuffle(
    deck.flatMap(({ directives, count }) => Array(count).fill(directives)),
  );
  let number = 0;
  return Array.from({ length: accountsMax }, (_, account) => {
    const requests = Array.from({ length: requestsOf(account) }, (_, index): TaskRequest => {
      const fixed = placed.find((spot) => spot.account === account && spot.request === index);
      const directives = isPoor(account) ? "" : (fixed?.directives ?? shuffled.pop() ?? "");
      const request = planRequest(random, `chaos-${seed}-${number++}`, directives);
      return isPoor(account) ? { ...request, outputResolution: "720p" } : request;
    });
    for (const { accounts, path, seconds } of upscales)
      if (accounts.includes(account))
        requests.push({
          ...planRequest(random, `chaos-${seed}-upscale-${account}`, ""),
          sourceUrl: clipUrl + path,
          outputResolution: "1080p",
          seconds,
        });
    const schedule = isPoor(account) ? null : random.next() < 0.2 ? "B" : null;
    const price = requests.reduce((sum, request) => sum + priceIn(request, schedule ?? "A"), 0);
    if (isPoor(account)) requests.push(...unaffordable(random, `chaos-${seed}-poor-${account}`));
    if (account === 16 || account === 17) alwaysFail(requests[0]);
    const isEarly = account < 18;
    return {
      account: {
        name: `chaos ${account}`,
        credits: isPoor(account) ? poorCredits : price + moreOf(account), // exactly what its requests cost
        openTasksMax,
        schedule,
      },
      correctedBy: moreOf(account),
      startMs: isEarly ? random.below(1_000) : random.below(startMsMax),
      requests,
    };
  });
}

export function planRequest(random: Random, key: string, directives: string): TaskRequest {
  const isUnique = directives.includes("throttle=1"); // the vendor counts throttles by prompt
  const isLarge = directives === "" && random.next() < 0.05;
  const isTrench = directives === "" && !isLarge && random.next() < 0.5;
  const image = isUnique ? key : isTrench ? "trench" : "reef";
  const chance = random.next();
  const behaviour = chance < 0.68 ? "well" : chance < 0.78 ? "500-first" : "drop-first";
  return {
    key,
    sourceUrl: null,
    prompt: `A ${promptMark} above the ${image} ${directives}`.trim(),
    directives,
    outputResolution: isLarge ? "1080p" : "720p",
    seconds: 4,
    behaviour: chance < 0.82 ? behaviour : null,
    isSentTwice: random.next() < 0.1,
    isAffordable: true,
  };
}

function unaffordable(random: Random, key: string): TaskRequest[] {
  return Array.from({ length: unaffordableEach }, (_, index) => ({
    ...planRequest(random, `${key}-${index}`, ""),
    outputResolution: "720p",
    seconds: 15,
    isAffordable: false,
  }));
}

/** Uses up all four attempts: on a task that ends early, since the last comes 36 s after the first. */
function alwaysFail(request: TaskRequest | undefined): void {
  if (request !== undefined) request.behaviour = "500-always";
}

function moreOf(account: number): number {
  return correctedAccounts.some((one) => one === account) ? correctedBy : 0;
}

function priceIn(request: TaskRequest, schedule: "A" | "B"): number {
  const { outputResolution, seconds, sourceUrl } = request;
  const model = sourceUrl === null ? "sd2" : "upscale";
  return priceOf({ model, outputResolution, seconds }, schedule) ?? 0;
}
