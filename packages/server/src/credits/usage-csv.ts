import type { UsageItem, UsagePage } from "./usage-schema.ts";

const sums = ["completed", "failed", "credits", "videoSeconds"] as const;
const groupNames = { model: ["model"], key: ["keyId", "keyName"], status: ["status"] };

/** The items as RFC 4180, with times in ISO 8601. */
export function renderCsv({ group, items }: UsagePage): string {
  const names = group === null ? [] : groupNames[group];
  const lines = items.map((item) => [
    new Date(item.start).toISOString(),
    ...groupOf(group, item),
    ...sums.map((sum) => String(item[sum])),
  ]);
  return [["start", ...names, ...sums], ...lines]
    .map((fields) => `${fields.map(quote).join(",")}\r\n`)
    .join("");
}

function groupOf(group: UsagePage["group"], { value, name }: UsageItem): string[] {
  if (group === null) return [];
  return group === "key" ? [value ?? "", name ?? ""] : [value ?? ""];
}

/** A spreadsheet runs text that begins like a formula; a key is named by its owner, so it is made text. */
function quote(field: string): string {
  const text = /^\s*[=+\-@＝＋－＠]/.test(field) ? `'${field}` : field;
  return /[",\r\n\t']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
