/** What an endpoint can be told. Ends of tasks are events as well; the others are only delivered. */
export const eventTypes = [
  "generation.completed",
  "generation.failed",
  "upscale.completed",
  "upscale.failed",
  "asset.reviewed",
  "credits.low",
  "key.budget_low",
] as const;
export type EventType = (typeof eventTypes)[number];
