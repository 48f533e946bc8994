import { randomInt } from "node:crypto";
import { runCallbacks } from "./scenarios/callbacks/run-callbacks.ts";
import { runNoisy } from "./scenarios/callbacks/run-noisy.ts";
import { runFast } from "./scenarios/fast/run-fast.ts";
import { runMedia } from "./scenarios/media/run-media.ts";
import { runOutages } from "./scenarios/outages/run-outages.ts";
import { runPolling } from "./scenarios/polling/run-polling.ts";
import { runGuards, runSsrf } from "./scenarios/ssrf/run-ssrf.ts";
import { runStreaming } from "./scenarios/streaming/run-streaming.ts";
import { runTenants } from "./scenarios/tenants/run-tenants.ts";
import { runUpscale } from "./scenarios/upscale/run-upscale.ts";
import { runVendors } from "./scenarios/vendors/run-vendors.ts";
import { runWaiting } from "./scenarios/waiting/run-waiting.ts";

const usage = `Usage: npm run -s chaos -- COMMAND

  fast [SEED]      300 tasks of 100 accounts while worker, api and engine are killed
  waiting [TASKS]  many tasks (20000) that wait for a slow vendor: what they cost
  vendors [TASKS]  tasks (300) of all vendors, 30 % of whose submits fail in every way
  polling [TASKS]  many tasks (5000) of vendors that tell nothing: when their ends are seen
  ssrf [SEED]      URLs to forbidden addresses at every door, in a network of its own (root)
  guards           each clause of the URL guard taken away in turn: what gets through (root)
  media            bad and odd files of every kind at every door that takes files
  upscale [SECONDS]  a clip (120 s) made larger while workers are killed, stopped and too late
  callbacks [TASKS]  ends of tasks (100000) told to receivers of which 30 % fail in every way
  callbacks kills [TASKS]  the same (2000) while workers are killed
  callbacks noisy [CALLBACKS]  whether one account's backlog (20000) delays another's callbacks
  tenants [SECONDS]  ten hostile accounts beside ten ordinary ones (300 s)
  outages [SECONDS]  storage, engine, database and a worker away under load (180 s each)
  streaming        videos of 1 GB and 199 MB in and out: what they cost in memory
`;

const seedMax = 1_000_000;
const waitingDefault = 20_000;
const waitingMax = 200_000;
const vendorsDefault = 300;
const vendorsMax = 5_000;
const pollingDefault = 5_000;
const pollingMax = 50_000;
const callbacksDefault = 100_000;
const callbacksKillsDefault = 2_000;
const callbacksMax = 1_000_000;
const noisyDefault = 20_000;
const noisyMax = 100_000;
const tenantsDefault = 300;
const tenantsMax = 3_600;
const outagesDefault = 180;
const outagesMax = 1_800;
const upscaleDefault = 120;
const upscaleMax = 600;

async function main(): Promise<boolean> {
  const [command, argument] = process.argv.slice(2);
  if (command === "fast") return runFast(wholeNumber(argument, seedMax) ?? randomInt(seedMax));
  if (command === "waiting") return runWaiting(wholeNumber(argument, waitingMax) ?? waitingDefault);
  if (command === "vendors") return runVendors(wholeNumber(argument, vendorsMax) ?? vendorsDefault);
  if (command === "polling") return runPolling(wholeNumber(argument, pollingMax) ?? pollingDefault);
  if (command === "callbacks") return runCallbackScenario(process.argv.slice(3));
  if (command === "ssrf") return runSsrf(wholeNumber(argument, seedMax) ?? randomInt(seedMax));
  if (command === "guards") return runGuards();
  if (command === "media") return runMedia();
  if (command === "upscale") return runUpscale(wholeNumber(argument, upscaleMax) ?? upscaleDefault);
  if (command === "tenants") return runTenants(wholeNumber(argument, tenantsMax) ?? tenantsDefault);
  if (command === "outages") return runOutages(wholeNumber(argument, outagesMax) ?? outagesDefault);
  if (command === "streaming") return runStreaming();
  process.stderr.write(usage);
  return false;
}

async function runCallbackScenario([first, second]: string[]): Promise<boolean> {
  if (first === "kills")
    return runCallbacks({
      tasks: wholeNumber(second, callbacksMax) ?? callbacksKillsDefault,
      endsPerSecond: 80,
      killEveryMs: 2_000,
    });
  if (first === "noisy") return runNoisy(wholeNumber(second, noisyMax) ?? noisyDefault);
  return runCallbacks({
    tasks: wholeNumber(first, callbacksMax) ?? callbacksDefault,
    endsPerSecond: 200,
    killEveryMs: null,
  });
}

function wholeNumber(text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number > 0 && number <= max) return number;
  throw new Error(`${text} is not a whole number from 1 to ${max}`);
}

process.exitCode = (await main()) ? 0 : 1;
