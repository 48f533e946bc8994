import { randomInt } from "node:crypto";
import { runFast } from "./fast/run-fast.ts";
import { runWaiting } from "./waiting/run-waiting.ts";

const usage = `Usage: npm run -s chaos -- COMMAND

  fast [SEED]      300 tasks of 100 accounts while worker, api and engine are killed
  waiting [TASKS]  many tasks (20000) that wait for a slow vendor: what they cost
`;

const seedMax = 1_000_000;
const waitingDefault = 20_000;
const waitingMax = 200_000;

async function main(): Promise<boolean> {
  const [command, argument] = process.argv.slice(2);
  if (command === "fast") return runFast(wholeNumber(argument, seedMax) ?? randomInt(seedMax));
  if (command === "waiting") return runWaiting(wholeNumber(argument, waitingMax) ?? waitingDefault);
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
