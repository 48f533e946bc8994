import { runCreate } from "./create/run-create.ts";
import { runLifecycle } from "./lifecycle/run-lifecycle.ts";
import { runRules } from "./rules.ts";

const usage = `Usage: npm run -s bench -- COMMAND

  create     createTask beside pgbench and a bare route, and its latency at 50 a second
  lifecycle  a task's whole life beside the bare engine
  rules      what it costs to check and price the largest legal request
`;

const [command] = process.argv.slice(2);
if (command === "create") await runCreate();
else if (command === "lifecycle") await runLifecycle();
else if (command === "rules") runRules();
else {
  process.stderr.write(usage);
  process.exitCode = 2;
}
