import { ApiError } from "../errors.ts";
import type { Mode, Model } from "./model.ts";
import { planRequest } from "./plan-request.ts";

/** Values by input. */
type Choices = Readonly<Record<string, string>>;

export interface ChoiceInput {
  name: string;
  values: readonly string[];
  isRequired: boolean;
}

/**
 * The smallest combinations of values that a mode refuses whatever else is chosen, found by asking the
 * rules for each of them.
 */
export function refusedCombinations(
  model: Model,
  mode: Mode,
  inputs: readonly ChoiceInput[],
): Choices[] {
  const every = combine(inputs);
  const complete = every.filter((choices) =>
    inputs.every(({ name, isRequired }) => !isRequired || Object.hasOwn(choices, name)),
  );
  const omitted = Object.fromEntries(inputs.map(({ name }) => [name, null]));
  const accepted = complete.filter((choices) =>
    isAccepted(model, { ...mode.example, ...omitted, ...choices }),
  );
  const found: Choices[] = [];
  for (const choices of every.toSorted((one, other) => sizeOf(one) - sizeOf(other)))
    if (
      !found.some((smaller) => includes(choices, smaller)) &&
      !accepted.some((larger) => includes(larger, choices))
    )
      found.push(choices);
  return found;
}

/** Every combination of values, with each input and without it. */
function combine([first, ...others]: readonly ChoiceInput[]): Choices[] {
  if (first === undefined) return [{}];
  return combine(others).flatMap((rest) => [
    rest,
    ...first.values.map((value) => ({ [first.name]: value, ...rest })),
  ]);
}

const sizeOf = (choices: Choices) => Object.keys(choices).length;

function includes(choices: Choices, part: Choices): boolean {
  return Object.entries(part).every(([name, value]) => choices[name] === value);
}

function isAccepted(model: Model, inputs: object): boolean {
  try {
    planRequest(model, inputs);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
