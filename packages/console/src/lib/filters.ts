import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

/**
 * Filters, tabs and the open item live in the URL. An absent parameter has its default, and a default
 * is not written.
 */
export function useFilters<Filters extends Record<string, string>>(
  defaults: Filters,
): [Filters, (change: Partial<Filters>, options?: { replace?: boolean }) => void] {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const navigate = useNavigate();
  const names = Object.keys(defaults) as (keyof Filters & string)[];
  const filters = Object.fromEntries(
    names.map((name) => [name, search[name] ?? defaults[name]]),
  ) as Filters;
  const change = useCallback(
    (changed: Partial<Filters>, { replace = false } = {}) => {
      const next = (before: Record<string, string | undefined>) => {
        const after: Record<string, string | undefined> = { ...before, ...changed };
        for (const [name, value] of Object.entries(after))
          if (value === undefined || value === defaults[name]) delete after[name];
        return after;
      };
      void navigate({ to: ".", search: next as never, replace });
    },
    [navigate, defaults],
  );
  return [filters, change];
}

/** Plain text in the URL: `?status=FAILED`, not JSON. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    if (value !== undefined && value !== null && value !== "") params.set(name, String(value));
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}
