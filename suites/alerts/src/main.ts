import { print } from "@zoetrope/testkit/print.ts";
import { runDrill } from "./drill/run-drill.ts";
import { scenarios } from "./drill/scenarios.ts";

const chosen = process.argv.slice(2);
const expected = scenarios.filter(({ alert }) => chosen.length === 0 || chosen.includes(alert));
const { fired, falsely, missed } = await runDrill(expected);
print(`alerts=${expected.length} fired=${fired} false=${falsely} missed=${missed}`);
process.exitCode = falsely === 0 && missed === 0 && expected.length > 0 ? 0 : 1;
