/** The settings of the policy for China, with the retention that it needs. */
export const chinaPolicy = {
  LABELS: "cn",
  EVENTS_RETENTION_DAYS: "180",
  DELIVERIES_RETENTION_DAYS: "180",
  SUBMISSIONS_RETENTION_DAYS: "180",
};
