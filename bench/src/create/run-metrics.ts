import { freePort } from "@zoetrope/dev/services/ports.ts";
import { readCpuMs } from "@zoetrope/testkit/cpu-time.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { startSink } from "@zoetrope/testkit/start-sink.ts";
import { median, ratios } from "../ratios.ts";
import {
  accountCount,
  closeOpenTasks,
  makeBenchDatabase,
  startBenchPostgres,
} from "./bench-database.ts";
import { measureRate } from "./load.ts";
import { startApi } from "./run-create.ts";

const clients = 16;
/** Of each kind: two equal processes can differ by several percent. */
const processesOfEach = 2;
/** Even, so that each goes first as often as last. */
const rounds = 10;
const roundSeconds = 5;
const warmUpSeconds = 30; // a process is compiled at its best only then
const scrapeEveryMs = 1_000; // more often than anybody does

interface Side {
  name: string;
  api: Awaited<ReturnType<typeof startApi>>;
  opsPort: number | null;
}

/**
 * createTask at full load on api processes with and without metrics, alternating. Those with metrics are
 * scraped meanwhile. `ratio_equal` compares the two processes without metrics: what the machine adds.
 */
export async function runMetrics(): Promise<void> {
  await using scratch = await makeScratch("bench");
  await using postgres = await startBenchPostgres(scratch.path);
  const database = await makeBenchDatabase(postgres, "bench");
  await using engine = await startSink();
  await using started = new AsyncDisposableStack();
  const sides: Side[] = [];
  for (let number = 1; number <= processesOfEach; number++)
    for (const kind of ["with", "without"]) {
      const name = `${kind}-${number}`;
      const opsPort = kind === "with" ? await freePort() : null;
      const more = opsPort === null ? {} : { OPS_PORT: String(opsPort) };
      const api = started.use(await startApi(scratch.path, database, engine.url, { name, more }));
      sides.push({ name, api, opsPort });
    }
  const rates = new Map<string, number[]>(sides.map(({ name }) => [name, []]));
  const cpuMs = new Map<string, number[]>(sides.map(({ name }) => [name, []]));

  async function run({ name, api, opsPort }: Side, round: number): Promise<void> {
    await closeOpenTasks(database);
    const pids = { api: api.pid };
    const before = await readCpuMs(pids);
    const seconds = round === 0 ? warmUpSeconds : roundSeconds;
    const scraping = opsPort === null ? null : startScraping(opsPort);
    const rate = await measureRate(api.target, { clients, seconds, accounts: accountCount });
    await scraping?.stop();
    const used = ((await readCpuMs(pids)).get("api") ?? 0) - (before.get("api") ?? 0);
    const perCreate = used / (rate * seconds);
    const title = round === 0 ? "warm-up " : `round ${String(round).padEnd(2)}`;
    print(`${title} ${name.padEnd(9)} ${rate.toFixed(0)}/s  cpu_ms ${perCreate.toFixed(3)}`);
    if (round === 0) return;
    rates.get(name)?.push(rate);
    cpuMs.get(name)?.push(perCreate);
  }

  for (let round = 0; round <= rounds; round++)
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) await run(side, round);
  const equal = median(ratios(rates, "without-1", "without-2")).toFixed(3);
  print(
    `ratio_metrics=${ratioOfKinds(rates)} ratio_cpu=${ratioOfKinds(cpuMs)} ratio_equal=${equal}`,
  );
}

/** Of all processes of a kind in one round; the median of the rounds. */
function ratioOfKinds(values: Map<string, number[]>): string {
  const sumOf = (kind: string, round: number) =>
    [...values]
      .filter(([name]) => name.startsWith(`${kind}-`))
      .reduce((sum, [, seen]) => sum + (seen[round] ?? Number.NaN), 0);
  const ofRounds = Array.from(
    { length: rounds },
    (_, round) => sumOf("with", round) / sumOf("without", round),
  );
  return median(ofRounds).toFixed(3);
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
