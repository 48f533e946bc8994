import { expect, test } from "vitest";
import type { KeyLimits } from "../queries.ts";
import { requireWithin } from "./within-limits.ts";

const own: KeyLimits = {
  scopes: ["keys", "tasks", "read"],
  models: ["sd2", "sd2-fast"],
  requestsPerMinuteMax: 100,
  creditsMax: null,
  expiresAt: new Date("2030-01-01"),
};
const less: KeyLimits = {
  scopes: ["tasks"],
  models: ["sd2"],
  requestsPerMinuteMax: 100,
  creditsMax: 50,
  expiresAt: new Date("2030-01-01"),
};

test("a key gives a part of what it has", () => {
  requireWithin(own, less);
  requireWithin({ ...own, models: null, requestsPerMinuteMax: null, expiresAt: null }, less);
});

test.each<[string, Partial<KeyLimits>]>([
  ["all scopes", { scopes: null }],
  ["a scope that it lacks", { scopes: ["tasks", "assets"] }],
  ["the scope to make keys", { scopes: ["tasks", "keys"] }],
  ["all models", { models: null }],
  ["a model that it lacks", { models: ["sd2", "image-pro-2"] }],
  ["the deployment's rate", { requestsPerMinuteMax: null }],
  ["a higher rate", { requestsPerMinuteMax: 101 }],
  ["no expiry", { expiresAt: null }],
  ["a later expiry", { expiresAt: new Date("2030-01-02") }],
])("a key cannot give %s", (_what, more) => {
  expect(() => requireWithin(own, { ...less, ...more })).toThrow("more than it has itself");
});

test("a key with a budget gives nothing, however little", () => {
  expect(() => requireWithin({ ...own, creditsMax: 100 }, { ...less, creditsMax: 1 })).toThrow(
    "more than it has itself",
  );
});
