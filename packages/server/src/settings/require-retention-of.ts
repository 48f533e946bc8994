/** The days for which records of the service are kept where a policy of labels serves the law of China. */
const recordDaysMin = 180;
const policiesWithRecords: ReadonlySet<string> = new Set(["cn"]);

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
  policy: string | undefined,
  retention: Readonly<Record<RecordSetting, number | null | undefined>>,
  refuse: (setting: RecordSetting, message: string) => void,
): void {
  if (policy === undefined || !policiesWithRecords.has(policy)) return;
  for (const setting of ofRecords) {
    const days = retention[setting] ?? null;
    if (days !== null && days < recordDaysMin)
      refuse(setting, `LABELS=${policy} needs at least ${recordDaysMin} days, and this is ${days}`);
  }
}
