import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { TaskRequest } from "@zoetrope/sdk";
import type { QuoteTaskAnswer } from "@zoetrope/sdk/answers";
import { useEffect, useRef, useState } from "react";
import { useAccount } from "../../app/session.tsx";
import type { Inputs } from "./form/values.ts";

const quietMs = 250;

/** The value as it was when it had not changed for a moment. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), quietMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

export interface Quote {
  /** The price of the current form, or of the last one that had a price. */
  price: QuoteTaskAnswer | null;
  /** Whether the quote of the current form has not arrived yet. */
  isChecking: boolean;
  /** The error that createTask would return instead. */
  error: unknown;
}

/** The price while the form is filled in, as soon as it can be asked for. The request before is aborted; its price stays on the screen. */
export function useQuote(model: string, inputs: Inputs, isEnabled: boolean): Quote {
  const { account, client } = useAccount();
  const current = JSON.stringify({ model, inputs });
  const settled = useSettled(current);
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: [account.accountId, "quote", settled],
    queryFn: ({ signal }) => client.quote(JSON.parse(settled) as TaskRequest, { signal }),
    placeholderData: keepPreviousData,
    enabled: isEnabled && settled === current,
    gcTime: 60_000,
  });
  const last = useRef<{ model: string; price: QuoteTaskAnswer } | null>(null);
  if (data !== undefined && !isPlaceholderData)
    last.current = { model: (JSON.parse(settled) as { model: string }).model, price: data };
  return {
    price: last.current?.model === model ? last.current.price : null,
    isChecking: isEnabled && (settled !== current || isFetching || isPlaceholderData),
    error: isEnabled && settled === current ? error : null,
  };
}
