import type {
  ListLedgerChecksAnswer,
  ListVendorAccountsAnswer,
  ReadSystemAnswer,
  VendorAccount,
} from "@zoetrope/sdk/admin";

type ProblemName =
  | "engineAway"
  | "storageAway"
  | "noApi"
  | "noWorker"
  | "loopDead"
  | "overdue"
  | "parked"
  | "ledgerBroken"
  | "ledgerFailed"
  | "noVendor"
  | "vendorSkipped"
  | "vendorPaused"
  | "vendorSpent"
  | "failingCallbacks"
  | "failingEndpoints"
  | "givenUp"
  | "versions";

export interface Problem {
  name: ProblemName;
  tone: "bad" | "warn";
  /** The page on which the problem can be solved. */
  to: string;
  values: Values;
}

/** The values that the sentences name. */
const none = { loop: "", host: "", name: "", versions: "", number: 0 };
type Values = typeof none;

const problem = (
  tone: Problem["tone"],
  name: ProblemName,
  to: string,
  values: Partial<Values> = {},
): Problem => ({ name, tone, to, values: { ...none, ...values } });

/** Returns the problems that need somebody now, the worst first. */
export function findProblems(
  system: ReadSystemAnswer,
  vendors: ListVendorAccountsAnswer | undefined,
  ledger: ListLedgerChecksAnswer | undefined,
): Problem[] {
  const found = [
    ...ofSystem(system),
    ...(vendors === undefined ? [] : ofVendors(vendors.items)),
    ...(ledger === undefined ? [] : ofLedger(ledger)),
  ];
  return found.sort((one, other) => one.tone.localeCompare(other.tone));
}

function ofSystem({ parts, processes, queues }: ReadSystemAnswer): Problem[] {
  const found: Problem[] = [];
  const here = "/operations";
  if (!parts.engine) found.push(problem("bad", "engineAway", here));
  if (!parts.storage) found.push(problem("bad", "storageAway", here));
  const running = processes.filter(({ isRunning }) => isRunning);
  for (const [role, name] of [
    ["api", "noApi"],
    ["worker", "noWorker"],
  ] as const)
    if (!running.some((process) => process.role === role)) found.push(problem("bad", name, here));
  for (const { host, loops } of running)
    for (const loop of loops.filter(({ isAlive }) => !isAlive))
      found.push(problem("bad", "loopDead", here, { loop: loop.name, host }));
  if (queues.overdueTasks > 0)
    found.push(problem("bad", "overdue", "/operations/stuck", { number: queues.overdueTasks }));
  if (queues.parkedRows > 0)
    found.push(problem("bad", "parked", "/operations/stuck", { number: queues.parkedRows }));
  const to = "/operations/deliveries";
  for (const [name, number] of [
    ["failingCallbacks", queues.failingDeliveryAccounts],
    ["failingEndpoints", queues.failingEndpoints],
    ["givenUp", queues.deliveriesGivenUp],
  ] as const)
    if (number > 0) found.push(problem("warn", name, to, { number }));
  const versions = new Set(running.map(({ version }) => version));
  if (versions.size > 1)
    found.push(problem("warn", "versions", here, { versions: [...versions].join(", ") }));
  return found;
}

export function isUsable({ state, skippedUntil, creditsToday, creditsPerDayMax }: VendorAccount) {
  const isSpent = creditsPerDayMax !== null && (creditsToday ?? 0) >= creditsPerDayMax;
  return state === "open" && skippedUntil === null && !isSpent;
}

function ofVendors(accounts: readonly VendorAccount[]): Problem[] {
  const found: Problem[] = [];
  const to = "/operations/vendors";
  const live = accounts.filter(({ isTest }) => !isTest);
  if (live.length > 0 && !live.some(isUsable)) found.push(problem("bad", "noVendor", to));
  for (const account of accounts) {
    const { name, state, skippedUntil, creditsToday, creditsPerDayMax } = account;
    if (state === "paused") found.push(problem("warn", "vendorPaused", to, { name }));
    else if (skippedUntil !== null) found.push(problem("warn", "vendorSkipped", to, { name }));
    if (creditsPerDayMax !== null && (creditsToday ?? 0) >= creditsPerDayMax)
      found.push(problem("warn", "vendorSpent", to, { name }));
  }
  return found;
}

function ofLedger({ items }: ListLedgerChecksAnswer): Problem[] {
  const last = items.find(({ finishedAt }) => finishedAt !== null);
  const to = "/operations/ledger";
  if (last === undefined) return [];
  if (last.failure !== null) return [problem("bad", "ledgerFailed", to)];
  const number = last.breaches?.length ?? 0;
  return number > 0 ? [problem("bad", "ledgerBroken", to, { number })] : [];
}
