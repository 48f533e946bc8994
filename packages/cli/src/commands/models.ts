import type { Model } from "@zoetrope/sdk";
import { fetchModels } from "../models/cached-models.ts";
import { fieldsOf } from "../models/fields.ts";
import { requireModel } from "../models/find-model.ts";
import type { Invocation } from "../run.ts";
import { openSession } from "../session.ts";
import { cleanText } from "../terminal/clean-text.ts";
import { formatTable } from "../terminal/format.ts";
import { onStdout } from "../terminal/talk.ts";

/** All models, or one with its inputs. */
export async function models(invocation: Invocation): Promise<void> {
  const session = await openSession(invocation);
  const { client, login, signal, talk } = session;
  const all = await fetchModels(client, login, signal);
  const [name] = invocation.args;
  if (name !== undefined) {
    const model = requireModel(all, name);
    talk.result(model, () => describeModel(model));
    return;
  }
  talk.result({ models: all }, () => [
    ...formatTable(
      ["MODEL", "KIND", "PRICE", "SUMMARY"],
      all.map((model) => [model.model, model.kind, lowestPrice(model), model.summary]),
    ),
    "",
    "'zoetrope models MODEL' lists what a model takes.",
  ]);
}

function lowestPrice({ prices }: Model): string {
  if ("images" in prices) return `from ${least(prices.images.map((one) => one.creditsPerImage))}`;
  return `from ${least(prices.seconds.map((one) => one.creditsPerSecond))}/s`;
}

function least(values: readonly number[]): string {
  return values.length === 0 ? "?" : String(Math.min(...values));
}

function describeModel(model: Model): string[] {
  const modes = model.modes.map(({ mode, when, description }) => [mode, when, description]);
  const inputs = fieldsOf(model).map((field) => [
    `--${field.flag}`,
    field.default,
    field.choices?.join(" ") ?? "",
    field.description,
  ]);
  const { deprecation } = model;
  return [
    `${onStdout("bold", cleanText(model.title))}  ${cleanText(model.summary)}`,
    ...(deprecation === null
      ? []
      : [onStdout("yellow", `Available until ${cleanText(deprecation.sunset)}.`)]),
    `Price: ${cleanText(model.prices.formula)}`,
    "",
    ...formatTable(["MODE", "WHEN", ""], modes),
    "",
    ...formatTable(["INPUT", "DEFAULT", "VALUES", ""], inputs),
  ];
}
