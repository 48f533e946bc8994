import { env, stdout } from "node:process";
import { runScenario } from "./scenario.ts";
import type { Settings } from "./settings.ts";

// Runs in Node, Bun and Deno, beside a folder `node_modules` that has the packed SDK.
// biome-ignore lint/style/noProcessEnv: a key does not belong into arguments
const settings = JSON.parse(env["CLIENT_SETTINGS"] ?? "") as Settings;
await runScenario(settings, (line) => stdout.write(`${JSON.stringify(line)}\n`));
