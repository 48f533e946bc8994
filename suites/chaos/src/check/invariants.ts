import { checkCallbacks, checkCallbacksFollowCommit } from "./callbacks.ts";
import { checkEngine } from "./engine.ts";
import type { Check, Evidence, Violation } from "./evidence.ts";
import { checkIdempotency } from "./idempotency.ts";
import { checkCachedSums, checkEntriesBalance, checkNeverNegative } from "./ledger.ts";
import { checkLots } from "./lots.ts";
import { checkObjects } from "./objects.ts";
import { checkHoldsAreOpenTasks, checkOpenTasksLimit } from "./open-tasks.ts";
import { checkProcesses } from "./processes.ts";
import { checkSecrets } from "./secrets.ts";
import { checkSettlements } from "./settlements.ts";
import { checkPolledPaths, checkTasksEndOnce } from "./task-ends.ts";
import { checkTenancy } from "./tenancy.ts";
import { checkUsage } from "./usage.ts";
import { checkVendorJobs } from "./vendor-jobs.ts";

interface Invariant {
  id: string;
  claim: string;
  check: Check;
}

const invariants: Invariant[] = [
  { id: "I1", claim: "ledger entries sum to zero", check: checkEntriesBalance },
  { id: "I2", claim: "cached balances equal their entries", check: checkCachedSums },
  { id: "I3", claim: "nothing was ever negative", check: checkNeverNegative },
  {
    id: "I4",
    claim: "open holds are unfinished tasks, none when idle",
    check: checkHoldsAreOpenTasks,
  },
  { id: "I5", claim: "open tasks never exceeded the limit", check: checkOpenTasksLimit },
  { id: "I6", claim: "every task given to a client ended once", check: checkTasksEndOnce },
  { id: "I7", claim: "charged or given back once, at the right price", check: checkSettlements },
  { id: "I8", claim: "callbacks: 1 to 4 attempts, one id, signed, true", check: checkCallbacks },
  { id: "I9", claim: "no callback before the commit", check: checkCallbacksFollowCommit },
  { id: "I10", claim: "one task per idempotency key", check: checkIdempotency },
  { id: "I11", claim: "at most one vendor job per task, and its own", check: checkVendorJobs },
  { id: "I12", claim: "nobody reads another's task", check: checkTenancy },
  { id: "I13", claim: "referenced objects are there, unchanged", check: checkObjects },
  { id: "I14", claim: "the engine holds nothing for what is over", check: checkEngine },
  { id: "I15", claim: "polling only ever saw steps forward", check: checkPolledPaths },
  { id: "I16", claim: "no secret in logs or the engine's files", check: checkSecrets },
  { id: "I17", claim: "usage equals the ledger", check: checkUsage },
  { id: "I18", claim: "every credit has a lot, and lots add up", check: checkLots },
  { id: "up", claim: "no process ended by itself", check: checkProcesses },
];

export interface Verdict {
  id: string;
  claim: string;
  violations: Violation[];
}

export function judge(evidence: Evidence): Verdict[] {
  return invariants.map(({ id, claim, check }) => ({ id, claim, violations: check(evidence) }));
}

/** Returns the number of violations of these invariants, or of all. */
export function countViolations(verdicts: readonly Verdict[], ...ids: string[]): number {
  return verdicts
    .filter(({ id }) => ids.length === 0 || ids.includes(id))
    .reduce((sum, { violations }) => sum + violations.length, 0);
}
