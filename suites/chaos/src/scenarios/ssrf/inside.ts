import { judgeInside } from "./judge-inside.ts";
import { proveClauses } from "./prove-clauses.ts";

/** The program that `run-ssrf.ts` starts in a namespace. */
const [what, seed] = process.argv.slice(2);
const isGood = what === "guards" ? await proveClauses() : await judgeInside(Number(seed));
process.exitCode = isGood ? 0 : 1;
