import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

interface Column<Row> {
  title: ReactNode;
  cell(row: Row): ReactNode;
  isNumber?: boolean;
  /** A word or two that is never broken. */
  isShort?: boolean;
}

interface Props<Row> {
  /** A description of the listed rows for people who cannot see the table. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
}

/**
 * A table. On a telephone each row is a card: the first column names it, the others are facts with
 * their titles.
 */
export function Table<Row>({ label, columns, rows, keyOf }: Props<Row>) {
  return (
    // relative: what is hidden from the eye is positioned, and would widen the page
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a table without a control in it is scrolled by the keyboard
      tabIndex={0}
      className="relative overflow-x-auto rounded-lg border border-line bg-panel"
    >
      <table className="cards w-full border-collapse">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="border-b border-line text-left text-sm text-muted">
            {columns.map(({ title, isNumber }, at) => (
              <th
                // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
                key={at}
                scope="col"
                className={classNames(
                  "px-3 py-2 font-medium whitespace-nowrap",
                  isNumber && "text-right",
                )}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-b border-line last:border-0 hover:bg-page">
              {columns.map(({ title, cell, isNumber, isShort }, at) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
                  key={at}
                  data-title={typeof title === "string" ? title : undefined}
                  className={classNames(
                    "px-3 py-2 align-top sm:first:min-w-32",
                    isNumber && "text-right",
                    (isNumber || isShort) && "whitespace-nowrap",
                  )}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
