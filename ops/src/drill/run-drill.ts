import { createClient } from "@zoetrope/testkit/api-client.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { findPrograms } from "@zoetrope/testkit/services/find-program.ts";
import { freePorts } from "@zoetrope/testkit/services/ports.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { startStack } from "@zoetrope/testkit/stack.ts";
import type { Targets } from "../prometheus-config.ts";
import type { Drill, Scenario } from "./scenario.ts";
import { startPrometheus } from "./start-prometheus.ts";
import { tryQueries } from "./try-queries.ts";
import { type Watch, watchAlerts } from "./watch-alerts.ts";

/** Every time in the rules is divided by it; Prometheus scrapes and evaluates every 2 s instead of every 15. */
export const times = 15;
const everyMs = 2_000;
/** Only what hangs reaches them: on a busy machine everything takes several times as long. */
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
    serverEnv: { POLL_FIRST_MS: "500", VENDOR_BREAK_MS: "1000" },
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

async function workNormally({ client }: Drill, watch: Watch): Promise<Outcome> {
  const tasks = ["a fox", "a crane", "a heron"].map((prompt) => client.create("sd2", { prompt }));
  for (const task of await Promise.all(tasks)) await client.finished(task, 10 * 60_000);
  await watch.isQuiet(clearMsMax);
  return report("nothing: three tasks are made", { fired: watch.takeFired(), missed: 0 });
}

async function play(
  drill: Drill,
  watch: Watch,
  scenario: Scenario,
  scrapeAsBefore: () => Promise<void>,
): Promise<Outcome> {
  const started = performance.now();
  const seconds = () => Math.round((performance.now() - started) / 1000);
  const broken = await scenario.run(drill);
  const hasFired = await watch.fires(scenario.alert, fireMsMax);
  const firedAfter = seconds();
  await broken.repair();
  const isQuiet = await watch.isQuiet(clearMsMax);
  await scrapeAsBefore();
  await broken.end?.();
  const fired = watch.takeFired();
  const what = `${scenario.breaks}: ${scenario.alert} ${hasFired ? `fired after ${firedAfter} s` : "DID NOT FIRE"}, ${isQuiet ? `all clear after ${seconds()} s` : "NOT CLEAR"}`;
  const missed = (hasFired ? 0 : 1) + (isQuiet ? 0 : 1);
  return report(what, { fired, missed, expected: scenario.alert });
}

function report(
  what: string,
  { fired, missed, expected }: { fired: string[]; missed: number; expected?: string },
): Outcome {
  const wrong = fired.filter((name) => name !== expected);
  print(`${what}${wrong.length === 0 ? "" : `; ALSO FIRED ${wrong.join(", ")}`}`);
  return { fired: fired.length - wrong.length, falsely: wrong.length, missed };
}

function add(sum: Outcome, one: Outcome): void {
  sum.fired += one.fired;
  sum.falsely += one.falsely;
  sum.missed += one.missed;
}
