import { runBacklog } from "./backlog/run-backlog.ts";
import { runCreate } from "./create/run-create.ts";
import { runFlat } from "./create/run-flat.ts";
import { runMetrics } from "./create/run-metrics.ts";
import { runLatency } from "./lifecycle/run-latency.ts";
import { runLifecycle } from "./lifecycle/run-lifecycle.ts";
import { runLists } from "./lists/run-lists.ts";
import { runOutputs } from "./outputs/run-outputs.ts";
import { runPoisoned } from "./poisoned/run-poisoned.ts";
import { runPooler } from "./pooler/run-pooler.ts";
import { runRules } from "./rules.ts";
import { runShards } from "./shards/run-shards.ts";
import { runQuality } from "./upscale/run-quality.ts";
import { runUpscale } from "./upscale/run-upscale.ts";
import { runWaiters } from "./waiters/run-waiters.ts";

const usage = `Usage: npm run -s bench -- COMMAND

  backlog [S]      the engine away for S (180) seconds at 100 creates a second, and what follows
  create [S]       createTask beside pgbench and a bare route, and its latency at 50 a second for S (600) s
  flat [N]         whether a create costs more with N (5000000) tasks in the table than with 10000
  latency D [S]    accepted to submitted at one task a second for S (120) s, beside the copy D of packages/server
  lists [N]        the lists of a console on N (10000000) tasks and on a hundredth, and their plans
  lifecycle [R]    R (3) rounds of a task's whole life beside the bare engine
  metrics          createTask with and without metrics
  outputs          what fetching, measuring and storing a vendor's video costs, part by part
  poisoned [R]     what a refused row costs the others of its batch, in every step, R (20) rounds
  pooler [N]       createTask of N (8) api processes with connections of their own and behind PgBouncer
  rules            what it costs to check and price the largest legal request
  shards           createTask with the accounts in one database and in two, on the same cores
  upscale [S]      what the service adds to ffmpeg on a clip of S (60) seconds; what a second worker gives
  upscale-quality  how near upscaled images come to the real ones, beside plain filters
  waiters [N]      how soon N (10000) clients that wait learn of a change, and what they cost
`;

const [command, argument, path = null] = process.argv.slice(2);
if (command === "backlog") await runBacklog(Number(argument ?? 180));
else if (command === "create") await runCreate(Number(argument ?? 600));
else if (command === "flat") await runFlat(Number(argument ?? 5_000_000));
else if (command === "latency" && argument !== undefined)
  await runLatency(argument, Number(path ?? 120));
else if (command === "lifecycle") await runLifecycle(Number(argument ?? 3), path);
else if (command === "lists") await runLists(listOptions(Number(argument ?? 10_000_000), path));
else if (command === "metrics") await runMetrics();
else if (command === "outputs") await runOutputs();
else if (command === "poisoned") await runPoisoned(Number(argument ?? 20));
else if (command === "pooler") await runPooler(Number(argument ?? 8));
else if (command === "rules") runRules();
else if (command === "shards") await runShards();
else if (command === "upscale") await runUpscale(Number(argument ?? 60));
else if (command === "upscale-quality") await runQuality();
else if (command === "waiters") await runWaiters(Number(argument ?? 10_000));
else {
  process.stderr.write(usage);
  process.exitCode = 2;
}

/** A short run says whether it works; a long one what it costs. */
function listOptions(many: number, file: string | null) {
  const seconds = many < 1_000_000 ? 3 : 15;
  return { many, few: Math.max(1_000, Math.round(many / 100)), seconds, plansFile: file };
}
