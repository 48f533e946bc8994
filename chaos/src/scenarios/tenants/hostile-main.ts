import { readFileSync } from "node:fs";
import { attack } from "./hostile.ts";
import type { HostileContext } from "./hostile-context.ts";

/**
 * The hostile accounts, in a process of their own that gives way to everybody: what attacking costs is
 * not the service's to pay. Ends on SIGTERM and prints what each was answered.
 */
const stopping = new AbortController();
process.once("SIGTERM", () => stopping.abort());
const context = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as HostileContext;
process.stdout.write("hostile.started\n");
const noted = await attack(context, stopping.signal);
process.stdout.write(`${JSON.stringify({ event: "hostile.ended", noted })}\n`);
process.exit(0);
