import { fileURLToPath } from "node:url";
import { readLines } from "../json-lines.ts";

/**
 * `upscale` is the door that is missing: the source of an upscale. When it is there, it gets its place
 * here and in `doors.ts`, and every row goes through it.
 */
export const doorNames = ["image", "asset", "callback"] as const;
export type DoorName = (typeof doorNames)[number];

/** refuse: with 400 or later in the record. accept: it must work. either: only connections count. */
export type Verdict = "refuse" | "accept" | "either";

export interface Row {
  id: string;
  url: string;
  verdicts: Readonly<Record<DoorName, Verdict>>;
}

interface CorpusLine {
  id: string;
  cls: string;
  url: string;
  expect: string;
}

/** Where this service decided otherwise than the corpus asks, or the corpus leaves it open. */
const decided: Readonly<Record<string, Verdict>> = {
  S095: "accept", // http is taken as well as https
  S121: "either", // the parser drops the tab; what is left is judged, stored and dialled
  S132: "either", // a soft hyphen goes the same way
  S137: "either", // public or private, as its turn comes
  S148: "either", // https to http is no harm where http is taken
  S152: "either", // like S137
  S162: "accept", // public addresses may be written as numbers
  S163: "accept",
};
/** A receiver may answer a callback with what it likes: it is not read, or not far. */
const freeAtCallback = new Set(["S153", "S154", "S155", "S156", "S157"]);

export async function readCorpus(): Promise<Row[]> {
  const file = fileURLToPath(new URL("urls.jsonl", import.meta.url));
  const lines = await readLines<CorpusLine>(file);
  return lines.map(({ id, url, expect }) => {
    const verdict = decided[id] ?? (expect.startsWith("allow") ? "accept" : "refuse");
    const callback = freeAtCallback.has(id)
      ? "either"
      : id === "S148" || id === "S152"
        ? "refuse"
        : verdict;
    return { id, url, verdicts: { image: verdict, asset: verdict, callback } };
  });
}

export function everywhere(verdict: Verdict): Row["verdicts"] {
  return { image: verdict, asset: verdict, callback: verdict };
}
