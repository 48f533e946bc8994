import { parseArgs } from "node:util";
import { runDev } from "./run-dev.ts";

/** `npm run dev`; `zoetrope dev` is the same. */
const { values } = parseArgs({ options: { dir: { type: "string" }, port: { type: "string" } } });
process.exitCode = await runDev(values);
