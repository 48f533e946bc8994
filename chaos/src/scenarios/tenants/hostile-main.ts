import { readFileSync } from "node:fs";
import { attack } from "./hostile.ts";
import type { World } from "./world.ts";

/**
 * The hostile accounts, in a process of their own that gives way to everybody: what attacking costs is
 * not the service's to pay. Ends on SIGTERM and prints what each was answered.
 */
const stopping = new AbortController();
process.once("SIGTERM", () => stopping.abort());
const world = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as World;
process.stdout.write("hostile.started\n");
const noted = await attack(world, stopping.signal);
process.stdout.write(`${JSON.stringify({ event: "hostile.ended", noted })}\n`);
process.exit(0);
