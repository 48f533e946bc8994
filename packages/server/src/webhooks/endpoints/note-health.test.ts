import { expect, test } from "vitest";
import { type EndpointId, newId } from "../../ids.ts";
import type { HealthChange } from "./health-queries.ts";
import { addResult } from "./note-health.ts";

const endpointId = newId<EndpointId>(0);
const at = (second: number) => new Date(second * 1_000);

/** Returns the combined result of attempts with these statuses, a second each; 0: no response. */
function after(...statuses: number[]): HealthChange | undefined {
  return statuses.reduce<HealthChange | undefined>((before, code, second) => {
    const status = code === 0 ? null : code;
    const reason = code === 200 ? null : code === 0 ? "timed out" : `answered ${code}`;
    return addResult(before, { endpointId, status, reason }, at(second));
  }, undefined);
}

test("successes are no failures", () => {
  expect(after(200, 200)).toMatchObject({
    status: 200,
    reason: null,
    since: at(0),
    isUniform: true,
    failures: 0,
    failingSince: null,
    lastAttemptAt: at(1),
    lastSuccessAt: at(1),
  });
});

test("a status that goes on keeps its beginning, and failures are counted from the first", () => {
  expect(after(401, 401, 401)).toMatchObject({
    status: 401,
    since: at(0),
    isUniform: true,
    failures: 3,
    failingSince: at(0),
    lastSuccessAt: null,
  });
  expect(after(401, 500, 500)).toMatchObject({
    status: 500,
    since: at(1),
    isUniform: false,
    failures: 3,
    failingSince: at(0),
  });
});

test("a success ends the failures before it, and those after it begin anew", () => {
  expect(after(401, 200)).toMatchObject({ failures: 0, failingSince: null, lastSuccessAt: at(1) });
  expect(after(401, 200, 0)).toMatchObject({
    status: null,
    reason: "timed out",
    since: at(2),
    isUniform: false,
    failures: 1,
    failingSince: at(2),
    lastSuccessAt: at(1),
  });
});
