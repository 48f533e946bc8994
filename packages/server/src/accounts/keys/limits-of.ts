import { withoutUndefined } from "../../http/without-undefined.ts";
import type { KeyLimits } from "../queries.ts";
import type { ChangeKeyBody } from "./schema.ts";

export const noLimits: KeyLimits = {
  scopes: null,
  models: null,
  requestsPerMinuteMax: null,
  creditsMax: null,
  expiresAt: null,
};

/** Returns the limits that a body gives, without those that it leaves out. */
export function readLimits({
  expiresAt,
  ...rest
}: Omit<ChangeKeyBody, "name">): Partial<KeyLimits> {
  const end = typeof expiresAt === "string" ? new Date(expiresAt) : expiresAt;
  return withoutUndefined({ ...rest, expiresAt: end });
}
