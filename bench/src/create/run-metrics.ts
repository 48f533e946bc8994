import { readCpuMs } from "@zoetrope/testkit/cpu-time.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { freePort } from "@zoetrope/testkit/services/ports.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { median, ratios } from "../ratios.ts";
import {
  accountCount,
  closeOpenTasks,
  makeBenchDatabase,
  startBenchPostgres,
} from "./bench-database.ts";
import { measureRate } from "./load.ts";
import { startApi, startSink } from "./run-create.ts";

const clients = 16;
/** Even, so that each goes first as often as the other. */
const rounds = 14;
const roundSeconds = 6;
const warmUpSeconds = 45; // both processes are compiled at their best only then
const scrapeEveryMs = 1_000; // more often than anybody does

/**
 * createTask at full load on two api processes, with and without metrics, alternating. The one with
 * metrics is scraped meanwhile.
 */
export async function runMetrics(): Promise<void> {
  await using scratch = await makeScratch("bench");
  await using postgres = await startBenchPostgres(scratch.path);
  const database = await makeBenchDatabase(postgres, "bench");
  await using engine = await startSink();
  const opsPort = await freePort();
  const more = { OPS_PORT: String(opsPort) };
  await using measured = await startApi(scratch.path, database, engine.url, { name: "with", more });
  await using plain = await startApi(scratch.path, database, engine.url, { name: "without" });
  const rates = new Map<string, number[]>([
    ["with", []],
    ["without", []],
  ]);
  const cpuMs = new Map<string, number[]>([
    ["with", []],
    ["without", []],
  ]);

  async function run(name: string, api: typeof plain, round: number): Promise<void> {
    await closeOpenTasks(database);
    const pids = { api: api.pid };
    const before = await readCpuMs(pids);
    const seconds = round === 0 ? warmUpSeconds : roundSeconds;
    const scraping = name === "with" ? startScraping(opsPort) : null;
    const rate = await measureRate(api.target, { clients, seconds, accounts: accountCount });
    await scraping?.stop();
    const used = ((await readCpuMs(pids)).get("api") ?? 0) - (before.get("api") ?? 0);
    const perCreate = used / (rate * seconds);
    const title = round === 0 ? "warm-up " : `round ${String(round).padEnd(2)}`;
    print(`${title} ${name.padEnd(7)} ${rate.toFixed(0)}/s  cpu_ms ${perCreate.toFixed(3)}`);
    if (round === 0) return;
    rates.get(name)?.push(rate);
    cpuMs.get(name)?.push(perCreate);
  }

  for (let round = 0; round <= rounds; round++) {
    const turn: [string, typeof plain][] = [
      ["with", measured],
      ["without", plain],
    ];
    for (const [name, api] of round % 2 === 0 ? turn : turn.reverse()) await run(name, api, round);
  }
  const ratioOf = (values: Map<string, number[]>) =>
    median(ratios(values, "with", "without")).toFixed(3);
  print(`ratio_metrics=${ratioOf(rates)} ratio_cpu=${ratioOf(cpuMs)}`);
}

function startScraping(port: number): { stop(): Promise<void> } {
  let scrape = Promise.resolve();
  const timer = setInterval(() => {
    scrape = scrape.then(async () => {
      const response = await fetch(`http://127.0.0.1:${port}/metrics`);
      if (!(await response.text()).includes("zoetrope_tasks_accepted_total"))
        throw new Error("the api shows no metrics");
    });
  }, scrapeEveryMs);
  return {
    stop() {
      clearInterval(timer);
      return scrape;
    },
  };
}
