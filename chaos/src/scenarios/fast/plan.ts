import type { AccountPlan } from "@zoetrope/testkit/open-accounts.ts";
import { priceOf } from "../../check/prices.ts";
import { createRandom, type Random } from "../../kit/random.ts";

/** Which account requests what, when, and how its receiver behaves. */
export interface ClientPlan {
  account: AccountPlan;
  startMs: number;
  orders: Order[];
}

export interface Order {
  /** Its idempotency key. */
  key: string;
  prompt: string;
  /** The sandbox directives in the prompt: what the vendor does with it. */
  directives: string;
  outputResolution: "720p" | "1080p";
  seconds: number;
  behaviour: "well" | "500-first" | "drop-first" | "500-always" | null;
  /** Sent twice at the same time, under the one key. */
  isSentTwice: boolean;
  /** False for what the account cannot pay: to be refused with 402. */
  isAffordable: boolean;
}

/** In every prompt, so that prompts can be recognised where they must not be. */
export const promptMark = "lanternfish";

/**
 * What the vendor does with the orders, besides those placed below. Most are plain. Few videos are
 * shared by many: rendering them costs more than all else.
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
 * Orders whose place matters. Most hold a slot of their account for long, so an account has one at
 * most, beside others that end soon; and a lost answer is hard to explain only where the same account
 * has other jobs.
 */
const placed: readonly { account: number; order: number; directives: string }[] = [
  { account: 10, order: 0, directives: "[sandbox:hang]" },
  { account: 11, order: 0, directives: "[sandbox:hang]" },
  { account: 12, order: 1, directives: "[sandbox:lost]" },
  { account: 13, order: 1, directives: "[sandbox:lost]" },
  { account: 14, order: 1, directives: "[sandbox:reset][sandbox:silent]" },
  { account: 15, order: 1, directives: "[sandbox:reset][sandbox:silent]" },
  { account: 16, order: 0, directives: "[sandbox:fail]" },
  { account: 17, order: 0, directives: "[sandbox:fail]" },
  { account: 0, order: 1, directives: "[sandbox:lost]" },
  { account: 1, order: 1, directives: "[sandbox:reset][sandbox:silent]" },
  { account: 2, order: 1, directives: "[sandbox:reset][sandbox:silent]" },
];

/** 10 accounts with more orders than they may have open, 80 with few, 10 that cannot pay for all. */
const accountsMax = 100;
const openTasksMax = 3;
const startMsMax = 20_000;
const ordersOf = (account: number) => (account < 10 ? 6 : account < 20 ? 2 : account < 90 ? 3 : 1);
const isPoor = (account: number) => account >= 90;
const unaffordableEach = 2;
const poorCredits = 30; // one order of 24, never one of 90

export function planFast(seed: number): ClientPlan[] {
  const random = createRandom(seed);
  const shuffled = random.shuffle(
    deck.flatMap(({ directives, count }) => Array(count).fill(directives)),
  );
  let number = 0;
  return Array.from({ length: accountsMax }, (_, account) => {
    const orders = Array.from({ length: ordersOf(account) }, (_, place): Order => {
      const fixed = placed.find((spot) => spot.account === account && spot.order === place);
      const directives = isPoor(account) ? "" : (fixed?.directives ?? shuffled.pop() ?? "");
      const order = planOrder(random, `chaos-${seed}-${number++}`, directives);
      return isPoor(account) ? { ...order, outputResolution: "720p" } : order;
    });
    const schedule = isPoor(account) ? null : random.next() < 0.2 ? "B" : null;
    const price = orders.reduce((sum, order) => sum + priceIn(order, schedule ?? "A"), 0);
    if (isPoor(account)) orders.push(...unaffordable(random, `chaos-${seed}-poor-${account}`));
    if (account === 16 || account === 17) alwaysFail(orders[0]);
    const isEarly = account < 18;
    return {
      account: {
        name: `chaos ${account}`,
        credits: isPoor(account) ? poorCredits : price, // exactly what its orders cost
        openTasksMax,
        schedule,
      },
      startMs: isEarly ? random.below(1_000) : random.below(startMsMax),
      orders,
    };
  });
}

function planOrder(random: Random, key: string, directives: string): Order {
  const isUnique = directives.includes("throttle=1"); // the vendor counts throttles by prompt
  const isLarge = directives === "" && random.next() < 0.05;
  const isTrench = directives === "" && !isLarge && random.next() < 0.5;
  const image = isUnique ? key : isTrench ? "trench" : "reef";
  const chance = random.next();
  const behaviour = chance < 0.68 ? "well" : chance < 0.78 ? "500-first" : "drop-first";
  return {
    key,
    prompt: `A ${promptMark} above the ${image} ${directives}`.trim(),
    directives,
    outputResolution: isLarge ? "1080p" : "720p",
    seconds: 4,
    behaviour: chance < 0.82 ? behaviour : null,
    isSentTwice: random.next() < 0.1,
    isAffordable: true,
  };
}

function unaffordable(random: Random, key: string): Order[] {
  return Array.from({ length: unaffordableEach }, (_, index) => ({
    ...planOrder(random, `${key}-${index}`, ""),
    outputResolution: "720p",
    seconds: 15,
    isAffordable: false,
  }));
}

/** Uses up all four attempts: on a task that ends early, since the last comes 36 s after the first. */
function alwaysFail(order: Order | undefined): void {
  if (order !== undefined) order.behaviour = "500-always";
}

function priceIn(order: Order, schedule: "A" | "B"): number {
  const { outputResolution, seconds } = order;
  return priceOf({ model: "sd2", outputResolution, seconds }, schedule) ?? 0;
}
