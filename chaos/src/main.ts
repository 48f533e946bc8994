import { randomInt } from "node:crypto";
import { runFast } from "./fast/run-fast.ts";
import { runMedia } from "./media/run-media.ts";
import { runPolling } from "./polling/run-polling.ts";
import { runSsrf } from "./ssrf/run-ssrf.ts";
import { runVendors } from "./vendors/run-vendors.ts";
import { runWaiting } from "./waiting/run-waiting.ts";

const usage = `Usage: npm run -s chaos -- COMMAND

  fast [SEED]      300 tasks of 100 accounts while worker, api and engine are killed
  waiting [TASKS]  many tasks (20000) that wait for a slow vendor: what they cost
  vendors [TASKS]  tasks (300) of all vendors, 30 % of whose submits fail in every way
  polling [TASKS]  many tasks (5000) of vendors that tell nothing: when their ends are seen
  ssrf [SEED]      URLs to forbidden addresses at every door, in a network of its own (root)
  media            bad and odd files of every kind at every door that takes files
`;

const seedMax = 1_000_000;
const waitingDefault = 20_000;
const waitingMax = 200_000;
const vendorsDefault = 300;
const vendorsMax = 5_000;
const pollingDefault = 5_000;
const pollingMax = 50_000;

async function main(): Promise<boolean> {
  const [command, argument] = process.argv.slice(2);
  if (command === "fast") return runFast(wholeNumber(argument, seedMax) ?? randomInt(seedMax));
  if (command === "waiting") return runWaiting(wholeNumber(argument, waitingMax) ?? waitingDefault);
  if (command === "vendors") return runVendors(wholeNumber(argument, vendorsMax) ?? vendorsDefault);
  if (command === "polling") return runPolling(wholeNumber(argument, pollingMax) ?? pollingDefault);
  if (command === "ssrf") return runSsrf(wholeNumber(argument, seedMax) ?? randomInt(seedMax));
  if (command === "media") return runMedia();
  process.stderr.write(usage);
  return false;
}

function wholeNumber(text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number > 0 && number <= max) return number;
  throw new Error(`${text} is not a whole number from 1 to ${max}`);
}

process.exitCode = (await main()) ? 0 : 1;
