import { runRules } from "./rules.ts";

const usage = `Usage: npm run -s bench -- COMMAND

  rules   what it costs to check and price the largest legal request
`;

const [command] = process.argv.slice(2);
if (command === "rules") runRules();
else {
  process.stderr.write(usage);
  process.exitCode = 2;
}
