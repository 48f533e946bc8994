import { judgeInside } from "./judge-inside.ts";

/** What `run-ssrf.ts` starts in a namespace. */
process.exitCode = (await judgeInside(Number(process.argv[2]))) ? 0 : 1;
