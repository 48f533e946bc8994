import type { Model } from "@zoetrope/sdk";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type Field, fieldsOf, type MediaType } from "./fields.ts";

/** Short names for the files of a model: `--image ./a.png` adds to the input that takes images. */
const mediaFlags: readonly MediaType[] = ["image", "video", "audio"];

/** Gives a command a flag for every input of the model. */
export function addModelFlags(command: Command, model: Model): void {
  const heading = `Inputs of ${model.model}:`;
  const fields = fieldsOf(model);
  const taken = new Set(command.options.map(({ long }) => long));
  for (const field of fields)
    for (const option of optionsOf(field))
      if (!taken.has(option.long)) command.addOption(option.helpGroup(heading));
  for (const media of mediaFlags) {
    const field = fields.find((one) => one.media === media);
    if (field === undefined || field.flag === media) continue;
    const text = `a file or URL to add to --${field.flag}; a file is uploaded. Repeatable`;
    const option = new Option(`--${media} <file>`, text).argParser(collect);
    command.addOption(option.helpGroup(heading));
  }
}

function optionsOf(field: Field): Option[] {
  const { flag, kind, choices, description, media } = field;
  const text = field.default === null ? description : `${description} Default: ${field.default}.`;
  if (kind === "toggle")
    return [new Option(`--${flag}`, text), new Option(`--no-${flag}`).hideHelp()];
  if (kind === "list") {
    const what = media === null ? "value" : "file";
    const more = media === null ? "Repeatable." : "Files or URLs. Repeatable.";
    return [new Option(`--${flag} <${what}>`, `${text} ${more}`).argParser(collect)];
  }
  const option = new Option(`--${flag} <${kind === "text" ? "text" : kind}>`, text);
  if (kind !== "text") option.argParser((value: string) => parseNumber(value, kind));
  else if (choices !== null) option.choices(choices);
  return [option];
}

function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}

function parseNumber(text: string, kind: "integer" | "number"): number {
  const value = Number(text);
  if (
    text.trim() === "" ||
    !(kind === "integer" ? Number.isInteger(value) : Number.isFinite(value))
  )
    throw new InvalidArgumentError(`It is not ${kind === "integer" ? "an integer" : "a number"}.`);
  return value;
}

/** The inputs that the flags give, with files as they were named. */
export function inputsOf(
  model: Model,
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const inputs: Record<string, unknown> = {};
  for (const { name, kind, media } of fieldsOf(model)) {
    const value = options[name];
    const short = media === null ? undefined : (options[media] as string[] | undefined);
    if (kind === "list" && (value !== undefined || short !== undefined))
      inputs[name] = [...((value as string[] | undefined) ?? []), ...(short ?? [])];
    else if (value !== undefined) inputs[name] = value;
  }
  return inputs;
}

/** `--outputResolution`, as the API spells it, is `--output-resolution`. */
export function normaliseFlags(argv: readonly string[], model: Model): string[] {
  const flags = new Map(fieldsOf(model).map(({ name, flag }) => [`--${name}`, `--${flag}`]));
  const until = argv.includes("--") ? argv.indexOf("--") : argv.length;
  return argv.map((word, at) => {
    const [name = "", ...rest] = word.split("=");
    const flag = at < until ? flags.get(name) : undefined;
    return flag === undefined ? word : [flag, ...rest].join("=");
  });
}
