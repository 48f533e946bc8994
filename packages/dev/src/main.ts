import { parseArgs } from "node:util";
import { runDev } from "./run-dev.ts";

/** `npm run dev`; `zoetrope dev` is the same. A second Ctrl-C waits for nothing. */
const { values } = parseArgs({ options: { dir: { type: "string" }, port: { type: "string" } } });
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(signal, () => (stop.signal.aborted ? process.exit(130) : stop.abort()));
process.exitCode = await runDev({ ...values, signal: stop.signal });
