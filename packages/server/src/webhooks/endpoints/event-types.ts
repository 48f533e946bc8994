/**
 * The events that an endpoint can subscribe to. Ends of tasks are also listed as events; the others are
 * only delivered.
 */
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
