import { type LabelPolicyName, labelPolicies } from "./label-policies.ts";

/**
 * The settings that remove or empty records of tasks and events. The audit, the ledger and the record of
 * freed outputs have none: no setting shortens them.
 */
const ofRecords = [
  "eventsDays",
  "deliveriesDays",
  "submissionsDays",
  "tasksDays",
  "promptsDays",
] as const;
type RecordSetting = (typeof ofRecords)[number];

/**
 * Refuses every setting of retention that is too short for a policy of labels. Null keeps for ever, and
 * undefined is a setting with another fault.
 */
export function requireRetentionOf(
  policy: LabelPolicyName | undefined,
  retention: Readonly<Record<RecordSetting, number | null | undefined>>,
  refuse: (setting: RecordSetting, message: string) => void,
): void {
  const recordDaysMin = policy === undefined ? null : labelPolicies[policy].recordDaysMin;
  if (recordDaysMin === null) return;
  for (const setting of ofRecords) {
    const days = retention[setting] ?? null;
    if (days !== null && days < recordDaysMin)
      refuse(setting, `LABELS=${policy} needs at least ${recordDaysMin} days, and this is ${days}`);
  }
}
