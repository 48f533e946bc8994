import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** Names and values, in columns where there is room. */
export function Facts({
  facts,
}: {
  facts: readonly (readonly [name: string, value: ReactNode])[];
}) {
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-3">
      {facts.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A link to the account's page, labelled with the end of the id, since the beginning is the time. */
export function AccountLink({ accountId, name }: { accountId: string; name?: string }) {
  return (
    <Link
      to={`/operations/accounts/${accountId}`}
      title={accountId}
      className="font-medium text-accent-strong underline"
    >
      {name === undefined ? (
        <span className="font-mono text-sm">…{accountId.slice(-12)}</span>
      ) : (
        <bdi>{name}</bdi>
      )}
    </Link>
  );
}
