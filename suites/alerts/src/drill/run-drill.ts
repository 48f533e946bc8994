import { findPrograms } from "@zoetrope/dev/services/find-program.ts";
import { freePorts } from "@zoetrope/dev/services/ports.ts";
import { startStack } from "@zoetrope/dev/stack.ts";
import { createClient } from "@zoetrope/testkit/api-client.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import type { Targets } from "../prometheus-config.ts";
import type { Drill, Scenario } from "./scenario.ts";
import { startPrometheus } from "./start-prometheus.ts";
import { tryQueries } from "./try-queries.ts";
import { type AlertLabels, hasLabels, type Watch, watchAlerts } from "./watch-alerts.ts";

/** Every time in the rules is divided by it; Prometheus scrapes and evaluates every 5 s instead of every 15. */
export const times = 10;
const everyMs = 5_000;
/** The longest range and the longest `for` of the rules, 15 minutes, divided. */
const normalMs = (15 * 60_000) / times;
/** Only what hangs reaches them: on a busy machine everything takes several times as long. */
const taskMsMax = 10 * 60_000;
const fireMsMax = 10 * 60_000;
const clearMsMax = 10 * 60_000;

interface Outcome {
  fired: number;
  falsely: number;
  missed: number;
}

/** Starts everything, checks that no alert fires while it works, and runs one scenario after the other. */
export async function runDrill(scenarios: readonly Scenario[]): Promise<Outcome> {
  await findPrograms(["prometheus", "postgres", "restate-server", "ffmpeg"]);
  await using scratch = await makeScratch("ops");
  const dir = scratch.path;
  const [api = 0, worker = 0] = await freePorts(2);
  await using stack = await startStack({
    dir,
    opsPorts: { api, worker },
    serverEnv: { POLL_FIRST_MS: "500", VENDOR_BREAK_MS: "1000", ENGINE_CANARY_MS: "3000" },
    sandboxEnv: { SANDBOX_QUEUED_MS: "100", SANDBOX_RUNNING_MS: "200" },
    onProgress: (what) => print(`Starting ${what} …`),
  });
  const targets: Targets = { api: [`127.0.0.1:${api}`], worker: [`127.0.0.1:${worker}`] };
  await using prometheus = await startPrometheus(dir, targets, { times, everyMs });
  const { key } = await stack.openAccount({ name: "drill", credits: 1_000_000, openTasksMax: 100 });
  const extra: string[] = [];
  const scrapeAsBefore = () => {
    extra.length = 0;
    return prometheus.scrape(targets);
  };
  const drill: Drill = {
    dir,
    stack,
    client: createClient(stack.apiUrl, key),
    async alsoScrape(address) {
      extra.push(address);
      await prometheus.scrape({ ...targets, worker: [...targets.worker, ...extra] });
    },
  };
  const watch = watchAlerts(prometheus.url);
  try {
    const outcome = await workNormally(drill, watch);
    const refused = await tryQueries(stack.databaseUrl, prometheus.url);
    for (const query of refused) print(`A query of the runbook is refused: ${query}`);
    outcome.missed += refused.length;
    for (const scenario of scenarios) {
      add(outcome, await play(drill, watch, scenario, scrapeAsBefore));
    }
    return outcome;
  } finally {
    await watch.stop();
  }
}

/** Tasks are made for as long as the slowest alert takes to fire. */
async function workNormally({ client }: Drill, watch: Watch): Promise<Outcome> {
  const until = performance.now() + normalMs;
  let made = 0;
  do {
    await client.finished(await client.create("sd2", { prompt: "a fox" }), taskMsMax);
    made += 1;
  } while (performance.now() < until);
  const isQuiet = await watch.isQuiet(clearMsMax);
  return report(`nothing: ${made} tasks are made`, {
    wrong: watch.takeFired(),
    fired: 0,
    missed: isQuiet ? 0 : 1,
  });
}

async function play(
  drill: Drill,
  watch: Watch,
  scenario: Scenario,
  scrapeAsBefore: () => Promise<void>,
): Promise<Outcome> {
  const { breaks, alert, labels = {}, noticedAs } = scenario;
  const started = performance.now();
  const after = () => `after ${Math.round((performance.now() - started) / 1000)} s`;
  const expected = { alertname: alert, ...labels };
  const broken = await scenario.run(drill);
  const hasFired = await watch.fires(expected, fireMsMax);
  const firing = hasFired ? `fired ${after()}` : "DID NOT FIRE";
  await broken.repair();
  const isQuiet = await watch.isQuiet(clearMsMax);
  const clearing = isQuiet ? `all clear ${after()}` : "NOT CLEAR";
  await scrapeAsBefore();
  await broken.end?.();
  return report(`${breaks}: ${alert} ${firing}, ${clearing}`, {
    wrong: watch
      .takeFired()
      .filter((seen) => !hasLabels(seen, expected) && seen["alertname"] !== noticedAs),
    fired: hasFired ? 1 : 0,
    missed: (hasFired ? 0 : 1) + (isQuiet ? 0 : 1),
  });
}

function report(
  what: string,
  { wrong, fired, missed }: { wrong: AlertLabels[]; fired: number; missed: number },
): Outcome {
  const names = wrong.map((labels) => JSON.stringify(labels));
  print(`${what}${names.length === 0 ? "" : `; ALSO FIRED ${names.join(", ")}`}`);
  return { fired, falsely: wrong.length, missed };
}

function add(sum: Outcome, one: Outcome): void {
  sum.fired += one.fired;
  sum.falsely += one.falsely;
  sum.missed += one.missed;
}
