import { runCreate } from "./create/run-create.ts";
import { runFlat } from "./create/run-flat.ts";
import { runLifecycle } from "./lifecycle/run-lifecycle.ts";
import { runRules } from "./rules.ts";

const usage = `Usage: npm run -s bench -- COMMAND

  create     createTask beside pgbench and a bare route, and its latency at 50 a second
  flat [N]   whether a create costs more with N (5000000) tasks in the table than with 10000
  lifecycle  a task's whole life beside the bare engine
  rules      what it costs to check and price the largest legal request
`;

const [command, argument] = process.argv.slice(2);
if (command === "create") await runCreate();
else if (command === "flat") await runFlat(Number(argument ?? 5_000_000));
else if (command === "lifecycle") await runLifecycle();
else if (command === "rules") runRules();
else {
  process.stderr.write(usage);
  process.exitCode = 2;
}
