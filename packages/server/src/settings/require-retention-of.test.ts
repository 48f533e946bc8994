import { expect, test } from "vitest";
import type { LabelPolicyName } from "./label-policies.ts";
import { requireRetentionOf } from "./require-retention-of.ts";
import { settings } from "./settings.ts";

const usual = {
  eventsDays: 30,
  deliveriesDays: 90,
  submissionsDays: 90,
  tasksDays: null,
  promptsDays: null,
};
const enough = { ...usual, eventsDays: 180, deliveriesDays: 180, submissionsDays: 365 };

function refused(policy: LabelPolicyName, retention: Record<keyof typeof usual, number | null>) {
  const names: string[] = [];
  requireRetentionOf(policy, retention, (setting) => names.push(settings.retention[setting].name));
  return names;
}

test("a policy for China refuses every retention of records below 180 days by the name of its setting", () => {
  expect(refused("cn", usual)).toEqual([
    "EVENTS_RETENTION_DAYS",
    "DELIVERIES_RETENTION_DAYS",
    "SUBMISSIONS_RETENTION_DAYS",
  ]);
  expect(refused("cn", enough)).toEqual([]);
  const short = { ...enough, eventsDays: 179, tasksDays: 179, promptsDays: 30 };
  expect(refused("cn", short)).toEqual([
    "EVENTS_RETENTION_DAYS",
    "TASKS_RETENTION_DAYS",
    "PROMPTS_RETENTION_DAYS",
  ]);
});

test("other policies keep the retention that the operator has set", () => {
  for (const policy of ["implicit", "eu", "none"] as const)
    expect(refused(policy, usual)).toEqual([]);
});
