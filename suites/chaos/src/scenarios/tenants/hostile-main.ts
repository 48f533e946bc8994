import { readFileSync } from "node:fs";
import { attack } from "./hostile.ts";
import type { HostileContext } from "./hostile-context.ts";

/**
 * Runs the hostile accounts in a process at idle priority: the cost of an attack is not the
 * service's. Ends on SIGTERM and prints the responses that each got.
 */
const stopping = new AbortController();
process.once("SIGTERM", () => stopping.abort());
const context = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as HostileContext;
process.stdout.write("hostile.started\n");
const noted = await attack(context, stopping.signal);
process.stdout.write(`${JSON.stringify({ event: "hostile.ended", noted })}\n`);
process.exit(0);
