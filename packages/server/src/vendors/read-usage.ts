/** Amounts by the vendor's names of the units, as exact decimals. A name inside another is `outer.inner`. */
export type Usage = Readonly<Record<string, string>>;

/** An amount beyond these says that something is wrong with the report. */
const amount = /^\d{1,12}(\.\d{1,12})?$/;
const unitName = /^[A-Za-z]\w{0,39}$/;
const unitsMax = 30;

/**
 * Reads what a vendor reports as used. Only plain amounts count: other values are left out, and a report without
 * amounts, or with too many, is null. Never throws: usage decides nothing about a task.
 */
export function readUsage(reported: unknown): Usage | null {
  const outer = membersOf(reported);
  const amounts = outer.flatMap(([name, value]) => {
    const inner = membersOf(value).map(([last, one]) => [`${name}.${last}`, one] as const);
    return [[name, value] as const, ...inner].flatMap(([unit, one]) => {
      const text = amountOf(one);
      return text === null ? [] : [[unit, text] as const];
    });
  });
  return amounts.length === 0 || amounts.length > unitsMax ? null : Object.fromEntries(amounts);
}

function membersOf(value: unknown): [string, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value)
    .filter(([name]) => unitName.test(name))
    .slice(0, unitsMax + 1);
}

/** A number of JSON as it was written: the shortest decimal that means it. */
function amountOf(value: unknown): string | null {
  if (typeof value !== "number") return null;
  const text = String(value);
  return amount.test(text) ? text : null;
}
