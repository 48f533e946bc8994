import assert from "node:assert";
import { expect } from "vitest";
import { ApiError } from "../src/errors.ts";

/** Expects a 400 that names the input and says what would be right. */
export function expectRefusal(act: () => unknown, param: string, hint = ""): void {
  const error = refusalOf(act);
  expect({ code: error.code, param: error.param }).toEqual({ code: "invalid_parameters", param });
  const [start, sentence] = [
    error.message.slice(0, param.length),
    error.message.slice(param.length),
  ];
  expect(start).toBe(param);
  expect(sentence).toMatch(/^: \S/);
  expect(sentence).toContain(hint);
}

function refusalOf(act: () => unknown): ApiError {
  let accepted: unknown;
  try {
    accepted = act();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return assert.fail(`was accepted: ${JSON.stringify(accepted)}`);
}
