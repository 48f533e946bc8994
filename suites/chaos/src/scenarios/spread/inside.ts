import { runInside } from "./run-inside.ts";

/** The program that `run-spread.ts` starts in namespaces. */
process.exitCode = (await runInside(Number(process.argv[2]))) ? 0 : 1;
