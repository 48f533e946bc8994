import { createHash } from "node:crypto";

/**
 * Returns a digest that does not depend on the order of members. Tools take no value that JSON does
 * not have.
 */
export function digestOf(...parts: unknown[]): string {
  const text = JSON.stringify(parts, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash("sha256").update(text).digest("base64url");
}
