import { fileURLToPath } from "node:url";
import { readLines } from "../../kit/json-lines.ts";

export const entryPointNames = ["image", "asset", "callback", "upscale"] as const;
export type EntryPointName = (typeof entryPointNames)[number];

/**
 * refuse: with 400 or later in the record, and `refuse at once`: with 400. accept: it must work.
 * either: only connections count. A pattern: refused later, for that reason.
 */
export type Verdict = "refuse" | "refuse at once" | "accept" | "either" | RegExp;

export interface Row {
  id: string;
  url: string;
  /** It is sent to those entry points that have one. */
  verdicts: Readonly<Partial<Record<EntryPointName, Verdict>>>;
}

interface CorpusLine {
  id: string;
  cls: string;
  url: string;
  expect: string;
}

/** Verdicts where this service decided otherwise than the corpus asks, or the corpus leaves it open. */
const decided: Readonly<Record<string, Verdict>> = {
  S095: "accept", // http is taken as well as https
  S121: "either", // the parser drops the tab; what is left is judged, stored and dialled
  S132: "either", // a soft hyphen goes the same way
  S137: "either", // public or private, alternately
  S152: "either", // like S137
  S162: "accept", // public addresses may be written as numbers
  S163: "accept",
};
/** Rows with any verdict at a callback, because hardly anything of the response to a callback is read. */
const freeAtCallback = new Set(["S153", "S154", "S155", "S156", "S157"]);
/** Rows to be rejected, but not by their form: the name decides, or a port that does not speak HTTP. */
const seenLater = new Set(["S008", "S039", "S040", "S041", "S128", "S129", "S131", "S133", "S134"]);

export async function readCorpus(): Promise<Row[]> {
  const file = fileURLToPath(new URL("urls.jsonl", import.meta.url));
  const lines = await readLines<CorpusLine>(file);
  return lines.map(({ id, url, expect }) => {
    const refusal = expect === "reject" && !seenLater.has(id) ? "refuse at once" : "refuse";
    const verdict = decided[id] ?? (expect.startsWith("allow") ? "accept" : refusal);
    const callback = freeAtCallback.has(id) ? "either" : id === "S152" ? "refuse" : verdict;
    return withUpscale({ id, url, verdicts: { image: verdict, asset: verdict, callback } });
  });
}

/** The source of an upscale is taken by https alone, and otherwise fetched like an image. */
export function withUpscale(row: Row): Row {
  const isSecure = URL.parse(row.url)?.protocol === "https:";
  const upscale = isSecure ? (row.verdicts.image ?? "either") : "refuse at once";
  return { ...row, verdicts: { upscale, ...row.verdicts } };
}

export function everywhere(verdict: Verdict): Row["verdicts"] {
  return { image: verdict, asset: verdict, callback: verdict };
}
