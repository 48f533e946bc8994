import { freePorts } from "@zoetrope/dev/services/ports.ts";
import type { Behaviour } from "../../check/deliveries.ts";
import type { Random } from "../../kit/random.ts";
import { startReceiver } from "../../kit/receiver/start-receiver.ts";

/**
 * The number of ports of each kind. For the service each port is a host; those that hang hold many
 * attempts at once.
 */
const portCounts = { well: 8, "500-always": 2, hang: 8, refuse: 4 } as const;
/** The numbers of receivers of each behaviour in a hundred callbacks. */
const shares: readonly [Behaviour, number][] = [
  ["well", 70],
  ["500-always", 10],
  ["hang", 10],
  ["refuse", 10],
];

export interface Receivers extends AsyncDisposable {
  readonly urls: Readonly<Record<Behaviour, readonly string[]>>;
  readonly logs: readonly string[];
  readonly logOfHealthy: string;
}

/**
 * Starts customers' servers: two processes that take callbacks, one that never responds, and closed
 * ports.
 */
export async function startReceivers(dir: string): Promise<Receivers> {
  await using started = new AsyncDisposableStack();
  const start = async (name: "well" | "500-always" | "hang") =>
    started.use(
      await startReceiver(dir, { name: `receiver-${name}`, portCount: portCounts[name] }),
    );
  const [well, failing, hanging] = [
    await start("well"),
    await start("500-always"),
    await start("hang"),
  ];
  const closed = await freePorts(portCounts.refuse);
  const everything = started.move();
  return {
    urls: {
      well: well.urls,
      "500-always": failing.urls,
      hang: hanging.urls,
      refuse: closed.map((port) => `http://127.0.0.1:${port}`),
    },
    logs: [well, failing, hanging].map(({ requestLog }) => requestLog),
    logOfHealthy: well.requestLog,
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}

/** A kind of receiver by its share, and one of its ports. */
export function pickBehaviour(random: Random): Behaviour {
  let place = random.below(100);
  for (const [behaviour, share] of shares) {
    if (place < share) return behaviour;
    place -= share;
  }
  return "well";
}

/** Returns a separate callback URL for every task, by which the logs are matched. */
export function callbackUrl(
  { urls }: Receivers,
  behaviour: Behaviour,
  number: number,
  random: Random,
): string {
  const ports = urls[behaviour];
  return `${ports[random.below(ports.length)]}/hooks/${behaviour}/${number}`;
}
