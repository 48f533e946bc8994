import type { Model } from "@zoetrope/sdk";
import { CliError, usageError } from "../cli-error.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Session } from "../session.ts";
import { readModels } from "./cached-models.ts";

/** The model of that name; without a name, the person at the terminal is asked. */
export async function findModel(session: Session, name: string | undefined): Promise<Model> {
  const { client, login, signal } = session;
  const isKnown = (models: Model[]) =>
    name === undefined || models.some((one) => one.model === name);
  const models = await readModels(client, login, signal, isKnown);
  const chosen = name ?? (await askForModel(models));
  return requireModel(models, chosen);
}

export function requireModel(models: readonly Model[], name: string): Model {
  const found = models.find(({ model }) => model === name);
  if (found !== undefined) return found;
  throw new CliError(`There is no model ${name}.`, {
    exitCode: exitCodes.notFound,
    code: "unknown_model",
    next: `Use one of ${models.map(({ model }) => model).join(", ")}.`,
  });
}

async function askForModel(models: readonly Model[]): Promise<string> {
  const names = models.map(({ model }) => model).join(", ");
  const missing = usageError("A model is needed.", `Add --model with one of ${names}.`);
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw missing;
  const { isCancel, select } = await import("@clack/prompts");
  const chosen = await select({
    message: "Which model?",
    options: models.map(({ model, title, summary }) => ({
      value: model,
      label: title,
      hint: summary,
    })),
    output: process.stderr,
  });
  if (isCancel(chosen)) throw missing;
  return chosen;
}
