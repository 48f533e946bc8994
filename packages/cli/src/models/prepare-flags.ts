import type { Model } from "@zoetrope/sdk";
import type { Command } from "commander";
import type { Run } from "../run.ts";
import { openSession } from "../session.ts";
import { readModels } from "./cached-models.ts";
import { fieldsOf } from "./fields.ts";
import { requireModel } from "./find-model.ts";
import { addModelFlags, normaliseFlags } from "./model-flags.ts";

/**
 * Gives a command the flags of the model that its arguments name, before they are parsed. Returns the
 * arguments with flags in their usual spelling.
 */
export async function prepareFlags(
  command: Command,
  argv: readonly string[],
  run: Run,
): Promise<string[]> {
  const name = peekOption(argv, ["-m", "--model"]);
  if (name === undefined) return [...argv];
  try {
    const baseUrl = peekOption(argv, ["--base-url"]);
    const session = await openSession({ args: [], options: { baseUrl }, run });
    const isEnough = (models: Model[]) => {
      const found = models.find(({ model }) => model === name);
      return found !== undefined && unknownFlags(command, argv, found).length === 0;
    };
    const models = await readModels(session.client, session.login, run.signal, isEnough);
    const model = requireModel(models, name);
    addModelFlags(command, model);
    return normaliseFlags(argv, model);
  } catch (error) {
    const isHelp = argv.includes("--help") || argv.includes("-h");
    if (isHelp) return [...argv]; // help is never refused
    throw error;
  }
}

/** The value of an option, before anything is parsed. */
function peekOption(argv: readonly string[], names: readonly string[]): string | undefined {
  for (const [at, word] of argv.entries()) {
    if (word === "--") return undefined;
    if (names.includes(word)) return argv[at + 1];
    const short = names.find((one) => /^-\w$/.test(one) && word.startsWith(one));
    if (short !== undefined) return word.slice(short.length).replace(/^=/, "");
    const name = names.find((one) => one.startsWith("--") && word.startsWith(`${one}=`));
    if (name !== undefined) return word.slice(name.length + 1);
  }
  return undefined;
}

function unknownFlags(command: Command, argv: readonly string[], model: Model): string[] {
  const known = new Set(["--help", "--image", "--video", "--audio"]);
  for (let at: Command | null = command; at !== null; at = at.parent)
    for (const { long } of at.options) known.add(long ?? "");
  for (const { name, flag } of fieldsOf(model))
    for (const one of [name, flag, `no-${flag}`]) known.add(`--${one}`);
  const flags = argv.filter((word) => word.startsWith("--") && word !== "--");
  return flags.filter((word) => !known.has(word.split("=")[0] ?? ""));
}
