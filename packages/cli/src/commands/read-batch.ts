import { readFile } from "node:fs/promises";
import { text as readText } from "node:stream/consumers";
import { usageError } from "../cli-error.ts";

export interface BatchLine {
  /** The line number in the file, from 1. */
  line: number;
  model: string;
  inputs: Record<string, unknown>;
  maxCredits: number | undefined;
  callBackUrl: string | undefined;
}

const form = `Each line is a JSON object such as {"inputs": {"prompt": "a heron"}}.`;
const known = new Set(["model", "inputs", "maxCredits", "callBackUrl"]);

/** The requests of a file, all of them checked before the first is sent. Empty lines are passed over. */
export async function readBatch(
  path: string,
  defaults: { model: string | undefined; inputs: Record<string, unknown> },
): Promise<BatchLine[]> {
  const text = path === "-" ? await readText(process.stdin) : await readBatchFile(path);
  const lines = text.split("\n").flatMap((line, at): BatchLine[] => {
    if (line.trim() === "") return [];
    return [parseLine(line, at + 1, defaults)];
  });
  if (lines.length === 0) throw usageError(`${path} has no requests.`, form);
  return lines;
}

async function readBatchFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch {
    throw usageError(`${path} cannot be read.`, form);
  }
}

function parseLine(
  text: string,
  line: number,
  defaults: { model: string | undefined; inputs: Record<string, unknown> },
): BatchLine {
  const refuse = (what: string) => usageError(`Line ${line}: ${what}`, form);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse("it is not JSON.");
  }
  if (!isObject(value)) throw refuse("it is not an object.");
  const stranger = Object.keys(value).find((name) => !known.has(name));
  if (stranger !== undefined) throw refuse(`${stranger} is not known; inputs belong in 'inputs'.`);
  const { model = defaults.model, inputs = {}, maxCredits, callBackUrl } = value;
  if (typeof model !== "string") throw refuse("a model is needed, here or as --model.");
  if (!isObject(inputs)) throw refuse("'inputs' is not an object.");
  if (maxCredits !== undefined && typeof maxCredits !== "number")
    throw refuse("'maxCredits' is not a number.");
  if (callBackUrl !== undefined && typeof callBackUrl !== "string")
    throw refuse("'callBackUrl' is not a text.");
  return { line, model, inputs: { ...defaults.inputs, ...inputs }, maxCredits, callBackUrl };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
